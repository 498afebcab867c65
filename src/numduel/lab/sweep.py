"""Every game of a family solved: verdicts and winning first moves as Parquet, in parts.

A part is a file that is whole or absent, and its bytes depend on the sweep alone. So the same
command resumes, and it does not matter how many processes or machines share the work.
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

PART_SECONDS = 60.0
"""A part has fewer rows if all of them are declared to take longer than this."""

T = TypeVar("T")

MAX_INT64 = 2**63 - 1

Work = Callable[[list[int]], list[tuple[int, bytes]]]
"""Returns each of some parts, with its number."""

Computed = Callable[[Work, Iterable[int]], Iterator[list[tuple[int, bytes]]]]
"""Yields the parts of these numbers, some at a time."""


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
        """Yield the games of these combinations, without those that contradict themselves."""
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
            quick = (_within_reach(theory_of(game).first_moves) for game in games)
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
        """Return how many combinations a part has, by what the last of them is said to cost."""
        last = next(self.games(range(self.count - 1, -1, -1)), None)
        if last is None:
            raise SettingsError("every combination of these settings contradicts itself")
        cost = theory_of(last).cost(last.start())
        return max(1, min(MAX_PART_ROWS, int(PART_SECONDS / (cost.solve + cost.values))))

    def _schema(self) -> dict[str, Any]:
        """Return the type of each column. If a number is too long for 64 bits, all are texts."""
        numbers = [n for column in self.values.values() for n in column if type(n) is int]
        whole = pl.Int64 if max(numbers, default=0) <= MAX_INT64 else pl.String
        types = {int: whole, bool: pl.Boolean, str: pl.String}
        return {
            **{
                name: types[next((type(n) for n in column if n is not None), int)]
                for name, column in self.values.items()
            },
            "value": pl.String,  # of the start, for the player who begins; null: out of reach
            "distance": whole,
            "winning_first_moves": pl.List(pl.Int64),
            "winning_count": pl.UInt32,  # how many these are
            "first_moves": pl.UInt32,  # how many first moves there are
        }

    def _row(self, game: Game[Any], found: FirstMoves | None) -> list[Any]:
        """Return the values of the columns."""
        row: list[Any] = list(game.settings.values.values())
        if found is None:
            row += [None, None, None, None, len(game.moves(game.start()))]
        else:
            value, distance = found.verdict
            if distance is None and self.sweep.distance:
                distance = _within_reach(partial(theory_of(game).distance, game.start()))
            winning = None if found.winning is None else pl.Series(found.winning, dtype=pl.Int64)
            count = None if winning is None else len(winning)
            row += [value, distance, winning, count, found.total]
        return [
            str(one) if kind == pl.String and one is not None else one
            for one, kind in zip(row, self.schema.values(), strict=True)
        ]


def _within_reach(find: Callable[[], T]) -> T | None:
    """Return what is found, or None where it is out of reach."""
    try:
        return find()
    except TooLarge:
        return None


@lru_cache(maxsize=1)
def _plan(text: str) -> SweepPlan:
    return SweepPlan(Sweep(**json.loads(text)))


def parts(text: str, numbers: list[int]) -> list[tuple[int, bytes]]:
    """Return these parts of the sweep that has this text, each with its number."""
    return [(number, _plan(text).part(number)) for number in numbers]


def run_sweep(
    sweep: Sweep,
    folder: Path,
    *,
    workers: int = 1,
    computed: Computed | None = None,
    told: ProgressCallback = lambda part: None,
) -> pl.DataFrame:
    """Write the parts that are absent into the folder. Return how often each value was found.

    However it is stopped, the parts that are there are kept, and the same call resumes.
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
        absent = [number for number in range(plan.parts) if not _path(folder, number).exists()]
        compute = computed or partial(computed_here, workers=workers)
        done = plan.parts - len(absent)
        told(done / plan.parts)
        for some in compute(partial(parts, text), absent):
            for number, data in some:
                write_atomically(_path(folder, number), data)
            done += len(some)
            told(done / plan.parts)
    counts = read_sweep(folder).group_by("value").len()
    return counts.sort("len", "value", descending=[True, False]).collect()


def read_sweep(folder: Path) -> pl.LazyFrame:
    """Return the table of a sweep. Raises SettingsError if there is none, or a part is damaged."""
    if not (folder / SWEEP_FILE).exists():
        raise SettingsError(f"{folder} holds no sweep")
    found = sorted(folder.glob("part-*.parquet"))
    if not found:
        raise SettingsError(f"{folder} holds a sweep of which nothing is solved: run it again")
    for path in found:
        try:
            pl.scan_parquet(path).drop("winning_first_moves").collect()
        except pl.exceptions.PolarsError:
            raise SettingsError(f"{path} is damaged: delete it, and run the sweep again") from None
    return pl.scan_parquet(found)


def count_parts(folder: Path) -> tuple[int, int]:
    """Return how many parts of a sweep are there, and how many it has."""
    plan = _plan((folder / SWEEP_FILE).read_text(encoding="utf-8"))
    return len(list(folder.glob("part-*.parquet"))), plan.parts


def _path(folder: Path, number: int) -> Path:
    return folder / f"part-{number:06}.parquet"


def computed_here(
    work: Work, numbers: Iterable[int], workers: int
) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the parts as processes of this machine compute them."""
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _end_with_parent)
    try:
        yield from pool.map(work, ([number] for number in numbers))
    except BrokenProcessPool:
        raise NumduelError(
            "a process that computed has ended: run the same command again to resume"
        ) from None
    finally:
        for child in set(active_children()) - others:
            child.kill()
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """In a worker process: leave Ctrl-C to the parent process, and end when that has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
