"""Numduel-Bench: a set of positions, about each of which every player is asked once.

A run is an arena whose games last one move each, and is stopped and resumed like any arena.
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
from numduel.arena.dataset import even_quotas, sample_positions
from numduel.arena.intervals import Ratios, differences, with_intervals
from numduel.arena.measures import FAULTS, with_answers
from numduel.arena.plan import BenchPlan
from numduel.arena.report import MIN_DECISIONS_AT_DEPTH, depth_plot, with_breaking_depth, write_page
from numduel.arena.spec import parse_games
from numduel.arena.tables import GAMES_FILE, MOVES_FILE
from numduel.core.errors import SettingsError, TooLarge
from numduel.lab.fairness import ProgressCallback
from numduel.play.difficulty import HABITS
from numduel.play.setup import MAX_SEED
from numduel.solver import theory_of

SCORES_FILE = "bench.json"

SET_POSITIONS = 2_000

MIN_SAMPLED_POSITIONS = 16_000
"""Minimum number of positions from which those of a set are chosen."""

FIRST_SEED = 1
"""The seed of Numduel-Bench 1."""

MAX_DEPTH = 31

LAST_DEPTH = 15
"""Greater depths count as this one: in Double or Add, adding is hardly ever right below it."""

MAX_MOVES = 24
"""Maximum number of moves from the start to a position of a set."""

EVEN_WEIGHT, LUCK_WEIGHT = 100, 250
"""The weights of two aims: even depths, verdicts and seats, and habits that are right by chance."""

_SCORES: Ratios = {"raw": ("right", "one"), "skill": ("above_chance", "room")}


def make_set(
    file: Path,
    seed: int,
    workers: int = 1,
    on_progress: ProgressCallback = lambda share: None,
    sampled: int = MIN_SAMPLED_POSITIONS,
    count: int = SET_POSITIONS,
) -> str:
    """Write a set of positions like Numduel-Bench 1 to a file, and return its SHA-256.

    In each position at most half of the moves are right. The positions are spread evenly over the
    games, and within a game over verdicts, depths and seats, so that no habit is right much more
    often than chance. The same seed gives the same bytes. The seed of Numduel-Bench 1 reproduces
    it; any other gives a set that shares no position with it.
    """
    if file.exists():
        raise SettingsError(f"{file} already exists: choose another name")
    if not 0 <= seed <= MAX_SEED:
        raise SettingsError(f"a seed is from 0 to {MAX_SEED:,}, not {seed}")
    games = json.loads(BENCH_FILE.read_text(encoding="utf-8").partition("\n")[0])["games"]
    found = sample_positions(tuple(games), sampled, seed, workers, on_progress).filter(
        pl.col("depth").fill_null(1) > 0,
        pl.col("moves").list.len() <= MAX_MOVES,
        pl.col("sound").list.len() * 2 <= pl.col("legal").list.len(),
    )
    if seed != FIRST_SEED:
        public = [one.game.essence(one.position) for one in problems(BENCH, {}, 0, SET_POSITIONS)]
        found = found.filter(~pl.col("essence").is_in(public))
    candidates: dict[str, list[_Candidate]] = {}  # by the key of the game
    for row in found.sort("place").iter_rows(named=True):
        candidate = _candidate(row)
        if candidate.line.depth and candidate.line.depth <= MAX_DEPTH:
            candidates.setdefault(candidate.line.key, []).append(candidate)
    quotas = even_quotas({key: len(each) for key, each in candidates.items()}, count)
    lines = [
        json.dumps(line)
        for key, quota in quotas.items()
        for line in _choose_balanced(candidates[key], quota)
    ]
    Random(seed).shuffle(lines)  # so that the first positions are a sample of all
    text = "\n".join(lines)
    canary = str(uuid5(NAMESPACE_URL, text))
    text = f"{json.dumps({'canary': canary, 'games': games})}\n{text}\n"
    file.write_text(text, encoding="utf-8")
    return sha256(text.encode()).hexdigest()


class _Candidate(NamedTuple):
    """A position that may be chosen, and its weighted traits, whose sums are to be balanced."""

    line: FrozenPosition
    traits: dict[tuple[str, Any], int]


def _candidate(row: dict[str, Any]) -> _Candidate:
    """Return a sampled position with its traits. The depth is 0 if it takes too long to find.

    For each habit a trait says how far its moves are above chance. To prefer a certain number
    counts as a habit too.
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
        name: round(LUCK_WEIGHT * (Fraction(len(sound.intersection(moves)), len(moves)) - chance))
        for name, moves in habits.items()
    }
    even = {"value": row["value"], "mover": row["mover"], "depth": min(depth or 0, LAST_DEPTH)}
    line = FrozenPosition(game.key, game.settings.changed(), row["moves"], depth or 0)
    return _Candidate(line, traits | dict.fromkeys(even.items(), EVEN_WEIGHT))


def _choose_balanced(candidates: list[_Candidate], count: int) -> list[FrozenPosition]:
    """Return `count` positions. Each is the one that keeps the sums of the traits smallest.

    Only whole numbers are added, so that every machine chooses the same positions.
    """
    names = dict.fromkeys(name for candidate in candidates for name in candidate.traits)
    columns = {name: column for column, name in enumerate(names)}
    table = np.zeros((len(candidates), len(columns)), np.int64)
    for row, candidate in zip(table, candidates, strict=True):
        row[[columns[name] for name in candidate.traits]] = [*candidate.traits.values()]
    squares, sums, chosen = (table**2).sum(axis=1), np.zeros(len(columns), np.int64), []
    for _ in range(count):
        best = int((2 * table @ sums + squares).argmin())
        squares[best] = 2**60  # it must not be chosen again
        sums += table[best]
        chosen.append(candidates[best].line)
    return chosen


def write_bench(folder: Path, plan: BenchPlan) -> None:
    """Write the scores of all players into the folder, as JSON and as a report."""
    answers = _graded_answers(folder, plan)
    players = with_intervals(answers, ["player"], _SCORES)
    counts = answers.group_by("player").agg(
        positions=pl.len(),
        chance=pl.col("chance").mean(),
        **{fault: (pl.col("fault") == fault).sum() for fault in FAULTS},
    )
    players = with_answers(players.join(counts, on="player"), folder, ["player"])
    players = players.sort("skill", descending=True, nulls_last=True)
    order = players["player"].to_list()
    keys = ["player", "depth"]
    frequent = answers.filter(pl.len().over(keys) >= MIN_DECISIONS_AT_DEPTH)
    by_depth = with_intervals(frequent, keys, _SCORES).sort(keys)
    by_game = with_intervals(answers, ["player", "key"], _SCORES)
    by_game = by_game.sort("key", pl.col("player").cast(pl.Enum(order)))
    compared = differences(answers, ["round"], _SCORES["skill"], order)
    scores: dict[str, Any] = {
        "positions": len(plan.positions),
        "players": with_breaking_depth(players, by_depth),
        "by_depth": by_depth.to_dicts(),
        "by_game": by_game.to_dicts(),
    }
    plots = {"depths": depth_plot(by_depth, order)}
    write_page(folder, plan.spec, {**scores, "differences": compared}, plots)
    scores["differences"] = [difference._asdict() for difference in compared]
    text = json.dumps(scores, indent=1, ensure_ascii=False)
    (folder / SCORES_FILE).write_text(f"{text}\n", encoding="utf-8")


def _graded_answers(folder: Path, plan: BenchPlan) -> pl.DataFrame:
    """Return a row for each answer: whether it is right, and how likely that was by chance.

    Answers that were cut off are left out. An even depth counts as the odd one above it.
    """
    schema: dict[str, Any] = {
        "round": pl.UInt32,
        "depth": pl.UInt32,
        "gold": pl.List(pl.Int64),
        "chance": pl.Float64,
    }
    rows = []
    for place, (key, settings, moves, depth) in enumerate(plan.positions):
        problem = problem_at(key, settings, moves)
        odd_depth = min(depth + 1 - depth % 2, LAST_DEPTH)
        rows.append((place, odd_depth, [*problem.gold], problem.chance))
    columns = ["game", "key", "round", "seat1", "fault"]
    return (
        pl.read_parquet(folder / GAMES_FILE, columns=columns)
        .rename({"seat1": "player"})
        .filter(pl.col("fault").ne_missing("cut"))
        .join(pl.read_parquet(folder / MOVES_FILE, columns=["game", "move"]), on="game", how="left")
        .join(pl.DataFrame(rows, schema=schema, orient="row"), on="round")
        .with_columns(right=pl.col("move").is_in(pl.col("gold")).fill_null(False).cast(pl.Float64))
        .with_columns(
            above_chance=pl.col("right") - pl.col("chance"), room=1 - pl.col("chance"), one=1.0
        )
        .sort("player", "round")
    )
