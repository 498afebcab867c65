"""Whether some walk leads through just the chosen numbers to where the game stands."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from numduel.games.divisors import multiples_among
from numduel.solver.flat_arrays import Graph, PathSearch
from numduel.solver.hamiltonian_path import path_exists

if TYPE_CHECKING:
    from numduel.games.multiplicity.rules import Multiplicity, Walk

MAX_SEEN_NEIGHBOURS = 10_000
"""Maximum number of neighbours looked at. Beyond it the answer is that a walk may exist."""


def walk_exists(game: Multiplicity, position: Walk) -> bool:
    """Return whether the chosen numbers can have been chosen in some order, the current one last.

    False is certain. True may mean that the search was given up.
    """
    start = game.begin(position.mover)
    numbers = sorted(position.chosen - start.chosen)
    graph = _joined(numbers)
    first = [game.allows(start, number) for number in numbers]
    used, ways, walked, begins = ([0] * (len(numbers) + 1) for _ in range(4))
    waiting = [0] * (len(numbers) + len(graph.targets))
    search = PathSearch(used, ways, walked, begins, waiting)
    return path_exists(graph, first, numbers.index(position.number), MAX_SEEN_NEIGHBOURS, search)


def _joined(numbers: list[int]) -> Graph:
    """Return the graph of some numbers by their places, joined where one divides the other."""
    place = {number: at for at, number in enumerate(numbers)}
    joined: list[list[int]] = [[] for _ in numbers]
    for number, at in place.items():
        for multiple in multiples_among(number, place.keys(), numbers[-1]):
            joined[at].append(place[multiple])
            joined[place[multiple]].append(at)
    lengths: Iterable[int] = map(len, joined)
    return Graph([0, *accumulate(lengths)], list(chain.from_iterable(joined)))
