"""A class room as a value: its pupils, their games, its questions and chain contests.

Each change of a room is a method that returns the changed room. It raises NotNow, NotYours or
SettingsError if the change is not possible. A store applies it within one transaction.
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
from numduel.web.identity import hash_secret, new_name
from numduel.web.rooms.pupils import ClassGame, Pair, Pupil, PupilStanding, look_alike, pair
from numduel.web.rooms.questions import ChainContest, Question

MAX_PUPILS = 100
MAX_WAITING = 100
MAX_REMOVED = 20  # the latest ones; they can be let in again
MAX_CLASS_ROUNDS = 50
MAX_QUESTIONS = 50
MAX_CONTESTS = 20

STAND_IN = "medium"
"""The computer player for the pupil who is left over if their number is odd."""

VERSION_STEP = 2**20
"""How much one version of a room adds to its progress; an answer or a move adds one."""

CALL_STEP = VERSION_STEP**2
"""How much a call of the whole class adds to the progress of its room."""


class Outdated(NotNow):
    """Pupils have joined or left while the next round was being paired."""


class Room(NamedTuple):
    code: str
    secret: str  # the hash of the teacher's secret
    setup: Setup  # of each game
    coach: bool = False
    screened: bool = False  # whether those who join wait until the teacher admits them
    locked: bool = False  # whether nobody can join
    ended: bool = False  # whether the lesson is over
    round: int = 0
    version: int = 0  # the number of changes that every page of the room shows
    calls: int = 0  # the number of changes to which the whole class turns
    answered: int = 0  # the number of answers and chains, which only the teacher's pages show
    moved: int = 0  # the number of events in the games of this round
    pupils: tuple[Pupil, ...] = ()
    waiting: tuple[Pupil, ...] = ()
    removed: tuple[Pupil, ...] = ()  # the latest last
    pairings: tuple[ClassGame, ...] = ()  # the games of all rounds
    questions: tuple[Question, ...] = ()
    contests: tuple[ChainContest, ...] = ()

    @property
    def ticket(self) -> str:
        """A part of the link to the room; unlike the code, nobody can guess it."""
        return hash_secret(f"{self.secret} ticket")[:12]

    @property
    def progress(self) -> int:
        """A number that grows with each change of the room, each answer and each move."""
        return self.calls * CALL_STEP + self.version * VERSION_STEP + self.answered + self.moved

    @property
    def revision(self) -> int:
        """A number that grows with each change that every page of the room shows."""
        return self.progress // VERSION_STEP

    def _changed(self, **values: Any) -> Room:
        return self._replace(version=self.version + 1, **values)

    def _called(self, **values: Any) -> Room:
        """Return the room after a change to which the whole class turns."""
        return self._changed(calls=self.calls + 1, **values)

    # The pupils.

    def pupil(self, secret: str) -> Pupil | None:
        """Return the pupil whose secret has that hash; None if there is none."""
        return next((pupil for pupil in self.pupils if pupil.secret == secret), None)

    def is_waiting(self, secret: str) -> bool:
        """Return whether the person whose secret has that hash waits to be admitted."""
        return any(pupil.secret == secret for pupil in self.waiting)

    @property
    def secrets(self) -> list[str]:
        """The hashes of the secrets of the teacher and of all pupils."""
        return [self.secret, *(pupil.secret for pupil in self.pupils)]

    def names(self) -> dict[int | None, str]:
        """Return the name of each pupil by their number."""
        return {pupil.number: pupil.name for pupil in self.pupils}

    def join(self, name: str, secret: str) -> Room:
        """Add a pupil whose secret has that hash; if the room is screened, to those who wait."""
        if self.pupil(secret) is not None or self.is_waiting(secret):
            return self  # an earlier attempt only seemed to fail
        if self.ended:
            raise NotNow("This lesson is over.")
        if self.locked:
            raise NotNow("This room is locked: please ask your teacher to unlock it.")
        if self.screened and len(self.waiting) >= MAX_WAITING:
            raise NotNow(f"{MAX_WAITING} people are waiting already: please tell your teacher.")
        _check_free(name, (*self.pupils, *self.waiting))
        if any(look_alike(one.name, name) for one in self.removed):
            raise SettingsError("please choose another name, or ask your teacher")
        newcomer = Pupil(self._next_number(), name, secret)
        if self.screened:
            return self._changed(waiting=(*self.waiting, newcomer))
        return self._let_in(newcomer)

    def admit(self, name: str | None) -> Room:
        """Let in the person who waits under that name; without a name, all who wait."""
        admitted = self._waiting_as(name)
        others = tuple(pupil for pupil in self.waiting if pupil not in admitted)
        return self._let_in(*admitted)._replace(waiting=others)

    def turn_away(self, name: str | None) -> Room:
        """Refuse the person who waits under that name; without a name, all who wait."""
        refused = self._waiting_as(name)
        return self._changed(waiting=tuple(one for one in self.waiting if one not in refused))

    def remove(self, name: str) -> Room:
        """Remove a pupil with their answers and chains; their opponent wins the game."""
        others = tuple(one for one in self.removed if one.name != name)
        if others != self.removed and all(one.name != name for one in self.pupils):
            return self  # the button was pressed twice
        pupil = _pupil_named(name, self.pupils)
        number = pupil.number
        return self._changed(
            pupils=tuple(one for one in self.pupils if one != pupil),
            removed=(*others[1 - MAX_REMOVED :], pupil),
            pairings=tuple(game.left_by(number) for game in self.pairings),
            questions=tuple(
                one._replace(answers=_without(one.answers, number)) for one in self.questions
            ),
            contests=tuple(
                one._replace(longest=_without(one.longest, number)) for one in self.contests
            ),
        )

    def bring_back(self, name: str) -> Room:
        """Let a removed pupil in again with their points; the games that they left stay lost."""
        pupil = _pupil_named(name, self.removed)
        others = tuple(one for one in self.removed if one != pupil)
        return self._let_in(pupil)._replace(removed=others)

    def change(self, **values: bool) -> Room:
        """Set `locked` (whether nobody can join) or `screened` (whether those who join wait)."""
        return self._changed(**values)

    def _let_in(self, *newcomers: Pupil) -> Room:
        if len(self.pupils) + len(newcomers) > MAX_PUPILS:
            raise NotNow(f"This room is full: a room has at most {MAX_PUPILS} pupils.")
        for pupil in newcomers:
            _check_free(pupil.name, self.pupils)
        return self._changed(pupils=tuple(sorted((*self.pupils, *newcomers))))

    def _waiting_as(self, name: str | None) -> tuple[Pupil, ...]:
        return self.waiting if name is None else (_pupil_named(name, self.waiting),)

    def _next_number(self) -> int:
        """Return a number that no known pupil has, including those who have left."""
        played = {seat for game in self.pairings for seat in game.seats if seat is not None}
        known = (*self.pupils, *self.waiting, *self.removed)
        return 1 + max(played | {pupil.number for pupil in known}, default=0)

    # The rounds.

    def pairing_arguments(self, number: int) -> tuple[list[int], list[Any], list[int]]:
        """Return the arguments of `pair` for the round of that number, which must be the next."""
        if number != self.round + 1:
            raise NotNow(f"The next round is round {self.round + 1}.")
        if number > MAX_CLASS_ROUNDS:
            raise NotNow(f"A room has at most {MAX_CLASS_ROUNDS} rounds.")
        if len(self.pupils) < 2:
            raise NotNow("A round needs at least two pupils.")
        met = [game.seats for game in self.pairings if None not in game.seats]
        alone = [one for game in self.pairings if None in game.seats for one in game.seats if one]
        ranked = [standing.pupil.number for standing in self.standings()]
        return ranked, met, alone

    def begin_round(self, number: int, pairs: Sequence[Pair] | None = None) -> Room:
        """Begin the round of that number with these pairs, or with new ones if none are given.

        Raises Outdated if somebody has joined or left since they were paired.
        """
        arguments = self.pairing_arguments(number)
        pairs = pair(*arguments) if pairs is None else pairs
        if {one for two in pairs for one in two if one is not None} != {*arguments[0]}:
            raise Outdated("Somebody has joined or left.")
        games = (ClassGame(new_name(), number, seats) for seats in pairs)
        return self.return_to_games()._replace(
            round=number, moved=0, pairings=(*self.pairings, *games)
        )

    def terms_of(self, game: ClassGame) -> Terms:
        """Return the terms of a new game, with its own seed. Player 1 begins every other round."""
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

    def current_games(self) -> list[ClassGame]:
        """Return the games of this round."""
        return [game for game in self.pairings if game.round == self.round]

    @property
    def unfinished(self) -> int:
        """Number of games of this round that are not over."""
        return sum(not game.over for game in self.current_games())

    def game_of(self, pupil: Pupil) -> ClassGame | None:
        """Return the pupil's game of this round; None if there is none."""
        return next((game for game in self.current_games() if pupil.number in game.seats), None)

    def player_names(self, game: ClassGame) -> list[str]:
        names = {**self.names(), None: character(STAND_IN)}
        return [names.get(seat, "a pupil who left") for seat in game.seats]

    def opponent(self, game: ClassGame, pupil: Pupil) -> str:
        """Return the name of the other player of a pupil's game."""
        return self.player_names(game)[1 - game.seats.index(pupil.number)]

    def is_called_away(self, secret: str, duel: str) -> bool:
        """Return whether a pupil should leave the page of that game for what the class does."""
        pupil = self.pupil(secret)
        game = pupil and self.game_of(pupil)
        is_earlier = game is not None and game.duel != duel and not game.over
        return is_earlier or not self.is_playing

    def standings(self) -> list[PupilStanding]:
        """Return the standing of each pupil, the leader first."""
        standings = [self.standing_of(pupil) for pupil in self.pupils]
        return sorted(standings, key=lambda one: (-one.points, one.pupil.number))

    def standing_of(self, pupil: Pupil) -> PupilStanding:
        """Return the results of a pupil in games, questions and contests."""
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

    # Questions and contests: the class has one at a time, and then the games go on.

    @property
    def question(self) -> Question | None:
        """The question that the class has now."""
        latest = self.questions[-1:]
        return latest[0] if latest and latest[0].stage != "over" else None

    @property
    def contest(self) -> ChainContest | None:
        """The chain contest that the class has now."""
        latest = self.contests[-1:]
        return latest[0] if latest and not latest[0].over else None

    @property
    def is_playing(self) -> bool:
        """Whether the class has neither a question nor a contest, and the lesson goes on."""
        return not (self.question or self.contest or self.ended)

    def return_to_games(self) -> Room:
        """End the question or the contest, so that the games go on."""
        if self.ended:
            raise NotNow("This lesson is over.")
        return self._called(
            questions=tuple(one._replace(stage="over") for one in self.questions),
            contests=tuple(one._replace(over=True) for one in self.contests),
        )

    def end(self) -> Room:
        """End the lesson; each pupil then sees a summary."""
        return self.return_to_games()._replace(ended=True)

    def pose(self, game: Game[Any], position: str, values: Mapping[int, Value]) -> Room:
        """Ask the class about a valid position; `values` is empty if they are unknown."""
        if len(self.questions) == MAX_QUESTIONS:
            raise NotNow(f"A room has at most {MAX_QUESTIONS} questions.")
        room = self.return_to_games()
        question = Question(room.version, game, position, values)
        return room._replace(questions=(*room.questions, question))

    def show_answers(self) -> Room:
        """Show the answers; nobody can answer any more."""
        return self._with_question(self._open_question()._replace(stage="shown"))

    def reveal(self) -> Room:
        """Show the answers and the value of each move."""
        question = self._open_question()
        if not question.values:
            raise NotNow("Nobody knows which moves are good here: the position is too large.")
        return self._with_question(question._replace(stage="revealed"))

    def answer(self, secret: str, number: int, move: int) -> Room:
        """Take a pupil's answer, which is a legal move, to the question of that number."""
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

    def _with_question(self, question: Question) -> Room:
        return self._called(questions=(*self.questions[:-1], question))

    def _open_question(self) -> Question:
        if self.question is None:
            raise NotNow("There is no question just now.")
        return self.question

    def begin_contest(self, size: int) -> Room:
        """Begin a contest for the longest chain of the numbers from 1 to `size`."""
        if len(self.contests) == MAX_CONTESTS:
            raise NotNow(f"A room has at most {MAX_CONTESTS} chain contests.")
        room = self.return_to_games()
        return room._replace(contests=(*room.contests, ChainContest(size)))

    def add_chain(self, secret: str, chain: Chain) -> Room:
        """Take a pupil's chain if it is longer than their earlier ones."""
        pupil, contest = self.pupil(secret), self.contest
        if pupil is None:
            raise NotYours("Only the pupils of this room can make a chain in it.")
        if contest is None or contest.size != chain.size:
            raise NotNow("The class no longer makes chains on that board.")
        if len(chain.numbers) <= contest.length(pupil.number):
            return self
        is_best = len(chain.numbers) > len(contest.best.numbers)  # every page shows the best
        longest = {**_without(contest.longest, pupil.number), pupil.number: chain}
        contests = (*self.contests[:-1], contest._replace(longest=longest))
        room = self._replace(contests=contests, answered=self.answered + 1)
        return room._changed() if is_best else room


def _pupil_named(name: str, among: tuple[Pupil, ...]) -> Pupil:
    for pupil in among:
        if pupil.name == name:
            return pupil
    raise NotNow(f"There is no {quoted(name)} in this room.")


def _check_free(name: str, others: tuple[Pupil, ...]) -> None:
    """Raise SettingsError if one of the others has that name, or one that looks the same."""
    for pupil in others:
        if look_alike(pupil.name, name):
            raise SettingsError(f"{pupil.name} is in this room already: please add a letter")


def _without(values: Mapping[int, Any], number: int) -> dict[int, Any]:
    return {key: value for key, value in values.items() if key != number}
