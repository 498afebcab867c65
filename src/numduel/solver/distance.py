"""The number of moves that a walk to unused vertices lasts if the winner hurries.

The matching gives the verdict (see `geography`). We know no fast method for the distance, so it is
found by iterative deepening: does the game end within 1 move, within 3, and so on? `looks` counts
the positions in which the loser is to move. A search gives up when it has looked at too many.

The search is plain Python over flat arrays; `compiled` makes a fast version of the same source. A
search with a transposition table can go deep. It remembers positions, and tries only those steps of
the winner that keep the win. The path is stored in arrays because numba does not cache recursive
functions.
"""

from __future__ import annotations

from typing import Any

from numduel.solver.flat_arrays import DistanceSearch, Graph
from numduel.solver.matching import OUTER, match_and_label

GAVE_UP = -1
"""The distance that a search returns if it gave up."""

NO, YES, OPEN = 0, 1, 2

NEVER = 2**15 - 1


def distance(lost: bool, vertex: int, graph: Graph, search: DistanceSearch, most: int) -> int:
    """Return the moves to the end for the mover at a vertex; GAVE_UP after `most` looks."""
    search.looks[0] = 0
    within = 0 if lost else 1
    while not ends_within(within, vertex, graph, search, most):
        within += 2
        if search.looks[0] > most:
            return GAVE_UP
    return within


def distance_each(
    graph: Graph, used: Any, steps: Any, labels: Any, search: DistanceSearch, most: int, found: Any
) -> None:
    """Fill each row of `found` with the moves to the end for each possible step.

    The flags of `used` and `steps` say which vertices are used and which steps are possible. Steps
    to vertices labelled OUTER win.
    """
    for row in range(len(used)):
        set_used(used[row], graph, search)
        for vertex in range(1, len(graph.offsets) - 1):
            if steps[row][vertex] == 0:
                continue
            use(vertex, graph, search)
            after = distance(labels[row][vertex] == OUTER, vertex, graph, search, most)
            release(vertex, graph, search)
            found[row][vertex] = GAVE_UP if after == GAVE_UP else after + 1


def ends_within(within: int, vertex: int, graph: Graph, search: DistanceSearch, most: int) -> bool:
    """Return whether the mover wins within an odd number of moves, or loses within an even one.

    The answer means nothing if `search.looks` exceeds `most`.
    """
    path, following, offsets = search.path, search.following, graph.offsets
    deep = len(search.places) > 0
    depth = 0
    path[0] = vertex
    following[0] = offsets[vertex]
    while True:
        left = within - depth
        answer = answer_at_once(left, path[depth], depth, graph, search, most)
        while True:  # go back as long as the answer decides the previous position
            if answer == OPEN:
                step = next_step(left, depth, graph, search)
                if step != 0:
                    break
                answer = YES if left % 2 == 0 else NO  # no step has changed this
                if deep:
                    remember(left, path[depth], answer, search)
            if depth == 0:
                return answer == YES
            release(path[depth], graph, search)
            depth -= 1
            left += 1
            if search.looks[0] > most:
                continue
            if answer != left % 2:
                answer = OPEN
            elif deep:
                remember(left, path[depth], answer, search)
        depth += 1
        path[depth] = step
        following[depth] = offsets[step]
        use(step, graph, search)


def next_step(left: int, depth: int, graph: Graph, search: DistanceSearch) -> int:
    """Return the next step to try from the end of the path, or 0 if none is left.

    Steps after which the winner wins at once are not tried for the loser.
    """
    here, used, targets = search.path[depth], search.used, graph.targets
    hurries = left % 2 == 1
    pruned = hurries and len(search.places) > 0
    for at in range(search.following[depth], graph.offsets[here + 1]):
        step: int = targets[at]
        if used[step] or (pruned and search.labels[depth][step] != OUTER):
            continue
        if hurries or not wins_now(step, 1, graph, search):
            search.following[depth] = at + 1
            return step
    return 0


def answer_at_once(
    within: int, vertex: int, depth: int, graph: Graph, search: DistanceSearch, most: int
) -> int:
    """Return the answer of `ends_within` if it needs no path or is in the table, else OPEN."""
    if within % 2 == 1:
        if depth == 0 and wins_now(vertex, 0, graph, search):
            return YES
        if within == 1:
            return NO
        if len(search.places) > 0:
            return recall(within, vertex, depth, graph, search)
        return wins_in_three(vertex, graph, search, most) if within == 3 else OPEN
    if search.degree[vertex] == 0:
        return YES
    if within == 0:
        return NO
    search.looks[0] += 1
    if search.looks[0] > most:
        return NO
    return OPEN if within > 2 else loses_in_two(vertex, 1, graph, search)


def wins_in_three(vertex: int, graph: Graph, search: DistanceSearch, most: int) -> int:
    """Return whether some step leads to a vertex where the opponent loses within two moves."""
    used, looks = search.used, search.looks
    for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        step = graph.targets[at]
        if used[step]:
            continue
        looks[0] += 1
        if looks[0] > most:
            return NO
        if loses_in_two(step, 2, graph, search) == NO:
            continue  # using the step removes at most one neighbour of each vertex
        use(step, graph, search)
        answer = loses_in_two(step, 1, graph, search)
        release(step, graph, search)
        if answer == YES:
            return YES
    return NO


def loses_in_two(vertex: int, left: int, graph: Graph, search: DistanceSearch) -> int:
    """Return whether `wins_now` is true after each step. It is least likely after a late step."""
    used = search.used
    for at in range(graph.offsets[vertex + 1] - 1, graph.offsets[vertex] - 1, -1):
        step = graph.targets[at]
        if used[step] == 0 and not wins_now(step, left, graph, search):
            return NO
    return YES


def wins_now(vertex: int, left: int, graph: Graph, search: DistanceSearch) -> bool:
    """Return whether a step, most likely a late one, leads to one of at most `left` neighbours."""
    used, degree = search.used, search.degree
    for at in range(graph.offsets[vertex + 1] - 1, graph.offsets[vertex] - 1, -1):
        step = graph.targets[at]
        if degree[step] <= left and used[step] == 0:
            return True
    return False


def set_used(used: Any, graph: Graph, search: DistanceSearch) -> None:
    """Set the position: the flags of `used` say which vertices are used."""
    for vertex in range(1, len(used) - 1):
        search.used[vertex] = 0
        search.degree[vertex] = graph.offsets[vertex + 1] - graph.offsets[vertex]
    for vertex in range(1, len(used) - 1):
        if used[vertex]:
            use(vertex, graph, search)


def use(vertex: int, graph: Graph, search: DistanceSearch) -> None:
    """Mark a vertex as used."""
    degree = search.degree
    search.used[vertex] = 1
    for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        degree[graph.targets[at]] -= 1
    if len(search.places) > 0:
        flip(vertex, search)


def release(vertex: int, graph: Graph, search: DistanceSearch) -> None:
    """Mark a vertex as unused again."""
    degree = search.degree
    search.used[vertex] = 0
    for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        degree[graph.targets[at]] += 1
    if len(search.places) > 0:
        flip(vertex, search)


# The transposition table. A position is the set of used vertices and the vertex of the mover.


def flip(vertex: int, search: DistanceSearch) -> None:
    """Add a vertex to the set of used vertices, or remove it."""
    search.words[0] ^= search.codes[vertex]
    search.words[1 + vertex // 32] ^= 1 << vertex % 32


def place_of(vertex: int, search: DistanceSearch) -> int:
    """Return the index of the position in the table."""
    place: int = (search.words[0] + 7919 * vertex) % len(search.places)
    return place


def is_at(place: int, vertex: int, search: DistanceSearch) -> bool:
    """Return whether the table holds this position at the index `place`."""
    if search.vertices[place] != vertex:
        return False
    held = search.places[place]
    for at in range(len(search.words)):  # noqa: SIM110  # numba compiles no generators
        if held[at] != search.words[at]:
            return False
    return True


def recall(within: int, vertex: int, depth: int, graph: Graph, search: DistanceSearch) -> int:
    """Return whether the mover wins within so many moves if the table has the answer, else OPEN.

    If it is OPEN, `search.labels` is filled with the labels of the steps. OUTER ones win.
    """
    place = place_of(vertex, search)
    if is_at(place, vertex, search):
        if search.won[place] <= within:
            return YES
        if search.refuted[place] >= within:
            return NO
    board = Graph(graph.offsets[:-1], graph.targets)  # without the root
    match_and_label(board, search.used, search.forest)
    row = search.labels[depth]
    for other in range(len(board.offsets)):
        row[other] = search.forest.label[other]
    return OPEN


def remember(within: int, vertex: int, answer: int, search: DistanceSearch) -> None:
    """Store in the table whether the mover wins within so many moves. Ignore even numbers."""
    if within % 2 == 0:
        return
    place = place_of(vertex, search)
    if not is_at(place, vertex, search):
        search.vertices[place] = vertex
        for at in range(len(search.words)):
            search.places[place][at] = search.words[at]
        search.won[place] = NEVER
        search.refuted[place] = 0
    if answer == YES:
        search.won[place] = within
    else:
        search.refuted[place] = within
