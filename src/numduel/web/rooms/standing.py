"""The pupils of a room, the games between them, and how far each pupil has come."""

from __future__ import annotations

from typing import Literal, NamedTuple

from numduel.core.game import other

Result = Literal["won", "lost", "tied", "open"]


class Pupil(NamedTuple):
    """A pupil."""

    number: int  # in the room; never used for another pupil
    name: str
    secret: str  # its hash


class ClassGame(NamedTuple):
    """One game of the class."""

    duel: str  # its public name
    round: int
    seats: tuple[int | None, int | None]  # the pupils' numbers; None: the computer
    over: bool = False
    champion: int | None = None  # the seat that won; None: a tie, or it is not over

    def left_by(self, pupil: int) -> ClassGame:
        """Return the game after a pupil has left the room: the other one wins it."""
        if self.over or pupil not in self.seats:
            return self
        return self._replace(over=True, champion=other(1 + self.seats.index(pupil)))

    def result(self, pupil: int) -> Result:
        """Return how it ended for one of its pupils."""
        if not self.over:
            return "open"
        if self.champion is None:
            return "tied"
        return "won" if self.seats[self.champion - 1] == pupil else "lost"


class PupilStanding(NamedTuple):
    """How far a pupil has come."""

    pupil: Pupil
    points: float  # a win is one point, a tie half of one
    played: int  # games that are over
    won: int
    games: list[tuple[ClassGame, Result]]  # of all rounds
    right: list[bool | None]  # of each question; None: no answer, or nobody knows
    correct: int  # how many answers are right, of those that are given and judged
    given: int
    chains: list[int]  # the length of the longest in each contest
