"""`numduel history` and `numduel replay`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game, Outcome
from numduel.core.record import Record, named
from numduel.games import new
from numduel.play.match import Match, ended_lines
from numduel.play.saved import read_record
from numduel.terminal.prompt import at_terminal
from numduel.terminal.screen import Screen, screen
from numduel.terminal.shelf import parse_ident, shelf


@click.command(epilog="Example: numduel history")
def history() -> None:
    """List finished and unfinished games and matches, newest first."""
    empty = True
    for ident, match, error in shelf().history():
        empty = False
        if match is None:
            click.echo(f"{ident:>4}  damaged: {error}")
            continue
        setup = match.setup
        players = " against ".join(setup.players)
        click.echo(
            f"{ident:>4}  {setup.started[:16].replace('T', ' ')}  {setup.game.title} "
            f"({setup.game.settings}), {players}: {_state(match)}"
        )
    if empty:
        click.echo("No games yet. Start one with: numduel play GAME")


def _state(match: Match) -> str:
    count = len(match.table.moves)
    if match.setup.rounds > 1:
        score = f"{match.wins[1]} to {match.wins[2]}"
        if match.over:
            return f"match finished, {score}"
        return f"unfinished, round {match.round} of {match.setup.rounds}, {score}"
    outcome = match.table.outcome
    if outcome is None:
        return f"unfinished, {count} moves"
    return f"{_won(outcome)} after {count} moves"


def _won(outcome: Outcome) -> str:
    winner = "nobody" if outcome.winner is None else f"Player {outcome.winner}"
    return f"{winner} won ({outcome.reason})"


@click.command(epilog="Example: numduel replay 12")
@click.argument("record")
@click.option("--plain", is_flag=True, help="Plain text: no colour, no board.")
def replay(record: str, plain: bool) -> None:
    """Step through a saved game: RECORD is a file, or an ID from numduel history."""
    shown = screen(plain)
    for place, one in _records(record):
        try:
            game = new(one.game, **one.settings)
            pages = list(_pages(shown, game, one))
        except SettingsError as error:
            raise named(f"{place}: field 'settings'", error) from None
        except RecordError as error:
            raise named(place, error) from None
        _turn_pages(shown, pages)


def _records(text: str) -> Iterable[tuple[str, Record]]:
    if Path(text).is_file() or not text.isdigit():
        return [(text, read_record(Path(text)))]
    match = shelf().read(parse_ident(text))
    unfinished = [] if match.over else [match.record()]
    return [(f"game {text}", one) for one in [*match.finished, *unfinished]]


def _pages(shown: Screen, game: Game[Any], record: Record) -> Iterator[Callable[[], None]]:
    """What to show, a step at a time: each move, then how it ended."""
    positions = list(record.positions(game))

    def page(count: int) -> None:
        before, after = positions[count], positions[count + 1]
        who = record.players[before.mover - 1]
        shown.turn(game, before)
        shown.chosen(game, before, who, record.moves[count])
        shown.moved(game, before, record.moves[count], after)

    yield partial(shown.say, game.welcome(positions[0]))
    for count in range(len(record.moves)):
        yield partial(page, count)
    last = positions[-1]
    if record.outcome is None:
        yield partial(shown.turn, game, last)
    else:
        lines = ended_lines(game, last, record.outcome, len(record.moves))
        yield partial(shown.say, lines)


def _turn_pages(shown: Screen, pages: list[Callable[[], None]]) -> None:
    if not at_terminal():
        for page in pages:
            page()
        return
    at = 0
    while at < len(pages):
        pages[at]()
        at += 1
        if at == len(pages):
            break
        try:
            word = shown.ask("Enter goes on, back goes back, quit leaves: ").strip().lower()
        except EOFError:
            break
        if word in ("q", "quit"):
            break
        if word in ("b", "back"):
            at = max(0, at - 2)
