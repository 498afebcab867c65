"""Whether each opponent beats the one before it, in every game."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numduel
from numduel.core.explore import playout
from numduel.core.game import Game
from numduel.games import OUR_GAMES, game_type
from numduel.lab.fairness import Share, share_of
from numduel.play.game_loop import play_game
from numduel.solver import theory_of

LADDER = ("random", "easy", "medium", "hard", "perfect")
"""The opponents, the weakest first."""

GAMES = 4_000
"""Number of games between two neighbours of the ladder."""

MAX_TURNS = 200
"""A game that lasts longer counts as half won by each."""

MAX_OPENING_MOVES = 8
"""Maximum number of random moves before a sampled position."""


class Rung(NamedTuple):
    """Two neighbours of the ladder in one game."""

    game: Game[Any]
    weak: str
    strong: str
    sampled: bool  # whether the games begin at sampled won positions


def rungs() -> Iterator[Rung]:
    """Yield every pair of neighbours at the friendly settings and at those of the documents."""
    for key in OUR_GAMES:
        friendly, document = numduel.new(key, **game_type(key).friendly), numduel.new(key)
        decided = numduel.solve(document, document.start()).value != "endless"
        for weak, strong in pairwise(LADDER):
            yield Rung(friendly, weak, strong, sampled=False)
            yield Rung(document, weak, strong, sampled=decided)


def won_opening(game: Game[Any], rng: Random) -> tuple[int, ...]:
    """Return random moves to a position that is won for its mover, in which some move is wrong."""
    theory = theory_of(game)
    while True:
        most = rng.randint(1, MAX_OPENING_MOVES)
        *past, (position, _) = playout(game, rng, game.start(), most)
        if game.outcome(position) is None:
            values = set(theory.values(position).values())
            if "win" in values and len(values) > 1:
                return tuple(move for _, move in past if move is not None)


def won(rung: Rung, games: int = GAMES, seed: int = 0) -> float:
    """Return how many games the stronger player wins, a half for each undecided one.

    Each opening is played twice, so that either player has either seat.
    """
    score, opening = 0.0, ()
    for count in range(games):
        rng = Random(f"{seed} {count // 2}")
        if rung.sampled and count % 2 == 0:
            opening = won_opening(rung.game, rng)
        record = play_game(
            rung.game,
            (rung.strong, rung.weak),
            first=1 + count % 2,
            seed=rng.getrandbits(32),
            turn_limit=MAX_TURNS,
            opening=opening,
        )
        assert record.outcome is not None
        score += {1: 1.0, 2: 0.0, None: 0.5}[record.outcome.winner]
    return score


def measure() -> Iterator[str]:
    """Yield a row for each game and settings: the share that each opponent wins of the one before.

    The worst lower bound of all 95 % intervals must be above 50 %.
    """
    every = list(rungs())
    with ProcessPoolExecutor() as pool:
        shares = [share_of(round(score), GAMES) for score in pool.map(won, every)]
    yield f"{'  '.join(f'{strong:>8}' for strong in LADDER[1:])}  percent won of the one before"
    rows: dict[tuple[Game[Any], bool], list[Share]] = {}
    for rung, one in zip(every, shares, strict=True):
        rows.setdefault((rung.game, rung.sampled), []).append(one)
    for (game, sampled), row in rows.items():
        shown = "  ".join(f"{100 * one.part:8.1f}" for one in row)
        yield f"{shown}  {game.title} {game.settings}{', from won positions' if sampled else ''}"
    lowest = min(one.low for one in shares)
    yield f"lowest 95 % bound: {lowest:.1%} of {GAMES:,} games each"
