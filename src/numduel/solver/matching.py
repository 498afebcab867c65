"""Maximum matching in any graph, by growing alternating trees and contracting blossoms.

Vertices are numbered from 1; 0 means no vertex.

A vertex without a partner is *exposed*. An alternating path leaves the root of a tree by any edge,
follows a matched edge, then any edge, and so on. The vertices that it reaches after an even number
of edges are *outer*, the others are *inner*. An edge between two outer vertices closes an odd
cycle, a *blossom*. All vertices of a blossom become outer, and together they then count as one
vertex, its *base*. An exposed vertex beside an outer one ends an augmenting path: switching the
edges along this path matches two more vertices. If there is no such path, the matching is maximum,
and the outer vertices of the trees from all exposed roots are the vertices that some maximum
matching misses (Gallai and Edmonds).

The code is plain Python over flat arrays; `compiled` makes a fast version of the same source.
"""

from __future__ import annotations

from typing import Any

from numduel.solver.flat_arrays import Forest, Graph

GONE = -1
"""The `mate` of a vertex that is not in the graph. Its `label` is INNER: no search visits it."""

OUTER = 1
INNER = 2

MIN_LONE_TREE_PAIRS = 1_000
"""Only trees of at least this many pairs grow when few paths are left to find."""

MIN_PATHS_TO_REPEAT = 4
"""The large trees grow alone again if they have just found at least this many paths."""

VERTICES_PER_PATH = 1_000
"""Few paths are left if the last search found less than one for this many vertices."""


def match_greedily(graph: Graph, forest: Forest) -> None:
    """Match most vertices. Vertices with only one possible partner come first.

    No tree has grown yet, so the arrays of the trees have other uses here. `label` is not 0 if a
    vertex is not a possible partner, `queue` has the number of possible partners of each vertex,
    and `seen` is a stack of the vertices that have only one.
    """
    offsets, targets, last = graph.offsets, graph.targets, len(graph.offsets) - 2
    mate, label, degree, waiting = forest.mate, forest.label, forest.queue, forest.seen
    filled = 0
    for vertex in range(1, last + 1):
        label[vertex] = mate[vertex]
        degree[vertex] = offsets[vertex + 1] - offsets[vertex]
    for vertex in range(1, last + 1):
        if mate[vertex] == GONE:
            for at in range(offsets[vertex], offsets[vertex + 1]):
                degree[targets[at]] -= 1
    for vertex in range(1, last + 1):
        if degree[vertex] == 1:
            waiting[filled] = vertex
            filled += 1
    while filled > 0 or last > 0:
        if filled > 0:
            filled -= 1
            vertex = waiting[filled]
        else:
            vertex = last
            last -= 1
        if label[vertex] != 0:
            continue
        partner = 0
        for at in range(offsets[vertex], offsets[vertex + 1]):
            other = targets[at]
            if label[other] == 0 and (partner == 0 or degree[other] < degree[partner]):
                partner = other
        if partner == 0:
            continue
        mate[vertex] = partner
        mate[partner] = vertex
        label[vertex] = label[partner] = INNER
        filled = _withdraw(graph, forest, vertex, filled)
        filled = _withdraw(graph, forest, partner, filled)


def _withdraw(graph: Graph, forest: Forest, vertex: int, filled: int) -> int:
    """Remove a possible partner, and push the neighbours that have only one left on the stack."""
    for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        other = graph.targets[at]
        if forest.label[other] == 0:
            forest.queue[other] -= 1
            if forest.queue[other] == 1:
                forest.seen[filled] = other
                filled += 1
    return filled


def match_and_label(graph: Graph, gone: Any, forest: Forest) -> None:
    """Match and label the vertices as `match` does, without the vertices flagged in `gone`."""
    for vertex in range(len(graph.offsets)):
        forest.mate[vertex] = GONE if gone[vertex] else 0
    match_greedily(graph, forest)
    match(graph, forest)


def match_and_label_each(graph: Graph, gone: Any, forest: Forest, labels: Any) -> None:
    """Fill each row of `labels` with the labels of the graph without the vertices flagged."""
    for row in range(len(gone)):
        match_and_label(graph, gone[row], forest)
        for vertex in range(len(graph.offsets)):
            labels[row][vertex] = forest.label[vertex]


def base_of(base: Any, vertex: int) -> int:
    """Return the base of the blossom that contains a vertex, or the vertex itself."""
    while base[vertex] != vertex:
        base[vertex] = base[base[vertex]]
        vertex = base[vertex]
    return vertex


def common_base(a: int, b: int, forest: Forest) -> int:
    """Return the vertex where the paths from two outer vertices to the root meet, or 0."""
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
    """Contract one side of a blossom, from `tip` to its base `stem`.

    The edge from `tip` to `across` closes the cycle. Inner vertices become outer and join the
    queue. Return the new length of the queue.
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

    Return the exposed vertex that ends an augmenting path, or 0, and the number of vertices that
    the tree has labelled. These are in `seen`. The caller uses or clears their labels and bases.
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


def join_trees(vertex: int, other: int, forest: Forest) -> None:
    """Augment along an edge from an outer vertex to another tree, or to an exposed vertex."""
    mate = forest.mate
    before, beyond = mate[vertex], mate[other]
    mate[vertex] = other
    mate[other] = vertex
    augment(before, forest)
    augment(beyond, forest)
    forest.label[other] = INNER  # no tree grows into it


def clear_tree(forest: Forest, labelled: int) -> None:
    """Remove the labels of the last tree."""
    for at in range(labelled):
        vertex = forest.seen[at]
        forest.label[vertex] = 0
        forest.base[vertex] = vertex


def match(graph: Graph, forest: Forest) -> None:
    """Make the matching maximum. `label` is then OUTER if some maximum matching misses the vertex.

    Searching for one path after another takes too long in a large graph, because each of the last
    searches visits most of it. So all trees grow at once. When few paths are left, only the trees
    that were large grow, which takes little time, for as long as they find paths.
    """
    least = 0
    while True:
        found = grow_all(least, graph, forest)
        if least > 0:
            least = MIN_LONE_TREE_PAIRS if found >= MIN_PATHS_TO_REPEAT else 0
        elif found == 0:
            return
        elif found < len(graph.offsets) // VERTICES_PER_PATH:
            least = MIN_LONE_TREE_PAIRS


def grow_all(least: int, graph: Graph, forest: Forest) -> int:
    """Grow trees from all exposed vertices at once. Augment if two trees meet. Return how often.

    An exposed vertex gets no tree if its last tree had fewer than `least` pairs. Trees that have
    met stop growing, and no other tree grows into them. If no trees meet and `least` is 0, the
    matching is maximum.
    """
    offsets, targets = graph.offsets, graph.targets
    mate, label, back, base = forest.mate, forest.label, forest.back, forest.base
    root_of, size, queue = forest.root, forest.size, forest.queue
    filled = done = found = 0
    for vertex in range(1, len(offsets) - 1):
        base[vertex] = vertex
        label[vertex] = INNER if mate[vertex] == GONE else 0
        if mate[vertex] == 0 and (least == 0 or size[vertex] >= least):
            label[vertex] = OUTER
            root_of[vertex] = vertex
            size[vertex] = 0
            queue[filled] = vertex
            filled += 1
    while done < filled:
        vertex = queue[done]
        done += 1
        root = root_of[vertex]
        here = base_of(base, vertex)
        first = offsets[vertex] if mate[root] == 0 else offsets[vertex + 1]  # the tree has met one
        for at in range(first, offsets[vertex + 1]):
            other = targets[at]
            if label[other] == INNER or (label[other] == OUTER and base[other] == here):
                continue
            partner = mate[other]
            if label[other] == 0 and partner != 0:
                back[other] = vertex
                label[other] = INNER
                label[partner] = OUTER
                root_of[other] = root
                root_of[partner] = root
                size[root] += 1
                queue[filled] = partner
                filled += 1
            elif label[other] == OUTER and root_of[other] == root:
                if base_of(base, other) != here:
                    stem = common_base(vertex, other, forest)
                    filled = contract(vertex, other, stem, forest, filled)
                    filled = contract(other, vertex, stem, forest, filled)
                    here = stem
            elif label[other] == 0 or mate[root_of[other]] == 0:
                join_trees(vertex, other, forest)
                found += 1
                break
    return found


def add_vertex(vertex: int, graph: Graph, forest: Forest) -> None:
    """Add a vertex that was GONE to a graph that `match` has labelled. Update matching and labels.

    If the vertex has an outer neighbour, it ends an augmenting path. Otherwise the matching is
    still maximum, the other trees do not change, and a new tree grows from the vertex.
    """
    first = graph.targets[graph.offsets[vertex] : graph.offsets[vertex + 1]]
    forest.mate[vertex] = 0
    forest.label[vertex] = 0
    for other in first:
        if forest.label[other] == OUTER:
            join_trees(other, vertex, forest)
            match(graph, forest)
            return
    grow(vertex, first, graph, forest)


def list_outer(steps: Any, label: Any, found: Any) -> int:
    """Fill `found` with the steps that are labelled OUTER. Return their number."""
    filled = 0
    for step in steps:
        if label[step] == OUTER:
            found[filled] = step
            filled += 1
    return filled
