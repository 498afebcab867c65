"""Undirected vertex geography: walk along edges to vertices never used before, until stuck.

The mover wins if and only if some next vertex is missed by some maximum matching of what is left
(Fraenkel, Scheinerman and Ullman). `Walks` keeps a maximum matching of a graph and repairs it, one
alternating tree a vertex, as vertices are used or given back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence, Set
from typing import Any, NamedTuple

from numduel.solver import matching
from numduel.solver.compiled import arrays, compiled
from numduel.solver.forest import Forest, Graph

MOST_REPAIRS = 200
"""A larger step than this is a new matching instead."""


MOST_BLOSSOMS = 2**30
"""Blossoms are counted in 32 bits; before those run out, the matching is made anew."""


class Evidence(NamedTuple):
    """A maximum matching of a walk's graph, and a set that shows that none is larger.

    Taking out `apart` cuts off the `parts`, each of an odd number of vertices.
    """

    walker: int  # the partner of the walker, the first step that wins, or 0
    pairs: list[list[int]]  # the others
    apart: list[int]
    parts: list[list[int]]


class Walks:
    """The walks on a graph of the vertices 1 to `size`, whose neighbours stand in ascending order.

    A graph of lists is walked by the plain form, one of numpy's arrays by the compiled one.
    """

    def __init__(self, graph: Graph) -> None:
        self.size = len(graph.offsets) - 2
        self._plain = isinstance(graph.targets, list)
        self._solver: Any = matching if self._plain else compiled(matching.__name__)
        self._root = self.size + 1  # a vertex of no edges of its own, from which searches begin
        self._graph = graph
        self._used: Set[int] = frozenset()
        self._missed: Any = None  # which vertices some maximum matching misses, once asked for
        self._bases: Any = None  # and to which part of those each of them belongs
        self._promised: tuple[Set[int], int] | None = None  # a walk that stands lost for its mover
        self._replied: tuple[Set[int], int, int] | None = None  # the last reply, and to what
        self._match_anew(frozenset())

    def reply(self, used: Set[int], number: int) -> int:
        """The step that wins for the mover at `number`, the last one used, or 0 where none does.

        The partner of `number` in a maximum matching of everything not used before it, if every
        such matching covers `number`. Once that has been followed, no answer to it needs a search.
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
        """Whether the mover came to `number` from where our last reply left them lost."""
        if self._promised is None or self._promised[0] != before:
            return False
        offsets, targets = self._graph
        end = offsets[self._promised[1] + 1]
        at = bisect_left(targets, number, offsets[self._promised[1]], end)
        return bool(at < end and targets[at] == number)  # whether the two are joined

    def winning_step(self, used: Set[int], steps: Sequence[int]) -> int:
        """One of the steps that wins for the mover, or 0 where none does, for any steps."""
        self._go_to(used)
        mate, back = self._forest.mate, self._forest.back
        step, labelled = self._solver.grow(
            self._root, self._numbers(steps), self._graph, self._forest
        )
        while step and back[step] != self._root:
            step = mate[back[step]]
        self._solver.clear(self._forest, labelled)
        return int(step)

    def winning_steps(self, used: Set[int], steps: Sequence[int]) -> set[int]:
        """Those of the steps that win for the mover."""
        self._go_to(used)
        if self._missed is None:
            self._label_all()
        return {step for step in steps if self._missed[step] == matching.OUTER}

    def partners(self, used: Set[int], steps: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """The steps that have a partner in a maximum matching of what is left, each with it."""
        self._go_to(used)
        mate = self._forest.mate
        return tuple((step, int(mate[step])) for step in steps if mate[step] > 0)

    def pairs(self, used: Set[int]) -> int:
        """How many pairs a maximum matching of what is left has."""
        self._go_to(used)
        return sum(1 for vertex in range(1, self.size + 1) if self._forest.mate[vertex] > vertex)

    def evidence(self, used: Set[int], steps: Sequence[int]) -> Evidence:
        """What shows whether the mover, who can go to these steps, wins."""
        self._go_to(used)
        self._label_all()
        missed, base = list(self._missed), list(self._bases)
        alone = self._forest._replace(mate=self._forest.mate.copy())
        found, labelled = self._solver.grow(self._root, self._numbers(steps), self._graph, alone)
        if found:
            self._solver.augment(found, alone)
        self._solver.clear(alone, labelled)
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
        many = len(taken) + len(given_back) > MOST_REPAIRS
        if many or self._forest.mark[0] > MOST_BLOSSOMS:
            self._match_anew(used)
            return
        for vertex in given_back:
            self._forest.mate[vertex] = self._forest.label[vertex] = 0
            self._slack += self._moves_bound(vertex, back=True)
            self._repair(vertex)
        for vertex in taken:
            widow = self._take(vertex)
            if widow:
                self._repair(widow)
        self._used, self._missed = used, None

    def _take(self, vertex: int) -> int:
        """Take a vertex out of the graph; the partner that it leaves behind, or 0."""
        mate = self._forest.mate
        widow = int(mate[vertex])
        mate[vertex] = matching.GONE
        self._forest.label[vertex] = matching.INNER
        mate[widow] = 0
        self._slack += (widow > 0) - self._moves_bound(vertex, back=False)
        return widow

    def _moves_bound(self, vertex: int, back: bool) -> bool:
        """Whether a vertex that is taken, or given back, moves the bound of Tutte and Berge.

        That is the one which the last labels give: what was inner then, and half of each part.
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
        """Match an exposed vertex, if that makes the matching larger; whether it did."""
        if self._slack == 0:
            return False  # no matching is larger: most searches that would fail are spared
        offsets, targets = self._graph
        first = targets[offsets[exposed] : offsets[exposed + 1]]
        found, labelled = self._solver.grow(exposed, first, self._graph, self._forest)
        if found:
            self._solver.augment(found, self._forest)
            self._slack -= 1
        self._solver.clear(self._forest, labelled)
        return bool(found)

    def _match_anew(self, used: Set[int]) -> None:
        places = {name: self._places() for name in Forest._fields if name != "label"}
        self._forest = Forest(**places, label=self._labels())
        for vertex in used:
            self._forest.mate[vertex] = matching.GONE
        stack = self._places(len(self._graph.targets))
        self._solver.match_greedily(self._graph, self._forest.mate, self._places(), stack)
        self._used = used
        self._label_all()

    def _label_all(self) -> None:
        """Complete the matching, and note which vertices some maximum matching misses."""
        self._solver.match(self._graph, self._forest)
        self._missed, self._bases = self._bounding = self._forest.label, self._forest.base
        self._slack = 0  # how many pairs more than there are the bound allows
        self._shifted: set[int] = set()  # parts that have become even, or odd, since
        label = self._labels()
        for vertex in self._used:
            label[vertex] = matching.INNER
        self._forest = self._forest._replace(label=label, base=self._numbers(range(self.size + 2)))

    # The arrays: lists for the plain form, numpy for the compiled one.

    def _places(self, length: int | None = None) -> Any:
        length = self.size + 2 if length is None else length
        return [0] * length if self._plain else arrays().zeros(length, arrays().int32)

    def _labels(self) -> Any:
        count = self.size + 2
        return bytearray(count) if self._plain else arrays().zeros(count, arrays().int8)

    def _numbers(self, numbers: Sequence[int]) -> Any:
        return list(numbers) if self._plain else arrays().array(numbers, arrays().int32)
