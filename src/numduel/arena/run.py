"""An arena from beginning to end, in a folder. Running it again resumes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING

from numduel.arena.log import Log, Standing
from numduel.arena.model_games import Budget, ModelGames
from numduel.arena.plan import BenchPlan, Plan, plan_of
from numduel.arena.processes import played_here
from numduel.arena.spec import Spec, check_fits
from numduel.play.files import locked_folder

if TYPE_CHECKING:
    from numduel.arena.measures import Tables

SPEC_FILE, LOG_FILE, ANSWERS_FILE = "arena.toml", "log.jsonl", "answers.jsonl"

OnProgress = Callable[[float, Standing], object]
"""Called with the share of the games that are played, and the scores so far."""

PlayGames = Callable[[Spec, Iterable[int]], Iterator[list[str]]]
"""Plays the games of these numbers and yields their lines, some at a time."""


def run(
    spec: Spec,
    folder: Path,
    *,
    workers: int = 1,
    played: PlayGames | None = None,
    budget: Budget | None = None,
    told: OnProgress = lambda part, standing: None,
    warned: Callable[[str], object] = lambda sentence: None,
) -> Tables:
    """Play the games that are not in the log yet, and write the tables and the report.

    However it is stopped, the games and answers in the log are kept, and the same call resumes,
    also with more players, games or rounds. `warned` is called if games could not be played.
    """
    plan = plan_of(spec)
    check_fits(plan.games, spec.players)
    with locked_folder(folder, "arena", LOG_FILE), closing(Log(folder / LOG_FILE, plan)) as log:
        (folder / SPEC_FILE).write_text(spec.dumps(), encoding="utf-8")
        standing = Standing(plan)
        standing.add(log.refresh())
        told(log.done / len(plan), standing)
        model_games = ModelGames(plan, log, budget or Budget())

        def add(lines: list[str]) -> None:
            standing.add(log.add(lines))
            told(log.done / len(plan), standing)

        play = played or partial(played_here, workers=workers)
        for lines in play(spec, filterfalse(model_games.plays, log.absent())):
            add(lines)
        if log.done < len(plan):
            model_games.play(workers, add)
        if log.done < len(plan):
            causes = "; ".join(f"{who}: {why}" for who, why in model_games.causes.items())
            number = len(plan) - log.done
            warned(f"games not played: {number:,} ({causes}); run the same command again")
        return _finish(folder, plan, log)


def _finish(folder: Path, plan: Plan, log: Log) -> Tables:
    from numduel.arena.bench import write_bench
    from numduel.arena.measures import Tables  # slow to import, and not needed before
    from numduel.arena.report import write_report
    from numduel.arena.tables import write_tables

    write_tables(folder, plan, log)
    _write_answers(folder / ANSWERS_FILE, plan, log)
    tables = Tables(folder, plan.spec.players)
    if isinstance(plan, BenchPlan):
        write_bench(folder, plan)
    else:
        write_report(folder, plan.spec, tables)
    return tables


def _write_answers(path: Path, plan: Plan, log: Log) -> None:
    """Write what models were asked and answered, by the number of the game, if any were."""
    with path.open("w", encoding="utf-8") as file:
        for line in log.answers():
            entry = {"game": line.game, "setting": plan.label(line.game), "player": line.player}
            entry |= {"ply": line.ply, **line.answer._asdict()}
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    if not path.stat().st_size:
        path.unlink()
