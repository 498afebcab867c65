"""Fifteen: a game that can be drawn, with words and a board of its own.

The numbers 1 to 9 lie on the table, and the players take turns to take one. Whoever holds three
that add up to 15 wins. Written into a magic square, it is a game that everybody knows.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from numduel.core.game import Game, Outcome, other
from numduel.core.scene import Cell, Fact, Scene
from numduel.core.words import SEATS, Last, Names, Words

NUMBERS = range(1, 10)


class Hands(NamedTuple):
    """What each player has taken, and who moves."""

    first: frozenset[int]  # Player 1's numbers
    second: frozenset[int]  # Player 2's numbers
    mover: int


def fifteen(hand: frozenset[int]) -> tuple[int, ...]:
    """Return three numbers of the hand that add up to 15, or nothing if there are none."""
    return next((three for three in combinations(sorted(hand), 3) if sum(three) == 15), ())


class Fifteen(Game[Hands]):
    key = "fifteen"
    title = "Fifteen"
    summary = "Take numbers from 1 to 9; win with three that add up to 15."
    rules = "Take a number that is left. Whoever holds three numbers that add up to 15 wins."

    def begin(self, first: int) -> Hands:
        return Hands(frozenset(), frozenset(), first)

    def moves(self, position: Hands) -> tuple[int, ...]:
        if fifteen(position.first) or fifteen(position.second):
            return ()
        return tuple(n for n in NUMBERS if n not in position.first | position.second)

    def after(self, position: Hands, move: int) -> Hands:
        first, second, mover = position
        if mover == 1:
            return Hands(first | {move}, second, 2)
        return Hands(first, second | {move}, 1)

    def outcome(self, position: Hands) -> Outcome | None:
        if self.moves(position):
            return None
        won = fifteen(position.first) or fifteen(position.second)
        return Outcome(other(position.mover) if won else None, "fifteen" if won else "all taken")

    @cached_property
    def words(self) -> Words[Hands]:
        return FifteenWords(self)


class FifteenWords(Words[Hands]):
    def why_not(self, position: Hands, move: int) -> str:
        taken = move in position.first | position.second
        return f"{move} is taken" if taken else f"{move} is not one of the numbers from 1 to 9"

    def moved(self, before: Hands, move: int, after: Hands, who: str) -> str:
        return f"{who} takes {move}"

    def result(
        self, position: Hands, outcome: Outcome, last: Last | None = None, names: Names = SEATS
    ) -> str:
        three = fifteen(position.first) or fifteen(position.second)
        return f"{' + '.join(map(str, three))} = 15" if three else "all nine numbers are taken"

    def scene(self, position: Hands, past: Sequence[Last] = ()) -> Scene:
        hands = (position.first, position.second)
        legal = self.game.moves(position)
        return self.staged(
            position,
            past,
            facts=tuple(
                Fact(name, ", ".join(map(str, sorted(hand))) or "nothing")
                for name, hand in zip(SEATS, hands, strict=True)
            ),
            cells=tuple(
                Cell(n, next((seat for seat in (1, 2) if n in hands[seat - 1]), 0), n in legal)
                for n in NUMBERS
            ),
        )
