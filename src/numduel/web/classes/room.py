"""A class room: who is in it, who plays whom, round after round, and the standing."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.play.setup import Setup
from numduel.players import HUMAN
from numduel.web.classes.chains import Chains
from numduel.web.classes.names import alike
from numduel.web.classes.pairing import pair
from numduel.web.classes.question import Question
from numduel.web.keys import hashed
from numduel.web.problems import NotNow

MOST_PUPILS = 100
MOST_WAITING = 100
MOST_REMOVED = 20  # who can be let in again
MOST_CLASS_ROUNDS = 50

STAND_IN = "medium"
"""The computer player that the odd pupil out plays against."""


ANSWERS = 2**20
"""A step of a room's version is as much progress as so many answers and moves in between."""


def progress(version: int, answered: int, moved: int) -> int:
    """How far a room is: larger with each change of it, and by one with each answer or move."""
    return version * ANSWERS + answered + moved


class Pupil(NamedTuple):
    """A pupil, by their number in the room."""

    number: int
    name: str
    secret: str  # its hash


def named(name: str, among: list[Pupil]) -> Pupil:
    """The one of that name; NotNow."""
    for pupil in among:
        if pupil.name == name:
            return pupil
    raise NotNow(f"There is no {quoted(name)} in this room.")


def _check_free(name: str, others: list[Pupil]) -> None:
    """Raise SettingsError where one of the others has that name, or one that looks like it."""
    for pupil in others:
        if alike(pupil.name, name):
            raise SettingsError(f"{pupil.name} is in this room already: please add a letter")


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
    locked: bool  # nobody can join
    screened: bool  # whoever joins waits until the teacher admits them
    round: int
    version: int
    pupils: list[Pupil]
    waiting: list[Pupil]
    removed: list[Pupil]  # the latest, the first of them first
    pairings: list[Pairing]
    question: Question | None = None
    chains: Chains | None = None  # where the class makes the longest chain
    answered: int = 0  # how often anybody has answered a question
    moved: int = 0  # what has happened in the games of this round

    @property
    def ticket(self) -> str:
        """What its link has beside the code, so that whoever follows it has not guessed that."""
        return hashed(f"{self.secret} ticket")[:12]

    @property
    def progress(self) -> int:
        """How far the room is, each answer and each move counted."""
        return progress(self.version, self.answered, self.moved)

    def is_asked(self, pupil: Pupil) -> bool:
        """Whether a pupil has a question before them."""
        asked = self.question
        return asked is not None and asked.stage == "asked" and pupil.number not in asked.answers

    # Who is in it.

    def pupil(self, hash_: str) -> Pupil | None:
        """The pupil who has that secret."""
        return next((pupil for pupil in self.pupils if pupil.secret == hash_), None)

    def waits(self, hash_: str) -> bool:
        """Whether somebody who has that secret waits to be admitted."""
        return any(pupil.secret == hash_ for pupil in self.waiting)

    def check_new(self, name: str) -> None:
        """Raise NotNow or SettingsError where nobody of that name can join now."""
        if self.locked:
            raise NotNow("This room is locked: please ask your teacher to unlock it.")
        if self.screened and len(self.waiting) >= MOST_WAITING:
            raise NotNow(f"{MOST_WAITING} wait for this room already: please tell your teacher.")
        if not self.screened:
            self._check_place(1)
        _check_free(name, [*self.pupils, *self.waiting])

    def check_admitted(self, newcomers: list[Pupil]) -> None:
        """Raise NotNow or SettingsError where they cannot all be let in."""
        self._check_place(len(newcomers))
        for pupil in newcomers:
            _check_free(pupil.name, self.pupils)

    def _check_place(self, count: int) -> None:
        if len(self.pupils) + count > MOST_PUPILS:
            raise NotNow(f"This room is full: a room has at most {MOST_PUPILS} pupils.")

    def next_number(self) -> int:
        """A pupil's number that nobody has who is here, or was and has played or may come back."""
        played = {seat for game in self.pairings for seat in game.seats if seat is not None}
        known = (*self.pupils, *self.waiting, *self.removed)
        return 1 + max(played | {pupil.number for pupil in known}, default=0)

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

    def plays(self, pupil: Pupil) -> Pairing | None:
        """The game of theirs that is not over."""
        game = self.game_of(pupil)
        return None if game is None or game.over else game

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
