"""Undirected vertex geography: walk along edges to unused vertices until a player is stuck.

The mover wins if and only if some next vertex is missed by some maximum matching of the unused
vertices (Fraenkel, Scheinerman and Ullman). `Walks` keeps a maximum matching of a graph. When a
vertex is used or released, it repairs the matching with one alternating tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.solver import distance, matching
from numduel.solver.compiled import compile_module
from numduel.solver.flat_arrays import (
    Graph,
    array_of,
    new_forest,
    new_search,
    with_root,
    zeros,
)

MAX_REPAIRS = 200
"""Maximum number of vertices for which the matching is repaired, rather than computed again."""

MAX_BLOSSOMS = 2**30
"""Maximum count of blossoms, which has 32 bits. Beyond it the matching is computed again."""

MAX_ADDED_VERTICES = 50
"""Maximum number of vertices to add to a matching, rather than to compute it again."""


class Evidence(NamedTuple):
    """A maximum matching of a walk's graph, and the Tutte-Berge proof that none is larger.

    Without the vertices `apart`, the `parts` are not connected to each other. Each part has an odd
    number of vertices.
    """

    walker: int  # the partner of the walker, which is a step that wins, or 0
    pairs: list[list[int]]  # all other pairs
    apart: list[int]
    parts: list[list[int]]


class Walks:
    """The verdicts of walks on a graph of the vertices 1 to `size`.

    Neighbours must be in ascending order. A graph of lists uses the plain solver, and a graph of
    numpy's arrays uses the compiled one.
    """

    def __init__(self, graph: Graph, used: Set[int] = frozenset()) -> None:
        self.size = len(graph.offsets) - 2
        self._plain = graph.is_plain
        self._solver: Any = matching if self._plain else compile_module(matching.__name__)
        self._root = self.size + 1  # a vertex without edges, from which searches begin
        self._graph = graph
        self._used: Set[int] = frozenset()
        self._missed: Any = None  # labels of the vertices, of which OUTER ones can be missed
        self._bases: Any = None  # the part to which each OUTER vertex belongs
        self._after_reply: tuple[Set[int], int] | None = None  # the position after the last reply
        self._last_reply: tuple[Set[int], int, int] | None = None  # its arguments and result
        self._rematch(used)

    def reply(self, used: Set[int], number: int) -> int:
        """Return a step that wins for the mover at `number`, the last used vertex, or 0.

        The step is the partner of `number` in a maximum matching of the vertices that were unused
        before `number`, if every such matching covers `number`. If the mover follows one reply, the
        later replies of the same walk need no search.
        """
        if self._last_reply is not None and self._last_reply[:2] == (used, number):
            return self._last_reply[2]
        before = used - {number}
        self._go_to(before)
        partner = int(self._forest.mate[number])
        known_to_win = self._follows_reply(before, number)
        self._remove(number)
        if partner and not known_to_win and self._repair(partner):
            partner = 0  # another maximum matching misses the number
        self._used, self._missed = used, None
        self._after_reply = (used | {partner}, partner) if partner else None
        self._last_reply = used, number, partner
        return partner

    def _follows_reply(self, before: Set[int], number: int) -> bool:
        """Return whether the walk stepped to `number` from the last reply. Such a step loses."""
        if self._after_reply is None or self._after_reply[0] != before:
            return False
        offsets, targets = self._graph
        end = offsets[self._after_reply[1] + 1]
        at = bisect_left(targets, number, offsets[self._after_reply[1]], end)
        return bool(at < end and targets[at] == number)

    def winning_steps(self, used: Set[int], steps: Sequence[int]) -> set[int]:
        """Return the steps that win for the mover, from the given ones."""
        self._go_to(used)
        if self._missed is None:
            self._label_all()
        return {step for step in steps if self._missed[step] == matching.OUTER}

    def partners(
        self, used: Set[int], steps: Sequence[int], most: int
    ) -> tuple[tuple[int, int], ...]:
        """Return the pairs of a maximum matching of unused vertices that a walk can meet.

        The walk begins with one of the steps, and every reply is the partner of the step. If the
        walk can meet more than `most` pairs, return only the pairs of its first steps.
        """
        self._go_to(used)
        mate, (offsets, targets) = self._forest.mate, self._graph
        found: dict[int, int] = {}
        waiting, met, first = list(steps), set(steps), 0
        for index, step in enumerate(waiting):  # the list grows in the loop
            partner = int(mate[step])
            if found.get(partner) != step:
                found[step] = partner
            if index < len(steps):
                first = len(found)
            elif len(found) > most:
                return tuple(found.items())[:first]
            near = targets[offsets[partner] : offsets[partner + 1]]
            further = [int(one) for one in near if mate[one] > 0 and one not in met]
            waiting += further
            met.update(further)
        return tuple(found.items())

    def mates(self, used: Set[int]) -> Any:
        """Return the partner of each vertex in a maximum matching of the unused ones, or 0."""
        self._go_to(used)
        return self._forest.mate.copy()

    def evidence(self, used: Set[int], steps: Sequence[int]) -> Evidence:
        """Return a proof of whether a mover who has these steps wins."""
        self._go_to(used)
        self._label_all()
        missed, base = list(self._missed), list(self._bases)
        alone = self._forest._replace(mate=self._forest.mate.copy())
        found, labelled = self._solver.grow(
            self._root, array_of(self._plain, steps), self._graph, alone
        )
        if found:
            self._solver.augment(found, alone)
        self._solver.clear_tree(alone, labelled)
        mate = list(map(int, alone.mate))
        parts: dict[int, list[int]] = {}
        for vertex in range(1, self.size + 1):
            if missed[vertex] == matching.OUTER:
                parts.setdefault(matching.base_of(base, vertex), []).append(vertex)
        return Evidence(
            walker=mate[self._root],
            pairs=[[v, mate[v]] for v in range(1, self.size + 1) if v < mate[v] <= self.size],
            apart=[
                v for v in range(1, self.size + 1) if missed[v] == matching.INNER and mate[v] > 0
            ],
            parts=list(parts.values()),
        )

    # The matching.

    def _go_to(self, used: Set[int]) -> None:
        if used == self._used:
            return
        removed, restored = used - self._used, self._used - used
        many = len(removed) + len(restored) > MAX_REPAIRS
        if many or self._forest.mark[0] > MAX_BLOSSOMS:
            self._rematch(used)
            return
        for vertex in restored:
            self._forest.mate[vertex] = self._forest.label[vertex] = 0
            self._slack += self._changes_bound(vertex, restored=True)
            self._repair(vertex)
        for vertex in removed:
            partner = self._remove(vertex)
            if partner:
                self._repair(partner)
        self._used, self._missed = used, None

    def _remove(self, vertex: int) -> int:
        """Remove a vertex from the graph. Return the partner that it had, or 0."""
        mate = self._forest.mate
        partner = int(mate[vertex])
        mate[vertex] = matching.GONE
        self._forest.label[vertex] = matching.INNER
        mate[partner] = 0
        self._slack += (partner > 0) - self._changes_bound(vertex, restored=False)
        return partner

    def _changes_bound(self, vertex: int, restored: bool) -> bool:
        """Return whether removing or restoring a vertex changes the Tutte-Berge bound.

        The bound is computed from the last labels. It is the number of inner vertices, plus half of
        each part, rounded down.
        """
        labels, bases = self._bounding
        if labels[vertex] == matching.INNER:
            return True
        outer = bool(labels[vertex] == matching.OUTER)
        part = int(matching.base_of(bases, vertex)) if outer else 0
        odd = outer != (part in self._flipped_parts)
        self._flipped_parts ^= {part}
        return odd == restored

    def _repair(self, exposed: int) -> bool:
        """Match an exposed vertex if that makes the matching larger. Return whether it did."""
        if self._slack == 0:
            return False  # the matching has reached the bound, so a search would fail
        offsets, targets = self._graph
        first = targets[offsets[exposed] : offsets[exposed + 1]]
        found, labelled = self._solver.grow(exposed, first, self._graph, self._forest)
        if found:
            self._solver.augment(found, self._forest)
            self._slack -= 1
        self._solver.clear_tree(self._forest, labelled)
        return bool(found)

    def _rematch(self, used: Set[int]) -> None:
        forest = self._forest = new_forest(self._plain, self.size + 2)
        for vertex in used:
            forest.mate[vertex] = matching.GONE
        self._solver.match_greedily(self._graph, forest)
        self._used = used
        self._label_all()

    def _label_all(self) -> None:
        """Complete the matching and find the vertices that some maximum matching misses."""
        self._solver.match(self._graph, self._forest)
        self._missed, self._bases = self._bounding = self._forest.label, self._forest.base
        self._slack = 0  # the bound minus the number of pairs
        self._flipped_parts: set[int] = set()  # parts that have become even or odd since then
        label = zeros(self._plain, self.size + 2, kind="int8")
        for vertex in self._used:
            label[vertex] = matching.INNER
        base = array_of(self._plain, range(self.size + 2))
        self._forest = self._forest._replace(label=label, base=base)


class GrowingWalks:
    """The first steps of walks on the vertices 1 to `size`, for growing sizes.

    The same vertices are used at every size, and no size is below any of them. The walk begins
    with one of the given steps.
    """

    def __init__(self, graph: Graph, used: Set[int], steps: Sequence[int]) -> None:
        self._graph, self._used = graph, used
        plain, count = graph.is_plain, len(graph.offsets)
        self._size = count  # not a size to grow from
        self._solver: Any = matching if plain else compile_module(matching.__name__)
        self._forest = new_forest(plain, count)
        self._gone = zeros(plain, count, kind="uint8")
        self._steps, self._found = array_of(plain, steps), array_of(plain, steps)

    def steps(self, size: int) -> int:
        """Return the number of steps to vertices up to `size`."""
        return bisect_right(self._steps, size)

    def winning_steps(self, size: int) -> Any:
        """Return the steps that win on the vertices up to `size`, in ascending order."""
        if 0 <= size - self._size <= MAX_ADDED_VERTICES:
            for vertex in range(self._size + 1, size + 1):
                self._solver.add_vertex(vertex, self._graph, self._forest)
        else:
            self._gone[:] = zeros(self._graph.is_plain, len(self._gone), kind="uint8")
            for vertex in (*self._used, *range(size + 1, len(self._gone) - 1)):
                self._gone[vertex] = 1
            self._solver.match_and_label(self._graph, self._gone, self._forest)
        self._size = size
        some = self._steps[: self.steps(size)]
        filled = self._solver.list_outer(some, self._forest.label, self._found)
        return self._found[:filled].copy()


class Distances:
    """The distances of walks on a graph, from the position of the last call of `set_position`.

    `most` is the maximum number of positions to look at for one answer. A search can go deep if it
    has `places` in which to remember positions. Such a search has only one `set_position`.
    """

    def __init__(self, graph: Graph, most: int, places: int = 0) -> None:
        self._graph, self._most = graph, most
        self._solver: Any = distance if graph.is_plain else compile_module(distance.__name__)
        self._degrees = [0, *(b - a for a, b in pairwise(graph.offsets[1:])), 0, 0]
        self._search = new_search(with_root(graph, ()), places)
        self._root = len(graph.offsets) - 1

    def set_position(self, used: Set[int], steps: Sequence[int]) -> None:
        """Set the used vertices and the steps of the mover."""
        self._search.used[:] = zeros(True, len(self._degrees))
        self._search.degree[:] = self._degrees
        self._search.degree[self._root] = len(steps)
        self._joined = with_root(self._graph, steps)
        for vertex in used:
            self._solver.use(vertex, self._graph, self._search)

    def here(self, lost: bool) -> int | None:
        """Return the moves to the end; None beyond the bound. `lost`: whether the mover loses."""
        return self._distance(lost, self._root)

    def after(self, step: int, lost: bool) -> int | None:
        """Return the moves to the end after a step. `lost`: whether the next mover loses."""
        self._solver.use(step, self._graph, self._search)
        found = self._distance(lost, step)
        self._solver.release(step, self._graph, self._search)
        return found

    def ends_within(self, moves: int) -> bool:
        """Return whether the mover wins within an odd number of moves, or loses within an even one.

        Raises `TooLarge` if all answers together look at more than `most` positions.
        """
        if moves < 0:
            return False
        found = self._solver.ends_within(moves, self._root, self._joined, self._search, self._most)
        if self._search.looks[0] > self._most:
            raise TooLarge(f"the distance takes more than {self._most:,} positions to look at")
        return bool(found)

    def _distance(self, lost: bool, vertex: int) -> int | None:
        found = self._solver.distance(lost, vertex, self._joined, self._search, self._most)
        return None if found == distance.GAVE_UP else int(found)
