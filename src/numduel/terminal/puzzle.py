"""`numduel puzzle`."""

from __future__ import annotations

import json
import secrets
from datetime import date

import click

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.games import keys
from numduel.play.puzzle import GRADES, LARGEST_NUMBER, Puzzle, daily, parse_day, today
from numduel.play.puzzle import puzzle as numbered
from numduel.terminal.command import command
from numduel.terminal.options import completed
from numduel.terminal.progress import expecting
from numduel.terminal.screen import Screen, rules_of, screen, titled

HELP = "Type your move; or answer to be told, rules to read the rules, quit to leave."


@click.command(epilog=f"Example: {command('puzzle multiplicity --level 3')}")
@click.argument("game", required=False, shell_complete=completed(keys))
@click.option("--date", "day", metavar="DAY", help="The puzzle of that day, as 2026-11-15.")
@click.option(
    "--number", "--seed", type=int, metavar="NUMBER", help="The GAME's puzzle of that number."
)
@click.option("--level", type=int, metavar="LEVEL", help=f"How hard: from 1 to {GRADES[-1]}.")
@click.option("--json", "as_json", is_flag=True, help="For programs, with the answer.")
@click.option("--plain", is_flag=True, help="Plain text: no colour, no board.")
def puzzle(
    game: str | None,
    day: str | None,
    number: int | None,
    level: int | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Find the one good move: in today's puzzle, or in one of GAME's."""
    title, found = _wanted(game, day, number, level)
    if as_json:
        click.echo(json.dumps(_as_dict(found)))
    else:
        _ask(screen(plain), title, found)


def _wanted(
    key: str | None, day: str | None, number: int | None, level: int | None
) -> tuple[str, Puzzle]:
    """The puzzle, and what it is called."""
    with expecting("Looking for a puzzle", 1):
        if key is None:
            if number is not None or level is not None:
                raise SettingsError("a number or a level is for a game's puzzles: name the game")
            which = today() if day is None else parse_day(day)
            return _called(which), daily(which)
        if day is not None:
            raise SettingsError("each day has one puzzle, of a game in its turn: name no game")
        number = 1 + secrets.randbelow(LARGEST_NUMBER) if number is None else number
        return f"Puzzle {number}", numbered(key, number, level)


def _called(day: date) -> str:
    return f"The puzzle of {day:%A}, {day.day} {day:%B %Y}"


def _ask(out: Screen, title: str, found: Puzzle) -> None:
    game, position = found.game, found.position
    out.say([f"{title}, level {found.grade} of {GRADES[-1]}. {titled(game, changed=True)}"])
    out.say([f"Position: {game.notation(position)}", ""])
    out.position(game, position)
    out.say([f"{found.task} {HELP}"])
    while True:
        try:
            typed = out.ask_move(game, position).strip()
        except EOFError:
            return
        word = typed.lower()
        if word in ("q", "quit"):
            return
        if word == "rules":
            out.prose(rules_of(game))
            continue
        move = found.answer if word == "answer" else game.words.read_move(position, typed)
        if move is None or not game.allows(position, move):
            out.say([f"{quoted(typed)} is no move here. {HELP}"])
            continue
        right, _, line = found.answered(move)
        out.say(["", f"Right. {line}" if right and word != "answer" else line])
        if right:
            return
        out.say(["Try again."])


def _as_dict(found: Puzzle) -> dict[str, object]:
    game, position = found.game, found.position
    return {
        "game": game.key,
        "settings": dict(game.settings.values),
        "position": game.notation(position),
        "mover": position.mover,
        "task": found.task,
        "level": found.grade,
        "answer": found.answer,
        "verdict": found.verdict._asdict(),
        "reason": found.answered(found.answer).line,
    }
