"""How soon a walk to vertices never used before can be ended, where its verdict is known.

Plain Python over flat arrays, to be read; `compiled` serves many questions from the same source.
It keeps its way in arrays, since numba does not keep what calls itself.
"""

from __future__ import annotations

from typing import Any

from numduel.solver.forest import Graph, Way
from numduel.solver.matching import OUTER

UNKNOWN = -1

NO, YES, OPEN = 0, 1, 2


def ends(vertex: int, within: int, graph: Graph, used: Any, most: int, way: Way) -> bool:
    """Whether the mover, who stands at a vertex, wins within an odd number of moves.

    Within an even number: whether the mover loses. After more than `most` positions looked at,
    which `way.looks` counts, the answer means nothing.
    """
    offsets, targets = graph.offsets, graph.targets
    depth = 0
    way.walked[0] = vertex
    way.following[0] = offsets[vertex]
    answer = at_once(vertex, within, graph, used, most, way)
    if answer != OPEN:
        return answer == YES
    while True:
        here = way.walked[depth]
        at = way.following[depth]
        end = offsets[here + 1]
        while at < end and used[targets[at]]:
            at += 1
        way.following[depth] = at + 1
        found = (within - depth) % 2 == 0  # unless one of the steps says otherwise
        if at < end:
            step = targets[at]
            depth += 1
            way.walked[depth] = step
            way.following[depth] = offsets[step]
            used[step] = 1
            answer = at_once(step, within - depth, graph, used, most, way)
            if answer == OPEN:
                continue
            found = answer == YES
        while True:  # back, as long as what was found decides the step before
            if depth == 0:
                return found
            used[way.walked[depth]] = 0
            depth -= 1
            wins = (within - depth) % 2 == 1
            if found != wins and way.looks[0] <= most:
                break


def at_once(vertex: int, within: int, graph: Graph, used: Any, most: int, way: Way) -> int:
    """What `ends` answers where two moves decide; OPEN where it takes more."""
    if within == 1:
        return YES if wins_now(vertex, graph, used) else NO
    if within % 2 == 1:
        return OPEN
    if is_stuck(vertex, graph, used):
        return YES
    if within == 0:
        return NO
    way.looks[0] += 1
    if way.looks[0] > most:
        return NO
    if within > 2:
        return OPEN
    for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        step = graph.targets[at]
        if used[step] == 0:
            used[step] = 1
            lost = wins_now(step, graph, used)
            used[step] = 0
            if not lost:
                return NO
    return YES


def wins_now(vertex: int, graph: Graph, used: Any) -> bool:
    """Whether some step from a vertex leaves the other none; most often a late one does."""
    for at in range(graph.offsets[vertex + 1] - 1, graph.offsets[vertex] - 1, -1):
        step = graph.targets[at]
        if used[step] == 0 and is_stuck(step, graph, used):
            return True
    return False


def is_stuck(vertex: int, graph: Graph, used: Any) -> bool:
    """Whether no step leads on from a vertex; most often a late one does."""
    for at in range(graph.offsets[vertex + 1] - 1, graph.offsets[vertex] - 1, -1):
        if used[graph.targets[at]] == 0:
            return False
    return True


def distance(lost: bool, vertex: int, graph: Graph, used: Any, most: int, way: Way) -> int:
    """Moves to the end for a mover who stands at a vertex, lost or won; UNKNOWN beyond `most`."""
    way.looks[0] = 0
    within = 0 if lost else 1
    while not ends(vertex, within, graph, used, most, way):
        within += 2
        if way.looks[0] > most:
            return UNKNOWN
    return within


def distance_each(
    graph: Graph, used: Any, steps: Any, labels: Any, most: int, way: Way, found: Any
) -> None:
    """For each row, moves to the end after each of its steps; those labelled OUTER win.

    Each row has a place for every vertex; `used` and `steps` are flags.
    """
    for row in range(len(used)):
        for vertex in range(1, len(graph.offsets) - 1):
            if steps[row][vertex] == 0:
                continue
            used[row][vertex] = 1
            lost = labels[row][vertex] == OUTER
            after = distance(lost, vertex, graph, used[row], most, way)
            used[row][vertex] = 0
            found[row][vertex] = UNKNOWN if after == UNKNOWN else after + 1
