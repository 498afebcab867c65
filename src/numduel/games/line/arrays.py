"""Divisor Line over arrays: many lines at once."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from numduel.core.arrays import UNKNOWN, VALUES, ArrayRules, Truth
from numduel.games.line.rules import DivisorLine, Line
from numduel.games.sets import listed, multiples, packed, some, spread

WIN, LOSS = VALUES.index("win"), VALUES.index("loss")


class Lines(NamedTuple):
    """Sets of numbers are bits."""

    mine: Any  # what the mover holds
    theirs: Any  # what the other holds
    divided: Any  # the numbers of which their holder holds a proper divisor too
    dividing: Any  # the numbers of which their holder holds a proper multiple too
    claims: Any  # how many numbers are taken
    mover: Any
    winner: Any
    legal: Any


class LineArrays(ArrayRules[Line, Lines]):
    def __init__(self, game: DivisorLine, xp: Any) -> None:
        self.game, self.xp, self.size = game, xp, game.settings.size
        above = multiples(xp, self.size)
        self.multiples = packed(xp, above)
        self.divisors = packed(xp, above.T)
        self.own = packed(xp, xp.eye(self.size, dtype=bool))
        self.all = packed(xp, xp.ones((1, self.size), bool))

    def start(self, first: Any) -> Lines:
        xp = self.xp
        mover = xp.asarray(first, "int8")
        count = len(mover)
        mine, theirs, divided, dividing = xp.zeros((4, count, self.all.shape[1]), "uint64")
        claims, nobody = xp.zeros(count, "int32"), xp.zeros(count, "int8")
        legal = xp.ones((count, self.size), bool)
        return Lines(mine, theirs, divided, dividing, claims, mover, nobody, legal)

    def after(self, state: Lines, actions: Any) -> Lines:
        mine, mover = state.mine, state.mover
        claimed = self.own.take(actions, axis=0)
        below = mine & self.divisors.take(actions, axis=0)
        above = mine & self.multiples.take(actions, axis=0)
        has_below, has_above = some(below), some(above)
        divided = state.divided | above | claimed * has_below[:, None]
        dividing = state.dividing | below | claimed * has_above[:, None]
        held = mine | claimed
        if self.game.settings.goal == "pair":
            won = some(divided & held) & (state.claims >= 4)  # the mover's third, or a later one
        else:
            won = (has_below & has_above) | some(below & state.divided | above & state.dividing)
        free = (self.all & ~(held | state.theirs)) * ~won[:, None]
        legal = spread(self.xp, free, self.size).view(bool)
        winner = mover * won
        theirs, claims = state.theirs.copy(), state.claims + 1
        return Lines(theirs, held, divided, dividing, claims, 3 - mover, winner, legal)

    def encode(self, state: Lines) -> Any:
        crosses, noughts = (spread(self.xp, marks, self.size) for marks in self._marks(state))
        owner = (crosses + 2 * noughts).view("int8")
        won = (state.winner != 0).view("int8")
        return self.xp.concatenate([state.mover[:, None], won[:, None], owner], axis=1)

    def _marks(self, state: Lines) -> tuple[Any, Any]:
        first = (state.mover == 1)[:, None]
        crosses = self.xp.where(first, state.mine, state.theirs)
        return crosses, state.mine ^ state.theirs ^ crosses

    def truth(self, state: Lines) -> Truth | None:
        """By the theorem of `pair`, in the words of `PairTheory.verdict`; it says what follows."""
        if self.game.settings.goal != "pair":
            return super().truth(state)
        xp, free = self.xp, state.legal
        held = (state.claims // 2)[:, None]  # by the mover
        near = self._near(state.mine)
        wins = free & (held >= 2) & (near | self._paired(state, state.mine))
        threatened = free & (state.claims >= 3)[:, None]  # the other holds two
        threatened &= self._near(state.theirs) | self._paired(state, state.theirs)
        in_danger = _counted(threatened) - threatened > 0  # the claim itself takes one away
        new = (free & ~near).astype("float32") @ self.related
        claims_next = xp.where(near, _counted(free) - 1, _counted(free & near) + new)
        decided = [
            (wins, WIN, 1),
            (held == 0, xp.where(state.claims == 0, WIN, LOSS)[:, None], 5 - state.claims[:, None]),
            (in_danger, LOSS, 2),
            (claims_next > 1, WIN, 3),
        ]
        values = xp.full(free.shape, LOSS, "int8")
        distances = xp.full(free.shape, 4, "int32")
        for where, value, distance in reversed(decided):
            values, distances = xp.where(where, value, values), xp.where(where, distance, distances)
        return Truth(
            xp.where(free, values, UNKNOWN).astype("int8"),
            xp.where(free, distances, UNKNOWN).astype("int32"),
        )

    @cached_property
    def related(self) -> Any:
        """Of each two numbers whether one divides the other, to be multiplied with."""
        above = multiples(self.xp, self.size)
        return (above | above.T).astype("float32")

    def _near(self, held: Any) -> Any:
        """The numbers that are related to one of those held, spread."""
        return spread(self.xp, held, self.size).astype("float32") @ self.related > 0

    def _paired(self, state: Lines, held: Any) -> Any:
        """Whether two of those held are related."""
        return some(state.divided & held)[:, None]

    def position(self, state: Lines, row: int) -> Line:
        mover = int(state.mover[row])
        mine, theirs = (listed(self.xp, side[row], self.size) for side in state[:2])
        crosses, noughts = (mine, theirs) if mover == 1 else (theirs, mine)
        return Line(crosses, noughts, mover, bool(state.winner[row]))


def _counted(flags: Any) -> Any:
    return flags.sum(axis=1, keepdims=True)
