"""The flat arrays that the graph solvers work on: lists in their plain form, numpy's compiled.

They are apart from the solvers, which are loaded twice, so that both forms share these types.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from numduel.solver.compiled import require_numpy


class Graph(NamedTuple):
    """A graph as adjacency lists: the neighbours of v are targets[offsets[v] : offsets[v + 1]]."""

    offsets: Any
    targets: Any

    @property
    def is_plain(self) -> bool:
        """Whether it is made of lists."""
        return isinstance(self.targets, list)


class Forest(NamedTuple):
    """A matching, and the alternating trees grown around it; each has a place for every vertex."""

    mate: Any  # the partner; 0 for none, GONE where the vertex is not in the graph
    label: Any  # OUTER, INNER, or 0 outside all trees
    back: Any  # the vertex before it on the way from the root
    base: Any  # the base of its blossom, or a step towards it
    mark: Any  # the number of the last blossom looked at; place 0 counts blossoms
    queue: Any  # outer vertices still to be looked around from
    seen: Any  # what the last tree labelled
    root: Any  # the root of its tree, where many grow at once
    size: Any  # at such a root, how many pairs its last tree had


class PathSearch(NamedTuple):
    """A search for a Hamiltonian path; each has a place for every vertex, `begins` one more."""

    used: Any  # flags: whether the path goes through it
    degree: Any  # the number of its unused neighbours when it was last put into `waiting`
    path: Any
    begins: Any  # where in `waiting` the steps from each vertex of the path begin
    waiting: Any  # steps still to be tried; it has a place for every edge as well


class DistanceSearch(NamedTuple):
    """A search for the distance of a walk, and its transposition table, which may be empty."""

    used: Any  # flags
    degree: Any  # the number of unused neighbours of each vertex
    path: Any  # the vertices from where the search began
    following: Any  # where in `targets` the next step from each vertex of the path stands
    looks: Any  # place 0 counts the positions looked at
    labels: Any  # a row for each vertex of the path: the labels of the matching there
    forest: Forest
    codes: Any  # a random number for each vertex
    words: Any  # the set of used vertices: the codes of all, combined, then its bits
    places: Any  # the table: the `words` of the position in each place
    vertices: Any  # where the mover stands in it
    won: Any  # the mover wins within so many moves
    refuted: Any  # the mover does not win within so many moves


def zeros(plain: bool, *shape: int, kind: str = "int32") -> Any:
    """Return an array of zeros: of lists where it is to be plain."""
    if not plain:
        return require_numpy().zeros(shape, kind)
    if len(shape) == 1:
        return [0] * shape[0]
    return [zeros(plain, *shape[1:]) for _ in range(shape[0])]


def array_of(plain: bool, values: Any, kind: str = "int32") -> Any:
    """Return an array of these values."""
    return list(values) if plain else require_numpy().array(values, kind)


def with_root(graph: Graph, steps: Sequence[int]) -> Graph:
    """Return the graph with one vertex more, the last, from which these steps lead."""
    offsets, targets = graph
    end = offsets[-1] + len(steps)
    if graph.is_plain:
        return Graph([*offsets, end], [*targets, *steps])
    append = require_numpy().append
    return Graph(append(offsets, end), append(targets, array_of(False, steps)))


def new_forest(plain: bool, count: int) -> Forest:
    """Return room for a matching of `count` vertices."""
    rooms = {name: zeros(plain, count) for name in Forest._fields if name != "label"}
    return Forest(**rooms, label=zeros(plain, count, kind="int8"))


def new_distance_search(graph: Graph, places: int = 0) -> DistanceSearch:
    """Return room for a search for distances that can remember positions in so many places.

    Where there are any, the last vertex of the graph is the root from which the search begins.
    """
    plain, count = graph.is_plain, len(graph.offsets)
    deep = min(places, 1)
    random = Random(0)
    codes = [random.getrandbits(31) for _ in range(count * deep)]
    words = (2 + count // 32) * deep
    return DistanceSearch(
        used=zeros(plain, count, kind="uint8"),
        degree=zeros(plain, count),
        path=zeros(plain, count),
        following=zeros(plain, count, kind="int64"),
        looks=zeros(plain, 1, kind="int64"),
        labels=zeros(plain, count * deep, count * deep, kind="int8"),
        forest=new_forest(plain, count * deep),
        codes=array_of(plain, codes, kind="int64"),
        words=zeros(plain, words, kind="int64"),
        places=zeros(plain, places, words, kind="int64"),
        vertices=zeros(plain, places),
        won=zeros(plain, places, kind="int16"),
        refuted=zeros(plain, places, kind="int16"),
    )
