"""Numduel-Bench: a set of positions, and players who are asked about each of them once.

A run is an arena whose games last one move each: it is stopped, resumed and paid for like any.
"""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

import numpy as np
import polars as pl

from numduel.agents.problems import BENCH, BENCH_FILE, FrozenPosition, problem_at, problems
from numduel.arena.dataset import gathered, shared
from numduel.arena.intervals import Ratios, differences, with_intervals
from numduel.arena.measures import FAULTS, with_answers
from numduel.arena.plan import BenchPlan
from numduel.arena.report import MIN_DECISIONS_AT_DEPTH, breaking, depth_plot, write_page
from numduel.arena.spec import parse_games
from numduel.core.errors import SettingsError, TooLarge
from numduel.lab.fairness import ProgressCallback
from numduel.play.difficulty import HABITS
from numduel.play.setup import MAX_SEED
from numduel.solver import theory_of

SCORES_FILE = "bench.json"

POSITIONS = 2_000
"""Number of positions of a set."""

SAMPLED = 16_000
"""Number of positions, at least, from which those of a set are chosen."""

FIRST_SEED = 1
"""The seed of Numduel-Bench 1."""

MAX_DEPTH = 31

LAST_DEPTH = 15
"""Depths from this one on count as one: in Double or Add, adding is hardly ever right before."""

MAX_MOVES = 24
"""Maximum number of moves that lead to a position of a set."""

EVEN_WEIGHT, LUCK_WEIGHT = 100, 250
"""What a position weighs where its depth, verdict and seat are balanced, and a habit's luck."""

_RATIOS: Ratios = {"raw": ("right", "one"), "skill": ("above_chance", "room")}


def make_set(
    file: Path,
    seed: int,
    workers: int = 1,
    told: ProgressCallback = lambda part: None,
    sampled: int = SAMPLED,
    count: int = POSITIONS,
) -> str:
    """Write a set of positions like Numduel-Bench 1 to a file, and return its SHA-256.

    In each at most half of the moves are right. They are spread evenly over the games, and in each
    over verdicts, depths and seats, so that no habit is right much more often than chance. The same
    seed gives the same bytes: that of Numduel-Bench 1 gives it again, and any other a set that
    shares no position with it.
    """
    if file.exists():
        raise SettingsError(f"{file} is there already: choose another name")
    if not 0 <= seed <= MAX_SEED:
        raise SettingsError(f"a seed is from 0 to {MAX_SEED:,}, not {seed}")
    games = json.loads(BENCH_FILE.read_text(encoding="utf-8").partition("\n")[0])["games"]
    found = gathered(tuple(games), sampled, seed, workers, told).filter(
        pl.col("depth").fill_null(1) > 0,
        pl.col("moves").list.len() <= MAX_MOVES,
        pl.col("sound").list.len() * 2 <= pl.col("legal").list.len(),
    )
    if seed != FIRST_SEED:
        public = [one.game.essence(one.position) for one in problems(BENCH, {}, 0, POSITIONS)]
        found = found.filter(~pl.col("essence").is_in(public))
    posed: dict[str, list[_Posed]] = {}
    for row in found.sort("place").iter_rows(named=True):
        one = _posed(row)
        if one.line.depth and one.line.depth <= MAX_DEPTH:
            posed.setdefault(one.line.key, []).append(one)
    quotas = shared({key: len(each) for key, each in posed.items()}, count)
    lines = [json.dumps(one) for key in quotas for one in _spread(posed[key], quotas[key])]
    Random(seed).shuffle(lines)  # so that the first ones are like all
    text = "\n".join(lines)
    canary = str(uuid5(NAMESPACE_URL, text))
    text = f"{json.dumps({'canary': canary, 'games': games})}\n{text}\n"
    file.write_text(text, encoding="utf-8")
    return sha256(text.encode()).hexdigest()


class _Posed(NamedTuple):
    """A position that was found, and what is to be balanced, by names."""

    line: FrozenPosition
    traits: dict[tuple[str, Any], int]


def _posed(row: dict[str, Any]) -> _Posed:
    """Return a position of the sampler with its traits; its depth is 0 if it cannot be found.

    Each habit, and each number as a habit, has the trait of how far it is above chance.
    """
    [game] = parse_games((row["setting"],))
    position, depth, sound = game.read(row["position"]), row["depth"], {*row["sound"]}
    if depth is None:
        with suppress(TooLarge):
            depth = theory_of(game).distance(position)
    habits = {("habit", one.__name__): one(game, position) for one in HABITS}
    habits |= {("move", move): [move] for move in row["legal"]}
    chance = Fraction(len(sound), len(row["legal"]))
    traits = {
        name: round(LUCK_WEIGHT * (Fraction(len(sound.intersection(taken)), len(taken)) - chance))
        for name, taken in habits.items()
    }
    even = {"value": row["value"], "mover": row["mover"], "depth": min(depth or 0, LAST_DEPTH)}
    line = FrozenPosition(game.key, game.settings.changed(), row["moves"], depth or 0)
    return _Posed(line, traits | dict.fromkeys(even.items(), EVEN_WEIGHT))


def _spread(posed: list[_Posed], count: int) -> list[FrozenPosition]:
    """Return so many positions, each the first of those that keep the sums of traits smallest.

    Only whole numbers are added, so that every machine chooses the same ones.
    """
    names = {name: place for place, name in enumerate({n: 0 for one in posed for n in one.traits})}
    table = np.zeros((len(posed), len(names)), np.int64)
    for row, one in zip(table, posed, strict=True):
        row[[names[name] for name in one.traits]] = [*one.traits.values()]
    lengths, sums, chosen = (table**2).sum(axis=1), np.zeros(len(names), np.int64), []
    for _ in range(count):
        best = int((2 * table @ sums + lengths).argmin())
        lengths[best] = 2**60  # is chosen only once
        sums += table[best]
        chosen.append(posed[best].line)
    return chosen


def write_bench(folder: Path, plan: BenchPlan) -> None:
    """Write the scores of all players into the folder, as JSON and as a report."""
    answers = _answers(folder, plan)
    players = with_intervals(answers, ["player"], _RATIOS)
    counts = answers.group_by("player").agg(
        positions=pl.len(),
        chance=pl.col("chance").mean(),
        **{fault: (pl.col("fault") == fault).sum() for fault in FAULTS},
    )
    players = with_answers(players.join(counts, on="player"), folder, ["player"])
    players = players.sort("skill", descending=True, nulls_last=True)
    order = players["player"].to_list()
    depths = ["player", "depth"]
    enough = answers.filter(pl.len().over(depths) >= MIN_DECISIONS_AT_DEPTH)
    by_depth = with_intervals(enough, depths, _RATIOS).sort(depths)
    by_game = with_intervals(answers, ["player", "key"], _RATIOS)
    by_game = by_game.sort("key", pl.col("player").cast(pl.Enum(order)))
    ahead = differences(answers, ["round"], _RATIOS["skill"], order)
    scores: dict[str, Any] = {
        "positions": len(plan.positions),
        "players": breaking(players, by_depth),
        "by_depth": by_depth.to_dicts(),
        "by_game": by_game.to_dicts(),
    }
    plots = {"depths": depth_plot(by_depth, order)}
    write_page(folder, plan.spec, {**scores, "differences": ahead}, plots)
    told = {**scores, "differences": [one._asdict() for one in ahead]}
    text = json.dumps(told, indent=1, ensure_ascii=False)
    (folder / SCORES_FILE).write_text(f"{text}\n", encoding="utf-8")


def _answers(folder: Path, plan: BenchPlan) -> pl.DataFrame:
    """Return a row for each answer, without those that were cut: right or not, and what luck gives.

    Depths are told in pairs, an even one with the odd one above it; the last stands for all beyond.
    """
    schema: dict[str, Any] = {
        "round": pl.UInt32,
        "depth": pl.UInt32,
        "gold": pl.List(pl.Int64),
        "chance": pl.Float64,
    }
    asked = []
    for at, (key, settings, moves, depth) in enumerate(plan.positions):
        problem = problem_at(key, settings, moves)
        asked.append((at, min(depth + 1 - depth % 2, LAST_DEPTH), [*problem.gold], problem.chance))
    games = pl.read_parquet(folder / "games.parquet").select(
        "game", "key", "round", "seat1", "fault"
    )
    made = pl.read_parquet(folder / "moves.parquet", columns=["game", "move"])
    return (
        games.rename({"seat1": "player"})
        .filter(pl.col("fault").ne_missing("cut"))
        .join(made, on="game", how="left")
        .join(pl.DataFrame(asked, schema=schema, orient="row"), on="round")
        .with_columns(right=pl.col("move").is_in(pl.col("gold")).fill_null(False).cast(pl.Float64))
        .with_columns(
            above_chance=pl.col("right") - pl.col("chance"), room=1 - pl.col("chance"), one=1.0
        )
        .sort("player", "round")
    )
