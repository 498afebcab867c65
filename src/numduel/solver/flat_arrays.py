"""The flat arrays that the graph solvers work on: lists if plain, arrays of numpy if compiled.

Solver modules are loaded twice (see `compiled`). The types are here so that both share them.
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
        """Whether the arrays are lists."""
        return isinstance(self.targets, list)


class Forest(NamedTuple):
    """A matching and alternating trees. Each array has a place for every vertex."""

    mate: Any  # the partner, 0 if there is none, or GONE if the vertex is not in the graph
    label: Any  # OUTER, INNER, or 0 outside all trees
    back: Any  # the previous vertex on the way from the root
    base: Any  # the base of the blossom of this vertex, or a vertex on the way to the base
    mark: Any  # the number of the last search for a blossom here; place 0 counts these searches
    queue: Any  # outer vertices whose neighbours have not been looked at yet
    seen: Any  # the vertices that the last tree labelled
    root: Any  # the root of the tree of this vertex, if many trees grow at once
    size: Any  # for a root, the number of pairs of its last tree


class PathSearch(NamedTuple):
    """A search for a Hamiltonian path. Each array has a place for every vertex, `begins` one more.

    `waiting` has a place for every edge as well.
    """

    used: Any  # flags: whether the path includes this vertex
    degree: Any  # the number of unused neighbours when the vertex was last put into `waiting`
    path: Any
    begins: Any  # the index in `waiting` of the first step from each vertex of the path
    waiting: Any  # steps that have not been tried yet


class DistanceSearch(NamedTuple):
    """A search for the distance of a walk, and its transposition table, which may be empty."""

    used: Any  # flags
    degree: Any  # the number of unused neighbours of each vertex
    path: Any  # the vertices of the walk since the start of the search
    following: Any  # the index in `targets` of the next step from each vertex of the path
    looks: Any  # place 0 counts the positions that the search looked at
    labels: Any  # for each vertex of the path, a row of the labels of the matching there
    forest: Forest
    codes: Any  # a random number for each vertex
    words: Any  # the set of used vertices: first the exclusive or of their codes, then bits
    places: Any  # the table: for each place, the `words` of its position
    vertices: Any  # for each place, the vertex of the mover
    won: Any  # for each place, a number of moves within which the mover wins
    refuted: Any  # for each place, a number of moves within which the mover does not win


def zeros(plain: bool, *shape: int, kind: str = "int32") -> Any:
    """Return an array of zeros, as lists if it should be plain."""
    if not plain:
        return require_numpy().zeros(shape, kind)
    if len(shape) == 1:
        return [0] * shape[0]
    return [zeros(plain, *shape[1:]) for _ in range(shape[0])]


def array_of(plain: bool, values: Any, kind: str = "int32") -> Any:
    """Return an array of these values, as a list if it should be plain."""
    return list(values) if plain else require_numpy().array(values, kind)


def with_root(graph: Graph, steps: Sequence[int]) -> Graph:
    """Return the graph with one more vertex at the end, whose neighbours are `steps`."""
    offsets, targets = graph
    end = offsets[-1] + len(steps)
    if graph.is_plain:
        return Graph([*offsets, end], [*targets, *steps])
    append = require_numpy().append
    return Graph(append(offsets, end), append(targets, array_of(False, steps)))


def new_forest(plain: bool, count: int) -> Forest:
    """Return the arrays for a matching of `count` vertices."""
    arrays = {name: zeros(plain, count) for name in Forest._fields if name != "label"}
    return Forest(**arrays, label=zeros(plain, count, kind="int8"))


def new_search(graph: Graph, places: int = 0) -> DistanceSearch:
    """Return the arrays for a search for distances, with a table of so many places.

    With a table, the last vertex of the graph must be the root from which the search begins.
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
