"""What a person sees: plain text, the documents' own lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from numduel.core.game import Game, P
from numduel.core.record import Record
from numduel.terminal.prompt import read_line


class Screen:
    """Plain text. `ColourScreen` says the same words and draws a board."""

    def say(self, lines: Iterable[str]) -> None:
        """Lines of words."""
        for line in lines:
            print(line)

    def ask(self, prompt: str) -> str:
        """What the person typed."""
        return read_line(prompt)

    def turn(self, game: Game[P], position: P) -> None:
        """Open a turn: whose it is, where the game stands, what can be done."""
        self.say(game.turn(position))

    def chosen(self, game: Game[P], position: P, who: str, move: int) -> None:
        """What a player who does not type has chosen."""
        self.say([f"{game.prompt(position)}{move}"])

    def moved(self, game: Game[P], before: P, move: int, after: P) -> None:
        """What the move led to."""
        self.say(game.moved(before, move, after))

    def recap(self, game: Game[P], record: Record) -> None:
        """Say again what the last move led to, where a game is taken up in the middle."""
        if record.moves:
            *_, before, after = record.positions(game)
            self.say(game.moved(before, record.moves[-1], after))


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
