"""`numduel history` and `numduel replay`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game, Outcome
from numduel.core.numerals import quoted
from numduel.core.record import Record, named
from numduel.games import new
from numduel.play.match import Match, ended_lines
from numduel.play.record_file import read_record
from numduel.terminal.prompt import at_terminal, printable
from numduel.terminal.screen import Screen, list_line, screen, titled
from numduel.terminal.shelf import parse_ident, shelf

LAST = 20
"""How many games are listed unless all are asked for."""


@click.command(epilog="Example: numduel history --all")
@click.option("--all", "everything", is_flag=True, help=f"All of them, not just the last {LAST}.")
def history(everything: bool) -> None:
    """List finished and unfinished games and matches, newest first."""
    count = 0
    for count, (ident, match, error) in enumerate(shelf().history(), 1):
        if count > LAST and not everything:
            click.echo("There are more: numduel history --all")
            break
        list_line(f"{ident:>4}  {_entry(match) if match else f'damaged: {error}'}")
    if not count:
        click.echo("No games yet. Start one with: numduel play GAME")


def _entry(match: Match) -> str:
    setup = match.setup
    players = " against ".join(setup.called)
    when = setup.started[:16].replace("T", " ")
    return f"{when}  {titled(setup.game)}, {players}: {_state(match)}"


def _state(match: Match) -> str:
    count = _counted(len(match.table.moves))
    if match.setup.rounds > 1:
        score = f"{match.wins[1]} to {match.wins[2]}"
        if match.over:
            return f"match finished, {score}"
        return f"unfinished, {match.round_line().lower()}, {score}"
    outcome = match.table.outcome
    if outcome is None:
        return f"unfinished, {count}"
    return f"{won(outcome)} after {count}"


def _counted(moves: int) -> str:
    return "1 move" if moves == 1 else f"{moves} moves"


def won(outcome: Outcome) -> str:
    """Who won, and how."""
    winner = "nobody" if outcome.winner is None else f"Player {outcome.winner}"
    return f"{winner} won ({outcome.reason})"


@click.command(epilog="Example: numduel replay 12")
@click.argument("record")
@click.option("--plain", is_flag=True, help="Plain text: no colour, no board.")
def replay(record: str, plain: bool) -> None:
    """Step through a saved game: RECORD is a file, or an ID from numduel history."""
    shown = screen(plain)
    rounds = records(record)
    headings = [[f"Round {count}", ""] for count in range(1, len(rounds) + 1)]
    pages = chain.from_iterable(
        _pages(shown, game, one, heading if len(rounds) > 1 else [])
        for heading, (game, one) in zip(headings, rounds, strict=True)
    )
    if at_terminal():
        _turn_pages(shown, list(pages))
    else:
        for page in pages:
            page()


def records(text: str) -> list[tuple[Game[Any], Record]]:
    """The rounds, each played through once, so that a damaged one is refused at once."""
    if Path(text).is_file() or not text.isdigit():
        place, found = text, [read_record(Path(text))]
    else:
        match = shelf().read(parse_ident(text))
        unfinished = [] if match.over else [match.record()]
        place, found = f"game {text}", [*match.finished, *unfinished]
    return [(_checked(place, one), one) for one in found]


def _checked(place: str, record: Record) -> Game[Any]:
    """The game that the record is of, if its moves keep the rules."""
    try:
        game = new(record.game, **record.settings)
        deque(record.positions(game), maxlen=0)
    except SettingsError as error:
        raise named(f"{place}: field 'settings'", error) from None
    except RecordError as error:
        raise named(place, error) from None
    return game


def _pages(
    shown: Screen, game: Game[Any], record: Record, heading: list[str]
) -> Iterator[Callable[[], None]]:
    """What to show, a step at a time: each move, then how it ended."""

    def page(before: Any, move: int, after: Any) -> None:
        shown.turn(game, before)
        shown.chosen(game, before, printable(record.players[before.mover - 1]), move)
        shown.moved(game, before, move, after)

    positions = record.positions(game)
    last = next(positions)
    yield partial(shown.say, heading + game.words.welcome(last))
    for move, after in zip(record.moves, positions, strict=True):
        yield partial(page, last, move, after)
        last = after
    if record.outcome is None:
        yield partial(shown.turn, game, last)
    else:
        yield partial(shown.say, ended_lines(game, last, record.outcome, len(record.moves)))


def _turn_pages(shown: Screen, pages: list[Callable[[], None]]) -> None:
    at = 0
    pages[0]()
    while at < len(pages) - 1:
        try:
            word = shown.ask("Enter goes on, back goes back, quit leaves: ").strip().lower()
        except EOFError:
            shown.say([""])
            return
        if word in ("q", "quit"):
            return
        if word not in ("", "b", "back"):
            shown.say([f"{quoted(word)} is not a choice: press Enter, or type back or quit."])
            continue
        at = max(0, at - 1) if word else at + 1
        pages[at]()
