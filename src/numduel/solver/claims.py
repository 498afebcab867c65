"""Games of claiming: an exact search for the quickest forced win.

Two sides claim free numbers in turn; sets of numbers are bit masks, bit n for number n, and a
claim is a set of one. A free number is a *threat* of the side for which it would win. All that is
known of a game is its `Claims`.

The search asks, for one more move each time: can the mover win within this many moves, must the
mover lose within this many? A side with a threat makes it good; a side that faces two has lost; a
side that faces one must claim that number itself; and who can be beaten by a *fork*, a claim that
makes two threats at once, must spoil it or threaten something first. So little is left to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from numduel.core.errors import TooLarge
from numduel.core.verdict import Verdict

MAX_SEARCHED_CLAIMS = 1_000_000
"""Maximum number of claims looked at in one search."""

_NEVER = 10**9


class Claims(Protocol):
    """A game of claiming. Holding more never makes fewer threats."""

    board: int

    def new_wins(self, held: int, claim: int) -> int:
        """Return the numbers that the claim turns into wins for a side that holds `held`."""

    def near(self, claim: int) -> int:
        """Return a set that holds every number which can make a threat together with this one."""

    def matters(self, claim: int, mine: int, theirs: int) -> bool:
        """Whether a number can still be needed for a win of either side."""


class Side(NamedTuple):
    """What a side holds, what would win for it if it were free, and what may make a threat."""

    held: int = 0
    wins: int = 0
    near: int = 0


class ClaimSearch:
    """A search over one game of claiming, which remembers what it finds for one question."""

    def __init__(self, game: Claims, most: int = MAX_SEARCHED_CLAIMS) -> None:
        self.game = game
        self.most = most
        self.reset()

    def reset(self) -> None:
        """Forget earlier answers and restart the count, so that they do not affect the bound."""
        self.looks = 0
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def solve(self, mine: Side, theirs: Side) -> Verdict:
        """Return the verdict for the side to move. Raises TooLarge."""
        free = self.free(mine, theirs).bit_count()
        for depth in range(1, free + 1):
            if depth % 2:
                if self.wins_within(mine, theirs, depth):
                    return Verdict("win", depth)
            elif self.loses_within(mine, theirs, depth):
                return Verdict("loss", depth)
        return Verdict("draw", free)  # the board fills up with no winner

    def side(self, held: int) -> Side:
        """A side that holds these numbers."""
        side = Side()
        for claim in bits(held):
            side = self.after(side, claim)
        return side

    def after(self, side: Side, claim: int) -> Side:
        """A side with one number more."""
        made = self.game.new_wins(side.held, claim)
        return Side(side.held | claim, side.wins | made, side.near | self.game.near(claim))

    def free(self, mine: Side, theirs: Side) -> int:
        """The numbers that nobody holds."""
        return self.game.board & ~(mine.held | theirs.held)

    def wins_within(self, mine: Side, theirs: Side, depth: int) -> bool:
        """Whether the mover can win within an odd number of moves."""
        free = self.free(mine, theirs)
        if mine.wins & free:
            return True
        danger = theirs.wins & free
        if depth < 3 or _several(danger):
            return False
        if depth == 3:
            return self._fork(mine, free, danger) is not None
        known, refuted = self._known.get((mine.held, theirs.held), (_NEVER, 0))
        if known <= depth:
            return True
        if refuted >= depth:
            return False
        for claim in self._claims(danger or free, mine, theirs):
            if self.loses_within(theirs, self.after(mine, claim), depth - 1):
                self._known[mine.held, theirs.held] = (depth, refuted)
                return True
        self._known[mine.held, theirs.held] = (known, depth)
        return False

    def loses_within(self, mine: Side, theirs: Side, depth: int) -> bool:
        """Whether the mover, who has no threat, must lose within an even number of moves."""
        free = self.free(mine, theirs)
        danger = theirs.wins & free
        if _several(danger):
            return True
        if depth < 4:
            return False
        if danger:
            return self.wins_within(theirs, self.after(mine, danger), depth - 1)
        if depth == 4:
            return self._loses_in_four(mine, theirs, free)
        if not self.wins_within(theirs, mine, depth - 1):
            return False  # not even if the mover could pass, and one number more does no harm
        return all(
            self.wins_within(theirs, self.after(mine, claim), depth - 1)
            for claim in self._claims(free, mine, theirs)
        )

    def _loses_in_four(self, mine: Side, theirs: Side, free: int) -> bool:
        """Whether the other has a fork whatever the mover claims; neither has a threat.

        A claim that saves the mover spoils the fork, or makes a threat whose answer makes no fork.
        """
        fork = self._fork(theirs, free)
        if fork is None:
            return False
        claim, threats = fork
        spoiling = claim if threats.bit_count() > 2 else claim | threats
        for reply in bits(mine.near & free & ~spoiling):
            gained = self._gained(mine, reply, free)
            if _several(gained):
                return False
            if gained and not _several(self._gained(theirs, gained, free & ~reply)):
                return False
        return all(self.wins_within(theirs, self.after(mine, reply), 3) for reply in bits(spoiling))

    def _fork(self, side: Side, free: int, danger: int = 0) -> tuple[int, int] | None:
        """Return a claim that makes several threats, and these; with a danger, only that claim."""
        for claim in bits(danger or side.near & free):
            gained = self._gained(side, claim, free)
            if _several(gained):
                return claim, gained
        return None

    def _gained(self, side: Side, claim: int, free: int) -> int:
        """The threats that a side has after a claim, if it has none before."""
        self._look()
        return self.game.new_wins(side.held, claim) & free & ~claim

    def _claims(self, free: int, mine: Side, theirs: Side) -> Iterator[int]:
        """Yield the claims worth trying, and only one of those that can no longer matter."""
        idle = 0
        for claim in bits(free):
            self._look()
            if self.game.matters(claim, mine.held, theirs.held):
                yield claim
            else:
                idle = claim
        if idle:
            yield idle

    def _look(self) -> None:
        self.looks += 1
        if self.looks > self.most:
            raise TooLarge(f"more than {self.most:,} claims to look at")


class ClaimsState(NamedTuple):
    """The side to move, the other, and whether the other has won."""

    mine: Side
    theirs: Side
    over: bool = False


class ClaimStrategySearch:
    """The search as `Strategies` needs it."""

    def __init__(self, search: ClaimSearch) -> None:
        self._search = search

    def moves(self, state: ClaimsState) -> Iterator[int]:
        """The free numbers: those that win for either side before all others."""
        mine, theirs, over = state
        if over:
            return
        free = self._search.free(mine, theirs)
        first = mine.wins & free
        second = theirs.wins & free & ~first
        for some in (first, second, free & ~(first | second)):
            yield from (claim.bit_length() - 1 for claim in bits(some))

    def after(self, state: ClaimsState, move: int) -> ClaimsState:
        mine, theirs, _ = state
        claim = 1 << move
        return ClaimsState(theirs, self._search.after(mine, claim), bool(mine.wins & claim))

    def wins(self, state: ClaimsState, within: int) -> bool:
        mine, theirs, over = state
        if over or within < 1:
            return False
        return self._search.wins_within(mine, theirs, within - 1 + within % 2)

    def loses(self, state: ClaimsState, within: int) -> bool:
        mine, theirs, over = state
        if over or within < 2:
            return over
        if mine.wins & self._search.free(mine, theirs):
            return False
        return self._search.loses_within(mine, theirs, within - within % 2)


def bits(numbers: int) -> Iterator[int]:
    """Each number of a set, as a set of one, ascending."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest
        numbers ^= lowest


def mask_of(numbers: Iterable[int]) -> int:
    """The set of some numbers."""
    return sum(1 << number for number in numbers)


def _several(numbers: int) -> bool:
    return numbers & (numbers - 1) != 0
