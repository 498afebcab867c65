"""The screen in plain text, with the lines of the documents of the games; and progress bars."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer

import click

from numduel.core.game import Game, P
from numduel.core.scene import Cell
from numduel.core.words import SEATS, Last
from numduel.play.setup import GivenNames
from numduel.play.table import Ending
from numduel.players import character, display_name
from numduel.terminal.streams import as_printed, at_terminal, read_line

SIGNS = {"win": "+", "draw": "=", "endless": "~", "loss": "-"}
"""The sign of each verdict, with or without colour."""

LEGEND = "+ wins, = draws, ~ is endless, - loses: with best play, for whoever makes the move."

PROGRESS_DELAY_SECONDS = 1.0
"""No progress is shown of work that takes less time."""

LESS_OPTIONS = "-R -Ps(q leaves, Space shows more)$"
"""Options for the pager `less`, unless the variable LESS has others: colours, and the prompt."""

_MAX_PROSE_COLUMNS = 100  # longer lines are hard to read
_ANSWER_COLUMNS = 4  # left free for the answer in the last line of a prompt


class Screen:
    """A screen of plain text. `BoardScreen` draws a board and says sentences instead."""

    names = SEATS
    """The names of the players in sentences that are not those of a document."""

    _announced: GivenNames = (None, None)
    _pager_lines: list[str] | None = None  # None: lines are printed at once

    @property
    def width(self) -> int:
        """The number of columns; 80 if it is not known."""
        return shutil.get_terminal_size().columns

    # Words.

    def say(self, lines: Iterable[str]) -> None:
        """Print lines of words. At a terminal, long lines are broken between words."""
        for line in lines:
            for part in wrap_line(line, self.width) if sys.stdout.isatty() else [line]:
                if self._pager_lines is None:
                    print(part)
                else:
                    self._pager_lines.append(part)

    def say_entry(self, line: str, indent: int = 6) -> None:
        """Print one entry of a list. If it is broken, the rest is indented."""
        if sys.stdout.isatty():
            self.say(wrap_line(line, self.width, " " * indent))
        else:
            self.say([line])

    def say_verdict(self, value: str, line: str) -> None:
        """Print a line about a verdict, with its sign."""
        self.say_entry(f"{SIGNS[value]} {line}", 2)

    def say_prose(self, text: str) -> None:
        """Print paragraphs, broken into lines."""
        width = min(self.width, _MAX_PROSE_COLUMNS)
        for paragraph in text.split("\n\n"):
            if any(line.startswith(" ") for line in paragraph.splitlines()):
                self.say(paragraph.splitlines())  # drawn by hand
            else:
                self.say(wrap_line(" ".join(paragraph.split()), width))
            self.say([""])

    def ask(self, prompt: str, keys: Sequence[str] = ()) -> str:
        """Return what the person typed. Each of the keys is an answer without Enter."""
        if not sys.stdout.isatty():
            return read_line(prompt)
        *lines, last = wrap_line(prompt.rstrip(), max(10, self.width - _ANSWER_COLUMNS))
        self.say(lines)
        return read_line(f"{last} ", keys)

    @contextmanager
    def paged(self) -> Iterator[None]:
        """Show what is printed in the meantime in a pager if it is higher than the terminal."""
        if not at_terminal():
            yield
            return
        self._pager_lines = []
        try:
            yield
        finally:
            lines, self._pager_lines = self._pager_lines, None
        print_paged("".join(f"{line}\n" for line in lines))

    def draw_cells(self, cells: tuple[Cell, ...], last: int | None = None) -> bool:
        """Draw a board without a game. Return False if it does not fit; in plain text none does."""
        return False

    # A game.

    def set_players(self, people: GivenNames, computers: GivenNames) -> None:
        """Take over the names of the people and of the computer players."""
        self.names = people[0] or SEATS[0], people[1] or SEATS[1]
        players = people[0] or computers[0], people[1] or computers[1]
        for seat, before, now in zip(SEATS, self._announced, players, strict=True):
            if now is not None and now != before:
                self.say([f"{seat} is {now}."])
        self._announced = players

    def show_welcome(self, game: Game[P], position: P, asked: bool = True) -> None:
        """Print what comes before the first turn. `asked`: a person will be asked to move."""
        self.say(game.words.welcome(position))

    def show_turn(
        self, game: Game[P], position: P, past: Sequence[Last] = (), asked: bool = True
    ) -> None:
        """Print a position and what can be played. `asked`: a person will be asked to move."""
        self.say(game.words.turn(position))

    def clear(self) -> None:
        """Clear the screen after a decision of a person. Plain text goes on, line by line."""

    def move_keys(self, game: Game[P], position: P) -> list[str]:
        """Return the keys that each make a move without Enter. In plain text there are none."""
        return []

    def ask_move(self, game: Game[P], position: P, alone: bool = False) -> str:
        """Ask for a move, and return what was typed. `alone`: there is no other player."""
        return self.ask(game.words.prompt(position))

    def show_choice(self, game: Game[P], position: P, move: int) -> None:
        """Print the choice of a computer player."""
        self.say([f"{game.words.prompt(position)}{move}"])

    def show_move(self, game: Game[P], before: P, move: int, after: P, typed: bool) -> None:
        """Print what a move led to. `typed`: the reader made it."""
        self.say(game.words.follow(before, move, after, typed=typed))

    def show_continuation(self, game: Game[P], position: P) -> None:
        """Print what follows a move if the game goes on."""
        self.say(game.words.goes_on(position))

    def show_end(self, game: Game[P], end: Ending, past: Sequence[Last], typed: bool) -> None:
        """Print how the game ended, after these moves. `typed`: the reader made the last one."""
        if end.ruled:
            self.say(game.words.closing(end.position, end.outcome, typed=typed))
        else:
            self.say([end.sentence(game, self.names)])


def names_of(people: GivenNames, computers: GivenNames) -> tuple[str, str]:
    """Return what to call each player: `Ann`, `Cal (hard)`.

    Two computers of one kind are `Player 1 (hard)` and `Player 2 (hard)`.
    """
    alike = computers[0] == computers[1]

    def name_of(seat: str, name: str | None, computer: str | None) -> str:
        if computer and character(computer) and not alike:
            return display_name(computer)
        return name or (f"{seat} ({computer})" if computer else seat)

    one, two = map(name_of, SEATS, people, computers)
    return one, two


def wrap_line(line: str, width: int, indent: str = "") -> list[str]:
    """Return the line in parts that fit, broken between words. There is at least one."""
    line = as_printed(line)
    if len(line) <= width:
        return [line]
    width = max(width, len(indent) + 1)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]


def print_paged(text: str) -> None:
    """Print a text, in a pager if it is higher than the terminal."""
    if text.count("\n") < shutil.get_terminal_size().lines:
        click.echo(text, nl=False)
    else:
        os.environ.setdefault("LESS", LESS_OPTIONS)
        click.echo_via_pager(text)


def title_of(game: Game[P], changed: bool = False) -> str:
    """Return the title of a game and its settings, or only those that were changed."""
    settings = game.settings.describe(changed)
    return f"{game.title} ({settings})" if settings else game.title


def rules_of(game: Game[P]) -> str:
    """Return the rules of a game and its settings."""
    settings = game.settings.describe()
    rules = game.rules_and_notes()
    return f"{rules}\n\nThis game: {settings}." if settings else rules


def make_screen(plain: bool = False, scroll: bool = False) -> Screen:
    """Return a board at a terminal, unless `plain` is true; elsewhere plain text."""
    if plain or not sys.stdout.isatty():
        return Screen()
    from numduel.terminal.board import BoardScreen  # rich is slow to import

    return BoardScreen(scroll=scroll)


@contextmanager
def progress(what: str, seconds: float | None = None) -> Iterator[Callable[..., None]]:
    """Show progress on standard error: a bar, or the time so far if `seconds` are expected.

    Yields a function that moves the bar: it is called with the part of the work that is done, from
    0 to 1, and perhaps a text.
    """
    if not sys.stderr.isatty():
        yield lambda part, text="": None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    elapsed = TextColumn(f"{{task.elapsed:.0f}} s so far (about {seconds or 0:.0f} s expected)")
    columns = [BarColumn(), TimeRemainingColumn()] if seconds is None else [elapsed]
    console = Console(stderr=True)
    bar = Progress(TextColumn("{task.description}"), *columns, console=console, transient=True)
    task = bar.add_task(what, total=None)

    def advance(part: float, text: object = "") -> None:
        description = escape(f"{what}: {text}" if str(text) else what)
        bar.update(task, completed=part, total=1, description=description)

    timer = Timer(PROGRESS_DELAY_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield advance
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
