"""Data sets of positions: deduplicated, balanced, split, and the same from the same seed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from numduel import __version__
from numduel.arena.asked import settled
from numduel.arena.sampling import Found, begin, found
from numduel.core.errors import SettingsError
from numduel.play.setup import LARGEST_SEED

MOST = 100_000_000
"""A data set has no more positions than this."""

SURPLUS = 1.5
"""So many times the positions are looked for, so that there is something to balance."""

AHEAD = 16
"""Tasks that are handed out at once, however many processes there are."""

SPENT = 0.02
"""Where less than this of what tasks find is new, there is no more to be found."""

PARTS = {"train": 80, "validation": 10, "test": 10}
"""In hundredths. Which one a position is in is decided by its essence, so that none is in two."""

_SCHEMA: dict[str, Any] = {
    "essence": pl.String,
    "game": pl.String,
    "setting": pl.String,
    "position": pl.String,
    "mover": pl.UInt8,
    "value": pl.String,
    "distance": pl.UInt32,
    "grade": pl.UInt8,
    "legal": pl.List(pl.Int64),
    "sound": pl.List(pl.Int64),
    "best": pl.List(pl.Int64),
    "reason": pl.String,
}

Told = Callable[[float], object]


class Made(NamedTuple):
    """A data set that was written."""

    positions: int
    hash: str


def write_dataset(
    folder: Path,
    games: tuple[str, ...],
    count: int,
    seed: int = 0,
    workers: int = 1,
    told: Told = lambda part: None,
) -> Made:
    """Write the parts, as Parquet and as JSON Lines, and the card; fewer where there are fewer."""
    if not 1 <= count <= MOST or not 0 <= seed <= LARGEST_SEED:
        raise SettingsError(f"a data set has 1 to {MOST:,} positions, and a seed from 0 on")
    settled(games)
    if folder.exists() and any(folder.iterdir()):
        raise SettingsError(f"{folder} is not empty: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    whole = balanced(_gathered(games, count, seed, workers, told), count)
    digest = sha256()
    for name in PARTS:
        part = whole.filter(part=name).drop("part", "place")
        part.write_parquet(folder / f"{name}.parquet")
        part.write_ndjson(folder / f"{name}.jsonl")
        digest.update((folder / f"{name}.jsonl").read_bytes())
    made = Made(len(whole), digest.hexdigest())
    (folder / "README.md").write_text(_card(whole, games, count, seed, made), encoding="utf-8")
    return made


def _gathered(
    games: tuple[str, ...], count: int, seed: int, workers: int, told: Told
) -> pl.DataFrame:
    """Different positions, more than are needed, each with its place in a lot and its part."""
    seen: set[bytes] = set()
    frames: list[pl.DataFrame] = []
    fresh = deque([1.0] * AHEAD, maxlen=AHEAD)
    wanted = int(count * SURPLUS) + 1
    for new, met in _in_order(games, seed, workers):
        rows = []
        for sample in new:
            lot = sha256(f"{seed} {sample.essence}".encode()).digest()
            if lot[:12] not in seen:
                seen.add(lot[:12])
                rows.append((*sample, int.from_bytes(lot[:8], "big"), _part(lot)))
        schema = {**_SCHEMA, "place": pl.UInt64, "part": pl.String}
        frames.append(pl.DataFrame(rows, schema=schema, orient="row"))
        told(min(1.0, len(seen) / wanted))
        fresh.append(len(rows) / max(1, met))
        if len(seen) >= wanted or sum(fresh) < SPENT * AHEAD:
            break
    return pl.concat(frames)


def _in_order(games: tuple[str, ...], seed: int, workers: int) -> Iterator[Found]:
    """What the tasks find, in order, without end.

    A process is given tasks in that order, too, so what it takes for known is known to us.
    """
    with ProcessPoolExecutor(workers, get_context("spawn"), begin, (games, seed)) as pool:
        ahead: deque[Future[Found]] = deque()
        try:
            task = 0
            while True:
                while len(ahead) < AHEAD:
                    ahead.append(pool.submit(found, task))
                    task += 1
                yield ahead.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _part(lot: bytes) -> str:
    hundredth = int.from_bytes(lot[8:12], "big") % 100
    for name, size in PARTS.items():
        hundredth -= size
        if hundredth < 0:
            return name
    raise AssertionError("the parts make a whole")


def balanced(found: pl.DataFrame, count: int) -> pl.DataFrame:
    """So many of them, by lot: of each verdict as many, and among these of each grade.

    Where there are few of a kind, all are taken, and the others share what is left.
    """
    kinds = ["value", "grade"]
    sizes = {(value, grade): size for value, grade, size in found.group_by(kinds).len().rows()}
    values: dict[str, int] = {}
    for (value, _), size in sizes.items():
        values[value] = values.get(value, 0) + size
    limits = []
    for value, share in _shared(values, count).items():
        grades = {grade: size for (of, grade), size in sizes.items() if of == value}
        limits += [(value, grade, quota) for grade, quota in _shared(grades, share).items()]
    schema: dict[str, Any] = {**found.select(kinds).schema, "quota": pl.UInt32}
    quotas = pl.DataFrame(limits, schema=schema, orient="row")
    ranked = found.with_columns(rank=pl.col("place").rank("ordinal").over(kinds))
    chosen = ranked.join(quotas, on=kinds).filter(pl.col("rank") <= pl.col("quota"))
    return chosen.drop("rank", "quota").sort("place")


def _shared(sizes: dict[Any, int], count: int) -> dict[Any, int]:
    """So many, shared as evenly as can be among kinds of which there are only so many each."""
    quotas = {}
    for place, kind in enumerate(sorted(sizes, key=lambda kind: (sizes[kind], kind))):
        quotas[kind] = min(sizes[kind], count // (len(sizes) - place))
        count -= quotas[kind]
    return quotas


def _card(whole: pl.DataFrame, games: tuple[str, ...], count: int, seed: int, made: Made) -> str:
    counts = whole.group_by("game", "value", "grade").len().sort("game", "value", "grade")
    rows = "\n".join(f"| {' | '.join(map(str, row))} |" for row in counts.iter_rows())
    parts = ", ".join(f"{name} {len(whole.filter(part=name)):,}" for name in PARTS)
    flags = " ".join(f"--game '{game}'" for game in games)
    return f"""# Positions of Numduel

{made.positions:,} different positions of two-player number games, each with the exact verdict.

- Made by `numduel dataset {flags} --count {count} --seed {seed}`, Numduel {__version__}. The same
  command gives the same bytes.
- SHA-256 of the JSON Lines files, one after the other: `{made.hash}`
- Parts: {parts}. Which part a position is in is decided by its essence (what decides how it goes
  on), so that no position, and none that differs only in who moves or in how the settings are put,
  is in two parts.
- From games at random. Of each verdict there are as many, and among these of each grade, as far as
  there are.

| column | what it is |
|---|---|
| essence | equal for positions that go on the same |
| game, setting | which game, and its settings as they are asked for |
| position | its notation: `numduel.new(...).read(position)` |
| mover | the seat whose turn it is |
| value | what best play leads to, for the mover: win, draw, endless or loss |
| distance | moves to the end with best play; null where endless or not known |
| grade | how hard a best move is to tell from one that is not sound, 1 to 5; 0: all are sound |
| legal, sound | all moves, and those that keep the score of the value |
| best | those that win soonest, or lose latest |
| reason | why the first of the best moves is as good as it is, in words |

| game | value | grade | positions |
|---|---|---|---|
{rows}
"""
