"""The flat arrays that the solvers of graphs work on: lists for the plain form, numpy compiled.

They live apart from the solvers, which are loaded twice, so that both forms share these types.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Graph(NamedTuple):
    """Who is joined to whom: the neighbours of v are targets[offsets[v] : offsets[v + 1]]."""

    offsets: Any
    targets: Any


class Forest(NamedTuple):
    """A matching, and the alternating trees grown around it; each has a place for every vertex."""

    mate: Any  # the partner; 0 for none, GONE where the vertex is not in the graph
    label: Any  # OUTER, INNER, or 0 outside all trees
    back: Any  # the vertex before it on the way from the root
    base: Any  # the base of its blossom, or a step towards it
    mark: Any  # the number of the last blossom looked at; place 0 counts blossoms
    queue: Any  # outer vertices still to be looked around from
    seen: Any  # what the last tree labelled


class Trail(NamedTuple):
    """A path that is looked for; each has a place for every vertex, `begins` one more."""

    used: Any  # whether the path goes through it
    ways: Any  # how many ways led on from it when it was last waiting
    walked: Any  # the path
    begins: Any  # where in `waiting` the steps that wait at each point of the path begin
    waiting: Any  # steps still to be tried; it has a place for every edge as well


class Way(NamedTuple):
    """Where a search for the end of a walk stands; each has a place for every vertex."""

    walked: Any  # the walk from where it was asked
    following: Any  # of each point of the walk, which of its edges is looked at next
    looks: Any  # place 0 counts the positions looked at
