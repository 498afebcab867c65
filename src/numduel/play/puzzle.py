"""Puzzles: positions with one sound move, or runs of such positions, that take thought.

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
from numduel.games import OUR_GAMES, game_type
from numduel.play.coach import reason_for
from numduel.play.difficulty import grade_of, takes_thought
from numduel.play.judgement import judge_move
from numduel.solver import theory_of

GRADES = range(1, 6)
"""The degrees of difficulty of a puzzle, from easy to hard."""

MAX_PUZZLE_NUMBER = 10**9
"""Largest number of a puzzle; the smallest is 1."""

FIRST_DAY = date(2026, 1, 1)
"""The first day that has a daily puzzle."""

MAX_PUZZLE_TURNS = 3
"""Maximum number of right moves in a row that a puzzle asks for."""

MAX_POSITIONS_FOR_GRADE = 100
"""Maximum number of positions to search for a puzzle of the wanted grade."""

MAX_POSITIONS_FOR_ANY = 6_000
"""Maximum number of positions to search for a puzzle of any grade."""

MAX_PUZZLE_SOLVE_SECONDS = 1.0
"""Maximum time to solve a position on a slow machine. Others are not used."""

MAX_CONTINUATION_MOVES = 100
"""Maximum number of moves that are shown after a move."""

_TASKS = {
    "win": ("One move wins. Find it.", "Find {} winning moves in a row."),
    "draw": ("One move keeps the draw. Find it.", "Find {} moves in a row that keep the draw."),
    "endless": ("One move does not lose. Find it.", "Find {} moves in a row that do not lose."),
}
"""The task of one right move, and of several, by what the first one leads to."""


class PuzzleAnswer(NamedTuple):
    """The judgement of a move that somebody tried."""

    right: bool  # whether it is sound
    value: Value  # what it leads to, for the player who makes it
    line: str  # the reason in the coach's words; if the move is right, after its name
    reason: str  # the reason alone


class Attempt(NamedTuple):
    """How far somebody has solved a puzzle."""

    past: tuple[Last, ...]  # the right moves so far, and the replies to them
    position: Any  # after these
    answer: PuzzleAnswer | None  # the judgement of the last move; None if there was none
    missing: int  # number of right moves that are still to be found
    ending: tuple[Last, ...]  # the game played out, after the last right move or a wrong one

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
    solution: tuple[Last, ...]
    verdict: Verdict  # of the first right move, for the player who makes it
    grade: int

    @property
    def answers(self) -> list[Last]:
        """The right moves, each with the position in which it is to be found."""
        return [last for last in self.solution if last.before.mover == self.position.mover]

    @property
    def answer(self) -> int:
        """The first right move."""
        return self.solution[0].move

    @property
    def turns(self) -> int:
        """The number of right moves to find in a row."""
        return len(self.answers)

    @property
    def task(self) -> str:
        """What to find, in a sentence or two."""
        one, several = _TASKS[self.verdict.value]
        return one if self.turns == 1 else several.format(self.turns)

    def first_question(self) -> Puzzle:
        """Return the puzzle of the first right move alone, with its own grade."""
        answers = self.answers[:1]
        return self._replace(solution=tuple(answers), grade=grade_of(self.game, answers))

    def for_player_1(self) -> Puzzle:
        """Return the puzzle with Player 1 to move, with the seats exchanged if necessary."""
        mirrored = self.game.mirrored
        if self.position.mover == 1:
            return self
        solution = tuple(Last(mirrored(before), move) for before, move in self.solution)
        return self._replace(position=mirrored(self.position), solution=solution)

    def attempt(self, moves: Sequence[int]) -> Attempt:
        """Judge the moves that somebody tried, one after the other.

        Moves after a wrong one, or after the last right one, are ignored. Raises IllegalMove.
        """
        game, answers, answer = self.game, self.answers, None
        for count, (move, (before, right)) in enumerate(zip(moves, answers, strict=False), 1):
            game.play(before, move)  # raises IllegalMove
            answer = judge_answer(game, before, move)
            if move != right:
                wrong = Last(before, move)
                ending = (wrong, *best_continuation(game, wrong))
                past, missing = self._past(count - 1), self.turns - count + 1
                return Attempt(past, before, answer, missing, ending)
        count = min(len(moves), self.turns)
        past = self._past(count)
        position = game.after(*past[-1]) if past else self.position
        ending = best_continuation(game, past[-1]) if count == self.turns else ()
        return Attempt(past, position, answer, self.turns - count, ending)

    def idea(self, attempt: Attempt) -> str:
        """Return what to look for next, in a sentence that does not name the move."""
        before, move = self.answers[self.turns - attempt.missing]
        return self.game.words.idea(before, move, theory_of(self.game).explanation(before, move))

    def _past(self, count: int) -> tuple[Last, ...]:
        """Return the solution up to the turn after that number of right moves."""
        if count == self.turns:
            return self.solution
        return self.solution[: self.solution.index(self.answers[count])]


def judge_answer(game: Game[Any], position: Any, move: int) -> PuzzleAnswer:
    """Judge a legal move, with the reason. No better move is named."""
    verdict, is_right = judge_move(game, position, move)
    label, reason = game.words.move_label(position, move), reason_for(game, position, move)
    line = f"Play {label}. {reason}" if is_right else reason
    return PuzzleAnswer(is_right, verdict.value, line, reason)


class Reason(NamedTuple):
    """Why a move is right or wrong, and how the game would go on."""

    answer: PuzzleAnswer
    pairs: tuple[tuple[int, int], ...]  # the player can always answer one number with the other
    past: tuple[Last, ...]  # the move, and the best continuation


def explain_answer(game: Game[Any], position: Any, move: int) -> Reason:
    """Return why a legal move is right or wrong."""
    last = Last(position, move)
    pairs = theory_of(game).explanation(position, move).pairs
    answer = judge_answer(game, position, move)
    return Reason(answer, pairs, (last, *best_continuation(game, last)))


def best_continuation(game: Game[Any], last: Last) -> tuple[Last, ...]:
    """Return the moves of best play after a move to the end of the game.

    They begin with the replies that the explanation of the move names. There are none if the game
    is endless, or takes too many moves.
    """
    theory, position = theory_of(game), game.after(*last)
    explanation = theory.explanation(*last)
    answers = {two: one for one, two in explanation.pairs} | dict(explanation.pairs)
    played: list[Last] = []
    while game.outcome(position) is None:
        verdicts = theory.verdicts(position)
        move = max(verdicts, key=lambda one: verdicts[one].rank)
        if not played and explanation.kind == "answer":
            [move] = explanation.moves
        elif len(played) == 1:
            move = answers.get(played[0].move, move)
        if verdicts[move].value == "endless" or len(played) == MAX_CONTINUATION_MOVES:
            return ()
        played.append(Last(position, move))
        position = game.after(position, move)
    return tuple(played)


def numbered_puzzle(key: str, number: int, grade: int | None = None, short: bool = False) -> Puzzle:
    """Return the puzzle of that number, with the nearest grade that is found.

    The same arguments give the same puzzle. Without a grade, the number decides on it. `short`
    prefers the fewest right moves in a row. Player 1 is to move, as in a game against the
    computer, if the game can exchange the seats. Raises SettingsError if there is no such puzzle.
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

    def misfit(puzzle: Puzzle) -> tuple[int, int]:
        return puzzle.turns if short else 1, abs(puzzle.grade - wanted)

    puzzles: list[Puzzle] = []
    for puzzle in _puzzles_in_random_games(kind, rng):
        puzzles.append(puzzle)
        if misfit(puzzle) == (1, 0):
            break
    if not puzzles:
        raise SettingsError(f"no puzzle is found in {kind.title}: none that takes thought")
    return min(puzzles, key=misfit).for_player_1()


def today() -> date:
    """Return the current day in UTC, or the day in the environment variable NUMDUEL_TODAY."""
    return parse_day(os.environ.get("NUMDUEL_TODAY") or str(datetime.now(UTC).date()))


def daily(day: date) -> Puzzle:
    """Return the puzzle of a day. The grade rises in the course of a week."""
    return numbered_puzzle(daily_key(day), day.toordinal(), 2 + day.weekday() // 3)


def daily_key(day: date) -> str:
    """Return the key of the game of a day: one of ours, so that it is the same everywhere."""
    keys = list(OUR_GAMES)
    return keys[day.toordinal() % len(keys)]


def next_day(day: date, solved: Collection[date]) -> date | None:
    """Return the latest other day whose puzzle is not solved yet; None if there is none."""
    days = (today() - timedelta(back) for back in range((today() - FIRST_DAY).days + 1))
    return next((other for other in days if other != day and other not in solved), None)


def parse_day(text: str) -> date:
    """Return the day of a text such as `2026-11-15`. Raises SettingsError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise SettingsError(f"a day is written like 2026-11-15, not {quoted(text)}") from None


# Which positions are puzzles.


def _puzzles_in_random_games(kind: type[Game[Any]], rng: Random) -> Iterator[Puzzle]:
    """Yield the puzzles that occur in random games."""
    searched, max_searched = 0, MAX_POSITIONS_FOR_ANY
    games: dict[Game[Any], Game[Any]] = {}  # equal games share their solution
    while searched < max_searched:
        game = kind(**kind.puzzle_settings(rng))
        game = games.setdefault(game, game)
        played = playout(game, rng, game.puzzle_start(rng), kind.puzzle_moves)
        for position, _ in played:
            searched += 1
            for puzzle in puzzles_from(game, position):
                max_searched = MAX_POSITIONS_FOR_GRADE
                yield puzzle


def puzzles_from(game: Game[Any], position: Any) -> Iterator[Puzzle]:
    """Yield the puzzles that begin with a position: of one right move, of two, and of three."""
    solution: list[Last] = []
    answers: list[Last] = []
    now, solver = position, position.mover
    while len(answers) < MAX_PUZZLE_TURNS and (verdicts := _turn_verdicts(game, now, solver)):
        last = Last(now, _best_move(game, now, verdicts))
        if not solution:
            first_verdict = verdicts[last.move]
        solution.append(last)
        now = game.after(*last)
        if last.before.mover == solver:
            answers.append(last)
            if takes_thought(game, answers):
                grade = grade_of(game, answers)
                yield Puzzle(game, position, tuple(solution), first_verdict, grade)


def _turn_verdicts(game: Game[Any], position: Any, solver: int) -> dict[int, Verdict]:
    """Return the verdict of each move in a turn of a puzzle; none if the puzzle must end before it.

    It must end if the game is over, if the verdicts take too long, and if the solver has no choice
    or not exactly one sound move.
    """
    theory = theory_of(game)
    cost = theory.cost(position)
    is_solver = position.mover == solver
    is_slow = cost.once + cost.evaluate > MAX_PUZZLE_SOLVE_SECONDS
    if is_slow or len(game.moves(position)) < (2 if is_solver else 1):
        return {}
    try:
        goes_on = not is_solver or _has_one_sound_move(game, position)
        return theory.evaluate(position) if goes_on else {}
    except TooLarge:
        return {}


def _has_one_sound_move(game: Game[Any], position: Any) -> bool:
    """Return whether exactly one move is sound, and does not lose."""
    scores = [SCORES[value] for value in theory_of(game).values(position).values()]
    best = max(scores)
    return best > 0 and scores.count(best) == 1


def _best_move(game: Game[Any], position: Any, verdicts: dict[int, Verdict]) -> int:
    """Return a best move, of several the one that leaves the most moves to choose from."""
    best_rank = max(verdict.rank for verdict in verdicts.values())
    best = [move for move, verdict in verdicts.items() if verdict.rank == best_rank]
    return max(best, key=lambda move: len(game.moves(game.after(position, move))))
