"""A class room as a value: its pupils, their games, its questions and chain contests.

Each thing that happens in a room is a method that returns the room after it, and raises NotNow,
NotYours or SettingsError if it cannot happen. A store applies it within one transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.verdict import Value
from numduel.play.chain import Chain
from numduel.play.setup import Setup
from numduel.players import HUMAN, character
from numduel.web.duels.record import Terms
from numduel.web.errors import NotNow, NotYours
from numduel.web.identity import hashed, new_name
from numduel.web.rooms.pupils import ClassGame, Pair, Pupil, PupilStanding, look_alike, pair
from numduel.web.rooms.questions import ChainContest, Question

MAX_PUPILS = 100
MAX_WAITING = 100
MAX_REMOVED = 20  # the latest, who can be let in again
MAX_CLASS_ROUNDS = 50
MAX_QUESTIONS = 50
MAX_CONTESTS = 20

STAND_IN = "medium"
"""The computer player that the odd pupil out plays against."""

VERSION_STEP = 2**20
"""How much progress one version of a room is; an answer or a move is one."""

CALL_STEP = VERSION_STEP**2
"""How much progress it is when the whole class is called to something."""


class Outdated(NotNow):
    """The pupils of the room are no longer those who were paired."""


class Room(NamedTuple):
    """A room at one moment."""

    code: str
    secret: str  # the hash of the teacher's secret
    setup: Setup  # what is played in each game
    coach: bool = False
    screened: bool = False  # whoever joins waits until the teacher admits them
    locked: bool = False  # nobody can join
    ended: bool = False  # each pupil sees how it went
    round: int = 0
    version: int = 0  # counts the changes that every page of the room shows
    calls: int = 0  # counts those for which also pupils leave what they do
    answered: int = 0  # counts answers and chains, which only the teacher's pages show
    moved: int = 0  # the events in the games of this round
    pupils: tuple[Pupil, ...] = ()
    waiting: tuple[Pupil, ...] = ()
    removed: tuple[Pupil, ...] = ()  # the latest last
    pairings: tuple[ClassGame, ...] = ()  # of all rounds
    questions: tuple[Question, ...] = ()
    contests: tuple[ChainContest, ...] = ()

    @property
    def ticket(self) -> str:
        """A part of the room's link that cannot be guessed, unlike its code."""
        return hashed(f"{self.secret} ticket")[:12]

    @property
    def progress(self) -> int:
        """A number that grows with each change of the room, each answer and each move."""
        return self.calls * CALL_STEP + self.version * VERSION_STEP + self.answered + self.moved

    @property
    def revision(self) -> int:
        """A number that grows with each change of the room that every page shows."""
        return self.progress // VERSION_STEP

    def _changed(self, **values: Any) -> Room:
        return self._replace(version=self.version + 1, **values)

    def _called(self, **values: Any) -> Room:
        """Return the room after something that the whole class turns to."""
        return self._changed(calls=self.calls + 1, **values)

    # Who is in it.

    def pupil(self, secret: str) -> Pupil | None:
        """Return the pupil whose secret has that hash."""
        return next((pupil for pupil in self.pupils if pupil.secret == secret), None)

    def is_waiting(self, secret: str) -> bool:
        """Return whether somebody whose secret has that hash waits to be admitted."""
        return any(pupil.secret == secret for pupil in self.waiting)

    @property
    def secrets(self) -> list[str]:
        """The hashes of the secrets of the teacher and of all pupils."""
        return [self.secret, *(pupil.secret for pupil in self.pupils)]

    def names(self) -> dict[int | None, str]:
        """Return the name of each pupil by their number."""
        return {pupil.number: pupil.name for pupil in self.pupils}

    def join(self, name: str, secret: str) -> Room:
        """Add a pupil whose secret has that hash; where the room is screened, let them wait."""
        if self.pupil(secret) is not None or self.is_waiting(secret):
            return self  # an earlier attempt was committed although it seemed to fail
        if self.ended:
            raise NotNow("This lesson is over.")
        if self.locked:
            raise NotNow("This room is locked: please ask your teacher to unlock it.")
        if self.screened and len(self.waiting) >= MAX_WAITING:
            raise NotNow(f"{MAX_WAITING} people are waiting already: please tell your teacher.")
        _check_free(name, (*self.pupils, *self.waiting))
        if any(look_alike(gone.name, name) for gone in self.removed):
            raise SettingsError("please choose another name, or ask your teacher")
        newcomer = Pupil(self._next_number(), name, secret)
        if self.screened:
            return self._changed(waiting=(*self.waiting, newcomer))
        return self._let_in(newcomer)

    def admit(self, name: str | None) -> Room:
        """Let in whoever waits under that name, or everybody who waits."""
        found = self._waiting_as(name)
        left = tuple(pupil for pupil in self.waiting if pupil not in found)
        return self._let_in(*found)._replace(waiting=left)

    def turn_away(self, name: str | None) -> Room:
        """Refuse whoever waits under that name, or everybody who waits."""
        found = self._waiting_as(name)
        return self._changed(waiting=tuple(one for one in self.waiting if one not in found))

    def remove(self, name: str) -> Room:
        """Remove a pupil with their answers and chains; the other wins what they play."""
        others = tuple(one for one in self.removed if one.name != name)
        if others != self.removed and all(one.name != name for one in self.pupils):
            return self  # pressed twice
        gone = _named(name, self.pupils)
        return self._changed(
            pupils=tuple(one for one in self.pupils if one != gone),
            removed=(*others[1 - MAX_REMOVED :], gone),
            pairings=tuple(game.left_by(gone.number) for game in self.pairings),
            questions=tuple(
                one._replace(answers=_without(one.answers, gone.number)) for one in self.questions
            ),
            contests=tuple(
                one._replace(longest=_without(one.longest, gone.number)) for one in self.contests
            ),
        )

    def bring_back(self, name: str) -> Room:
        """Let a removed pupil in again with their points; the games that they left stay lost."""
        found = _named(name, self.removed)
        left = tuple(pupil for pupil in self.removed if pupil != found)
        return self._let_in(found)._replace(removed=left)

    def change(self, **values: bool) -> Room:
        """Lock the room or unlock it (`locked`); screen those who join or not (`screened`)."""
        return self._changed(**values)

    def _let_in(self, *newcomers: Pupil) -> Room:
        if len(self.pupils) + len(newcomers) > MAX_PUPILS:
            raise NotNow(f"This room is full: a room has at most {MAX_PUPILS} pupils.")
        for pupil in newcomers:
            _check_free(pupil.name, self.pupils)
        return self._changed(pupils=tuple(sorted((*self.pupils, *newcomers))))

    def _waiting_as(self, name: str | None) -> tuple[Pupil, ...]:
        return self.waiting if name is None else (_named(name, self.waiting),)

    def _next_number(self) -> int:
        """Return a number that no pupil has, nor one who has left but has played or may return."""
        played = {seat for game in self.pairings for seat in game.seats if seat is not None}
        known = (*self.pupils, *self.waiting, *self.removed)
        return 1 + max(played | {pupil.number for pupil in known}, default=0)

    # Who plays whom.

    def to_be_paired(self, number: int) -> tuple[list[int], list[Any], list[int]]:
        """Return what `pair` asks for, for the round of that number; it must be the next one."""
        if number != self.round + 1:
            raise NotNow(f"The next round is round {self.round + 1}.")
        if number > MAX_CLASS_ROUNDS:
            raise NotNow(f"A room has at most {MAX_CLASS_ROUNDS} rounds.")
        if len(self.pupils) < 2:
            raise NotNow("A round needs at least two pupils.")
        met = [game.seats for game in self.pairings if None not in game.seats]
        alone = [one for game in self.pairings if None in game.seats for one in game.seats if one]
        ranked = [line.pupil.number for line in self.standing()]
        return ranked, met, alone

    def begin_round(self, number: int, pairs: Sequence[Pair] | None = None) -> Room:
        """Begin the round of that number with these pairs, which are made if they are not given.

        Raises Outdated if the pupils are no longer those who were paired.
        """
        question = self.to_be_paired(number)
        pairs = pair(*question) if pairs is None else pairs
        if {one for two in pairs for one in two if one is not None} != {*question[0]}:
            raise Outdated("Somebody has joined or left.")
        games = (ClassGame(new_name(), number, seats) for seats in pairs)
        return self.to_games()._replace(round=number, moved=0, pairings=(*self.pairings, *games))

    def terms(self, game: ClassGame) -> Terms:
        """Return the terms of a new game. Who begins alternates, and each has a seed of its own."""
        by_number = {pupil.number: pupil for pupil in self.pupils}
        one, two = (None if seat is None else by_number[seat] for seat in game.seats)
        assert one is not None
        setup = self.setup._replace(
            players=(HUMAN, STAND_IN if two is None else HUMAN),
            first=1 + game.round % 2,
            seed=self.setup.seed + game.round * 1000 + one.number,
            names=(one.name, two and two.name),
        )
        return Terms(setup, (one.secret, two and two.secret), self.coach, self.code)

    def current(self) -> list[ClassGame]:
        """Return the games of this round."""
        return [game for game in self.pairings if game.round == self.round]

    @property
    def unfinished(self) -> int:
        """How many games of this round are not over."""
        return sum(not game.over for game in self.current())

    def game_of(self, pupil: Pupil) -> ClassGame | None:
        """Return the pupil's game of this round."""
        return next((game for game in self.current() if pupil.number in game.seats), None)

    def players(self, game: ClassGame) -> list[str]:
        """Return what the players of a game are called."""
        names = {**self.names(), None: character(STAND_IN)}
        return [names.get(seat, "a pupil who left") for seat in game.seats]

    def rival(self, game: ClassGame, pupil: Pupil) -> str:
        """Return what the other player of a pupil's game is called."""
        return self.players(game)[1 - game.seats.index(pupil.number)]

    def called_away(self, secret: str, duel: str) -> bool:
        """Return whether the pupil of that secret should leave the page of one of their games."""
        pupil = self.pupil(secret)
        game = pupil and self.game_of(pupil)
        is_earlier = game is not None and game.duel != duel and not game.over
        return is_earlier or self.ended or bool(self.question or self.contest)

    def standing(self) -> list[PupilStanding]:
        """Return a line for each pupil, the leader first."""
        lines = [self.line_of(pupil) for pupil in self.pupils]
        return sorted(lines, key=lambda line: (-line.points, line.pupil.number))

    def line_of(self, pupil: Pupil) -> PupilStanding:
        """Return how far a pupil has come."""
        mine = [one for one in self.pairings if pupil.number in one.seats]
        games = [(game, game.result(pupil.number)) for game in mine]
        results = Counter(result for _, result in games)
        right = [one.is_right(pupil.number) for one in self.questions]
        return PupilStanding(
            pupil,
            points=results["won"] + results["tied"] / 2,
            played=len(games) - results["open"],
            won=results["won"],
            games=games,
            right=right,
            correct=right.count(True),
            given=len(right) - right.count(None),
            chains=[one.length(pupil.number) for one in self.contests],
        )

    # What the class does together: one thing at a time, and then the games go on.

    @property
    def question(self) -> Question | None:
        """The question that is open."""
        latest = self.questions[-1:]
        return latest[0] if latest and latest[0].stage != "over" else None

    @property
    def contest(self) -> ChainContest | None:
        """The chain contest that is open."""
        latest = self.contests[-1:]
        return latest[0] if latest and not latest[0].over else None

    def to_games(self) -> Room:
        """End the question or the contest; the games go on."""
        if self.ended:
            raise NotNow("This lesson is over.")
        return self._called(
            questions=tuple(one._replace(stage="over") for one in self.questions),
            contests=tuple(one._replace(over=True) for one in self.contests),
        )

    def end(self) -> Room:
        """End the lesson: each pupil sees how it went."""
        return self.to_games()._replace(ended=True)

    def ask(self, game: Game[Any], position: str, values: Mapping[int, Value]) -> Room:
        """Pose a position, which was checked; `values` has the value of each move, if known."""
        if len(self.questions) == MAX_QUESTIONS:
            raise NotNow(f"A room has at most {MAX_QUESTIONS} questions.")
        room = self.to_games()
        question = Question(room.version, game, position, values)
        return room._replace(questions=(*room.questions, question))

    def show_answers(self) -> Room:
        """Show what was answered; nobody can answer any more."""
        return self._staged(self._open_question()._replace(stage="shown"))

    def reveal(self) -> Room:
        """Show the answers and what each move is worth."""
        question = self._open_question()
        if not question.values:
            raise NotNow("Nobody knows which moves are good here: the position is too large.")
        return self._staged(question._replace(stage="revealed"))

    def answer(self, secret: str, number: int, move: int) -> Room:
        """Take the answer of a pupil, a legal move, to the question of that number."""
        pupil = self.pupil(secret)
        if pupil is None:
            raise NotYours("Only the pupils of this room can answer.")
        question = self._open_question()
        if number != question.number:
            raise NotNow("That question is over: here is the next.")
        if question.stage != "asked":
            raise NotNow("The answers are shown already.")
        answers = {**question.answers, pupil.number: move}
        room = self._replace(questions=(*self.questions[:-1], question._replace(answers=answers)))
        return room._replace(answered=self.answered + 1)

    def _staged(self, question: Question) -> Room:
        return self._called(questions=(*self.questions[:-1], question))

    def _open_question(self) -> Question:
        if self.question is None:
            raise NotNow("There is no question just now.")
        return self.question

    def begin_contest(self, size: int) -> Room:
        """Let the class make chains on a board of that size."""
        if len(self.contests) == MAX_CONTESTS:
            raise NotNow(f"A room has at most {MAX_CONTESTS} chain contests.")
        room = self.to_games()
        return room._replace(contests=(*room.contests, ChainContest(size)))

    def add_chain(self, secret: str, chain: Chain) -> Room:
        """Take a pupil's chain if it is their longest."""
        pupil, contest = self.pupil(secret), self.contest
        if pupil is None:
            raise NotYours("Only the pupils of this room can make a chain in it.")
        if contest is None or contest.size != chain.size:
            raise NotNow("The class no longer makes chains on that board.")
        if len(chain.numbers) <= contest.length(pupil.number):
            return self
        is_best = len(chain.numbers) > len(contest.best.numbers)  # which every page shows
        longest = {**_without(contest.longest, pupil.number), pupil.number: chain}
        now = contest._replace(longest=longest)
        room = self._replace(contests=(*self.contests[:-1], now), answered=self.answered + 1)
        return room._changed() if is_best else room


def _named(name: str, among: tuple[Pupil, ...]) -> Pupil:
    for pupil in among:
        if pupil.name == name:
            return pupil
    raise NotNow(f"There is no {quoted(name)} in this room.")


def _check_free(name: str, others: tuple[Pupil, ...]) -> None:
    """Raise SettingsError if somebody else has that name, or one that looks the same."""
    for pupil in others:
        if look_alike(pupil.name, name):
            raise SettingsError(f"{pupil.name} is in this room already: please add a letter")


def _without(values: Mapping[int, Any], number: int) -> dict[int, Any]:
    return {key: value for key, value in values.items() if key != number}
