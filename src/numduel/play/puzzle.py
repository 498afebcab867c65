"""Puzzles: positions with exactly one sound move, the same for everybody who asks for the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from math import inf
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.verdict import SCORES, Value, Verdict
from numduel.games import OURS, game_type
from numduel.solver import theory_of

GRADES = range(1, 6)
"""How hard a puzzle is."""

LARGEST_NUMBER = 10**9
"""Puzzles are numbered from 1 to this."""

FIRST_DAY = date(2026, 1, 1)
"""The archive of the days begins here."""

SIGHTS = (1, 3, 5, 9)
"""Whoever sees so many moves ahead solves the puzzles of the first grades, one after the other."""

MANY_TEMPTING = 4
"""With so many tempting moves beside it, a move is harder to find by a grade."""

AT_ONCE = 2
"""What loses within so many moves tempts nobody."""

MOST_LOOKS = 600
"""Positions looked at in search of a puzzle of the wanted grade."""

LONGEST_PLAYOUT = 60
"""Moves of one of the games in which puzzles are looked for."""

SECONDS = 1.0
"""Positions that take longer to solve, on a slow machine, are passed over."""


class Puzzle(NamedTuple):
    """A position, and the one move that keeps what there is."""

    game: Game[Any]
    position: Any
    answer: int
    verdict: Verdict  # of the answer, for whoever makes it
    grade: int

    @property
    def task(self) -> str:
        """What is to be found."""
        value, distance = self.verdict
        if value != "win":
            kept = "keeps the draw" if value == "draw" else "does not lose"
            return f"One move {kept}: find it."
        if distance is None:
            return "One move wins: find it."
        return f"You win {'at once' if distance == 1 else f'in {distance}'}: find the move."

    def answered(self, move: int) -> Answer:
        """What a move comes to."""
        return answered(self.game, self.position, move)


class Answer(NamedTuple):
    """A move that somebody tried, judged."""

    right: bool  # whether it keeps what there is
    value: Value  # what it leads to, for whoever makes it
    line: str  # what it comes to, and why: the coach's words


def answered(game: Game[Any], position: Any, move: int) -> Answer:
    """Whether a legal move keeps what there is, and why; no better one is given away."""
    theory = theory_of(game)
    values = theory.values(position)
    best = max(SCORES[value] for value in values.values())
    sound = [one for one, value in values.items() if SCORES[value] == best]
    label, reason = game.words.move_label(position, move), theory.reason(position, move)
    only = "Only " if sound == [move] else ""
    value = values[move]
    return Answer(move in sound, value, f"{only}{label} {_does(value, best)}: {reason}.")


def _does(value: Value, best: float) -> str:
    """What a move does that leads to a value, where there is a best score."""
    if SCORES[value] < best:
        return "loses" if value == "loss" else "does not win"
    return {"win": "wins", "draw": "keeps the draw", "endless": "holds"}.get(value, "loses too")


def puzzle(key: str, number: int, grade: int | None = None) -> Puzzle:
    """The puzzle of that number, as near to the grade as there is one; SettingsError if none.

    Whoever asks for the same gets the same. Without a grade, its number decides on that too.
    """
    kind = game_type(key)
    if not 1 <= number <= LARGEST_NUMBER:
        raise SettingsError(
            f"a puzzle's number is from 1 to {LARGEST_NUMBER:,}, not {quoted(number)}"
        )
    if grade is not None and grade not in GRADES:
        raise SettingsError(f"a puzzle's level is from 1 to {GRADES[-1]}, not {quoted(grade)}")
    rng = Random(f"{key} {number} {grade}")
    wanted = rng.choice(GRADES) if grade is None else grade
    nearest: Puzzle | None = None
    for found in _found(kind, rng):
        if nearest is None or abs(found.grade - wanted) < abs(nearest.grade - wanted):
            nearest = found
        if found.grade == wanted:
            break
    if nearest is None:
        raise SettingsError(
            f"no puzzle is found in {kind.title}: no position with exactly one sound move"
        )
    return nearest


def today() -> date:
    """The day, the same all over the world."""
    return datetime.now(UTC).date()


def daily(day: date) -> Puzzle:
    """The puzzle of a day: a week begins gently."""
    return puzzle(daily_key(day), day.toordinal(), 2 + day.weekday() // 3)


def daily_key(day: date) -> str:
    """The game of a day: they take turns, ours alone, so that the day is the same everywhere."""
    keys = list(OURS)
    return keys[day.toordinal() % len(keys)]


def parse_day(text: str) -> date:
    """A day as it is typed, `2026-11-15`; SettingsError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise SettingsError(f"a day is written like 2026-11-15, not {quoted(text)}") from None


def _found(kind: type[Game[Any]], rng: Random) -> Iterator[Puzzle]:
    """The puzzles on the way of games at random."""
    looks = 0
    games: dict[Game[Any], Game[Any]] = {}  # each with what is known of it
    while looks < MOST_LOOKS:
        game = kind(**kind.puzzle_settings(rng))
        game = games.setdefault(game, game)
        position = game.start(1 + rng.randrange(2))
        for _ in range(LONGEST_PLAYOUT):
            looks += 1
            moves = game.moves(position)
            if not moves:
                break
            found = posed(game, position)
            if found is not None:
                yield found
            position = game.after(position, rng.choice(moves))


def posed(game: Game[Any], position: Any) -> Puzzle | None:
    """The position as a puzzle; None where it has not exactly one sound move, or is too large."""
    theory = theory_of(game)
    cost = theory.cost(position)
    if len(game.moves(position)) < 2 or cost.once + cost.evaluate > SECONDS:
        return None
    try:
        verdicts = theory.evaluate(position)
    except TooLarge:
        return None
    best = max(verdict.score for verdict in verdicts.values())
    sound = [move for move, verdict in verdicts.items() if verdict.score == best]
    if not best or len(sound) > 1:
        return None
    return Puzzle(game, position, sound[0], verdicts[sound[0]], graded(verdicts, sound[0]))


def graded(verdicts: Mapping[int, Verdict], answer: int) -> int:
    """How hard it is to tell the answer from the other moves.

    Either its win is seen, or the end of each of the others; and the more of these do not lose
    at once, the more they tempt.
    """
    others = [_far(verdict) for move, verdict in verdicts.items() if move != answer]
    win = _far(verdicts[answer]) if verdicts[answer].value == "win" else inf
    needed = min(win, max(others))
    tempting = sum(far > AT_ONCE for far in others)
    grade = 1 + sum(needed > sight for sight in SIGHTS)
    return min(GRADES[-1], grade + (grade > 1 and tempting >= MANY_TEMPTING))


def _far(verdict: Verdict) -> float:
    return inf if verdict.distance is None else verdict.distance
