"""How long a walk to vertices never used before lasts: the winner hurries, the loser delays.

No fast method is known to us, so it is searched: one more move at a time, as long as the walk may
last. The matching says which steps win, so that the winner need not try the others; what is out of
reach no longer counts, so that more positions are the same. Sets of vertices are bit masks.
"""

from __future__ import annotations

from numduel.core.errors import TooLarge
from numduel.solver.claims import bits, mask
from numduel.solver.geography import Walks

LONGEST = 200
"""Walks that last longer are not searched."""

_NEVER = 10**9


class Lengths:
    """The search on one graph; `near` has the neighbours of each vertex."""

    def __init__(self, walks: Walks, near: list[int], most: int) -> None:
        self._walks = walks
        self._near = near
        self._most = most  # positions looked at before the search gives up

    def of(self, steps: int, unused: int) -> int:
        """Moves to the end for a mover who can make these steps; TooLarge."""
        self.looks = 0
        self._known: dict[tuple[int, int], tuple[int, int]] = {}
        self._missed: dict[int, int] = {}
        won = bool(self._winning(steps, unused))
        ends = self._wins if won else self._loses
        for within in range(1 if won else 0, LONGEST + 1, 2):
            if ends(steps, unused, within):
                return within
        raise TooLarge(f"it takes more than {LONGEST:,} moves to the end")

    def _wins(self, steps: int, unused: int, within: int) -> bool:
        """Whether the mover, who can win, can do so within so many moves."""
        if any(not self._from(step) & unused for step in bits(steps)):
            return True
        if within < 3:
            return False
        unused = self._within_reach(steps, unused)
        known, refuted = self._known.get((steps, unused), (_NEVER, 0))
        if known <= within:
            return True
        if refuted >= within:
            return False
        winning = bits(self._winning(steps, unused))
        for step in sorted(winning, key=lambda one: (self._from(one) & unused).bit_count()):
            rest = unused & ~step
            if self._loses(self._from(step) & rest, rest, within - 1):
                self._known[steps, unused] = (within, refuted)
                return True
        self._known[steps, unused] = (known, within)
        return False

    def _loses(self, steps: int, unused: int, within: int) -> bool:
        """Whether the mover, who cannot win, must lose within so many moves."""
        if not steps:
            return True
        if within < 2:
            return False
        ways = sorted(bits(steps), key=lambda one: -(self._from(one) & unused).bit_count())
        return all(
            self._wins(self._from(step) & unused & ~step, unused & ~step, within - 1)
            for step in ways
        )

    def _from(self, step: int) -> int:
        return self._near[step.bit_length() - 1]

    def _within_reach(self, steps: int, unused: int) -> int:
        """The unused vertices to which some walk leads."""
        reached = new = steps
        while new:
            around = 0
            for one in bits(new):
                around |= self._from(one)
            new = around & unused & ~reached
            reached |= new
        return reached

    def _winning(self, steps: int, unused: int) -> int:
        """Those of the steps that win: which some maximum matching of what is unused misses."""
        self.looks += 1
        if self.looks > self._most:
            raise TooLarge(f"the distance takes more than {self._most:,} positions to look at")
        if unused not in self._missed:
            size = self._walks.size
            used = frozenset(n for n in range(1, size + 1) if not unused >> n & 1)
            numbers = [one.bit_length() - 1 for one in bits(unused)]
            self._missed[unused] = mask(self._walks.winning_steps(used, numbers))
        return steps & self._missed[unused]
