"""`numduel puzzle`."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from datetime import date, timedelta
from typing import NamedTuple

import click

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.core.words import SEATS, YOU
from numduel.games import keys
from numduel.play.puzzle import (
    GRADES,
    MAX_PUZZLE_NUMBER,
    Attempt,
    Puzzle,
    daily,
    daily_key,
    next_day,
    numbered_puzzle,
    parse_day,
    today,
)
from numduel.terminal.command import command
from numduel.terminal.move_prompt import ONE_KEY_HELP, list_moves
from numduel.terminal.options import completion_of, json_option, plain_option
from numduel.terminal.saved_games import read_progress, update_progress
from numduel.terminal.screen import Screen, make_screen, progress, rules_of, title_of
from numduel.terminal.streams import command_word

PUZZLE_FILE = "puzzles.json"
"""The file with the days whose puzzles this person has solved."""

OPPONENT = "Your opponent"

PUZZLE_HELP = "Type your move, or one of: hint, moves, answer, next, rules, quit."


class PuzzleChoice(NamedTuple):
    """Which puzzle: that of a day, or one of a game."""

    day: date | None = None
    key: str = ""
    number: int = 0
    level: int | None = None

    @property
    def title(self) -> str:
        """The title of the puzzle."""
        if self.day is None:
            return f"Puzzle {self.number}"
        return f"The puzzle of {self.day:%A}, {self.day.day} {self.day:%B %Y}"

    @property
    def options(self) -> str:
        """The options of the command that poses it."""
        if self.day is not None:
            return f"--date {self.day}"
        level = "" if self.level is None else f" --level {self.level}"
        return f"{self.key} --number {self.number}{level}"

    @property
    def next(self) -> PuzzleChoice:
        """The next choice: the latest day that is not solved, or the game's next number."""
        if self.day is None:
            return self._replace(number=self.number % MAX_PUZZLE_NUMBER + 1)
        day = next_day(self.day, solved_days())
        return _random_choice(daily_key(self.day)) if day is None else PuzzleChoice(day)

    def find(self) -> Puzzle:
        """Look for the puzzle, which may take a while, and return it."""
        with progress("Looking for a puzzle", 1):
            if self.day is not None:
                return daily(self.day)
            return numbered_puzzle(self.key, self.number, self.level)


@click.command(epilog=f"Example: {command('puzzle multiplicity --level 3')}")
@click.argument("game", required=False, shell_complete=completion_of(keys))
@click.option("--date", "day", metavar="DAY", help="The puzzle of a day, like 2026-11-15.")
@click.option(
    "--number", "--seed", type=int, metavar="NUMBER", help="The puzzle of GAME with that number."
)
@click.option(
    "--level",
    type=int,
    metavar="LEVEL",
    help=f"How hard, from 1 to {GRADES[-1]}; if none is found, you get one of the nearest level.",
)
@click.option("--notation", is_flag=True, help="Show the position in its short form too.")
@json_option
@plain_option
def puzzle(
    game: str | None,
    day: str | None,
    number: int | None,
    level: int | None,
    notation: bool,
    as_json: bool,
    plain: bool,
) -> None:
    """Find the right move, or several in a row: in today's puzzle, or in a puzzle of GAME."""
    choice = _choice(game, day, number, level)
    if as_json:
        click.echo(json.dumps(_puzzle_data(choice.find())))
    else:
        solve_puzzles(make_screen(plain), choice, notation)


def _choice(
    key: str | None, day: str | None, number: int | None, level: int | None
) -> PuzzleChoice:
    """Return the puzzle that the options name. Raises SettingsError if they do not fit together."""
    if key is None:
        if number is not None or level is not None:
            raise SettingsError("a number or a level is for a game's puzzles: name the game")
        return PuzzleChoice(today() if day is None else parse_day(day))
    if day is not None:
        raise SettingsError("each day has one puzzle: name a day or a game, not both")
    return _random_choice(key, level) if number is None else PuzzleChoice(None, key, number, level)


def _random_choice(key: str, level: int | None = None) -> PuzzleChoice:
    return PuzzleChoice(None, key, 1 + secrets.randbelow(MAX_PUZZLE_NUMBER), level)


def solve_puzzles(
    screen: Screen, choice: PuzzleChoice | None = None, notation: bool = False
) -> None:
    """Pose puzzles, today's first, until the person leaves."""
    choice = choice or PuzzleChoice(today())
    try:
        while _pose(screen, choice, notation):
            choice = choice.next
            screen.say([""])
    except EOFError:
        pass
    finally:
        screen.names = SEATS


def _pose(screen: Screen, choice: PuzzleChoice, notation: bool) -> bool:
    """Pose a puzzle. Return whether the person wants another one."""
    puzzle = choice.find()
    game = puzzle.game
    screen.names = (YOU, OPPONENT) if puzzle.position.mover == 1 else (OPPONENT, YOU)
    screen.say([f"{choice.title}, {_level(puzzle)}. {title_of(game, changed=True)}"])
    if notation:
        screen.say([f"Position: {game.notation(puzzle.position)}"])
    screen.say([game.words.position_text(puzzle.position), ""])
    screen.show_turn(game, puzzle.position)
    screen.say([f"{puzzle.task} {PUZZLE_HELP}"])
    moves: list[int] = []
    attempt = puzzle.attempt(moves)
    while not attempt.solved:
        typed = screen.ask_move(game, attempt.position, alone=True).strip()
        word = command_word(typed)
        if word in ("quit", "next"):
            return word == "next"
        if word == "rules":
            screen.say_prose(rules_of(game))
        elif word in ("", "help"):
            screen.say([PUZZLE_HELP])
            if screen.move_keys(game, attempt.position):
                screen.say([ONE_KEY_HELP])
        elif word == "hint":
            screen.say([puzzle.idea(attempt)])
        elif word == "moves":
            list_moves(screen, game, attempt.position)
        elif word == "answer":
            attempt = puzzle.attempt([last.move for last in puzzle.answers])
            _show_line(screen, puzzle, attempt)
        else:
            move = game.words.read_move(attempt.position, typed)
            if move is None or not game.allows(attempt.position, move):
                line = "is not a move here. Type moves to see those that can be made."
                screen.say([f"{quoted(typed)} {line}"])
                continue
            attempt = puzzle.attempt([*moves, move])
            if not attempt.missed:
                moves.append(move)
            _show_result(screen, puzzle, attempt)
    if len(moves) == puzzle.turns:
        _celebrate(screen, choice, puzzle)
    return screen.ask("Type next for another puzzle, or quit: ").strip().lower() in ("n", "next")


def _level(puzzle: Puzzle) -> str:
    return f"level {puzzle.grade} of {GRADES[-1]}"


def _show_result(screen: Screen, puzzle: Puzzle, attempt: Attempt) -> None:
    """Say whether the last move was right, and what follows it."""
    assert attempt.answer is not None
    if attempt.missed:
        screen.say(["", f"Not that one. {attempt.answer.reason}"])
        _show_line(screen, puzzle, attempt)
        screen.say(["Try again."])
        return
    screen.say(["", f"Right. {attempt.answer.reason}"])
    if attempt.solved:
        _show_line(screen, puzzle, attempt)
    else:
        before, move = attempt.past[-1]
        if before.mover != puzzle.position.mover:
            label = puzzle.game.words.move_label(before, move)
            screen.say([f"{OPPONENT} plays {label}.", ""])
        screen.show_turn(puzzle.game, attempt.position, attempt.past)
        number = puzzle.turns - attempt.missing + 1
        screen.say([f"Find move {number} of {puzzle.turns}."])


def _show_line(screen: Screen, puzzle: Puzzle, attempt: Attempt) -> None:
    """Show how the game goes on with best play, and how it ends."""
    game, mover = puzzle.game, puzzle.position.mover
    line = [*attempt.past, *attempt.ending]
    parts = [
        f"{'you' if before.mover == mover else 'they'} {game.words.brief(before, move)}"
        for before, move in line
    ]
    screen.say([f"How it goes: {', '.join(parts)}."])
    end = game.after(*line[-1])
    outcome = game.outcome(end)
    if outcome is not None:
        screen.say([f"The end: {game.words.result(end, outcome, line[-1], screen.names)}."])


def _celebrate(screen: Screen, choice: PuzzleChoice, puzzle: Puzzle) -> None:
    """Save a solved day, and print the line to share."""
    lines = [""]
    if choice.day is not None:
        days = solved_days() | {choice.day}
        update_progress(PUZZLE_FILE, solved=sorted(map(str, days)))
        lines.append(f"Days solved: {len(days)}. {_streak(choice.day, days)}".strip())
    boast = f"I solved a puzzle of {puzzle.game.title} ({_level(puzzle)}). Can you?"
    screen.say([*lines, f"To share: {boast} {command(f'puzzle {choice.options}')}"])


def solved_days() -> set[date]:
    """Return the days whose puzzles this person has solved."""
    listed = read_progress(PUZZLE_FILE).get("solved")
    days = set()
    for text in listed if isinstance(listed, list) else ():
        with suppress(ValueError):
            days.add(date.fromisoformat(str(text)))
    return days


def _streak(day: date, solved: set[date]) -> str:
    """Return how many days in a row are solved up to a day; nothing for one alone."""
    length = 0
    while day - timedelta(length) in solved:
        length += 1
    return f"{length} days in a row." if length > 1 else ""


def _puzzle_data(puzzle: Puzzle) -> dict[str, object]:
    game, position = puzzle.game, puzzle.position
    answer = puzzle.attempt([puzzle.answer]).answer
    assert answer is not None
    return {
        "game": game.key,
        "settings": dict(game.settings.values),
        "position": game.notation(position),
        "mover": position.mover,
        "task": puzzle.task,
        "level": puzzle.grade,
        "turns": puzzle.turns,
        "answer": puzzle.answer,
        "line": [last.move for last in puzzle.solution],
        "verdict": puzzle.verdict._asdict(),
        "reason": answer.line,
    }
