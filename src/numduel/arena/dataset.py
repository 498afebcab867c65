"""Data sets of positions: deduplicated, balanced, split, and reproducible from a seed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

import polars as pl
from jinja2 import Environment, PackageLoader

from numduel import __version__
from numduel.arena.sampling import SampledTask, begin, found
from numduel.arena.spec import parse_games
from numduel.core.errors import SettingsError
from numduel.lab.fairness import ProgressCallback
from numduel.play.setup import MAX_SEED

MAX_POSITIONS = 100_000_000
"""Maximum number of positions of a data set."""

SURPLUS_FACTOR = 1.5
"""How many times as many positions are sampled as are wanted, so that they can be balanced."""

TASKS_AHEAD = 16
"""Number of tasks that are handed out at once, for any number of processes."""

MIN_NEW_SHARE = 0.02
"""Sampling ends when less than this share of the positions of the last tasks is new."""

PARTS = {"train": 80, "validation": 10, "test": 10}
"""The size of each part in percent. The essence of a position decides its part."""

_CARDS = Environment(
    loader=PackageLoader("numduel.arena"), autoescape=False, trim_blocks=True, lstrip_blocks=True
)

_SCHEMA: dict[str, Any] = {
    "essence": pl.String,
    "game": pl.String,
    "setting": pl.String,
    "moves": pl.List(pl.Int64),
    "position": pl.String,
    "mover": pl.UInt8,
    "value": pl.String,
    "distance": pl.UInt32,
    "depth": pl.UInt32,
    "legal": pl.List(pl.Int64),
    "sound": pl.List(pl.Int64),
    "best": pl.List(pl.Int64),
    "prompt": pl.String,
    "reason": pl.String,
}


FEATURES: dict[Any, str] = {
    pl.String: "dtype: string",
    pl.UInt8: "dtype: uint8",
    pl.UInt32: "dtype: uint32",
    pl.List(pl.Int64): "list: int64",
}
"""The types of the columns as the card has them."""


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
    told: ProgressCallback = lambda part: None,
) -> Made:
    """Write the parts as Parquet and as JSON Lines, and a card; fewer positions if not found.

    The folder is what `datasets.load_dataset` and the Hugging Face Hub take.
    """
    if not 1 <= count <= MAX_POSITIONS or not 0 <= seed <= MAX_SEED:
        raise SettingsError(
            f"a data set has 1 to {MAX_POSITIONS:,} positions, and a seed from 0 on"
        )
    parse_games(games)  # raises if one is none
    if folder.exists() and any(folder.iterdir()):
        raise SettingsError(f"{folder} is not empty: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    whole = balanced(gathered(games, count, seed, workers, told), count)
    digest = sha256()
    for name in PARTS:
        part = whole.filter(part=name).drop("part", "place")
        part.write_parquet(folder / f"{name}.parquet")
        part.write_ndjson(folder / f"{name}.jsonl")
        digest.update((folder / f"{name}.jsonl").read_bytes())
    single = whole.filter(pl.col("sound").list.len() == 1, part="test").with_columns(
        answer=pl.col("sound").list.first().cast(pl.String)
    )
    single.select("prompt", "answer").write_parquet(folder / "single.parquet")
    made = Made(len(whole), digest.hexdigest())
    counts = whole.group_by("game", "value", "depth").len().sort("game", "value", "depth")
    told_of = {
        "made": made,
        "counts": counts.rows(),
        "parts": {
            name: (len(whole.filter(part=name)), (folder / f"{name}.jsonl").stat().st_size)
            for name in PARTS
        },
        "columns": [(name, FEATURES[kind]) for name, kind in _SCHEMA.items()],
        "flags": " ".join(f"--game '{game}'" for game in games),
        "asked": f"--count {count} --seed {seed}",
        "canary": uuid5(NAMESPACE_URL, f"numduel/dataset/{made.hash}"),
        "version": __version__,
    }
    for name in ("README.md", "eval.yaml"):
        text = _CARDS.get_template(f"dataset/{name}").render(told_of)
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    return made


def gathered(
    games: tuple[str, ...], count: int, seed: int, workers: int, told: ProgressCallback
) -> pl.DataFrame:
    """Return different positions, each with a random place and its part.

    There are more than are wanted with something to find, and all that were met beside these.
    """
    seen: set[bytes] = set()
    frames: list[pl.DataFrame] = []
    fresh = deque([1.0] * TASKS_AHEAD, maxlen=TASKS_AHEAD)
    wanted, useful = int(count * SURPLUS_FACTOR) + 1, 0
    for new, met in _in_order(games, seed, workers):
        rows = []
        for sample in new:
            lot = sha256(f"{seed} {sample.essence}".encode()).digest()
            if lot[:12] not in seen:
                seen.add(lot[:12])
                useful += sample.depth != 0
                rows.append((*sample, int.from_bytes(lot[:8], "big"), _part(lot)))
        schema = {**_SCHEMA, "place": pl.UInt64, "part": pl.String}
        frames.append(pl.DataFrame(rows, schema=schema, orient="row"))
        told(min(1.0, useful / wanted))
        fresh.append(len(rows) / max(1, met))
        if useful >= wanted or sum(fresh) < MIN_NEW_SHARE * TASKS_AHEAD:
            break
    return pl.concat(frames)


def _in_order(games: tuple[str, ...], seed: int, workers: int) -> Iterator[SampledTask]:
    """Yield what the tasks find, in the order of the tasks, without end.

    Each process gets its tasks in that order too: it leaves out only what was yielded before.
    """
    with ProcessPoolExecutor(workers, get_context("spawn"), begin, (games, seed)) as pool:
        ahead: deque[Future[SampledTask]] = deque()
        try:
            task = 0
            while True:
                while len(ahead) < TASKS_AHEAD:
                    ahead.append(pool.submit(found, task))
                    task += 1
                yield ahead.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _part(lot: bytes) -> str:
    percent = int.from_bytes(lot[8:12], "big") % 100
    return next(
        name for name, end in zip(PARTS, accumulate(PARTS.values()), strict=True) if percent < end
    )


def balanced(found: pl.DataFrame, count: int) -> pl.DataFrame:
    """Return up to `count` positions, evenly, at most a tenth of which have nothing to find."""
    easy = pl.col("depth").fill_null(1) == 0
    rest = evenly(found.filter(~easy), count, "value", "depth")
    kept = evenly(found.filter(easy), min(count // 10, len(rest) // 9), "value")
    return pl.concat([rest.head(count - len(kept)), kept]).sort("place")


def evenly(found: pl.DataFrame, count: int, *keys: str) -> pl.DataFrame:
    """Return `count` rows in the order of their places, as many of each kind as possible.

    The kinds are those of the first key; among the rows of one it is so with the next key. Of a
    rare kind all are taken.
    """
    if not keys:
        return found.sort("place").head(count)
    parts = {kind: part for (kind,), part in found.partition_by(keys[0], as_dict=True).items()}
    quotas = shared({kind: len(part) for kind, part in parts.items()}, count)
    taken = [evenly(part, quotas[kind], *keys[1:]) for kind, part in parts.items()]
    return pl.concat([found.clear(), *taken]).sort("place")


def shared(sizes: dict[Any, int], count: int) -> dict[Any, int]:
    """Return how many to take of each kind: as even as their sizes allow, `count` in all."""
    quotas = {}
    for place, kind in enumerate(sorted(sizes, key=lambda kind: (sizes[kind], str(kind)))):
        quotas[kind] = min(sizes[kind], count // (len(sizes) - place))
        count -= quotas[kind]
    return quotas
