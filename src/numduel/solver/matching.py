"""Maximum matching in any graph, by growing alternating trees and contracting blossoms.

Vertices are numbers from 1 on; 0 means nobody.

The words: a vertex without a partner is *exposed*. An alternating path leaves the root of a tree
by any edge, follows a matched edge, then any edge, and so on. *Outer* vertices are those that
such a path reaches after an even number of edges, *inner* ones the others. Two outer vertices
joined by an edge close an odd cycle, a blossom: everything on it is outer, and from then on it
counts as one vertex, its base. An exposed vertex next to an outer one ends an augmenting path:
switching the edges along it matches two more vertices. Where there is none, the matching is
maximum, and the outer vertices of all trees grown from exposed roots are those that some maximum
matching misses (Gallai and Edmonds).

Plain Python over flat arrays, to be read; `compiled` serves the large sizes from the same source.
"""

from __future__ import annotations

from typing import Any

from numduel.solver.forest import Forest, Graph

GONE = -1
"""The `mate` of a vertex that is not in the graph; its `label` is INNER, so that none visits it."""

OUTER = 1
INNER = 2


def match_greedily(graph: Graph, mate: Any, degree: Any, stack: Any) -> None:
    """Match most vertices: those with one possible partner first, whenever there are any."""
    offsets, targets = graph.offsets, graph.targets
    count = len(offsets) - 1
    filled = 0
    for vertex in range(1, count):
        degree[vertex] = 0
        if mate[vertex] == GONE:
            continue
        for at in range(offsets[vertex], offsets[vertex + 1]):
            if mate[targets[at]] != GONE:
                degree[vertex] += 1
        if degree[vertex] == 1:
            stack[filled] = vertex
            filled += 1
    following = count - 1
    while True:
        if filled > 0:
            filled -= 1
            vertex = stack[filled]
        elif following > 0:
            vertex = following
            following -= 1
        else:
            return
        if mate[vertex] != 0:
            continue
        partner = 0
        for at in range(offsets[vertex], offsets[vertex + 1]):
            other = targets[at]
            if mate[other] == 0 and (partner == 0 or degree[other] < degree[partner]):
                partner = other
        if partner == 0:
            continue
        mate[vertex] = partner
        mate[partner] = vertex
        for end in (vertex, partner):
            for at in range(offsets[end], offsets[end + 1]):
                other = targets[at]
                if mate[other] == 0:
                    degree[other] -= 1
                    if degree[other] == 1:
                        stack[filled] = other
                        filled += 1


def label_each(
    graph: Graph, gone: Any, forest: Forest, degree: Any, stack: Any, labels: Any
) -> None:
    """For each row of flags, which vertices are not in the graph: the labels that `match` leaves.

    The arrays are as for `match_greedily` and `match`.
    """
    for row in range(len(gone)):
        for vertex in range(len(graph.offsets)):
            forest.mate[vertex] = GONE if gone[row][vertex] else 0
        match_greedily(graph, forest.mate, degree, stack)
        match(graph, forest)
        for vertex in range(len(graph.offsets)):
            labels[row][vertex] = forest.label[vertex]


def base_of(base: Any, vertex: int) -> int:
    """The base of the blossom that a vertex lies in; the vertex itself where in none."""
    while base[vertex] != vertex:
        base[vertex] = base[base[vertex]]
        vertex = base[vertex]
    return vertex


def common_base(a: int, b: int, forest: Forest) -> int:
    """Where the ways from two outer vertices to the root meet."""
    mate, back, base, mark = forest.mate, forest.back, forest.base, forest.mark
    mark[0] += 1
    stamp = mark[0]
    a = base_of(base, a)
    b = base_of(base, b)
    while True:
        if a != 0:
            if mark[a] == stamp:
                return a
            mark[a] = stamp
            inner = mate[a]
            a = base_of(base, back[inner]) if inner > 0 else 0
        a, b = b, a


def contract(tip: int, across: int, stem: int, forest: Forest, filled: int) -> int:
    """One side of a blossom: from `tip` down to its base `stem`, closed by the edge to `across`.

    What was inner becomes outer and joins the queue, whose new length is returned.
    """
    mate, label, back, base = forest.mate, forest.label, forest.back, forest.base
    while base_of(base, tip) != stem:
        back[tip] = across
        inner = mate[tip]
        if label[inner] == INNER:
            label[inner] = OUTER
            forest.queue[filled] = inner
            filled += 1
        if base[tip] == tip:
            base[tip] = stem
        if base[inner] == inner:
            base[inner] = stem
        across = inner
        tip = back[inner]
    return filled


def grow(root: int, first: Any, graph: Graph, forest: Forest) -> tuple[int, int]:
    """Grow a tree from an exposed root whose neighbours are `first`.

    Returns the exposed vertex found (0 for none), and how many vertices are labelled: they stand
    in `seen`. Labels and bases stay, for the caller to use or to clear.
    """
    offsets, targets = graph.offsets, graph.targets
    mate, label, back, base = forest.mate, forest.label, forest.back, forest.base
    queue, seen = forest.queue, forest.seen
    label[root] = OUTER
    queue[0] = root
    seen[0] = root
    filled = 1
    labelled = 1
    done = 0
    while done < filled:
        vertex = queue[done]
        done += 1
        begin = 0 if vertex == root else offsets[vertex]
        end = len(first) if vertex == root else offsets[vertex + 1]
        here = base_of(base, vertex)
        for at in range(begin, end):
            other = first[at] if vertex == root else targets[at]
            if label[other] == INNER:
                continue
            if label[other] == OUTER:
                if base[other] == here or base_of(base, other) == here:
                    continue
                stem = common_base(vertex, other, forest)
                filled = contract(vertex, other, stem, forest, filled)
                filled = contract(other, vertex, stem, forest, filled)
                here = stem
                continue
            back[other] = vertex
            partner = mate[other]
            if partner == 0:
                return other, labelled
            label[other] = INNER
            label[partner] = OUTER
            seen[labelled] = other
            seen[labelled + 1] = partner
            labelled += 2
            queue[filled] = partner
            filled += 1
    return 0, labelled


def augment(end: int, forest: Forest) -> None:
    """Switch the edges of the path that `grow` found to the exposed vertex `end`."""
    mate, back = forest.mate, forest.back
    while end != 0:
        inner = back[end]
        following = mate[inner]
        mate[end] = inner
        mate[inner] = end
        end = following


def clear(forest: Forest, labelled: int) -> None:
    """Forget the last tree."""
    for at in range(labelled):
        vertex = forest.seen[at]
        forest.label[vertex] = 0
        forest.base[vertex] = vertex


def match(graph: Graph, forest: Forest) -> None:
    """Make the matching maximum.

    `label` is then OUTER at each vertex that some maximum matching misses. A tree that found
    nothing stays as it is: no later path can use its vertices.
    """
    offsets, targets = graph.offsets, graph.targets
    mate, label = forest.mate, forest.label
    for vertex in range(1, len(offsets) - 1):
        forest.base[vertex] = vertex
        label[vertex] = INNER if mate[vertex] == GONE else 0
    for root in range(1, len(offsets) - 1):
        if mate[root] != 0 or label[root] != 0:
            continue
        first = targets[offsets[root] : offsets[root + 1]]
        end, labelled = grow(root, first, graph, forest)
        if end != 0:
            augment(end, forest)
            clear(forest, labelled)
