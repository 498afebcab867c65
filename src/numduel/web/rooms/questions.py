"""The questions and the chain contests of a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from numduel.core.game import Game
from numduel.core.verdict import SCORES, Value
from numduel.play.chain import Chain

Stage = Literal["asked", "shown", "revealed", "over"]
"""Pupils answer; their answers are shown; the value of each move is revealed; it is over."""

EMPTY: Mapping[int, Any] = MappingProxyType({})


def best_of(values: Mapping[int, Value]) -> list[int]:
    """Return the moves of the highest value."""
    best = max((SCORES[value] for value in values.values()), default=0)
    return [move for move, value in values.items() if SCORES[value] == best]


class Question(NamedTuple):
    """A position about which the class is asked. No page shows who gave which answer."""

    number: int  # the version of the room in which it was posed
    game: Game[Any]
    position: str  # its notation
    values: Mapping[int, Value] = EMPTY  # of each move; empty if they are unknown
    stage: Stage = "asked"
    answers: Mapping[int, int] = EMPTY  # the move that each pupil answered, by the pupil's number

    def counts(self) -> dict[int, int]:
        """Return how many pupils answered each move, the lowest move first."""
        return dict(sorted(Counter(self.answers.values()).items()))

    def best_moves(self) -> list[int]:
        """Return the moves of the highest value, which may be all of them."""
        return best_of(self.values)

    def has_right_answer(self) -> bool:
        """Return whether some moves are better than others."""
        return len(self.best_moves()) < len(self.values)

    def finders(self) -> int:
        """Return how many pupils found a best move; 0 if no move is better than another."""
        best = self.best_moves() if self.has_right_answer() else ()
        return sum(move in best for move in self.answers.values())

    def is_right(self, pupil: int) -> bool | None:
        """Return whether a pupil answered a best move; None without an answer, or if unknown."""
        if pupil not in self.answers or not self.values:
            return None
        return self.answers[pupil] in self.best_moves()

    def parsed(self) -> Any:
        """Return the position. This may take a while for games without a notation of their own."""
        return _parsed(self.game, self.position)


@lru_cache(maxsize=100)
def _parsed(game: Game[Any], text: str) -> Any:
    return game.parse(text)


class ChainContest(NamedTuple):
    """The longest chain that each pupil has made on one board."""

    size: int  # of the board
    over: bool = False
    longest: Mapping[int, Chain] = (
        EMPTY  # by the pupil's number, in the order in which they were made
    )

    def length(self, pupil: int) -> int:
        """Return the length of a pupil's longest chain."""
        return len(self.longest[pupil].numbers) if pupil in self.longest else 0

    def ranked(self) -> list[int]:
        """Return the pupils who made a chain: longer chains first, among equals the earlier one."""
        return sorted(self.longest, key=self.length, reverse=True)

    @property
    def best(self) -> Chain:
        """The longest chain of the class."""
        return self.longest[self.ranked()[0]] if self.longest else Chain(self.size)
