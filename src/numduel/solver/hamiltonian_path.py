"""Search for a Hamiltonian path, which goes through every vertex of a graph once, by backtracking.

The code is plain Python over flat arrays; `compiled` makes a fast version of the same source.
"""

from __future__ import annotations

from typing import Any

from numduel.solver.flat_arrays import Graph, PathSearch


def path_exists(graph: Graph, first: Any, last: int, most: int, search: PathSearch) -> bool:
    """Return whether some path begins at one of `first`, ends at `last` and misses no vertex.

    Vertices are numbered from 0, and `first` has a flag for each. The vertex with the fewest unused
    neighbours is tried first. The search gives up after `most` neighbours and returns True.
    """
    offsets = graph.offsets
    count = len(offsets) - 1
    left = count
    for vertex in range(count):
        search.used[vertex] = 0
        near = offsets[vertex + 1] - offsets[vertex] + first[vertex]
        if near < 2 and vertex != last:
            return False  # a vertex inside the path needs two neighbours
    filled = 0
    for vertex in range(count):
        if first[vertex] and (vertex != last or left == 1):
            filled = push_by_degree(vertex, 0, filled, graph, search)
    depth = 0
    search.begins[0] = 0
    looks = 0
    while left > 0 and looks < most:
        if filled > search.begins[depth]:
            filled -= 1
            vertex = search.waiting[filled]
            search.path[depth] = vertex
            search.used[vertex] = 1
            left -= 1
            looks += offsets[vertex + 1] - offsets[vertex]
            depth += 1
            search.begins[depth] = filled
            for at in range(offsets[vertex], offsets[vertex + 1]):
                other = graph.targets[at]
                if search.used[other] == 0 and (other != last or left == 1):
                    filled = push_by_degree(other, search.begins[depth], filled, graph, search)
        elif depth > 0:
            depth -= 1
            search.used[search.path[depth]] = 0
            left += 1
        else:
            return False
    return True


def push_by_degree(vertex: int, begin: int, filled: int, graph: Graph, search: PathSearch) -> int:
    """Insert a vertex into `waiting`, which is sorted from `begin` with the lowest degree last.

    Return the new length of `waiting`.
    """
    ways = 0
    for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        if search.used[graph.targets[at]] == 0:
            ways += 1
    search.degree[vertex] = ways
    at = filled
    while at > begin and search.degree[search.waiting[at - 1]] < ways:
        search.waiting[at] = search.waiting[at - 1]
        at -= 1
    search.waiting[at] = vertex
    return filled + 1


def path_exists_each(
    graph: Graph,
    members: Any,
    first: Any,
    lasts: Any,
    most: int,
    part: Graph,
    part_first: Any,
    place: Any,
    search: PathSearch,
    found: Any,
) -> None:
    """Fill `found` with the answers of `path_exists` for the vertices that each row flags.

    Vertices are numbered from 1. `part` and `part_first` are buffers for the graph of the flagged
    vertices, and `place` is one for their numbers in it.
    """
    for row in range(len(members)):
        count = 0
        filled = 0
        for vertex in range(1, len(graph.offsets) - 1):
            if members[row][vertex]:
                place[vertex] = count
                part_first[count] = first[vertex]
                count += 1
        count = 0
        for vertex in range(1, len(graph.offsets) - 1):
            if members[row][vertex] == 0:
                continue
            part.offsets[count] = filled
            count += 1
            for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
                other = graph.targets[at]
                if members[row][other]:
                    part.targets[filled] = place[other]
                    filled += 1
        part.offsets[count] = filled
        subgraph = Graph(part.offsets[: count + 1], part.targets)
        found[row] = path_exists(subgraph, part_first, place[lasts[row]], most, search)
