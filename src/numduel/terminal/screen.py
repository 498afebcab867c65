"""The screen in plain text, with the lines of the documents of the games; and progress bars."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer

import click

from numduel.core.game import Game, P
from numduel.core.scene import Cell
from numduel.core.words import SEATS, Last
from numduel.play.setup import GivenNames
from numduel.play.table import Ending
from numduel.players import character, display_name
from numduel.terminal.streams import at_terminal, read_line, spelled

SIGNS = {"win": "+", "draw": "=", "endless": "~", "loss": "-"}
"""The sign of each verdict, with or without colour."""

LEGEND = "+ wins, = draws, ~ is endless, - loses: with best play, for whoever makes the move."

PROGRESS_DELAY_SECONDS = 1.0
"""No progress is shown of work that takes less time."""

_MAX_COLUMNS = 100  # longer lines of prose are hard to read
_ANSWER_COLUMNS = 4  # left free for the answer in the last line of a prompt


class Screen:
    """A screen of plain text. `BoardScreen` draws a board and says sentences instead."""

    names = SEATS
    """The names of the players in sentences that are not those of a document."""

    _seated: GivenNames = (None, None)
    _kept: list[str] | None = None  # lines for the pager

    @property
    def width(self) -> int:
        """The number of columns; 80 if it is not known."""
        return shutil.get_terminal_size().columns

    # Words.

    def say(self, lines: Iterable[str]) -> None:
        """Print lines of words. At a terminal, long lines are broken between words."""
        for line in lines:
            for part in wrapped(line, self.width) if sys.stdout.isatty() else [line]:
                self.put(part)

    def put(self, line: str) -> None:
        """Print a line as it is."""
        if self._kept is None:
            print(line)
        else:
            self._kept.append(line)

    def entry(self, line: str, indent: int = 6) -> None:
        """Print one entry of a list. If it is broken, the rest is indented."""
        if sys.stdout.isatty():
            self.say(wrapped(line, self.width, " " * indent))
        else:
            self.say([line])

    def verdict(self, value: str, line: str) -> None:
        """Print a line about a verdict, with its sign."""
        self.entry(f"{SIGNS[value]} {line}", 2)

    def prose(self, text: str) -> None:
        """Print paragraphs, broken into lines."""
        width = min(self.width, _MAX_COLUMNS)
        for paragraph in text.split("\n\n"):
            if any(line.startswith(" ") for line in paragraph.splitlines()):
                self.say(paragraph.splitlines())  # drawn by hand
            else:
                self.say(wrapped(" ".join(paragraph.split()), width))
            self.say([""])

    def ask(self, prompt: str, keys: Collection[str] = ()) -> str:
        """Return what the person typed; each of the keys ends it. A long prompt is broken."""
        if not sys.stdout.isatty():
            return read_line(prompt)
        *lines, last = wrapped(prompt.rstrip(), max(10, self.width - _ANSWER_COLUMNS))
        self.say(lines)
        return read_line(f"{last} ", keys)

    @contextmanager
    def paged(self) -> Iterator[None]:
        """Show what is printed meanwhile in a pager, if it does not fit the terminal."""
        if not at_terminal():
            yield
            return
        self._kept = []
        try:
            yield
        finally:
            lines, self._kept = self._kept, None
        page("".join(f"{line}\n" for line in lines))

    def cells(self, cells: tuple[Cell, ...]) -> bool:
        """Draw a board without a game, if it fits, and say whether. In plain text there is none."""
        return False

    # A game.

    def seat(self, people: GivenNames, computers: GivenNames) -> None:
        """Take the names of the people and of the computer players."""
        self.names = people[0] or SEATS[0], people[1] or SEATS[1]
        seated = people[0] or computers[0], people[1] or computers[1]
        for seat, before, now in zip(SEATS, self._seated, seated, strict=True):
            if now is not None and now != before:
                self.say([f"{seat} is {now}."])
        self._seated = seated

    def welcome(self, game: Game[P], position: P, asked: bool = True) -> None:
        """Print what comes before the first turn. `asked`: a person will be asked to move."""
        self.say(game.words.welcome(position))

    def turn(
        self, game: Game[P], position: P, past: Sequence[Last] = (), asked: bool = True
    ) -> None:
        """Print a position and what can be played. `asked`: a person will see it."""
        self.say(game.words.turn(position))

    def decided(self) -> None:
        """Make room for what a person's decision leads to. Plain text goes on, line by line."""

    def ask_move(self, game: Game[P], position: P, alone: bool = False) -> str:
        """Ask for a move, and return what was typed. `alone`: there is no other player."""
        return self.ask(game.words.prompt(position))

    def chosen(self, game: Game[P], position: P, move: int) -> None:
        """Print the choice of a computer player."""
        self.say([f"{game.words.prompt(position)}{move}"])

    def moved(self, game: Game[P], before: P, move: int, after: P, typed: bool) -> None:
        """Print what a move led to. `typed`: the reader made it."""
        self.say(game.words.follow(before, move, after, typed=typed))

    def goes_on(self, game: Game[P], position: P) -> None:
        """Print what follows a move if the game goes on."""
        self.say(game.words.goes_on(position))

    def closed(self, game: Game[P], end: Ending, past: Sequence[Last], typed: bool) -> None:
        """Print how the game ended, after these moves. `typed`: by a move of the reader."""
        if end.ruled:
            self.say(game.words.closing(end.position, end.outcome, typed=typed))
        else:
            self.say([end.sentence(game, self.names)])


def called(people: GivenNames, computers: GivenNames) -> tuple[str, str]:
    """Return what to call each player: `Ann`, `Cal (hard)`; `Player 1 (hard)` if both are."""
    alike = computers[0] == computers[1]

    def name_of(seat: str, name: str | None, computer: str | None) -> str:
        if computer and character(computer) and not alike:
            return display_name(computer)
        return name or (f"{seat} ({computer})" if computer else seat)

    one, two = map(name_of, SEATS, people, computers)
    return one, two


def wrapped(line: str, width: int, indent: str = "") -> list[str]:
    """Return the line in parts that fit, broken between words. There is at least one."""
    line = spelled(line)
    if len(line) <= width:
        return [line]
    width = max(width, len(indent) + 1)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]


def page(text: str) -> None:
    """Print a text, in a pager if it is higher than the terminal."""
    if text.count("\n") < shutil.get_terminal_size().lines:
        click.echo(text, nl=False)
    else:
        click.echo_via_pager(text)


def titled(game: Game[P], changed: bool = False) -> str:
    """Return the title of a game and its settings, or only those that were changed."""
    settings = game.settings.describe(changed)
    return f"{game.title} ({settings})" if settings else game.title


def rules_of(game: Game[P]) -> str:
    """Return the rules of a game and its settings."""
    settings = game.settings.describe()
    rules = game.rules_and_notes()
    return f"{rules}\n\nThis game: {settings}." if settings else rules


def screen(plain: bool, scroll: bool = False) -> Screen:
    """Return a board at a terminal, and plain text elsewhere or if it is asked for."""
    if plain or not sys.stdout.isatty():
        return Screen()
    from numduel.terminal.board import BoardScreen  # rich is slow to import

    return BoardScreen(scroll=scroll)


@contextmanager
def progress(what: str, seconds: float | None = None) -> Iterator[Callable[..., None]]:
    """Show a bar on standard error, or the time left of work that takes about so many seconds.

    Yields a function to call with the part that is done, and a text if any, which moves the bar.
    """
    if not sys.stderr.isatty():
        yield lambda part, news="": None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.text import Text

    class Expected(ProgressColumn):
        """How long it has taken, and what is left of the time that was expected."""

        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            so_far = task.elapsed or 0
            left = (seconds or 0) - so_far
            to_go = f", about {left:.0f} s to go" if left >= 1 else ""
            return Text(f"{so_far:.0f} s so far{to_go}")

    columns = [BarColumn(), Remaining()] if seconds is None else [Expected()]
    console = Console(stderr=True)
    bar = Progress(TextColumn("{task.description}"), *columns, console=console, transient=True)
    task = bar.add_task(what, total=None)

    def told(part: float, news: object = "") -> None:
        text = escape(f"{what}: {news}" if str(news) else what)
        bar.update(task, completed=part, total=1, description=text)

    timer = Timer(PROGRESS_DELAY_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield told
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
