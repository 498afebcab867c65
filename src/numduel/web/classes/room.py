"""A class room: who is in it, who plays whom, round after round, and the standing."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.play.setup import Setup
from numduel.players import HUMAN
from numduel.web.classes.pairing import pair
from numduel.web.problems import NotNow

MOST_PUPILS = 100
MOST_CLASS_ROUNDS = 50

STAND_IN = "medium"
"""The computer player that the odd pupil out plays against."""


class Pupil(NamedTuple):
    """A pupil, by their number in the room."""

    number: int
    name: str
    secret: str  # its hash


class Pairing(NamedTuple):
    """One game of the class."""

    duel: str
    round: int
    seats: tuple[int | None, int | None]  # the pupils' numbers; None: the computer
    over: bool
    champion: int | None


class Standing(NamedTuple):
    """A line of the standing."""

    name: str
    points: float
    played: int


class Room(NamedTuple):
    """A room as it is now."""

    code: str
    secret: str  # the hash of the teacher's
    setup: Setup
    coach: bool
    round: int
    version: int
    pupils: list[Pupil]
    pairings: list[Pairing]

    # Who is in it.

    def pupil(self, hash_: str) -> Pupil | None:
        """The pupil who has that secret."""
        return next((pupil for pupil in self.pupils if pupil.secret == hash_), None)

    def named(self, name: str) -> Pupil:
        """The pupil of that name; NotNow."""
        for pupil in self.pupils:
            if pupil.name == name:
                return pupil
        raise NotNow(f"There is no {quoted(name)} in this room.")

    def admit(self, name: str) -> int:
        """The number of a new pupil of that name; SettingsError or NotNow where there is no place.

        Nobody gets the number of somebody who is, or was and has played, in the room.
        """
        if len(self.pupils) >= MOST_PUPILS:
            raise NotNow(f"This room is full: it has {MOST_PUPILS} pupils.")
        for pupil in self.pupils:
            if pupil.name.casefold() == name.casefold():
                raise SettingsError(f"{pupil.name} is in this room already: please add a letter")
        played = {seat for game in self.pairings for seat in game.seats if seat is not None}
        return 1 + max(played | {pupil.number for pupil in self.pupils}, default=0)

    # Who plays whom.

    def check_round(self, number: int) -> None:
        """Raise NotNow where the round of that number cannot begin."""
        if number != self.round + 1:
            raise NotNow(f"The next round is round {self.round + 1}.")
        if number > MOST_CLASS_ROUNDS:
            raise NotNow(f"A room has at most {MOST_CLASS_ROUNDS} rounds.")
        if len(self.pupils) < 2:
            raise NotNow("A round needs at least two pupils.")

    def pairs(self) -> list[tuple[Pupil, Pupil | None]]:
        """Who plays whom in the next round; the odd one out plays the computer (None)."""
        by_number = {pupil.number: pupil for pupil in self.pupils}
        met = [game.seats for game in self.pairings if None not in game.seats]
        alone = [one for game in self.pairings if None in game.seats for one in game.seats if one]
        points = self.points()
        ranked = sorted(by_number, key=lambda number: (-points[number], number))
        return [
            (by_number[one], None if two is None else by_number[two])
            for one, two in pair(ranked, met, alone)
        ]

    def setup_of(self, one: Pupil, two: Pupil | None) -> Setup:
        """What two pupils play in the next round, or one of them against the computer.

        Who begins changes from round to round, and each game has chances of its own.
        """
        number = self.round + 1
        return self.setup._replace(
            players=(HUMAN, STAND_IN if two is None else HUMAN),
            first=1 + number % 2,
            seed=self.setup.seed + number * 1000 + one.number,
            names=(one.name, two and two.name),
        )

    def current(self) -> list[Pairing]:
        """The games of this round."""
        return [pairing for pairing in self.pairings if pairing.round == self.round]

    def game_of(self, pupil: Pupil) -> Pairing | None:
        """The game that the pupil plays in this round."""
        return next((game for game in self.current() if pupil.number in game.seats), None)

    # Who leads.

    def points(self) -> Counter[int | None]:
        """Twice what each has won, by number: a win is one point, a tie half of one."""
        won: Counter[int | None] = Counter()
        for game in self.pairings:
            if game.over and game.champion is None:
                won.update(game.seats)
            elif game.over and game.champion is not None:
                won[game.seats[game.champion - 1]] += 2
        return won

    def standing(self) -> list[Standing]:
        """Everybody, the leader first."""
        points = self.points()
        played = Counter(seat for game in self.pairings if game.over for seat in game.seats)
        lines = [
            Standing(pupil.name, points[pupil.number] / 2, played[pupil.number])
            for pupil in self.pupils
        ]
        return sorted(lines, key=lambda line: (-line.points, line.name.casefold()))
