"""Verdicts of many positions of Multiplicity at once, compared with a loop over `evaluate`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numduel
from benchmarks.clock import seconds
from numduel.core.explore import playout


def measure() -> Iterator[str]:
    """Time both on all cores, including the checks of the positions."""
    for size, few in ((50, 200), (200, 40), (1000, 100)):
        game = numduel.new("multiplicity", size=size)
        positions = _positions(game, 4096)
        found = numduel.evaluate_many(game, positions[:few])  # compiles
        alone = together = float("inf")
        for _ in range(3):
            alone = min(alone, seconds(lambda: _loop(game, positions[:few])) / few)  # noqa: B023
            all_of_them = seconds(lambda: numduel.evaluate_many(game, positions))  # noqa: B023
            together = min(together, all_of_them / len(positions))
        assert found == _loop(game, positions[:few])
        yield (
            f"{size:,} numbers: {1 / together:,.0f} positions a second, "
            f"{alone / together:.0f} times a loop (at least 20)"
        )


def _loop(game: numduel.Game, positions: list[object]) -> list[object]:
    return [numduel.evaluate(game, position) for position in positions]


def _positions(game: numduel.Game, count: int) -> list[object]:
    """Return positions of random games in random order."""
    rng, found = Random(1), []
    while len(found) < count:
        found += (one for one, move in playout(game, rng, game.start()) if move is not None)
    rng.shuffle(found)
    return found[:count]
