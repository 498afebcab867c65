"""Games of claiming: an exact search for the quickest forced win.

Two sides take turns to claim free numbers. Sets of numbers are bit masks, in which bit n stands for
number n. A claim is such a set with one number. A free number is a *threat* of a side if claiming
it would win for that side. The search knows a game only by its `Claims`.

For 1, 2, 3, … moves, the search asks whether the mover can win, or must lose, within that many
moves. Threats leave few claims to try. A side with a threat claims it and wins. A side that faces
two threats has lost. A side that faces one threat must claim that number. A side that faces a
*fork*, which is a claim that makes two threats at once, must spoil it or make a threat first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from numduel.core.errors import TooLarge
from numduel.core.verdict import Verdict

MAX_SEARCHED_CLAIMS = 1_000_000
"""Maximum number of claims that one search looks at."""

_NEVER = 10**9


class Claims(Protocol):
    """A game of claiming. A side never loses a threat by holding more numbers."""

    board: int  # all numbers

    def new_wins(self, held: int, claim: int) -> int:
        """Return the numbers that start to win for a side that holds `held` after this claim."""

    def near(self, claim: int) -> int:
        """Return a set that includes every number that can make a threat with the claim."""

    def matters(self, claim: int, mine: int, theirs: int) -> bool:
        """Return whether either side can still need a number for a win."""


class Side(NamedTuple):
    """The sets of numbers that matter for one side."""

    held: int = 0  # the numbers that it holds
    wins: int = 0  # the numbers that win for it, whether or not they are still free
    near: int = 0  # includes every number whose claim can make a threat


class ClaimSearch:
    """A search over one game of claiming. It remembers results until `reset` is called."""

    def __init__(self, game: Claims, most: int = MAX_SEARCHED_CLAIMS) -> None:
        self.game = game
        self.most = most
        self.reset()

    def reset(self) -> None:
        """Forget earlier results and restart the count that `most` bounds."""
        self.looks = 0
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def solve(self, mine: Side, theirs: Side) -> Verdict:
        """Return the verdict for the side to move. Raises `TooLarge` after `most` claims."""
        free = self.free(mine, theirs).bit_count()
        for depth in range(1, free + 1):
            if depth % 2:
                if self.wins_within(mine, theirs, depth):
                    return Verdict("win", depth)
            elif self.loses_within(mine, theirs, depth):
                return Verdict("loss", depth)
        return Verdict("draw", free)  # the board fills up with no winner

    def side(self, held: int) -> Side:
        """Return a side that holds these numbers."""
        side = Side()
        for claim in bits(held):
            side = self.after(side, claim)
        return side

    def after(self, side: Side, claim: int) -> Side:
        """Return the side after it has claimed one more number."""
        new_wins = self.game.new_wins(side.held, claim)
        return Side(side.held | claim, side.wins | new_wins, side.near | self.game.near(claim))

    def free(self, mine: Side, theirs: Side) -> int:
        """Return the numbers that neither side holds."""
        return self.game.board & ~(mine.held | theirs.held)

    def wins_within(self, mine: Side, theirs: Side, depth: int) -> bool:
        """Return whether the mover can win within `depth` moves, an odd number."""
        free = self.free(mine, theirs)
        if mine.wins & free:
            return True
        danger = theirs.wins & free
        if depth < 3 or _has_several(danger):
            return False
        if depth == 3:
            return self._fork(mine, free, danger) is not None
        proved, refuted = self._known.get((mine.held, theirs.held), (_NEVER, 0))
        if proved <= depth:
            return True
        if refuted >= depth:
            return False
        for claim in self._claims_to_try(danger or free, mine, theirs):
            if self.loses_within(theirs, self.after(mine, claim), depth - 1):
                self._known[mine.held, theirs.held] = (depth, refuted)
                return True
        self._known[mine.held, theirs.held] = (proved, depth)
        return False

    def loses_within(self, mine: Side, theirs: Side, depth: int) -> bool:
        """Return whether a mover without threats must lose within `depth` moves, an even number."""
        free = self.free(mine, theirs)
        danger = theirs.wins & free
        if _has_several(danger):
            return True
        if depth < 4:
            return False
        if danger:
            return self.wins_within(theirs, self.after(mine, danger), depth - 1)
        if depth == 4:
            return self._loses_in_four(mine, theirs, free)
        if not self.wins_within(theirs, mine, depth - 1):
            return False  # the mover could even pass, and holding one more number does no harm
        return all(
            self.wins_within(theirs, self.after(mine, claim), depth - 1)
            for claim in self._claims_to_try(free, mine, theirs)
        )

    def _loses_in_four(self, mine: Side, theirs: Side, free: int) -> bool:
        """Return whether the other side has a fork after each claim. Neither side has a threat.

        A claim saves the mover if it spoils the fork, or if it makes a threat and the answer to the
        threat makes no fork.
        """
        fork = self._fork(theirs, free)
        if fork is None:
            return False
        claim, threats = fork
        spoiling = claim if threats.bit_count() > 2 else claim | threats
        for reply in bits(mine.near & free & ~spoiling):
            answer = self._new_threats(mine, reply, free)  # the other side must claim this
            if _has_several(answer):
                return False
            if answer and not _has_several(self._new_threats(theirs, answer, free & ~reply)):
                return False
        return all(self.wins_within(theirs, self.after(mine, reply), 3) for reply in bits(spoiling))

    def _fork(self, side: Side, free: int, danger: int = 0) -> tuple[int, int] | None:
        """Return a claim that makes several threats, with these. It must claim any `danger`."""
        for claim in bits(danger or side.near & free):
            threats = self._new_threats(side, claim, free)
            if _has_several(threats):
                return claim, threats
        return None

    def _new_threats(self, side: Side, claim: int, free: int) -> int:
        """Return the threats of a side after a claim. It must not have any before."""
        self._count_look()
        return self.game.new_wins(side.held, claim) & free & ~claim

    def _claims_to_try(self, free: int, mine: Side, theirs: Side) -> Iterator[int]:
        """Yield the claims that can still matter, and one of the others, which are all alike."""
        idle = 0
        for claim in bits(free):
            self._count_look()
            if self.game.matters(claim, mine.held, theirs.held):
                yield claim
            else:
                idle = claim
        if idle:
            yield idle

    def _count_look(self) -> None:
        self.looks += 1
        if self.looks > self.most:
            raise TooLarge(f"more than {self.most:,} claims to look at")


class ClaimsState(NamedTuple):
    """A position of a game of claiming."""

    mine: Side  # the side to move
    theirs: Side
    over: bool = False  # whether the other side has won


class ClaimStrategySearch:
    """An adapter of `ClaimSearch` to `strategy.Search`."""

    def __init__(self, search: ClaimSearch) -> None:
        self._search = search

    def moves(self, state: ClaimsState) -> Iterator[int]:
        """Yield the free numbers. Numbers that win for either side come first."""
        mine, theirs, over = state
        if over:
            return
        free = self._search.free(mine, theirs)
        winning = mine.wins & free
        blocking = theirs.wins & free & ~winning
        for claims in (winning, blocking, free & ~(winning | blocking)):
            yield from (claim.bit_length() - 1 for claim in bits(claims))

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
    """Yield each number of a set as a set of its own, in ascending order."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest
        numbers ^= lowest


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of these numbers."""
    return sum(1 << number for number in numbers)


def _has_several(numbers: int) -> bool:
    return numbers & (numbers - 1) != 0
