"""Numduel-Bench: a set of positions, and players who are asked about each of them once.

A run is an arena whose games last one move each: it is stopped, resumed and paid for like any.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import polars as pl

from numduel.agents.problems import BENCH, FROZEN, Frozen, problem_at, problems
from numduel.arena.dataset import evenly, gathered
from numduel.arena.intervals import Ratios, differences, with_intervals
from numduel.arena.measures import FAULTS, with_answers
from numduel.arena.plan import BenchPlan
from numduel.arena.report import breaking, depth_plot, write_page
from numduel.arena.spec import parse_games
from numduel.core.errors import SettingsError, TooLarge
from numduel.lab.fairness import ProgressCallback
from numduel.solver import theory_of

SCORES_FILE = "bench.json"

POSITIONS = 2_000
"""Number of positions of a set."""

SAMPLED = 10_000
"""Number of positions, at least, from which those of a set are chosen."""

FIRST_SEED = 1
"""The seed of Numduel-Bench 1."""

MAX_DEPTH = 15

MAX_MOVES = 24
"""Maximum number of moves that lead to a position of a set."""

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

    They are spread evenly over the games, and in each over verdicts, depths and seats. The same
    seed gives the same bytes: that of Numduel-Bench 1 gives it again, and any other a set that
    shares no position with it.
    """
    if file.exists():
        raise SettingsError(f"{file} is there already: choose another name")
    games = json.loads(FROZEN.read_text(encoding="utf-8").partition("\n")[0])["games"]
    found = gathered(tuple(games), sampled, seed, workers, told).filter(
        pl.col("depth").fill_null(1) > 0, pl.col("moves").list.len() <= MAX_MOVES
    )
    if seed != FIRST_SEED:
        public = [one.game.essence(one.position) for one in problems(BENCH, {}, 0, POSITIONS)]
        found = found.filter(~pl.col("essence").is_in(public))
    depths = [_depth(*row) for row in found.select("setting", "position", "depth").iter_rows()]
    within = found.with_columns(depth=pl.Series(depths)).filter(pl.col("depth") <= MAX_DEPTH)
    chosen = evenly(within, count, "game", "value", "depth", "mover")
    lines = []
    for setting, moves, depth in chosen.select("setting", "moves", "depth").iter_rows():
        [game] = parse_games((setting,))
        lines.append(json.dumps(Frozen(game.key, game.settings.changed(), moves, depth)))
    Random(seed).shuffle(lines)  # so that the first ones are like all
    text = "\n".join(lines)
    canary = str(uuid5(NAMESPACE_URL, text))
    text = f"{json.dumps({'canary': canary, 'games': games})}\n{text}\n"
    file.write_text(text, encoding="utf-8")
    return sha256(text.encode()).hexdigest()


def _depth(setting: str, position: str, depth: int | None) -> int | None:
    """Return the depth of a position, searched for if it is not known; None if it is too large."""
    if depth is not None:
        return depth
    [game] = parse_games((setting,))
    try:
        return theory_of(game).distance(game.read(position))
    except TooLarge:
        return None


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
    by_depth = with_intervals(answers, ["player", "depth"], _RATIOS).sort("player", "depth")
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

    Depths are told in pairs, an even one with the odd one above it.
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
        asked.append((at, depth + 1 - depth % 2, [*problem.gold], problem.chance))
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
