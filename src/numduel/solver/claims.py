"""Games of claiming: an exact search for the quickest forced win.

Two sides claim free numbers in turn; sets of numbers are bit masks, bit n for number n. All that
is known of the game is `threats(held)`: which numbers would win for a side that holds `held`.

The search asks, for one more move each time: can the mover win within this many moves, must the
mover lose within this many? A side with a winning claim makes it; a side that faces two such
claims has lost; a side that faces one must make that claim itself. So little is left to try.
"""

from __future__ import annotations

from collections.abc import Callable

from numduel.core.errors import TooLarge
from numduel.core.verdict import Verdict

MOST_NODES = 200_000
"""Positions looked at before a search gives up."""


class ClaimSearch:
    """A search over one game of claiming, which remembers what it has found."""

    def __init__(
        self,
        board: int,
        threats: Callable[[int], int],
        useful: Callable[[int, int], int],
        most: int = MOST_NODES,
    ) -> None:
        self.board = board
        self.threats = threats
        self.useful = useful  # (mine, theirs): the numbers that can still matter to either side
        self.most = most
        self.nodes = 0
        self._wins: dict[tuple[int, int], tuple[int, int]] = {}

    def solve(self, mine: int, theirs: int) -> Verdict:
        """The verdict for the side to move, which holds `mine`."""
        self.nodes = 0
        if len(self._wins) > self.most:
            self._wins.clear()
        free = self.board & ~(mine | theirs)
        for depth in range(1, free.bit_count() + 1):
            if depth % 2:
                if self._wins_within(mine, theirs, depth):
                    return Verdict("win", depth)
            elif self._loses_within(mine, theirs, depth):
                return Verdict("loss", depth)
        return Verdict("draw", free.bit_count())  # the board fills up with no winner

    def _wins_within(self, mine: int, theirs: int, depth: int) -> bool:
        """Whether the mover can win within an odd number of moves."""
        free = self.board & ~(mine | theirs)
        if self.threats(mine) & free:
            return True
        if depth < 3:
            return False
        known, refuted = self._wins.get((mine, theirs), (10**9, 0))
        if known <= depth:
            return True
        if refuted >= depth:
            return False
        danger = self.threats(theirs) & free
        if danger & (danger - 1):
            return False
        self._count()
        for claim in self._claims(danger or free, mine, theirs):
            if self._loses_within(theirs, mine | claim, depth - 1):
                self._wins[mine, theirs] = (depth, refuted)
                return True
        self._wins[mine, theirs] = (known, depth)
        return False

    def _loses_within(self, mine: int, theirs: int, depth: int) -> bool:
        """Whether the mover, who has no winning claim, must lose within an even number of moves."""
        free = self.board & ~(mine | theirs)
        danger = self.threats(theirs) & free
        if danger & (danger - 1):
            return True
        if depth < 4:
            return False
        return all(
            self._wins_within(theirs, mine | claim, depth - 1)
            for claim in self._claims(danger or free, mine, theirs)
        )

    def _claims(self, free: int, mine: int, theirs: int) -> list[int]:
        """The claims worth trying, each as one bit; those that can no longer matter are one."""
        useful = free & self.useful(mine, theirs)
        idle = free & ~useful
        claims = []
        while useful:
            claim = useful & -useful
            claims.append(claim)
            useful ^= claim
        if idle:
            claims.append(idle & -idle)
        return claims

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.most:
            raise TooLarge(f"more than {self.most:,} positions to look at")


State = tuple[int, int, bool]
"""What the mover holds, what the other does, and whether the other has won."""


class Claiming:
    """The same search, as strategies are made from it."""

    def __init__(self, search: ClaimSearch) -> None:
        self._search = search

    def moves(self, state: State) -> list[int]:
        """The free numbers: those that win for either side before all others."""
        mine, theirs, over = state
        if over:
            return []
        free = self._search.board & ~(mine | theirs)
        first = self._search.threats(mine) & free
        second = self._search.threats(theirs) & free & ~first
        return [n for some in (first, second, free & ~(first | second)) for n in _numbers(some)]

    def after(self, state: State, move: int) -> State:
        mine, theirs, _ = state
        claim = 1 << move
        return theirs, mine | claim, bool(self._search.threats(mine) & claim)

    def wins(self, state: State, within: int) -> bool:
        mine, theirs, over = state
        if over or within < 1:
            return False
        self._search.nodes = 0
        return self._search._wins_within(mine, theirs, within - 1 + within % 2)

    def loses(self, state: State, within: int) -> bool:
        mine, theirs, over = state
        if over or within < 2:
            return over
        if self._search.threats(mine) & self._search.board & ~(mine | theirs):
            return False
        self._search.nodes = 0
        return self._search._loses_within(mine, theirs, within - within % 2)


def _numbers(mask: int) -> list[int]:
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
