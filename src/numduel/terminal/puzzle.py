"""`numduel puzzle`."""

from __future__ import annotations

import json
import secrets
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
from numduel.terminal.move_prompt import list_moves
from numduel.terminal.options import completed, json_option, plain_option
from numduel.terminal.saved_games import achieved, keep
from numduel.terminal.screen import Screen, progress, rules_of, screen, titled

PUZZLE_FILE = "puzzles.json"
"""Where the days whose puzzles were solved are kept."""

OPPONENT = "Your opponent"

PUZZLE_HELP = "Type your move, or one of: hint, moves, answer, next, rules, quit."


class Wanted(NamedTuple):
    """Which puzzle: that of a day, or one of a game."""

    day: date | None = None
    key: str = ""
    number: int = 0
    level: int | None = None

    @property
    def title(self) -> str:
        """What it is called."""
        if self.day is None:
            return f"Puzzle {self.number}"
        return f"The puzzle of {self.day:%A}, {self.day.day} {self.day:%B %Y}"

    @property
    def options(self) -> str:
        """The options with which it is asked for."""
        if self.day is not None:
            return f"--date {self.day}"
        level = "" if self.level is None else f" --level {self.level}"
        return f"{self.key} --number {self.number}{level}"

    @property
    def next(self) -> Wanted:
        """The next one: the latest day that is not solved, or the game's next number."""
        if self.day is None:
            return self._replace(number=self.number % MAX_PUZZLE_NUMBER + 1)
        day = next_day(self.day, solved_days())
        return _any(daily_key(self.day)) if day is None else Wanted(day)

    def made(self) -> Puzzle:
        """Return the puzzle."""
        with progress("Looking for a puzzle", 1):
            if self.day is not None:
                return daily(self.day)
            return numbered_puzzle(self.key, self.number, self.level)


@click.command(epilog=f"Example: {command('puzzle multiplicity --level 3')}")
@click.argument("game", required=False, shell_complete=completed(keys))
@click.option("--date", "day", metavar="DAY", help="The puzzle of a day, like 2026-11-15.")
@click.option(
    "--number", "--seed", type=int, metavar="NUMBER", help="The GAME's puzzle of that number."
)
@click.option(
    "--level",
    type=int,
    metavar="LEVEL",
    help=f"How hard, from 1 to {GRADES[-1]}; you get the nearest that is found.",
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
    """Find the right move, or several in a row: in today's puzzle, or in one of GAME's."""
    wanted = _wanted(game, day, number, level)
    if as_json:
        click.echo(json.dumps(_as_dict(wanted.made())))
    else:
        solve_puzzles(screen(plain), wanted, notation)


def _wanted(key: str | None, day: str | None, number: int | None, level: int | None) -> Wanted:
    """Return which puzzle was asked for."""
    if key is None:
        if number is not None or level is not None:
            raise SettingsError("a number or a level is for a game's puzzles: name the game")
        return Wanted(today() if day is None else parse_day(day))
    if day is not None:
        raise SettingsError("each day has one puzzle: name a day or a game, not both")
    return _any(key, level) if number is None else Wanted(None, key, number, level)


def _any(key: str, level: int | None = None) -> Wanted:
    return Wanted(None, key, 1 + secrets.randbelow(MAX_PUZZLE_NUMBER), level)


def solve_puzzles(out: Screen, wanted: Wanted | None = None, notation: bool = False) -> None:
    """Pose puzzles, today's first, until the person leaves."""
    wanted = wanted or Wanted(today())
    try:
        while _ask(out, wanted, notation):
            wanted = wanted.next
            out.say([""])
    except EOFError:
        pass
    finally:
        out.names = SEATS


def _ask(out: Screen, wanted: Wanted, notation: bool) -> bool:
    """Pose a puzzle, and return whether another one is wanted."""
    found = wanted.made()
    game = found.game
    out.names = (YOU, OPPONENT) if found.position.mover == 1 else (OPPONENT, YOU)
    grade = f"level {found.grade} of {GRADES[-1]}"
    out.say([f"{wanted.title}, {grade}. {titled(game, changed=True)}"])
    if notation:
        out.say([f"Position: {game.notation(found.position)}"])
    out.say([game.words.position_text(found.position), ""])
    out.turn(game, found.position)
    out.say([f"{found.task} {PUZZLE_HELP}"])
    moves: list[int] = []
    attempt = found.attempt(moves)
    while not attempt.solved:
        typed = out.ask_move(game, attempt.position, alone=True).strip()
        word = typed.lower()
        if word in ("q", "quit", "next"):
            return word == "next"
        if word == "rules":
            out.prose(rules_of(game))
        elif word in ("", "help", "h", "?"):
            out.say([PUZZLE_HELP])
        elif word == "hint":
            out.say([found.idea(attempt)])
        elif word == "moves":
            list_moves(out, game, attempt.position)
        elif word == "answer":
            attempt = found.attempt([last.move for last in found.answers])
            _show_line(out, found, attempt)
        else:
            move = game.words.read_move(attempt.position, typed)
            if move is None or not game.allows(attempt.position, move):
                shown = quoted(typed)
                out.say([f"{shown} is not a move here. Type moves to see those that can be made."])
                continue
            attempt = found.attempt([*moves, move])
            if not attempt.missed:
                moves.append(move)
            _tell(out, found, attempt)
    if len(moves) == found.turns:
        _keep(out, wanted, found)
    return out.ask("Type next for another puzzle, or quit: ").strip().lower() in ("n", "next")


def _tell(out: Screen, found: Puzzle, attempt: Attempt) -> None:
    """Say what the last move comes to."""
    assert attempt.answer is not None
    if attempt.missed:
        out.say(["", f"Not that one. {attempt.answer.reason}"])
        _show_line(out, found, attempt)
        out.say(["Try again."])
        return
    out.say(["", f"Right. {attempt.answer.reason}"])
    if attempt.solved:
        _show_line(out, found, attempt)
    else:
        before, move = attempt.past[-1]
        if before.mover != found.position.mover:
            label = found.game.words.move_label(before, move)
            out.say([f"{OPPONENT} plays {label}.", ""])
        out.turn(found.game, attempt.position, attempt.past)
        number = found.turns - attempt.missing + 1
        out.say([f"Find move {number} of {found.turns}."])


def _show_line(out: Screen, found: Puzzle, attempt: Attempt) -> None:
    """Show how the game goes on with best play, and how it ends."""
    game, mover = found.game, found.position.mover
    line = [*attempt.past, *attempt.ending]
    said = [
        f"{'you' if before.mover == mover else 'they'} {game.words.brief(before, move)}"
        for before, move in line
    ]
    out.say([f"How it goes: {', '.join(said)}."])
    end = game.after(*line[-1])
    outcome = game.outcome(end)
    if outcome is not None:
        out.say([f"The end: {game.words.result(end, outcome, line[-1], out.names)}."])


def _keep(out: Screen, wanted: Wanted, found: Puzzle) -> None:
    """Keep a solved day, and give the line to share."""
    game, grade = found.game.title, f"level {found.grade} of {GRADES[-1]}"
    lines = [""]
    if wanted.day is not None:
        days = solved_days() | {wanted.day}
        keep(PUZZLE_FILE, solved=sorted(map(str, days)))
        lines.append(f"Days solved: {len(days)}. {_run(wanted.day, days)}".strip())
    shared = f"I solved a puzzle of {game} ({grade}). Can you?"
    out.say([*lines, f"To share: {shared} {command(f'puzzle {wanted.options}')}"])


def solved_days() -> set[date]:
    """Return the days whose puzzles this person has solved."""
    listed = achieved(PUZZLE_FILE).get("solved")
    found = set()
    for text in listed if isinstance(listed, list) else ():
        try:
            found.add(date.fromisoformat(str(text)))
        except ValueError:
            continue
    return found


def _run(day: date, solved: set[date]) -> str:
    """Return how many days in a row are solved up to a day; nothing for one alone."""
    length = 0
    while day - timedelta(length) in solved:
        length += 1
    return f"{length} days in a row." if length > 1 else ""


def _as_dict(found: Puzzle) -> dict[str, object]:
    game, position = found.game, found.position
    answer = found.attempt([found.answer]).answer
    assert answer is not None
    return {
        "game": game.key,
        "settings": dict(game.settings.values),
        "position": game.notation(position),
        "mover": position.mover,
        "task": found.task,
        "level": found.grade,
        "turns": found.turns,
        "answer": found.answer,
        "line": [last.move for last in found.solution],
        "verdict": found.verdict._asdict(),
        "reason": answer.line,
    }
