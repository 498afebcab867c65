"""Whether a path goes through every vertex of a graph once: a search with backing up.

Plain Python over flat arrays, to be read; `compiled` serves many questions from the same source.
"""

from __future__ import annotations

from typing import Any

from numduel.solver.forest import Graph, Trail


def path_exists(graph: Graph, first: Any, last: int, most: int, trail: Trail) -> bool:
    """Whether some path begins at one of `first`, ends at `last` and misses no vertex.

    Vertices are numbers from 0 on; `first` has a flag for each. It goes to the vertex with the
    fewest ways on first, and looks at `most` neighbours before a path is taken to exist.
    """
    offsets = graph.offsets
    count = len(offsets) - 1
    left = count
    for vertex in range(count):
        trail.used[vertex] = 0
        near = offsets[vertex + 1] - offsets[vertex] + first[vertex]
        if near < 2 and vertex != last:
            return False  # each vertex on the way has one before it and one after it
    filled = 0
    for vertex in range(count):
        if first[vertex] and (vertex != last or left == 1):
            filled = wait(vertex, 0, filled, graph, trail)
    depth = 0
    trail.begins[0] = 0
    looks = 0
    while left > 0 and looks < most:
        if filled > trail.begins[depth]:
            filled -= 1
            vertex = trail.waiting[filled]
            trail.walked[depth] = vertex
            trail.used[vertex] = 1
            left -= 1
            looks += offsets[vertex + 1] - offsets[vertex]
            depth += 1
            trail.begins[depth] = filled
            for at in range(offsets[vertex], offsets[vertex + 1]):
                other = graph.targets[at]
                if trail.used[other] == 0 and (other != last or left == 1):
                    filled = wait(other, trail.begins[depth], filled, graph, trail)
        elif depth > 0:
            depth -= 1
            trail.used[trail.walked[depth]] = 0
            left += 1
        else:
            return False
    return True


def wait(vertex: int, begin: int, filled: int, graph: Graph, trail: Trail) -> int:
    """Put a vertex among those that wait from `begin` on, the one of the fewest ways last.

    Returns how many wait then.
    """
    ways = 0
    for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        if trail.used[graph.targets[at]] == 0:
            ways += 1
    trail.ways[vertex] = ways
    at = filled
    while at > begin and trail.ways[trail.waiting[at - 1]] < ways:
        trail.waiting[at] = trail.waiting[at - 1]
        at -= 1
    trail.waiting[at] = vertex
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
    trail: Trail,
    found: Any,
) -> None:
    """Whether there is such a path through the members that each row flags; `found` takes it.

    Vertices are numbers from 1 on. `part` has room for the graph of the members, and `place` for
    the place of each there.
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
        whole = Graph(part.offsets[: count + 1], part.targets)
        found[row] = path_exists(whole, part_first, place[lasts[row]], most, trail)
