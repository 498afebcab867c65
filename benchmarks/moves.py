"""Random moves per second through the public names, for each game at its defaults."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import numduel

SECONDS = 1.0
LEAST = {"Tally": 200_000}  # by kind of position
LEAST_ELSE = 50_000


def measure() -> Iterator[str]:
    """Play random games for a second each."""
    for key, title, _ in numduel.games():
        game = numduel.new(key)
        rng = Random(1)
        choose, clock = rng.random, time.perf_counter
        played, begun = 0, clock()
        position = game.start()
        while clock() - begun < SECONDS:
            for _ in range(1000):
                if game.outcome(position) is not None:
                    position = game.start()
                moves = game.moves(position)
                position = game.play(position, moves[int(choose() * len(moves))])
            played += 1000
        rate = played / (clock() - begun)
        least = LEAST.get(type(position).__name__, LEAST_ELSE)
        yield f"{title}: {rate:,.0f} moves a second, {rate / least:.1f} times the {least:,} wanted"
