"""What a person sees: plain text, the documents' own lines."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections import deque
from collections.abc import Iterable

from numduel.core.game import Game, P
from numduel.core.record import Record
from numduel.terminal.prompt import read_line

_WIDEST = 100  # longer lines of prose are hard to read


SIGNS = {"win": "+", "draw": "=", "endless": "~", "loss": "-"}
"""How a verdict shows where there is no colour, and beside it where there is."""


class Screen:
    """Plain text. `ColourScreen` says the same words and draws a board."""

    @property
    def width(self) -> int:
        """How many columns there are; 80 where nobody can tell."""
        return shutil.get_terminal_size().columns

    def say(self, lines: Iterable[str]) -> None:
        """Lines of words."""
        for line in lines:
            print(line)

    def verdict(self, value: str, line: str) -> None:
        """A line about a verdict, with its sign."""
        self.say([f"{SIGNS[value]} {line}"])

    def prose(self, text: str) -> None:
        """Paragraphs, broken into lines that suit the width."""
        width = min(self.width, _WIDEST)
        for paragraph in text.split("\n\n"):
            if any(line.startswith(" ") for line in paragraph.splitlines()):
                self.say(paragraph.splitlines())  # drawn by hand
            else:
                self.say(textwrap.wrap(paragraph, width, break_on_hyphens=False))
            self.say([""])

    def ask(self, prompt: str) -> str:
        """What the person typed."""
        return read_line(prompt)

    def turn(self, game: Game[P], position: P) -> None:
        """Open a turn: whose it is, where the game stands, what can be done."""
        self.say(game.words.turn(position))

    def chosen(self, game: Game[P], position: P, who: str, move: int) -> None:
        """What a player who does not type has chosen."""
        self.say([f"{game.words.prompt(position)}{move}"])

    def moved(self, game: Game[P], before: P, move: int, after: P) -> None:
        """What the move led to."""
        self.say(game.words.follow(before, move, after))

    def recap(self, game: Game[P], record: Record) -> None:
        """Say again what the last move led to, where a game is taken up in the middle."""
        if record.moves:
            before, after = deque(record.positions(game), maxlen=2)
            self.say(game.words.follow(before, record.moves[-1], after))


def list_line(line: str) -> None:
    """One line; at a terminal that is too narrow for it, broken between words."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        line = textwrap.fill(line, width, subsequent_indent=" " * 6, break_on_hyphens=False)
    print(line)


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
    colour = (
        not plain
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
    if not colour:
        return Screen()
    from numduel.terminal.colour import ColourScreen  # rich is slow to import

    return ColourScreen()
