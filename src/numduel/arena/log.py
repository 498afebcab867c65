"""The log of an arena: a line for each game, for each answer of a model, and the scores so far."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from numduel.arena.plan import Plan, plan_of
from numduel.arena.spec import Spec, loads
from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.core.verdict import SCORES
from numduel.players.answer import Answer

ABSENT = -1

HOW_TO_ADD = "choose another folder, or add players, games or rounds to those of its arena.toml"

_ENCODED = json.JSONEncoder(separators=(",", ":")).encode

_TEXT, _VALUE, _COUNT = r'"(?:[^"\\]|\\.)*"', f'"(?:{"|".join(SCORES)})"', r"(?:null|\d+)"
_WORTH = rf"(?:null|\[\d+,{_VALUE},{_COUNT},{_VALUE},{_COUNT},(?:true|false)(?:,\d+)?\])"
_GAME = re.compile(
    rf'\{{"game":(?P<game>\d{{1,18}}),"winner":(?P<winner>null|1|2),"reason":{_TEXT},'
    rf'"moves":\[(?:-?\d+,?)*\],"seats":"[12]*"(?:,"fault":\[[12],{_TEXT},{_TEXT}\])?'
    rf'(?:,"start":(?:null|{_VALUE}),"worth":\[(?:{_WORTH},?)*\])?\}}\n'.encode()
)
_ANSWER = re.compile(rb'\{"answer":(?P<game>\d{1,18}),.*\}\n')
_NOT_AN_ANSWER = (ValueError, TypeError, KeyError, RecursionError)


class GameLine(NamedTuple):
    """A game of the log, as the JSON of its line has it."""

    game: int  # its number in the plan
    winner: int | None
    reason: str
    moves: Sequence[int]  # the opening left out
    seats: str  # who made each of them: "1212"
    fault: tuple[int, str, str] | None = None  # the seat at fault, the kind, and why
    start: str | None = None  # the value of the position in which a player was first asked
    worth: list[Any] | None = None  # the `Worth` of each move, or None if it was not judged

    def dumps(self) -> str:
        """Return the line, without its end. What there is none of is left out."""
        fields = self._asdict()
        if self.worth is None:
            del fields["start"], fields["worth"]
        if self.fault is None:
            del fields["fault"]
        return _ENCODED(fields)

    @classmethod
    def loads(cls, line: bytes) -> GameLine:
        """Return the game of a line. Raises NumduelError if it is none."""
        if _GAME.fullmatch(line):
            found = cls(**json.loads(line))
            if len(found.moves) == len(found.seats) == len(found.worth or found.moves):
                return found
        raise _damage(line)


class AnswerLine(NamedTuple):
    """An answer of a model, or that there was none. Its line is written when it arrives."""

    game: int
    player: str
    ply: int  # number of moves before it, with the opening
    moves: tuple[int, ...]  # those moves, the opening left out
    answer: Answer

    def dumps(self) -> str:
        """Return the line, without its end."""
        place = {"answer": self.game, "player": self.player, "ply": self.ply, "moves": self.moves}
        return _ENCODED({**place, **self.answer._asdict()})

    @classmethod
    def loads(cls, line: bytes) -> AnswerLine:
        """Return the answer of a line. Raises NumduelError if it is none."""
        try:
            fields = json.loads(line)
            number, who, ply, moves = map(fields.pop, ("answer", "player", "ply", "moves"))
            found = cls(number, who, ply, tuple(moves), Answer(**fields))
        except _NOT_AN_ANSWER:
            raise _damage(line) from None
        for name, hint in get_type_hints(Answer).items():
            if hint is not Any and not isinstance(getattr(found.answer, name), hint):
                raise _damage(line)
        return found


def _damage(line: bytes) -> NumduelError:
    shown = quoted(line[:60].decode(errors="replace"))
    return NumduelError(f"the log is damaged: {shown} is not a line of an arena's log")


class Head(NamedTuple):
    """How a game ended, as far as the scores need it."""

    game: int
    winner: int | None


def begin(path: Path, plan: Plan) -> None:
    """Make the log of a plan, or give the games in it their numbers in a plan that extends it.

    Its first line is the spec. Raises SettingsError if it is the log of another arena.
    """
    head = _ENCODED({"spec": plan.spec.dumps()}).encode() + b"\n"
    draft = path.with_suffix(".new")
    with path.open("a+b") as begun:
        begun.seek(0)
        first = begun.readline()
        if first == head:
            return
        with draft.open("wb") as file:
            file.write(head)
            if first:
                before = read_plan(first)
                if not plan.extends(before):
                    raise SettingsError(f"{path.parent} holds another arena: {HOW_TO_ADD}")
                file.writelines(_renumbered(line, before, plan) for line in begun)
    draft.replace(path)


def read_plan(line: bytes) -> Plan:
    """Return the plan of the arena whose log begins with this line; NumduelError if it is none."""
    try:
        return plan_of(Spec(**loads(json.loads(line)["spec"])))
    except _NOT_AN_ANSWER:
        raise _damage(line) from None


def _renumbered(line: bytes, begun: Plan, plan: Plan) -> bytes:
    found = _GAME.fullmatch(line) or _ANSWER.fullmatch(line)
    if found is None:
        return line  # which is damaged, or was cut off
    start, end = found.span("game")
    return b"%b%d%b" % (line[:start], plan.number_of(int(found["game"]), begun), line[end:])


class Log:
    """An append-only file of lines. Only the place of each line is held in memory.

    A last line without its end was cut off when the arena was killed, and is dropped.
    """

    def __init__(self, path: Path, plan: Plan, writing: bool = True) -> None:
        self._places = array("q", [ABSENT]) * len(plan)
        self._answers: dict[int, list[int]] = {}  # the places of the answers, by game
        self.done = 0  # how many games it has
        if writing:
            begin(path, plan)
        self._file = path.open("a+b" if writing else "rb")
        self._file.seek(0)
        self._end = len(self._file.readline())  # of what was read, or written by us

    def refresh(self) -> Iterator[Head]:
        """Yield how each game ended whose line was added to the file since it was last read.

        Raises NumduelError if a line is not one of an arena's log.
        """
        self._file.seek(self._end)
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            yield from self._note(line)

    def add(self, lines: Iterable[str]) -> list[Head]:
        """Append the lines of games or answers, and return how these games ended."""
        texts = [f"{line}\n".encode() for line in lines]
        self._file.truncate(self._end)
        self._file.writelines(texts)
        self._file.flush()
        return [head for text in texts for head in self._note(text)]

    def absent(self) -> Iterator[int]:
        """Return the numbers of the games that are still to be played, ascending."""
        return (number for number, place in enumerate(self._places) if place == ABSENT)

    def games(self) -> Iterator[GameLine]:
        """Return each game, by its number ascending."""
        return (GameLine.loads(self._line(place)) for place in self._places if place != ABSENT)

    def answers(self, number: int | None = None) -> Iterator[AnswerLine]:
        """Return each answer in a game, or in all games, as they arrived."""
        numbers = sorted(self._answers) if number is None else [number]
        places = (place for one in numbers for place in self._answers.get(one, ()))
        return (AnswerLine.loads(self._line(place)) for place in places)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _line(self, place: int) -> bytes:
        self._file.seek(place)
        return self._file.readline()

    def _note(self, line: bytes) -> Iterator[Head]:
        """Remember the place of a line; yield how the game ended, if it is the line of one."""
        found = _GAME.fullmatch(line) or _ANSWER.fullmatch(line)
        if found is None or int(found["game"]) >= len(self._places):
            raise _damage(line)
        number, place = int(found["game"]), self._end
        self._end += len(line)
        if found.re is _ANSWER:
            self._answers.setdefault(number, []).append(place)
        elif self._places[number] == ABSENT:
            self.done += 1
            self._places[number] = place
            yield Head(number, None if found["winner"] == b"null" else int(found["winner"]))


class Standing:
    """The score of each player in the games so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._ended: Counter[tuple[tuple[str, str], int | None]] = Counter()  # by seats and winner

    def add(self, ended: Iterable[Head]) -> None:
        """Count these games."""
        for head in ended:
            self._ended[self._plan.seats(head.game), head.winner] += 1

    def shares(self) -> list[tuple[str, float]]:
        """Return each player's share of the points of its games, the best first."""
        games: Counter[str] = Counter()
        scores: dict[str, float] = {}
        for (seats, winner), count in self._ended.items():
            for seat, player in enumerate(seats, 1):
                points = 0.5 if winner is None else winner == seat
                games[player] += count
                scores[player] = scores.get(player, 0) + count * points
        found = [(name, scores[name] / count) for name, count in games.items()]
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def __str__(self) -> str:
        return ", ".join(f"{name[:20]} {share:.0%}" for name, share in self.shares()[:4])
