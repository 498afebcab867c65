"""The flat arrays that matching works on: lists for the plain form, numpy for the compiled one.

They live apart from `matching`, which is loaded twice, so that both forms share these types.
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
