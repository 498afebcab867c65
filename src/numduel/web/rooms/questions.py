"""What a class does together beside its games: questions, and chain contests."""

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
"""Pupils answer; the answers are shown; so is what each is worth; the class goes on."""

EMPTY: Mapping[int, Any] = MappingProxyType({})


def best_of(values: Mapping[int, Value]) -> list[int]:
    """Return the moves that are worth most."""
    best = max((SCORES[value] for value in values.values()), default=0)
    return [move for move, value in values.items() if SCORES[value] == best]


class Question(NamedTuple):
    """A position that the teacher poses. The class never sees whose answer is whose."""

    number: int  # the version of the room in which it was posed
    game: Game[Any]
    position: str  # its notation
    values: Mapping[int, Value] = EMPTY  # of each move; empty where that is not known
    stage: Stage = "asked"
    answers: Mapping[int, int] = EMPTY  # the move of each pupil who has answered, by their number

    def counts(self) -> dict[int, int]:
        """Return how many pupils have answered with each move, the lowest move first."""
        return dict(sorted(Counter(self.answers.values()).items()))

    def best_moves(self) -> list[int]:
        """Return the moves that are worth most; all of them may be."""
        return best_of(self.values)

    def finders(self) -> int:
        """Return how many have found a best move; 0 if every move is one."""
        best = self.best_moves()
        every = len(best) == len(self.values)
        return 0 if every else sum(move in best for move in self.answers.values())

    def is_right(self, pupil: int) -> bool | None:
        """Return whether a pupil's answer is one of the best; None: no answer, or nobody knows."""
        if pupil not in self.answers or not self.values:
            return None
        return self.answers[pupil] in self.best_moves()

    def parsed(self) -> Any:
        """Return the position itself. This may take a while for games without a notation."""
        return _parsed(self.game, self.position)


@lru_cache(maxsize=100)
def _parsed(game: Game[Any], text: str) -> Any:
    return game.parse(text)


class ChainContest(NamedTuple):
    """The longest chain that each pupil has made on one board."""

    size: int  # of the board
    over: bool = False
    longest: Mapping[int, Chain] = EMPTY  # by the pupil's number, the first to be made first

    def length(self, pupil: int) -> int:
        """Return the length of a pupil's longest chain."""
        return len(self.longest[pupil].numbers) if pupil in self.longest else 0

    def ranked(self) -> list[int]:
        """Return the pupils who have made a chain, whoever was first with the longest first."""
        return sorted(self.longest, key=self.length, reverse=True)

    @property
    def best(self) -> Chain:
        """The longest chain of the class."""
        return self.longest[self.ranked()[0]] if self.longest else Chain(self.size)
