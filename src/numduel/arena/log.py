"""The log of an arena: one line for each game and each answer of a model; and the scores so far."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from numduel.arena.plan import Plan, make_plan
from numduel.arena.spec import Spec, parse_fields
from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.core.verdict import SCORES
from numduel.players.answer import Answer

MISSING = -1
"""The offset of the line of a game that is not in the log."""

HOW_TO_ADD = "choose another folder, or add players, games or rounds to those of its arena.toml"

_encode = json.JSONEncoder(separators=(",", ":")).encode

_TEXT, _VALUE, _COUNT = r'"(?:[^"\\]|\\.)*"', f'"(?:{"|".join(SCORES)})"', r"(?:null|\d+)"
_WORTH = rf"(?:null|\[\d+,{_VALUE},{_COUNT},{_VALUE},{_COUNT},(?:true|false)(?:,\d+)?\])"
_GAME = re.compile(
    rf'\{{"game":(?P<game>\d{{1,18}}),"winner":(?P<winner>null|1|2),"reason":{_TEXT},'
    rf'"moves":\[(?:-?\d+,?)*\],"seats":"[12]*"(?:,"fault":\[[12],{_TEXT},{_TEXT}\])?'
    rf'(?:,"start":(?:null|{_VALUE}),"worth":\[(?:{_WORTH},?)*\])?\}}\n'.encode()
)
_ANSWER = re.compile(rb'\{"answer":(?P<game>\d{1,18}),.*\}\n')
_PARSE_ERRORS = (ValueError, TypeError, KeyError, RecursionError)


class GameLine(NamedTuple):
    """A game in the log. The fields are those of the JSON in its line."""

    game: int  # its number in the plan
    winner: int | None
    reason: str
    moves: Sequence[int]  # without the opening
    seats: str  # the seat that made each of them: "1212"
    fault: tuple[int, str, str] | None = None  # the seat at fault, the kind, and why
    start: str | None = None  # the value of the position in which a player was first asked
    worth: list[Any] | None = None  # the `Worth` of each move, or None if it was not judged

    def dumps(self) -> str:
        """Return the line without its newline. Omits the fields that do not apply."""
        fields = self._asdict()
        if self.worth is None:
            del fields["start"], fields["worth"]
        if self.fault is None:
            del fields["fault"]
        return _encode(fields)

    @classmethod
    def loads(cls, line: bytes) -> GameLine:
        """Return the game in a line. Raises NumduelError if the line is damaged."""
        if _GAME.fullmatch(line):
            game = cls(**json.loads(line))
            if len(game.moves) == len(game.seats) == len(game.worth or game.moves):
                return game
        raise _damage_error(line)


class AnswerLine(NamedTuple):
    """An answer of a model, or the fact that none came. Its line is written at once."""

    game: int
    player: str
    ply: int  # number of moves before it, with the opening
    moves: tuple[int, ...]  # those moves, without the opening
    answer: Answer

    def dumps(self) -> str:
        """Return the line without its newline."""
        place = {"answer": self.game, "player": self.player, "ply": self.ply, "moves": self.moves}
        return _encode({**place, **self.answer._asdict()})

    @classmethod
    def loads(cls, line: bytes) -> AnswerLine:
        """Return the answer in a line. Raises NumduelError if the line is damaged."""
        try:
            fields = json.loads(line)
            number, who, ply, moves = map(fields.pop, ("answer", "player", "ply", "moves"))
            parsed = cls(number, who, ply, tuple(moves), Answer(**fields))
        except _PARSE_ERRORS:
            raise _damage_error(line) from None
        for name, hint in get_type_hints(Answer).items():
            if hint is not Any and not isinstance(getattr(parsed.answer, name), hint):
                raise _damage_error(line)
        return parsed


def _damage_error(line: bytes) -> NumduelError:
    start = quoted(line[:60].decode(errors="replace"))
    return NumduelError(f"the log is damaged: {start} is not a line of an arena's log")


class GameResult(NamedTuple):
    """The winner of a game, from which the scores are counted."""

    game: int
    winner: int | None


def _write_head(path: Path, plan: Plan) -> None:
    """Let the log begin with the spec of the plan. Create the log if there is none.

    If it is the log of an arena that the plan extends, its games get their numbers in the plan.
    Raises SettingsError if it is the log of any other arena.
    """
    head = _encode({"spec": plan.spec.dumps()}).encode() + b"\n"
    draft = path.with_suffix(".new")
    with path.open("a+b") as log:
        log.seek(0)
        first_line = log.readline()
        if first_line == head:
            return
        with draft.open("wb") as file:
            file.write(head)
            if first_line:
                old_plan = read_plan(first_line)
                if not plan.extends(old_plan):
                    raise SettingsError(f"{path.parent} holds another arena: {HOW_TO_ADD}")
                file.writelines(_renumber(line, old_plan, plan) for line in log)
    draft.replace(path)


def read_plan(line: bytes) -> Plan:
    """Return the plan from the first line of a log. Raises NumduelError if the line is damaged."""
    try:
        return make_plan(Spec(**parse_fields(json.loads(line)["spec"])))
    except _PARSE_ERRORS:
        raise _damage_error(line) from None


def _renumber(line: bytes, old_plan: Plan, plan: Plan) -> bytes:
    match = _GAME.fullmatch(line) or _ANSWER.fullmatch(line)
    if match is None:
        return line  # damaged or cut off
    start, end = match.span("game")
    return b"%b%d%b" % (line[:start], plan.number_of(int(match["game"]), old_plan), line[end:])


class Log:
    """An append-only file of lines. Only the offset of each line is held in memory.

    A last line without a newline was cut off when the arena was killed. It is dropped.
    """

    def __init__(self, path: Path, plan: Plan, writing: bool = True) -> None:
        self._offsets = array("q", [MISSING]) * len(plan)
        self._answer_offsets: dict[int, list[int]] = {}  # by game
        self.done = 0  # number of games in the log
        if writing:
            _write_head(path, plan)
        self._file = path.open("a+b" if writing else "rb")
        self._file.seek(0)
        self._end = len(self._file.readline())  # offset behind the last line read or written

    def refresh(self) -> Iterator[GameResult]:
        """Read the lines that were added to the file, and yield the result of each game in them.

        Raises NumduelError if a line is damaged.
        """
        self._file.seek(self._end)
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            yield from self._index(line)

    def add(self, lines: Iterable[str]) -> list[GameResult]:
        """Append the lines of games or answers, and return the results of these games."""
        encoded = [f"{line}\n".encode() for line in lines]
        self._file.truncate(self._end)
        self._file.writelines(encoded)
        self._file.flush()
        return [result for line in encoded for result in self._index(line)]

    def missing(self) -> Iterator[int]:
        """Return the numbers of the games that are still to be played, in ascending order."""
        return (number for number, offset in enumerate(self._offsets) if offset == MISSING)

    def games(self) -> Iterator[GameLine]:
        """Return all games in ascending order of their numbers."""
        offsets = (offset for offset in self._offsets if offset != MISSING)
        return (GameLine.loads(self._read_line(offset)) for offset in offsets)

    def answers(self, number: int | None = None) -> Iterator[AnswerLine]:
        """Return the answers in a game, or game by game, each in the order of arrival."""
        numbers = sorted(self._answer_offsets) if number is None else [number]
        offsets = (offset for game in numbers for offset in self._answer_offsets.get(game, ()))
        return (AnswerLine.loads(self._read_line(offset)) for offset in offsets)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read_line(self, offset: int) -> bytes:
        self._file.seek(offset)
        return self._file.readline()

    def _index(self, line: bytes) -> Iterator[GameResult]:
        """Remember the offset of a line. If it is the line of a game, yield the result."""
        match = _GAME.fullmatch(line) or _ANSWER.fullmatch(line)
        if match is None or int(match["game"]) >= len(self._offsets):
            raise _damage_error(line)
        number, offset = int(match["game"]), self._end
        self._end += len(line)
        if match.re is _ANSWER:
            self._answer_offsets.setdefault(number, []).append(offset)
        elif self._offsets[number] == MISSING:
            self.done += 1
            self._offsets[number] = offset
            yield GameResult(number, None if match["winner"] == b"null" else int(match["winner"]))


class Standings:
    """The score of each player in the games so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._results: Counter[tuple[tuple[str, str], int | None]] = Counter()  # by seats, winner

    def add(self, results: Iterable[GameResult]) -> None:
        """Count these games."""
        for result in results:
            self._results[self._plan.seats(result.game), result.winner] += 1

    def shares(self) -> list[tuple[str, float]]:
        """Return each player's share of the points of its games, the best first."""
        games: Counter[str] = Counter()
        scores: dict[str, float] = {}
        for (seats, winner), count in self._results.items():
            for seat, player in enumerate(seats, 1):
                points = 0.5 if winner is None else winner == seat
                games[player] += count
                scores[player] = scores.get(player, 0) + count * points
        shares = [(name, scores[name] / count) for name, count in games.items()]
        return sorted(shares, key=lambda entry: (-entry[1], entry[0]))

    def __str__(self) -> str:
        return ", ".join(f"{name[:20]} {share:.0%}" for name, share in self.shares()[:4])
