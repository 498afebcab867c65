"""The rules of the tally games over arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.array_rules import UNKNOWN, ArrayRules, Signs
from numduel.core.bitset import Array, Bitset, difference, nonempty
from numduel.core.errors import TooLarge
from numduel.core.numerals import shorten
from numduel.games.tally.rules import Tally, TallyGame
from numduel.games.tally.theory import RaceTheory, RetrogradeTheory

MAX_INT32 = 2**31 - 1
"""Maximum number in a game in 32 bits."""

MAX_TABLE_NUMBERS = 10_000_000
"""Maximum ceiling of games whose verdicts are looked up, as no closed form gives them."""


class TallyState(NamedTuple):
    number: Array
    mover: Array
    winner: Array


class TallyRules(ArrayRules):
    """The rules of a tally game that has a ceiling."""

    game: TallyGame
    table: Signs | None = None  # the verdict of each number, unless there is a closed form

    def __init__(self, game: TallyGame, xp: Any, word_bits: int = 32) -> None:
        if word_bits == 32 and game.encoding.high > MAX_INT32:
            raise TooLarge(
                f"its numbers go up to {shorten(game.encoding.high)}, over {MAX_INT32:,}"
            )
        super().__init__(game, xp, word_bits)
        self.ceiling = game.ceiling or 0
        self.goal = min(game.goal, self.ceiling + 1)  # any goal above the ceiling is out of reach
        self.number_type = xp.uint32 if word_bits == 32 else self.encoded
        self.distance_type = xp.int64 if self.encoded == xp.int64 else xp.int32
        self.all = self.sets.constant(range(self.count))
        self.subtractions = [
            (place, min(amount, self.ceiling))
            for place, (sign, amount) in enumerate(game.operations)
            if sign == "-"
        ]

    def begin(self, first: Array) -> TallyState:
        number = self.xp.full(first.shape, self.game.starting_number, self.number_type)
        return TallyState(number, first, self.winner_at_start(first))

    def moves(self, state: TallyState) -> Bitset:
        return self._moves(state.number)

    def _moves(self, number: Array) -> Bitset:
        legal = tuple(self.xp.full(number.shape, word) for word in self.all)
        for place, amount in self.subtractions:
            without = difference(legal, self.sets.constant([place]))
            legal = self.sets.where(number > amount, legal, without)
        return legal

    def after(self, state: TallyState, action: Array) -> TallyState:
        mover, other = state.mover, 3 - state.mover
        number = self._result(state.number, 0)
        for place in range(1, self.count):
            result = self._result(state.number, place)
            number = self.sets.select(action == place, result, number)
        won = self._at_goal(number)
        if self.subtractions:
            won = won | ~nonempty(self._moves(number))
        winner = self.sets.select(number > self.ceiling, other, mover * won)
        return TallyState(number, other, winner)

    def _result(self, number: Array, place: int) -> Array:
        sign, amount = self.game.operations[place]
        if sign == "-":
            return number - min(amount, self.ceiling)
        return number + amount if sign == "+" else number * amount

    def _at_goal(self, number: Array) -> Array:
        """Return whether a number up to the ceiling is a multiple of the goal."""
        if 2 * self.goal > self.ceiling:
            return number == self.goal
        return number // self.goal * self.goal == number  # quicker than % in NumPy

    def encode(self, state: TallyState) -> Array:
        number, mover, winner = state
        ended = winner != 0
        if self.subtractions:  # a player who is stuck has lost, but no move ended the game
            ended = ended & ((number > self.ceiling) | self._at_goal(number))
        return self.xp.stack([part.astype(self.encoded) for part in (number, mover, ended)], -1)

    def position(self, state: TallyState) -> Tally:
        number, mover, ended = (int(part) for part in self.encode(state))
        reason = "overshot" if number > self.ceiling else self.game.success
        return Tally(number, mover, reason if ended else "")

    def prepare_verdicts(self) -> None:
        if isinstance(self.game.theory, RaceTheory) or self.table is not None:
            return
        if self.ceiling > MAX_TABLE_NUMBERS:
            most = f"{MAX_TABLE_NUMBERS:,}"
            raise TooLarge(
                f"its verdicts are looked up for numbers to {most}, not {self.ceiling:,}"
            )
        labels = self.xp.asarray(RetrogradeTheory(self.game).labels, self.xp.int32)
        distances = self.xp.where(labels == 0, UNKNOWN, abs(labels))
        self.table = Signs(self.xp.sign(labels).astype(self.xp.int8), distances)

    def ongoing_verdict(self, state: TallyState) -> Signs:
        xp, theory, number = self.xp, self.game.theory, state.number
        if isinstance(theory, RaceTheory):
            return self._race_verdict(theory.first_odd_layer, number)
        assert self.table is not None, "prepare_verdicts comes first"
        index = number.astype(xp.int32)
        return Signs(*(xp.take(each, index, mode="clip") for each in self.table))

    def _race_verdict(self, odd_from: int, number: Array) -> Signs:
        """Return the same as `RaceTheory.verdict`. Layers above `odd_from` make no difference."""
        select = self.sets.select
        layer = passed = self.xp.zeros_like(number)
        for k in range(1, odd_from + 1):
            inside = (number <= self.ceiling >> k).astype(number.dtype)
            layer = layer + inside
            if k % 2 == 0:
                passed = passed + inside * (self.ceiling >> k)
        doubles = (layer < odd_from) & (layer & 1 == 1)
        losing = (number & 1 == 1) == (layer >= odd_from)
        distance = self.ceiling - passed - select(doubles, 2 * number - 1, number)
        return Signs(select(losing & ~doubles, -1, 1), distance.astype(self.distance_type))


new_rules = TallyRules
