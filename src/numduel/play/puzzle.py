"""Puzzles: positions with one sound move, or runs of them, that take thought.

The same number always gives the same puzzle.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.explore import playout
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.verdict import SCORES, Value, Verdict
from numduel.core.words import Last
from numduel.games import OURS, game_type
from numduel.play.coach import reason_for
from numduel.play.difficulty import graded, takes_thought
from numduel.solver import theory_of

GRADES = range(1, 6)
"""How hard a puzzle is."""

MAX_PUZZLE_NUMBER = 10**9
"""Largest number of a puzzle; the smallest is 1."""

FIRST_DAY = date(2026, 1, 1)
"""The first day that has a daily puzzle."""

MAX_PUZZLE_TURNS = 3
"""Maximum number of right moves in a row that a puzzle asks for."""

MAX_LOOKS_FOR_GRADE = 100
"""Maximum number of positions to look at for a puzzle of the wanted grade."""

MAX_LOOKS_FOR_ANY = 6_000
"""Maximum number of positions to look at for a puzzle of any grade."""

MAX_PUZZLE_SOLVE_SECONDS = 1.0
"""Positions that take longer to solve, on a slow machine, are not used."""

MAX_ENDING_MOVES = 100
"""Maximum number of moves of a game that is played out."""


class PuzzleAnswer(NamedTuple):
    """A move that somebody tried, judged."""

    right: bool  # whether it keeps what there is
    value: Value  # what it leads to, for whoever makes it
    line: str  # what it comes to, and why: the coach's words; a right move is named
    reason: str  # the same without naming it


class Attempt(NamedTuple):
    """What somebody has found of a puzzle."""

    past: tuple[Last, ...]  # the right moves so far, and the replies to them
    position: Any  # after these
    answer: PuzzleAnswer | None  # what the last move comes to; None if nothing was tried
    missing: int  # how many right moves are still to be found
    ending: tuple[Last, ...]  # how best play goes on: after the last right move, or a wrong one

    @property
    def solved(self) -> bool:
        """Whether every right move was found."""
        return not self.missing

    @property
    def missed(self) -> bool:
        """Whether the last move was wrong."""
        return self.answer is not None and not self.answer.right


class Puzzle(NamedTuple):
    """A position, and the right moves from it with the best replies between them."""

    game: Game[Any]
    position: Any
    line: tuple[Last, ...]
    verdict: Verdict  # of the first right move, for whoever makes it
    grade: int

    @property
    def answers(self) -> list[Last]:
        """The right moves, each with the position in which it is to be found."""
        return [last for last in self.line if last.before.mover == self.position.mover]

    @property
    def answer(self) -> int:
        """The first right move."""
        return self.line[0].move

    @property
    def turns(self) -> int:
        """How many right moves in a row it takes."""
        return len(self.answers)

    @property
    def task(self) -> str:
        """What is to be found."""
        one, more = {
            "win": ("One move wins. Find it.", "Find {} winning moves in a row."),
            "draw": (
                "One move keeps the draw. Find it.",
                "Find {} moves in a row that keep the draw.",
            ),
        }.get(
            self.verdict.value,
            (
                "One move does not lose. Find it.",
                "Find {} moves in a row that do not lose.",
            ),
        )
        return one if self.turns == 1 else more.format(self.turns)

    def first_question(self) -> Puzzle:
        """Return the puzzle of the first right move alone, graded as such."""
        answers = self.answers[:1]
        return self._replace(line=tuple(answers), grade=graded(self.game, answers))

    def of_player_1(self) -> Puzzle:
        """Return the puzzle with the seats exchanged, if it is Player 2 who is to move."""
        mirrored = self.game.mirrored
        if self.position.mover == 1:
            return self
        line = tuple(Last(mirrored(before), move) for before, move in self.line)
        return self._replace(position=mirrored(self.position), line=line)

    def attempted(self, moves: Sequence[int]) -> Attempt:
        """Judge the moves that somebody tried, one after the other.

        What comes after a wrong move, or after the last right one, is left out. Raises IllegalMove.
        """
        game, answers, judged = self.game, self.answers, None
        for found, (move, (before, right)) in enumerate(zip(moves, answers, strict=False), 1):
            game.play(before, move)  # refused if it is not legal
            judged = answered(game, before, move)
            if move != right:
                past, made = self._past(found - 1), Last(before, move)
                shown = (made, *ending(game, made))
                return Attempt(past, before, judged, self.turns - found + 1, shown)
        found = min(len(moves), self.turns)
        past = self._past(found)
        position = game.after(*past[-1]) if past else self.position
        shown = ending(game, past[-1]) if found == self.turns else ()
        return Attempt(past, position, judged, self.turns - found, shown)

    def idea(self, attempt: Attempt) -> str:
        """Return what to look for next, in a sentence that does not name the move."""
        before, move = self.answers[self.turns - attempt.missing]
        return self.game.words.idea(before, move, theory_of(self.game).explanation(before, move))

    def _past(self, found: int) -> tuple[Last, ...]:
        """Return the line up to the turn after so many right moves."""
        if found == self.turns:
            return self.line
        return self.line[: self.line.index(self.answers[found])]


def answered(game: Game[Any], position: Any, move: int) -> PuzzleAnswer:
    """Judge a legal move, with the reason; a better move is not named."""
    values = theory_of(game).values(position)
    right = SCORES[values[move]] == max(SCORES[value] for value in values.values())
    label, reason = game.words.move_label(position, move), reason_for(game, position, move)
    return PuzzleAnswer(right, values[move], f"Play {label}. {reason}" if right else reason, reason)


class Reason(NamedTuple):
    """Why a move is right or wrong, and how the game would go on."""

    answer: PuzzleAnswer
    pairs: tuple[tuple[int, int], ...]  # of which the player always has the other half
    past: tuple[Last, ...]  # the move, and what follows


def reason(game: Game[Any], position: Any, move: int) -> Reason:
    """Return why a legal move is right or wrong."""
    made = Last(position, move)
    pairs = theory_of(game).explanation(position, move).pairs
    return Reason(answered(game, position, move), pairs, (made, *ending(game, made)))


def ending(game: Game[Any], last: Last) -> tuple[Last, ...]:
    """Return how best play ends the game after a move; nothing if it is too long or endless.

    It begins with the answers that the reason for the move names.
    """
    theory, position = theory_of(game), game.after(*last)
    found = theory.explanation(*last)
    answers = {two: one for one, two in found.pairs} | dict(found.pairs)
    played: list[Last] = []
    while game.outcome(position) is None:
        verdicts = theory.verdicts(position)
        move = max(verdicts, key=lambda one: verdicts[one].rank)
        if not played and found.kind == "answer":
            [move] = found.moves
        elif len(played) == 1:
            move = answers.get(played[0].move, move)
        if verdicts[move].value == "endless" or len(played) == MAX_ENDING_MOVES:
            return ()
        played.append(Last(position, move))
        position = game.after(position, move)
    return tuple(played)


def puzzle(key: str, number: int, grade: int | None = None, short: bool = False) -> Puzzle:
    """Return the puzzle of that number, of the nearest grade that is found; SettingsError.

    The same arguments give the same puzzle. Without a grade, the number decides on it; `short` asks
    for as few right moves in a row as are found. Player 1 is to move, as in a game against the
    computer, if the game can exchange the seats.
    """
    kind = game_type(key)
    if not 1 <= number <= MAX_PUZZLE_NUMBER:
        raise SettingsError(
            f"a puzzle's number is from 1 to {MAX_PUZZLE_NUMBER:,}, not {quoted(number)}"
        )
    if grade is not None and grade not in GRADES:
        raise SettingsError(f"a puzzle's level is from 1 to {GRADES[-1]}, not {quoted(grade)}")
    rng = Random(f"{key} {number} {grade}")
    wanted = rng.choice(GRADES) if grade is None else grade

    def far(one: Puzzle) -> tuple[int, int]:
        return one.turns if short else 1, abs(one.grade - wanted)

    found: list[Puzzle] = []
    for one in _found(kind, rng):
        found.append(one)
        if far(one) == (1, 0):
            break
    if not found:
        raise SettingsError(f"no puzzle is found in {kind.title}: none that takes thought")
    return min(found, key=far).of_player_1()


def today() -> date:
    """Return the day in UTC, the same all over the world, or the one that NUMDUEL_TODAY names."""
    return parse_day(os.environ.get("NUMDUEL_TODAY") or str(datetime.now(UTC).date()))


def daily(day: date) -> Puzzle:
    """Return the puzzle of a day; grades rise in the course of a week."""
    return puzzle(daily_key(day), day.toordinal(), 2 + day.weekday() // 3)


def daily_key(day: date) -> str:
    """Return the game of a day: ours in turn, so that it is the same on every installation."""
    keys = list(OURS)
    return keys[day.toordinal() % len(keys)]


def next_day(day: date, solved: Collection[date]) -> date | None:
    """Return the latest other day whose puzzle is not solved; None if there is none."""
    days = (today() - timedelta(back) for back in range((today() - FIRST_DAY).days + 1))
    return next((other for other in days if other != day and other not in solved), None)


def parse_day(text: str) -> date:
    """Return the day that a text such as `2026-11-15` gives; SettingsError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise SettingsError(f"a day is written like 2026-11-15, not {quoted(text)}") from None


# Which positions are puzzles.


def _found(kind: type[Game[Any]], rng: Random) -> Iterator[Puzzle]:
    """Yield the puzzles that are met in random games."""
    looks, most = 0, MAX_LOOKS_FOR_ANY
    games: dict[Game[Any], Game[Any]] = {}  # equal games share what is solved
    while looks < most:
        game = kind(**kind.puzzle_settings(rng))
        game = games.setdefault(game, game)
        played = playout(game, rng, game.puzzle_start(rng), kind.puzzle_moves)
        for position, _ in played:
            looks += 1
            for one in posed(game, position):
                most = MAX_LOOKS_FOR_GRADE
                yield one


def posed(game: Game[Any], position: Any) -> Iterator[Puzzle]:
    """Yield the puzzles that begin with a position: of one right move, of two, of three."""
    line: list[Last] = []
    first: Verdict | None = None
    mover, now, turns = position.mover, position, 0
    while turns < MAX_PUZZLE_TURNS and (verdicts := _verdicts(game, now, now.mover == mover)):
        move = max(verdicts, key=lambda one: verdicts[one].rank)
        if now.mover != mover:
            move = _reply(game, now, verdicts)
        line.append(Last(now, move))
        now = game.after(now, move)
        if line[-1].before.mover == mover:
            turns += 1
            first = first or verdicts[move]
            answers = [last for last in line if last.before.mover == mover]
            if takes_thought(game, answers):
                yield Puzzle(game, position, tuple(line), first, graded(game, answers))


def _verdicts(game: Game[Any], position: Any, is_asked: bool) -> dict[int, Verdict]:
    """Return the verdict of each move; nothing where the run ends.

    It ends with the game, where a verdict takes too long, and where the player who is asked has no
    choice, or more or less than one sound move.
    """
    theory = theory_of(game)
    cost = theory.cost(position)
    moves = game.moves(position)
    if len(moves) < (2 if is_asked else 1) or cost.once + cost.evaluate > MAX_PUZZLE_SOLVE_SECONDS:
        return {}
    try:
        return theory.evaluate(position) if not is_asked or _has_one(game, position) else {}
    except TooLarge:
        return {}


def _has_one(game: Game[Any], position: Any) -> bool:
    """Return whether exactly one move is sound, and it does not lose."""
    scores = [SCORES[value] for value in theory_of(game).values(position).values()]
    best = max(scores)
    return best > 0 and scores.count(best) == 1


def _reply(game: Game[Any], position: Any, verdicts: dict[int, Verdict]) -> int:
    """Return one of the best replies; if possible, one after which there is a choice."""
    top = max(verdict.rank for verdict in verdicts.values())
    best = [move for move, verdict in verdicts.items() if verdict.rank == top]
    return max(best, key=lambda move: len(game.moves(game.after(position, move))))
