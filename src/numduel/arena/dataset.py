"""Data sets of positions: deduplicated, balanced, split, and reproducible from a seed."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

import polars as pl
from jinja2 import Environment, PackageLoader

from numduel import __version__
from numduel.arena.sampling import TaskResult, run_task
from numduel.arena.spec import parse_games
from numduel.core.errors import SettingsError
from numduel.lab.fairness import ProgressCallback
from numduel.play.setup import MAX_SEED

MAX_POSITIONS = 100_000_000

SURPLUS_FACTOR = 1.5
"""We sample this many times as many positions as are wanted, to have a choice for balancing."""

TASKS_AHEAD = 16
"""Number of tasks that are given out at once, whatever the number of processes."""

MIN_NEW_SHARE = 0.02
"""Sampling ends when less than this share of the positions in the last tasks is new."""

PARTS = {"train": 80, "validation": 10, "test": 10}
"""The size of each part in percent. The essence of a position determines its part."""

_CARD_TEMPLATES = Environment(
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


class WrittenDataset(NamedTuple):
    """The size and the SHA-256 of a data set that was written."""

    positions: int
    hash: str


def write_dataset(
    folder: Path,
    games: tuple[str, ...],
    count: int,
    seed: int = 0,
    workers: int = 1,
    on_progress: ProgressCallback = lambda share: None,
) -> WrittenDataset:
    """Write the parts of a data set, as Parquet and as JSON Lines, and its card.

    There are fewer positions than `count` if no more are found. The folder has the form that
    `datasets.load_dataset` and the Hugging Face Hub expect.
    """
    if not 1 <= count <= MAX_POSITIONS or not 0 <= seed <= MAX_SEED:
        raise SettingsError(
            f"a data set has 1 to {MAX_POSITIONS:,} positions and a seed from 0 to {MAX_SEED:,}"
        )
    parse_games(games)  # raises SettingsError if a text is wrong
    if folder.exists() and any(folder.iterdir()):
        raise SettingsError(f"{folder} is not empty: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    positions = sample_positions(games, count, seed, workers, on_progress)
    positions = balanced_sample(positions, count)
    digest = sha256()
    parts: dict[str, tuple[int, int]] = {}  # number of positions, and bytes of JSON Lines
    for name in PARTS:
        part = positions.filter(part=name).drop("part", "place")
        part.write_parquet(folder / f"{name}.parquet")
        part.write_ndjson(folder / f"{name}.jsonl")
        json_lines = (folder / f"{name}.jsonl").read_bytes()
        digest.update(json_lines)
        parts[name] = len(part), len(json_lines)
    single = positions.filter(pl.col("sound").list.len() == 1, part="test").with_columns(
        answer=pl.col("sound").list.first().cast(pl.String)
    )
    single.select("prompt", "answer").write_parquet(folder / "single.parquet")
    written = WrittenDataset(len(positions), digest.hexdigest())
    counts = positions.group_by("game", "value", "depth").len().sort("game", "value", "depth")
    card = {
        "dataset": written,
        "counts": counts.rows(),
        "parts": parts,
        "features": {
            name: (f"list: {kind.inner}" if isinstance(kind, pl.List) else f"dtype: {kind}").lower()
            for name, kind in _SCHEMA.items()
        },
        "flags": " ".join(f"--game '{game}'" for game in games),
        "count": count,
        "seed": seed,
        "canary": uuid5(NAMESPACE_URL, f"numduel/dataset/{written.hash}"),
        "version": __version__,
    }
    for name in ("README.md", "eval.yaml"):
        text = _CARD_TEMPLATES.get_template(f"dataset/{name}").render(card)
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    return written


def sample_positions(
    games: tuple[str, ...], count: int, seed: int, workers: int, on_progress: ProgressCallback
) -> pl.DataFrame:
    """Return different positions, each with a random place and its part.

    More than `count` of them have something to find. Of the others, all that were found are there.
    """
    seen: set[bytes] = set()
    frames: list[pl.DataFrame] = []
    new_shares = deque([1.0] * TASKS_AHEAD, maxlen=TASKS_AHEAD)
    wanted, useful = int(count * SURPLUS_FACTOR) + 1, 0
    for samples, task_count in _task_results(games, seed, workers):
        rows = []
        for sample in samples:
            digest = sha256(f"{seed} {sample.essence}".encode()).digest()
            if digest[:12] not in seen:
                seen.add(digest[:12])
                useful += sample.depth != 0
                rows.append((*sample, int.from_bytes(digest[:8], "big"), _part_of(digest)))
        schema = {**_SCHEMA, "place": pl.UInt64, "part": pl.String}
        frames.append(pl.DataFrame(rows, schema=schema, orient="row"))
        on_progress(min(1.0, useful / wanted))
        new_shares.append(len(rows) / max(1, task_count))
        if useful >= wanted or sum(new_shares) < MIN_NEW_SHARE * TASKS_AHEAD:
            break
    return pl.concat(frames)


def _task_results(games: tuple[str, ...], seed: int, workers: int) -> Iterator[TaskResult]:
    """Yield the results of all tasks in order, without end.

    Each process gets its tasks in this order too, and omits only what was yielded before.
    """
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        futures: deque[Future[TaskResult]] = deque()
        try:
            for task in itertools.count():
                futures.append(pool.submit(run_task, games, seed, task))
                if len(futures) == TASKS_AHEAD:
                    yield futures.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _part_of(digest: bytes) -> str:
    percent = int.from_bytes(digest[8:12], "big") % 100
    return next(
        name
        for name, end in zip(PARTS, itertools.accumulate(PARTS.values()), strict=True)
        if percent < end
    )


def balanced_sample(found: pl.DataFrame, count: int) -> pl.DataFrame:
    """Return up to `count` positions, balanced by verdict and depth; at most a tenth are easy."""
    is_easy = pl.col("depth").fill_null(1) == 0
    rest = even_sample(found.filter(~is_easy), count, "value", "depth")
    easy = even_sample(found.filter(is_easy), min(count // 10, len(rest) // 9), "value")
    return pl.concat([rest.head(count - len(easy)), easy]).sort("place")


def even_sample(found: pl.DataFrame, count: int, *keys: str) -> pl.DataFrame:
    """Return up to `count` rows in the order of their places, balanced by the first key.

    There are as many rows for each value of the key as possible, and all rows for a rare value.
    The rows for one value are balanced by the next key, and so on.
    """
    if not keys:
        return found.sort("place").head(count)
    parts = {value: part for (value,), part in found.partition_by(keys[0], as_dict=True).items()}
    quotas = even_quotas({value: len(part) for value, part in parts.items()}, count)
    samples = [even_sample(part, quotas[value], *keys[1:]) for value, part in parts.items()]
    return pl.concat([found.clear(), *samples]).sort("place")


def even_quotas(sizes: dict[Any, int], count: int) -> dict[Any, int]:
    """Return how many to take of each kind: `count` in all, as evenly as the sizes allow."""
    quotas = {}
    for place, kind in enumerate(sorted(sizes, key=lambda kind: (sizes[kind], str(kind)))):
        quotas[kind] = min(sizes[kind], count // (len(sizes) - place))
        count -= quotas[kind]
    return quotas
