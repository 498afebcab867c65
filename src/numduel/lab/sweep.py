"""Solves a whole family of games, and writes verdicts and winning first moves as Parquet files.

Each file is a part of the table. It is written completely or not at all, and its bytes depend on
the sweep alone. So the same command resumes a sweep, with any number of processes or machines.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from io import BytesIO
from math import prod
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import polars as pl

from numduel.core.errors import NumduelError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.settings import values_in_text
from numduel.core.theory import FirstMoves
from numduel.games import game_type
from numduel.lab.fairness import ProgressCallback
from numduel.play.files import locked_folder, write_atomically
from numduel.solver import theory_of

SWEEP_FILE = "sweep.json"

MAX_COMBINATIONS = 1_000_000
"""Maximum number of combinations of settings in a sweep."""

MAX_PART_ROWS = 1_000

MAX_PART_SECONDS = 60.0
"""A part has fewer rows if the theory declares that all of them take longer than this."""

T = TypeVar("T")

MAX_INT64 = 2**63 - 1

Work = Callable[[list[int]], list[tuple[int, bytes]]]
"""Returns the parts with these numbers, each with its number."""

Compute = Callable[[Work, Iterable[int]], Iterator[list[tuple[int, bytes]]]]
"""Calls the work for these numbers, and yields its results."""


class Sweep(NamedTuple):
    """What to solve: a game at every combination of the values of its settings."""

    game: str
    settings: dict[str, str]  # by name, such as `10..30` or `any|even`
    distance: bool = False  # whether to search longer for distances

    def dumps(self) -> str:
        """Return the sweep as the text of its file."""
        return json.dumps(self._asdict(), indent=1) + "\n"


class SweepPlan:
    """The combinations of a sweep by number, the first setting varying fastest, and its parts."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep, self.kind = sweep, game_type(sweep.game)
        self.values: dict[str, list[Any]] = {}
        for setting in self.kind.settings_type.declared:
            text = sweep.settings.get(setting.name, setting.text(setting.default))
            found = map(setting.parse, values_in_text(text, MAX_COMBINATIONS))
            self.values[setting.name] = list(dict.fromkeys(found))
        self.count = prod(map(len, self.values.values()))
        if self.count > MAX_COMBINATIONS:
            raise SettingsError(
                f"a sweep has at most {MAX_COMBINATIONS:,} combinations of settings, "
                f"not {self.count:,}"
            )
        self.schema = self._schema()
        self.part_rows = self._part_rows()
        self.parts = -(-self.count // self.part_rows)

    def games(self, numbers: Iterable[int]) -> Iterator[Game[Any]]:
        """Yield the games of these combinations; contradictory ones are left out."""
        for number in numbers:
            chosen = {}
            for name, column in self.values.items():
                number, place = divmod(number, len(column))
                chosen[name] = column[place]
            try:
                yield self.kind(**chosen)
            except SettingsError:
                if self.count == 1:
                    raise

    def part(self, number: int) -> bytes:
        """Return a part as the bytes of its file."""
        first = number * self.part_rows
        games = list(self.games(range(first, min(first + self.part_rows, self.count))))
        quick: Iterable[FirstMoves | None] | None = self.kind.first_moves_each(games)
        if quick is None:
            quick = (_unless_too_large(theory_of(game).first_moves) for game in games)
        rows = [self._row(*each) for each in zip(games, quick, strict=True)]
        columns = zip(*rows, strict=True) if rows else [()] * len(self.schema)
        table = [
            pl.Series(name, list(column), kind)
            for (name, kind), column in zip(self.schema.items(), columns, strict=True)
        ]
        file = BytesIO()
        pl.DataFrame(table).write_parquet(file)
        return file.getvalue()

    def _part_rows(self) -> int:
        """Return the number of combinations in a part, by the declared cost of the last one."""
        last = next(self.games(range(self.count - 1, -1, -1)), None)
        if last is None:
            raise SettingsError("every combination of these settings contradicts itself")
        cost = theory_of(last).cost(last.start())
        return max(1, min(MAX_PART_ROWS, int(MAX_PART_SECONDS / (cost.solve + cost.values))))

    def _schema(self) -> dict[str, Any]:
        """Return the type of each column. If a number is too large for 64 bits, all are texts."""
        numbers = [n for column in self.values.values() for n in column if type(n) is int]
        number_type = pl.Int64 if max(numbers, default=0) <= MAX_INT64 else pl.String
        types = {int: number_type, bool: pl.Boolean, str: pl.String}
        return {
            **{
                name: types[next((type(n) for n in column if n is not None), int)]
                for name, column in self.values.items()
            },
            "value": pl.String,  # of the start, for the player who begins; null: too large
            "distance": number_type,
            "winning_first_moves": pl.List(pl.Int64),
            "winning_count": pl.UInt32,  # number of winning first moves
            "first_moves": pl.UInt32,  # number of all first moves
        }

    def _row(self, game: Game[Any], found: FirstMoves | None) -> list[Any]:
        """Return the values of the columns."""
        row: list[Any] = list(game.settings.values.values())
        if found is None:
            row += [None, None, None, None, len(game.moves(game.start()))]
        else:
            value, distance = found.verdict
            if distance is None and self.sweep.distance:
                distance = _unless_too_large(partial(theory_of(game).distance, game.start()))
            winning = None if found.winning is None else pl.Series(found.winning, dtype=pl.Int64)
            count = None if winning is None else len(winning)
            row += [value, distance, winning, count, found.total]
        return [
            str(one) if kind == pl.String and one is not None else one
            for one, kind in zip(row, self.schema.values(), strict=True)
        ]


def _unless_too_large(compute: Callable[[], T]) -> T | None:
    """Return the result, or None if it is too large to compute."""
    try:
        return compute()
    except TooLarge:
        return None


@lru_cache(maxsize=1)
def _plan_of(text: str) -> SweepPlan:
    return SweepPlan(Sweep(**json.loads(text)))


def compute_parts(text: str, numbers: list[int]) -> list[tuple[int, bytes]]:
    """Return these parts of the sweep with this text (`Sweep.dumps`), each with its number."""
    return [(number, _plan_of(text).part(number)) for number in numbers]


def run_sweep(
    sweep: Sweep,
    folder: Path,
    *,
    workers: int = 1,
    compute: Compute | None = None,
    on_progress: ProgressCallback = lambda part: None,
) -> pl.DataFrame:
    """Write the missing parts into the folder, and return the number of games with each value.

    Finished parts are kept when it is stopped in any way, and the same call resumes.
    """
    text = sweep.dumps()
    plan = SweepPlan(sweep)
    with locked_folder(folder, "sweep", SWEEP_FILE):
        if not (folder / SWEEP_FILE).exists():
            write_atomically(folder / SWEEP_FILE, text.encode())
        elif (folder / SWEEP_FILE).read_text(encoding="utf-8") != text:
            raise SettingsError(
                f"{folder} holds another sweep (see {SWEEP_FILE}): choose another folder"
            )
        missing = [n for n in range(plan.parts) if not _part_path(folder, n).exists()]
        compute = compute or partial(compute_here, workers=workers)
        done = plan.parts - len(missing)
        on_progress(done / plan.parts)
        for results in compute(partial(compute_parts, text), missing):
            for number, data in results:
                write_atomically(_part_path(folder, number), data)
            done += len(results)
            on_progress(done / plan.parts)
    counts = read_sweep(folder).group_by("value").len()
    return counts.sort("len", "value", descending=[True, False]).collect()


def read_sweep(folder: Path) -> pl.LazyFrame:
    """Return the table of a sweep. Raises SettingsError if it is missing or damaged."""
    if not (folder / SWEEP_FILE).exists():
        raise SettingsError(f"{folder} holds no sweep")
    paths = sorted(folder.glob("part-*.parquet"))
    if not paths:
        raise SettingsError(f"{folder} holds a sweep of which nothing is solved: run it again")
    for path in paths:
        try:
            pl.scan_parquet(path).drop("winning_first_moves").collect()
        except pl.exceptions.PolarsError:
            raise SettingsError(f"{path} is damaged: delete it, and run the sweep again") from None
    return pl.scan_parquet(paths)


def count_parts(folder: Path) -> tuple[int, int]:
    """Return the number of finished parts of a sweep, and of all its parts."""
    plan = _plan_of((folder / SWEEP_FILE).read_text(encoding="utf-8"))
    return len(list(folder.glob("part-*.parquet"))), plan.parts


def _part_path(folder: Path, number: int) -> Path:
    return folder / f"part-{number:06}.parquet"


def compute_here(
    work: Work, numbers: Iterable[int], workers: int
) -> Iterator[list[tuple[int, bytes]]]:
    """Call the work in processes on this machine, and yield its results."""
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _exit_with_parent)
    try:
        yield from pool.map(work, ([number] for number in numbers))
    except BrokenProcessPool:
        raise NumduelError(
            "a worker process has died: run the same command again to resume"
        ) from None
    finally:
        for child in set(active_children()) - others:
            child.kill()
        pool.shutdown(cancel_futures=True)


def _exit_with_parent() -> None:
    """Let a worker process ignore Ctrl-C, and exit when its parent process has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
