"""What a person sees: plain text, the documents' own lines."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from numduel.core.game import Game, P
from numduel.core.scene import Cell
from numduel.core.words import SEATS, Last
from numduel.play.ending import Ending
from numduel.play.setup import Names
from numduel.terminal.letters import spelled
from numduel.terminal.prompt import at_terminal, read_line

SIGNS = {"win": "+", "draw": "=", "endless": "~", "loss": "-"}
"""How a verdict shows where there is no colour, and beside it where there is."""

LEGEND = "+ wins, = draws, ~ is endless, - loses: with best play, for whoever makes the move."

_WIDEST = 100  # longer lines of prose are hard to read
_ANSWER = 4  # columns of a prompt's last line that are left for what is typed


class Screen:
    """Plain text. `BoardScreen` asks for sentences and draws a board."""

    names = SEATS
    """What the players are called in sentences."""

    _seated: Names = (None, None)
    _kept: list[str] | None = None  # what waits for the pager

    @property
    def width(self) -> int:
        """How many columns there are; 80 where nobody can tell."""
        return shutil.get_terminal_size().columns

    # Words.

    def say(self, lines: Iterable[str]) -> None:
        """Lines of words; at a terminal too narrow for one, it is broken between words."""
        for line in lines:
            for part in wrapped(line, self.width) if sys.stdout.isatty() else [line]:
                self.put(part)

    def put(self, line: str) -> None:
        """A line as it is."""
        if self._kept is None:
            print(line)
        else:
            self._kept.append(line)

    def entry(self, line: str, indent: int = 6) -> None:
        """One of a list: what does not fit its line is indented."""
        if sys.stdout.isatty():
            self.say(wrapped(line, self.width, " " * indent))
        else:
            self.say([line])

    def verdict(self, value: str, line: str) -> None:
        """A line about a verdict, with its sign."""
        self.entry(f"{SIGNS[value]} {line}", 2)

    def prose(self, text: str) -> None:
        """Paragraphs, broken into lines that suit the width."""
        width = min(self.width, _WIDEST)
        for paragraph in text.split("\n\n"):
            if any(line.startswith(" ") for line in paragraph.splitlines()):
                self.say(paragraph.splitlines())  # drawn by hand
            else:
                self.say(wrapped(" ".join(paragraph.split()), width))
            self.say([""])

    def ask(self, prompt: str) -> str:
        """What the person typed; a prompt that is too wide is broken between words."""
        if not sys.stdout.isatty():
            return read_line(prompt)
        *lines, last = wrapped(prompt.rstrip(), max(10, self.width - _ANSWER))
        self.say(lines)
        return read_line(f"{last} ")

    @contextmanager
    def paged(self) -> Iterator[None]:
        """What is said meanwhile goes through a pager, where it does not fit the terminal."""
        if not at_terminal():
            yield
            return
        self._kept = []
        try:
            yield
        finally:
            lines, self._kept = self._kept, None
        page("".join(f"{line}\n" for line in lines))

    def cells(self, cells: tuple[Cell, ...]) -> None:
        """A board without a game; nothing in plain text."""

    # A game.

    def seat(self, people: Names, computers: Names) -> None:
        """Who plays from now on: the names of people who gave one, and what else plays."""
        seated = people[0] or computers[0], people[1] or computers[1]
        for seat, before, now in zip(SEATS, self._seated, seated, strict=True):
            if now is not None and now != before:
                self.say([f"{seat} is {now}."])
        self._seated = seated

    def welcome(self, game: Game[P], position: P, asked: bool = True) -> None:
        """Before the first turn; `asked`: somebody will be asked to move."""
        self.say(game.words.welcome(position))

    def position(self, game: Game[P], position: P) -> None:
        """All that there is to see of a position that nobody saw come about."""
        self.say([f"{label}: {value or '-'}" for label, value in game.words.scene(position).facts])
        self.turn(game, position)

    def turn(
        self, game: Game[P], position: P, past: Sequence[Last] = (), asked: bool = True
    ) -> None:
        """Open a turn: where the game stands, what can be done; `asked`: somebody is to see it."""
        self.say(game.words.turn(position))

    def ask_move(self, game: Game[P], position: P) -> str:
        """What the mover typed."""
        return self.ask(game.words.prompt(position))

    def chosen(self, game: Game[P], position: P, move: int) -> None:
        """What a player who does not type has chosen."""
        self.say([f"{game.words.prompt(position)}{move}"])

    def moved(self, game: Game[P], before: P, move: int, after: P, typed: bool) -> None:
        """What the move led to; `typed`: by the person who reads it."""
        self.say(game.words.follow(before, move, after, typed=typed))

    def goes_on(self, game: Game[P], position: P) -> None:
        """The game goes on after that."""
        self.say(game.words.goes_on(position))

    def closed(self, game: Game[P], end: Ending, typed: bool) -> None:
        """How the game ended; `typed`: by a move of the person who reads it."""
        if end.ruled:
            self.say(game.words.closing(end.position, end.outcome, typed=typed))
        else:
            self.say([end.sentence(game, self.names)])


def wrapped(line: str, width: int, indent: str = "") -> list[str]:
    """The line in parts that fit, broken between words; never none."""
    line = spelled(line)
    if len(line) <= width:
        return [line]
    width = max(width, len(indent) + 1)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]


def page(text: str) -> None:
    """Text at a terminal, through a pager where it is taller than that."""
    if text.count("\n") < shutil.get_terminal_size().lines:
        click.echo(text, nl=False)
    else:
        click.echo_via_pager(text)


def titled(game: Game[P], changed: bool = False) -> str:
    """The game's title, and its settings if it has any; or only those not at their default."""
    settings = game.settings.worded(changed)
    return f"{game.title} ({settings})" if settings else game.title


def rules_of(game: Game[P]) -> str:
    """The rules of a game as it is set."""
    settings = str(game.settings)
    return f"{game.rules}\n\nThis game: {settings}." if settings else game.rules


def screen(plain: bool) -> Screen:
    """The screen that suits where the output goes."""
    if plain or not sys.stdout.isatty():
        return Screen()
    from numduel.terminal.board import BoardScreen  # rich is slow to import

    return BoardScreen()
