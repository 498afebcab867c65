"""The tally games over arrays: many shared numbers at once."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from numduel.core.arrays import UNKNOWN, VALUES, ArrayRules, Truth, kept_in
from numduel.core.errors import TooLarge
from numduel.games.tally.rules import Tally, TallyGame
from numduel.games.tally.theory import RetrogradeTheory
from numduel.solver.retrograde import STUCK

LONGEST_TABLE = 10_000_000
"""Up to this ceiling the verdicts are looked up."""

WIN, ENDLESS, LOSS = (VALUES.index(value) for value in ("win", "endless", "loss"))


class Tallies(NamedTuple):
    number: Any
    mover: Any
    winner: Any
    ended: Any  # whether the last move ended the game
    legal: Any


class TallyArrays(ArrayRules[Tally, Tallies]):
    """Operation i is n -> factors[i] * n + terms[i]."""

    def __init__(self, game: TallyGame, ceiling: int, xp: Any) -> None:
        self.game, self.xp, self.ceiling = game, xp, ceiling
        self.kind = kept_in(game.encoding)
        self.goal = min(game.goal, ceiling + 1)  # beyond the ceiling it is never reached
        factors = [amount if sign == "x" else 1 for sign, amount in game.operations]
        terms = [
            {"x": 0, "+": amount, "-": -min(amount, ceiling)}[sign]
            for sign, amount in game.operations
        ]
        self.factors, self.terms = (xp.asarray(each, self.kind) for each in (factors, terms))
        self.menus = xp.asarray([[True] * len(factors), [False] * len(factors)])

    def start(self, first: Any) -> Tallies:
        xp = self.xp
        mover = xp.asarray(first, "int8")
        number = xp.full(mover.shape, self.game.starting_number, self.kind)
        ended = xp.zeros(mover.shape, bool)
        return self._state(number, mover, ended, xp.zeros(mover.shape, "int8"))

    def after(self, state: Tallies, actions: Any) -> Tallies:
        number = state.number * self.factors.take(actions) + self.terms.take(actions)
        over = number > self.ceiling
        reached = number // self.goal * self.goal == number  # in numpy quicker than a remainder
        ended = over | reached
        mover = 3 - state.mover
        return self._state(number, mover, ended, ended * self.xp.where(over, mover, state.mover))

    def _state(self, number: Any, mover: Any, ended: Any, winner: Any) -> Tallies:
        legal = self.menus.take(ended, axis=0)
        if self.game.subtracts:
            legal &= number[:, None] * self.factors + self.terms >= 1
            stuck = ~(ended | legal.any(axis=1))
            winner = winner + stuck * (3 - mover)
        return Tallies(number, mover, winner, ended, legal)

    def encode(self, state: Tallies) -> Any:
        parts = (state.number, state.mover, state.ended)
        return self.xp.stack(parts, axis=1, dtype=self.kind, casting="unsafe")

    def truth(self, state: Tallies) -> Truth | None:
        found = self._found
        if found is None:
            return None
        xp = self.xp
        number = state.number[:, None] * self.factors + self.terms
        after = found.take(xp.clip(number, 1, self.ceiling))  # for the one who moves next
        values = xp.where(after > 0, LOSS, xp.where(after < 0, WIN, ENDLESS))
        distances = xp.where(after == 0, UNKNOWN, xp.where(after == STUCK, 0, abs(after)) + 1)
        over, reached = number > self.ceiling, number % self.goal == 0
        values = xp.where(over, LOSS, xp.where(reached, WIN, values))
        distances = xp.where(over | reached, 1, distances)
        return Truth(
            xp.where(state.legal, values, UNKNOWN).astype("int8"),
            xp.where(state.legal, distances, UNKNOWN).astype("int32"),
        )

    @cached_property
    def _found(self) -> Any:
        """The verdict of each number; None where that would be too long a table."""
        if self.ceiling > LONGEST_TABLE:
            return None
        try:
            return self.xp.asarray(RetrogradeTheory(self.game).found, "int32")
        except TooLarge:
            return None

    def position(self, state: Tallies, row: int) -> Tally:
        number, mover = int(state.number[row]), int(state.mover[row])
        past = number > self.ceiling
        ended = "overshot" if past else self.game.success
        return Tally(number, mover, ended if state.ended[row] else "")
