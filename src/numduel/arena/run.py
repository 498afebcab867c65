"""Runs an arena from beginning to end in a folder. Running it again resumes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING

from numduel.arena.log import Log, Standings
from numduel.arena.model_games import ModelGames, SpendingLimit
from numduel.arena.plan import BenchPlan, Plan, make_plan
from numduel.arena.processes import play_locally
from numduel.arena.spec import Spec, check_fits
from numduel.play.files import locked_folder

if TYPE_CHECKING:
    from numduel.arena.measures import Tables

SPEC_FILE, LOG_FILE, ANSWERS_FILE = "arena.toml", "log.jsonl", "answers.jsonl"

OnProgress = Callable[[float, Standings], object]
"""Called with the share of the games that have been played, and the scores so far."""

PlayGames = Callable[[Spec, Iterable[int]], Iterator[list[str]]]
"""Plays the games with these numbers and yields lists of their lines as they arrive."""


def run(
    spec: Spec,
    folder: Path,
    *,
    workers: int = 1,
    play_games: PlayGames | None = None,
    budget: SpendingLimit | None = None,
    on_progress: OnProgress = lambda share, standings: None,
    warn: Callable[[str], object] = lambda sentence: None,
) -> Tables:
    """Play the games that are not in the log yet, and write the tables and the report.

    However it is stopped, the games and answers in the log are kept. The same call resumes it, also
    with more players, games or rounds. `warn` is called if games could not be played.
    """
    plan = make_plan(spec)
    check_fits(plan.games, spec.players)
    with locked_folder(folder, "arena", LOG_FILE), closing(Log(folder / LOG_FILE, plan)) as log:
        (folder / SPEC_FILE).write_text(spec.dumps(), encoding="utf-8")
        standings = Standings(plan)
        standings.add(log.refresh())
        on_progress(log.done / len(plan), standings)
        model_games = ModelGames(plan, log, budget or SpendingLimit())

        def add(lines: list[str]) -> None:
            standings.add(log.add(lines))
            on_progress(log.done / len(plan), standings)

        play_games = play_games or partial(play_locally, workers=workers)
        for lines in play_games(spec, filterfalse(model_games.has_model, log.missing())):
            add(lines)
        if log.done < len(plan):
            model_games.play(workers, add)
        if log.done < len(plan):
            causes = "; ".join(f"{who}: {why}" for who, why in model_games.causes.items())
            number = len(plan) - log.done
            warn(f"games not played: {number:,} ({causes}); run the same command again")
        return _write_results(folder, plan, log)


def _write_results(folder: Path, plan: Plan, log: Log) -> Tables:
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
    """Write what models were asked and what they answered, if any were asked."""
    with path.open("w", encoding="utf-8") as file:
        for line in log.answers():
            entry = {"game": line.game, "setting": plan.game_text(line.game), "player": line.player}
            entry |= {"ply": line.ply, **line.answer._asdict()}
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    if not path.stat().st_size:
        path.unlink()
