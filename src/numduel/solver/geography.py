"""Undirected vertex geography: walk along edges to vertices never used before, until stuck.

The mover wins if and only if some next vertex is missed by some maximum matching of what is left
(Fraenkel, Scheinerman and Ullman). `Walks` keeps a maximum matching of a graph and repairs it, one
alternating tree a vertex, as vertices are used or given back.
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
    new_distance_search,
    new_forest,
    with_root,
    zeros,
)

MAX_REPAIRS = 200
"""Maximum number of vertices by which the matching is repaired; beyond that it is computed anew."""


MAX_BLOSSOMS = 2**30
"""Blossoms are counted in 32 bits. Beyond this many the matching is computed anew."""


MAX_ADDED_VERTICES = 50
"""Maximum number of vertices by which a graph grows; beyond that it is matched anew."""


class Evidence(NamedTuple):
    """A maximum matching of a walk's graph, and a set that shows that none is larger.

    Taking out `apart` cuts off the `parts`, each of an odd number of vertices.
    """

    walker: int  # the partner of the walker, the first step that wins, or 0
    pairs: list[list[int]]  # the others
    apart: list[int]
    parts: list[list[int]]


class Walks:
    """The verdicts of walks on a graph of the vertices 1 to `size`, neighbours in ascending order.

    The plain solver serves a graph of lists, the compiled one a graph of numpy's arrays.
    """

    def __init__(self, graph: Graph, used: Set[int] = frozenset()) -> None:
        self.size = len(graph.offsets) - 2
        self._plain = graph.is_plain
        self._solver: Any = matching if self._plain else compile_module(matching.__name__)
        self._root = self.size + 1  # a vertex of no edges of its own, from which searches begin
        self._graph = graph
        self._used: Set[int] = frozenset()
        self._missed: Any = None  # which vertices some maximum matching misses, once asked for
        self._bases: Any = None  # and to which part of those each of them belongs
        self._promised: tuple[Set[int], int] | None = None  # a walk that stands lost for its mover
        self._replied: tuple[Set[int], int, int] | None = None  # the last reply, and to what
        self._rematch(used)

    def reply(self, used: Set[int], number: int) -> int:
        """Return a step that wins for the mover at `number`, the last one used, or 0.

        It is the partner of `number` in a maximum matching of everything that was unused before
        `number`, if every such matching covers `number`. When the mover has followed one reply,
        the replies to whatever comes next need no search.
        """
        if self._replied is not None and self._replied[:2] == (used, number):
            return self._replied[2]
        before = used - {number}
        self._go_to(before)
        partner = int(self._forest.mate[number])
        promised = self._keeps_promise(before, number)
        self._take(number)
        if partner and not promised and self._repair(partner):
            partner = 0  # another maximum matching misses the number
        self._used, self._missed = used, None
        self._promised = (used | {partner}, partner) if partner else None
        self._replied = used, number, partner
        return partner

    def _keeps_promise(self, before: Set[int], number: int) -> bool:
        """Return whether the walk came to `number` by a step after our last reply, which wins."""
        if self._promised is None or self._promised[0] != before:
            return False
        offsets, targets = self._graph
        end = offsets[self._promised[1] + 1]
        at = bisect_left(targets, number, offsets[self._promised[1]], end)
        return bool(at < end and targets[at] == number)  # whether the two are joined

    def winning_steps(self, used: Set[int], steps: Sequence[int]) -> set[int]:
        """Return those of the given steps that win for the mover."""
        self._go_to(used)
        if self._missed is None:
            self._label_all()
        return {step for step in steps if self._missed[step] == matching.OUTER}

    def partners(
        self, used: Set[int], steps: Sequence[int], most: int
    ) -> tuple[tuple[int, int], ...]:
        """Return the pairs of a maximum matching of unused vertices that a walk can meet.

        The walk begins with one of the steps, and comes from each vertex to its partner. If it can
        meet more than `most` pairs, only those of its first step are returned.
        """
        self._go_to(used)
        mate, (offsets, targets) = self._forest.mate, self._graph
        found: dict[int, int] = {}
        waiting, met, first = list(steps), set(steps), 0
        for place, step in enumerate(waiting):  # which grows
            partner = int(mate[step])
            if found.get(partner) != step:
                found[step] = partner
            if place < len(steps):
                first = len(found)
            elif len(found) > most:
                return tuple(found.items())[:first]
            near = targets[offsets[partner] : offsets[partner + 1]]
            further = [int(one) for one in near if mate[one] > 0 and one not in met]
            waiting += further
            met.update(further)
        return tuple(found.items())

    def mates(self, used: Set[int]) -> Any:
        """Return the partner of each vertex in a maximum matching of the unused ones; 0: none."""
        self._go_to(used)
        return self._forest.mate.copy()

    def evidence(self, used: Set[int], steps: Sequence[int]) -> Evidence:
        """Return what proves whether the mover, who can make these steps, wins."""
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
        taken, given_back = used - self._used, self._used - used
        many = len(taken) + len(given_back) > MAX_REPAIRS
        if many or self._forest.mark[0] > MAX_BLOSSOMS:
            self._rematch(used)
            return
        for vertex in given_back:
            self._forest.mate[vertex] = self._forest.label[vertex] = 0
            self._slack += self._changes_bound(vertex, back=True)
            self._repair(vertex)
        for vertex in taken:
            widow = self._take(vertex)
            if widow:
                self._repair(widow)
        self._used, self._missed = used, None

    def _take(self, vertex: int) -> int:
        """Take a vertex out of the graph. Return the partner that it leaves behind, or 0."""
        mate = self._forest.mate
        widow = int(mate[vertex])
        mate[vertex] = matching.GONE
        self._forest.label[vertex] = matching.INNER
        mate[widow] = 0
        self._slack += (widow > 0) - self._changes_bound(vertex, back=False)
        return widow

    def _changes_bound(self, vertex: int, back: bool) -> bool:
        """Return whether taking a vertex, or giving it back, changes the Tutte-Berge bound.

        The bound comes from the last labels: the inner vertices, and half of each part.
        """
        labels, bases = self._bounding
        if labels[vertex] == matching.INNER:
            return True
        outer = bool(labels[vertex] == matching.OUTER)
        part = int(matching.base_of(bases, vertex)) if outer else 0
        odd = outer != (part in self._shifted)
        self._shifted ^= {part}
        return odd == back

    def _repair(self, exposed: int) -> bool:
        """Match an exposed vertex if that makes the matching larger. Return whether it did."""
        if self._slack == 0:
            return False  # no matching is larger: most searches that would fail are spared
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
        self._slack = 0  # how many pairs more than there are the bound allows
        self._shifted: set[int] = set()  # parts that have become even, or odd, since
        label = zeros(self._plain, self.size + 2, kind="int8")
        for vertex in self._used:
            label[vertex] = matching.INNER
        base = array_of(self._plain, range(self.size + 2))
        self._forest = self._forest._replace(label=label, base=base)


class GrowingWalks:
    """The first steps of walks on the vertices up to a size, which grows.

    At each size the given vertices, none beyond it, are used, and the walk begins with one of the
    given steps.
    """

    def __init__(self, graph: Graph, used: Set[int], steps: Sequence[int]) -> None:
        self._graph, self._used = graph, used
        plain, count = graph.is_plain, len(graph.offsets)
        self._size = count  # so that the first size is matched anew
        self._solver: Any = matching if plain else compile_module(matching.__name__)
        self._forest = new_forest(plain, count)
        self._gone = zeros(plain, count, kind="uint8")
        self._steps, self._found = array_of(plain, steps), array_of(plain, steps)

    def steps(self, size: int) -> int:
        """Return how many of the steps there are up to a size."""
        return bisect_right(self._steps, size)

    def winning_steps(self, size: int) -> Any:
        """Return those of the steps that win on the vertices up to `size`, ascending."""
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
    """The distances of walks on a graph; `set_position` says from where.

    `most` bounds the positions looked at for one answer. A search that is to go deep has `places`
    to remember positions, and serves one `set_position` only.
    """

    def __init__(self, graph: Graph, most: int, places: int = 0) -> None:
        self._graph, self._most = graph, most
        self._solver: Any = distance if graph.is_plain else compile_module(distance.__name__)
        self._degrees = [0, *(b - a for a, b in pairwise(graph.offsets[1:])), 0, 0]
        self._search = new_distance_search(with_root(graph, ()), places)
        self._root = len(graph.offsets) - 1

    def set_position(self, used: Set[int], steps: Sequence[int]) -> None:
        """Go to the position with these used vertices, in which the mover has these steps."""
        self._search.used[:] = zeros(True, len(self._degrees))
        self._search.degree[:] = self._degrees
        self._search.degree[self._root] = len(steps)
        self._joined = with_root(self._graph, steps)
        for vertex in used:
            self._solver.use(vertex, self._graph, self._search)

    def here(self, lost: bool) -> int | None:
        """Return the moves to the end, for a mover who is lost or not; None beyond the bound."""
        return self._known(lost, self._root)

    def after(self, step: int, lost: bool) -> int | None:
        """Return the moves to the end after a step, for a mover who is lost then or not."""
        self._solver.use(step, self._graph, self._search)
        found = self._known(lost, step)
        self._solver.release(step, self._graph, self._search)
        return found

    def ends_within(self, moves: int) -> bool:
        """Return whether the mover wins within an odd number of moves, or loses within an even one.

        Raises TooLarge when all the answers together take too many looks.
        """
        if moves < 0:
            return False
        found = self._solver.ends_within(moves, self._root, self._joined, self._search, self._most)
        if self._search.looks[0] > self._most:
            raise TooLarge(f"the distance takes more than {self._most:,} positions to look at")
        return bool(found)

    def _known(self, lost: bool, vertex: int) -> int | None:
        found = self._solver.distance(lost, vertex, self._joined, self._search, self._most)
        return None if found == distance.GAVE_UP else int(found)
