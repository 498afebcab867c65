"""The tally games over arrays: many shared numbers at once."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.arrays import ArrayRules, kept_in
from numduel.games.tally.rules import Tally, TallyGame


class Tallies(NamedTuple):
    number: Any
    mover: Any
    winner: Any
    ended: Any  # whether the last move ended the game
    legal: Any


class TallyArrays(ArrayRules[Tally, Tallies]):
    def __init__(self, game: TallyGame, ceiling: int, xp: Any) -> None:
        self.game, self.xp, self.ceiling = game, xp, ceiling
        self.kind = kept_in(game.encoding)
        self.factors, self.terms = self._menu()

    def _menu(self) -> tuple[Any, Any]:
        """Each operation is n -> factor * n + term."""
        factors = [amount if sign == "x" else 1 for sign, amount in self.game.operations]
        terms = [
            {"x": 0, "+": amount, "-": -min(amount, self.ceiling + 1)}[sign]
            for sign, amount in self.game.operations
        ]
        return self.xp.asarray(factors, self.kind), self.xp.asarray(terms, self.kind)

    def start(self, first: Any) -> Tallies:
        xp = self.xp
        mover = xp.asarray(first, "int8")
        number = xp.full(mover.shape, self.game.starting_number, self.kind)
        ended = xp.zeros(mover.shape, bool)
        return self._state(number, mover, ended, xp.zeros(mover.shape, "int8"))

    def after(self, state: Tallies, actions: Any) -> Tallies:
        xp = self.xp
        number = state.number * self.factors[actions] + self.terms[actions]
        over = number > self.ceiling
        ended = over | (number % self.goal == 0)
        mover = 3 - state.mover
        return self._state(number, mover, ended, ended * xp.where(over, mover, state.mover))

    @property
    def goal(self) -> int:
        return min(self.game.goal, self.ceiling + 1)  # beyond the ceiling it is never reached

    def _state(self, number: Any, mover: Any, ended: Any, winner: Any) -> Tallies:
        xp = self.xp
        if not self.game.subtracts:
            legal = xp.repeat(~ended[:, None], len(self.game.operations), axis=1)
            return Tallies(number, mover, winner, ended, legal)
        legal = number[:, None] * self.factors + self.terms >= 1
        legal = legal & ~ended[:, None]
        stuck = ~(ended | legal.any(axis=1))
        return Tallies(number, mover, xp.where(stuck, 3 - mover, winner), ended, legal)

    def encode(self, state: Tallies) -> Any:
        parts = (state.number, state.mover, state.ended)
        return self.xp.stack([part.astype(self.kind) for part in parts], axis=1)

    def position(self, state: Tallies, row: int) -> Tally:
        number, mover = int(state.number[row]), int(state.mover[row])
        past = number > self.ceiling
        ended = "overshot" if past else self.game.success
        return Tally(number, mover, ended if state.ended[row] else "")
