"""`numduel replay`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import click

from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.record import Record
from numduel.core.scene import LARGEST_BOARD
from numduel.core.words import Last
from numduel.play.ending import ending
from numduel.terminal.command import command
from numduel.terminal.options import completed
from numduel.terminal.prompt import at_terminal
from numduel.terminal.records import heading, records, seat
from numduel.terminal.screen import Screen, screen
from numduel.terminal.shelf import idents

Page = Callable[[], None]


@click.command(epilog=f"Example: {command('replay 12')}")
@click.argument("record", shell_complete=completed(idents))
@click.option("--plain", is_flag=True, help="Plain text: no colour, no board.")
def replay(record: str, plain: bool) -> None:
    """Step through a saved game: RECORD is a file, or an ID from the history."""
    shown = screen(plain)
    rounds = records(record)
    count = len(rounds)
    titles = [f"Round {number}: " if count > 1 else "" for number in range(1, count + 1)]
    pages = chain.from_iterable(
        _pages(shown, played.game, played.record, title)
        for title, played in zip(titles, rounds, strict=True)
    )
    if at_terminal():
        _turn_pages(shown, list(pages))
    else:
        for page in pages:
            page()


def _pages(shown: Screen, game: Game[Any], record: Record, title: str) -> Iterator[Page]:
    """What to show, a step at a time: each move, then how it ended."""

    def opening(position: Any) -> None:
        shown.say([f"{title}{heading(game, record)}"])
        seat(shown, record)
        shown.say([""])
        shown.welcome(game, position, asked=False)

    def step(before: Any, move: int, after: Any, goes_on: bool, past: list[Last]) -> None:
        shown.turn(game, before, past)
        shown.chosen(game, before, move)
        shown.moved(game, before, move, after, typed=False)
        if goes_on:
            shown.goes_on(game, after)

    positions = record.positions(game)
    before = next(positions)
    past: list[Last] = []
    yield partial(opening, before)
    for count, (move, after) in enumerate(zip(record.moves, positions, strict=True), 1):
        goes_on = count < len(record.moves) or record.outcome is None
        yield partial(step, before, move, after, goes_on, past)
        past = [*past[1 - LARGEST_BOARD :], Last(before, move)]
        before = after
    end = ending(game, record)
    if end is None:
        yield partial(shown.turn, game, before, past)
    else:
        yield partial(shown.closed, game, end, typed=False)


def _turn_pages(shown: Screen, pages: list[Page]) -> None:
    at, last = 0, len(pages) - 1
    pages[0]()
    while True:
        on = "Enter goes on" if at < last else "The end. Enter leaves"
        try:
            word = shown.ask(f"{on}, back goes back, quit leaves: ").strip().lower()
        except EOFError:
            shown.say([""])
            return
        if word in ("q", "quit") or (not word and at == last):
            return
        if word not in ("", "b", "back"):
            shown.say([f"{quoted(word)} is not a choice: press Enter, or type back or quit."])
            continue
        at = max(0, at - 1) if word else at + 1
        pages[at]()
