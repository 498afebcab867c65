"""The tally rule over arrays: the number in a word, and a menu of operations."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.bits import Array, BitRules, Words
from numduel.core.errors import TooLarge
from numduel.core.numerals import shown
from numduel.games.tally.rules import Tally, TallyGame
from numduel.games.tally.theory import RaceTheory

LARGEST_NUMBER = 2**31 - 1
"""No number of a game over arrays is larger."""

MOST_IN_TABLE = 1_000_000
"""Up to this many numbers the values are looked up where no closed form gives them."""


class TallyBits(NamedTuple):
    """The shared number, who moves, and who has won."""

    number: Array
    mover: Array
    winner: Array


class TallyRules(BitRules):
    """The rules of a tally game that has a ceiling."""

    game: TallyGame

    def __init__(self, game: TallyGame, xp: Any, valued: bool = False) -> None:
        self.ceiling = game.ceiling or 0
        self.goal = min(game.goal, LARGEST_NUMBER)
        self.subtractions = [
            (place, min(amount, LARGEST_NUMBER))
            for place, (sign, amount) in enumerate(game.operations)
            if sign == "-"
        ]
        if game.encoding.high > LARGEST_NUMBER:
            raise TooLarge(
                f"its numbers go up to {shown(game.encoding.high)}, over {LARGEST_NUMBER:,}"
            )
        super().__init__(game, xp, valued)

    def begin(self, shape: tuple[int, ...] = ()) -> TallyBits:
        xp, start = self.xp, self.game.starting_number
        return TallyBits(
            xp.full(shape, start, xp.uint32), xp.full(shape, 1, xp.int8), xp.zeros(shape, xp.int8)
        )

    def moves(self, state: TallyBits) -> Words:
        return (self._moves(state.number),)

    def _moves(self, number: Array) -> Array:
        legal = self.xp.full_like(number, (1 << self.count) - 1)
        for place, amount in self.subtractions:
            legal = self.xp.where(number > amount, legal, legal ^ 1 << place)
        return legal

    def after(self, state: TallyBits, action: Array) -> TallyBits:
        xp, mover = self.xp, state.mover
        number = self._made(state.number, 0)
        for place in range(1, self.count):
            number = xp.where(action == place, self._made(state.number, place), number)
        won = self._at_goal(number)
        if self.subtractions:
            won = won | (self._moves(number) == 0)
        winner = xp.where(number > self.ceiling, 3 - mover, xp.where(won, mover, 0))
        return TallyBits(number, 3 - mover, winner)

    def _made(self, number: Array, place: int) -> Array:
        sign, amount = self.game.operations[place]
        if sign == "-":
            return number - min(amount, LARGEST_NUMBER)
        return number + amount if sign == "+" else number * amount

    def _at_goal(self, number: Array) -> Array:
        """Whether a number up to the ceiling is a multiple of the goal."""
        return number == self.goal if 2 * self.goal > self.ceiling else number % self.goal == 0

    def encode(self, state: TallyBits) -> Array:
        xp, (number, mover, winner) = self.xp, state
        ended = (winner != 0) & ((number > self.ceiling) | self._at_goal(number))
        return xp.stack([part.astype(self.encoded) for part in (number, mover, ended)], -1)

    def position(self, state: TallyBits) -> Tally:
        number, mover, ended = (int(part) for part in self.encode(state))
        past = "overshot" if number > self.ceiling else self.game.success
        return Tally(number, mover, past if ended else "")

    def prepare_values(self) -> None:
        theory: Any = self.game.theory
        if isinstance(theory, RaceTheory):
            return
        if self.ceiling > MOST_IN_TABLE:
            raise TooLarge(
                f"its verdicts are looked up for numbers to {MOST_IN_TABLE:,}, not {self.ceiling:,}"
            )
        signs = {"win": 1, "endless": 0, "loss": -1}
        found = [signs[theory.verdict(number).value] for number in range(1, self.ceiling + 1)]
        self.table = self.xp.asarray([0, *found], self.xp.int8)  # no number is 0

    def open_value(self, state: TallyBits) -> Array:
        theory, number = self.game.theory, state.number
        if isinstance(theory, RaceTheory):
            return self._race(theory.first_odd_layer, number)
        return self.xp.take(self.table, number.astype(self.xp.int32), mode="clip")

    def _race(self, odd_from: int, number: Array) -> Array:
        """By the layer of the number, as far as it matters: see `RaceTheory`."""
        xp = self.xp
        layer = xp.zeros_like(number)
        for k in range(1, odd_from + 1):
            layer = layer + (number <= self.ceiling >> k)
        doubling = (layer < odd_from) & (layer & 1 == 1)
        losing = (number & 1 == 1) == (layer >= odd_from)
        return xp.where(losing & ~doubling, -1, 1)
