"""An arena from beginning to end: a folder that is filled, and can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from numduel.arena.asked import Asked, check_fits
from numduel.arena.crew import played_here
from numduel.arena.log import Log
from numduel.arena.plan import Plan
from numduel.arena.standing import Standing
from numduel.core.errors import SettingsError

if TYPE_CHECKING:
    from numduel.arena.measures import Tables

ASKED, LOG, LOCK, SAID = "arena.toml", "log.jsonl", ".lock", "answers.jsonl"

Told = Callable[[float, Standing], object]
"""Is told which part of the games is played, and who is ahead."""

Played = Callable[[Asked, Iterable[int]], Iterator[list[str]]]
"""Plays the games of these numbers, and gives their lines, some at a time."""


def run(
    asked: Asked,
    folder: Path,
    *,
    workers: int = 1,
    played: Played | None = None,
    told: Told = lambda part, standing: None,
) -> Tables:
    """Play what is not yet played, and write all that the folder is to hold.

    However it is stopped, the games that were told of are kept, and the same call goes on.
    """
    plan = Plan(asked)
    check_fits(plan.games, asked.players)
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise SettingsError(f"another arena is writing to {folder}") from None
    try:
        _claim(folder, asked)
        log = Log(folder / LOG, len(plan))
        try:
            standing = Standing(plan)
            standing.add(log.lines())
            told(log.done / len(plan), standing)
            by = played or (lambda asked, numbers: played_here(asked, numbers, workers))
            for lines in by(asked, log.absent()):
                log.add(lines)
                standing.add(lines)
                told(log.done / len(plan), standing)
            return _finish(folder, plan, log)
        finally:
            log.close()
    finally:
        lock.release()


def _claim(folder: Path, asked: Asked) -> None:
    """Say in the folder what it is for; SettingsError where it is for something else."""
    path = folder / ASKED
    if path.exists():
        if path.read_text(encoding="utf-8") != asked.dumps():
            raise SettingsError(
                f"{folder} holds another arena (see {ASKED}): choose another folder"
            )
        return
    if any(one.name != LOCK for one in folder.iterdir()):
        raise SettingsError(f"{folder} is not empty, and holds no arena: choose another folder")
    draft = folder / f"{ASKED}.new"
    draft.write_text(asked.dumps(), encoding="utf-8")
    draft.replace(path)


def _finish(folder: Path, plan: Plan, log: Log) -> Tables:
    from numduel.arena.measures import Tables  # slow to import, and not needed before
    from numduel.arena.report import write_report
    from numduel.arena.tables import write_tables

    write_tables(folder, plan, log)
    _write_said(folder / SAID, log)
    tables = Tables(folder, plan.asked.players)
    write_report(folder, plan.asked, tables)
    return tables


def _write_said(path: Path, log: Log) -> None:
    """Every prompt and answer of the players that speak with a server, if any do."""
    path.unlink(missing_ok=True)
    if not log.speaks:
        return
    with path.open("w", encoding="utf-8") as file:
        for line in log.games():
            for words in line.get("said", ()):
                entry: dict[str, Any] = {"game": line["game"], **words}
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
