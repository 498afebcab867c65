"""How fast exact verdicts and hints are within a process that has started."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numduel
from benchmarks.clock import seconds
from numduel.play.coach import hint


def measure() -> Iterator[str]:
    """Time verdicts at a thousand digits and in Divisor Line, and a hint in each game."""
    for key, settings in (
        ("divisor-duel", {"divisor": 10**1000 - 1}),
        ("operation-duel", {"target": 2**3320}),
        ("operation-duel", {"target": 10**1000 - 1}),
    ):
        game = numduel.new(key, **settings)
        time = seconds(lambda game=game: numduel.solve(game, game.start()))
        yield f"{key}, 1,000 digits: {time * 1000:.2f} ms (under 10)"
    for size, goal, most in ((20, "pair", 50), (20, "chain", 50), (60, "pair", 1000)):
        worst = max(_line_times(size, goal))
        yield f"divisor-line, size {size}, {goal}: {worst * 1000:.1f} ms at most (under {most})"
    for key, _, _ in numduel.games():
        game = numduel.new(key)
        time = seconds(lambda game=game: hint(game, game.start()))
        yield f"a hint in {key}: {time * 1000:.1f} ms (under 50)"


def _line_times(size: int, goal: str) -> Iterator[float]:
    rng = Random(1)
    for _ in range(200):
        game = numduel.new("divisor-line", size=size, goal=goal)  # a new game, with nothing cached
        position = game.start()
        for _ in range(rng.randint(0, 12)):
            following = game.play(position, rng.choice(game.moves(position)))
            if following.won:
                break
            position = following
        yield seconds(lambda game=game, position=position: numduel.solve(game, position))
