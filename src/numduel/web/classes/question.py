"""A position that the teacher poses: each pupil answers with a move, and nobody sees whose."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, NamedTuple

from numduel.core.game import Game
from numduel.core.verdict import SCORES, Value
from numduel.web.problems import NotNow

Stage = Literal["asked", "shown", "revealed"]
"""Answers are given; they are shown; and so is what each is worth."""

MOST_CHOICES = 400
"""A position with more moves than this is not posed."""


class Question(NamedTuple):
    """A question as it stands."""

    number: int
    game: Game[Any]
    position: str  # its notation
    stage: Stage
    values: dict[int, Value]  # of each move, where they are revealed
    answers: dict[int, int]  # the move of each pupil who has answered, by their number

    def check_open(self, number: int) -> None:
        """Raise NotNow where the question of that number cannot be answered now."""
        if number != self.number:
            raise NotNow("That question is over: here is the next.")
        if self.stage != "asked":
            raise NotNow("The answers are shown already.")

    def counts(self) -> dict[int, int]:
        """How many have answered with each move, the lowest move first."""
        return dict(sorted(Counter(self.answers.values()).items()))

    def sound(self) -> list[int]:
        """The moves that keep what there is, where they are revealed."""
        best = max(SCORES[value] for value in self.values.values())
        return [move for move, value in self.values.items() if SCORES[value] == best]
