"""Whether some walk leads through just the chosen numbers to where the game stands."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from numduel.games.divisors import multiples_among
from numduel.solver.forest import Graph, Trail
from numduel.solver.paths import path_exists

if TYPE_CHECKING:
    from numduel.games.walk.rules import Multiplicity, Walk

MOST_LOOKS = 10_000
"""Ways looked at before a walk is taken to exist: to be sure can take for ever."""


def walk_exists(game: Multiplicity, position: Walk) -> bool:
    """Whether the chosen numbers can have been chosen one after the other, the current one last.

    It refuses only what cannot be; a set so large that the search does not end in time is let pass.
    """
    start = game.begin(position.mover)
    numbers = sorted(position.chosen - start.chosen)
    graph = _joined(numbers)
    first = [game.allows(start, number) for number in numbers]
    used, ways, walked, begins = ([0] * (len(numbers) + 1) for _ in range(4))
    waiting = [0] * (len(numbers) + len(graph.targets))
    trail = Trail(used, ways, walked, begins, waiting)
    return path_exists(graph, first, numbers.index(position.number), MOST_LOOKS, trail)


def _joined(numbers: list[int]) -> Graph:
    """The places of some numbers, each joined to those of its divisors and multiples."""
    place = {number: at for at, number in enumerate(numbers)}
    joined: list[list[int]] = [[] for _ in numbers]
    for number, at in place.items():
        for multiple in multiples_among(number, place.keys(), numbers[-1]):
            joined[at].append(place[multiple])
            joined[place[multiple]].append(at)
    lengths: Iterable[int] = map(len, joined)
    return Graph([0, *accumulate(lengths)], list(chain.from_iterable(joined)))
