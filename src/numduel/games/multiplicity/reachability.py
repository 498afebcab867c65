"""Whether some walk leads through exactly the chosen numbers to the current one."""

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
"""Maximum number of neighbours looked at before the search gives up."""


def walk_exists(game: Multiplicity, position: Walk) -> bool:
    """Return whether the chosen numbers can be chosen in some order, with the current one last.

    False is certain. True may mean that the search gave up.
    """
    start = game.begin(position.mover)
    numbers = sorted(position.chosen - start.chosen)
    graph = _graph_of(numbers)
    first = [game.allows(start, number) for number in numbers]
    used, ways, walked, begins = ([0] * (len(numbers) + 1) for _ in range(4))
    waiting = [0] * (len(numbers) + len(graph.targets))
    search = PathSearch(used, ways, walked, begins, waiting)
    return path_exists(graph, first, numbers.index(position.number), MAX_SEEN_NEIGHBOURS, search)


def _graph_of(numbers: list[int]) -> Graph:
    """Return the graph of the places of some numbers, joined if one number divides the other."""
    place_of = {number: place for place, number in enumerate(numbers)}
    neighbours: list[list[int]] = [[] for _ in numbers]
    for number, place in place_of.items():
        for multiple in multiples_among(number, place_of.keys(), numbers[-1]):
            neighbours[place].append(place_of[multiple])
            neighbours[place_of[multiple]].append(place)
    counts: Iterable[int] = map(len, neighbours)
    return Graph([0, *accumulate(counts)], list(chain.from_iterable(neighbours)))
