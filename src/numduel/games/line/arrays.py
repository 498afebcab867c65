"""Divisor Line over arrays: many lines at once."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.arrays import ArrayRules
from numduel.games.line.rules import DivisorLine, Line


class Lines(NamedTuple):
    owner: Any  # of each number: the seat that holds it, or 0
    divided: Any  # of each number whether its owner holds a proper divisor of it
    dividing: Any  # of each number whether its owner holds a proper multiple of it
    claims: Any  # how many numbers are taken
    mover: Any
    winner: Any
    legal: Any


class LineArrays(ArrayRules[Line, Lines]):
    def __init__(self, game: DivisorLine, xp: Any) -> None:
        self.game, self.xp = game, xp
        self.size = game.settings.size
        numbers = xp.arange(1, self.size + 1)
        self.own = numbers == numbers[:, None]
        self.multiples = (numbers % numbers[:, None] == 0) & ~self.own
        self.divisors = self.multiples.T.copy()

    def start(self, first: Any) -> Lines:
        xp = self.xp
        mover = xp.asarray(first, "int8")
        shape = (len(mover), self.size)
        none = xp.zeros(shape, bool)
        nobody = xp.zeros(mover.shape, "int8")
        owner = xp.zeros(shape, "int8")
        claims = xp.zeros(mover.shape, "int32")
        return Lines(owner, none, none.copy(), claims, mover, nobody, ~none)

    def after(self, state: Lines, actions: Any) -> Lines:
        mover = state.mover
        claimed = self.own[actions]
        held = state.owner == mover[:, None]
        below, above = held & self.divisors[actions], held & self.multiples[actions]
        has_below, has_above = below.any(axis=1), above.any(axis=1)
        divided = state.divided | above | (claimed & has_below[:, None])
        dividing = state.dividing | below | (claimed & has_above[:, None])
        if self.game.settings.goal == "pair":
            related = (divided & (held | claimed)).any(axis=1)
            won = related & (state.claims >= 4)  # the mover's third number, or a later one
        else:
            higher = (below & state.divided) | (above & state.dividing)
            won = (has_below & has_above) | higher.any(axis=1)
        owner = state.owner + claimed * mover[:, None]
        legal = (owner == 0) & ~won[:, None]
        return Lines(owner, divided, dividing, state.claims + 1, 3 - mover, mover * won, legal)

    def encode(self, state: Lines) -> Any:
        won = (state.winner != 0).astype("int8")
        return self.xp.concatenate([state.mover[:, None], won[:, None], state.owner], axis=1)

    def position(self, state: Lines, row: int) -> Line:
        crosses, noughts = (
            frozenset((self.xp.nonzero(state.owner[row] == seat)[0] + 1).tolist())
            for seat in (1, 2)
        )
        return Line(crosses, noughts, int(state.mover[row]), bool(state.winner[row]))
