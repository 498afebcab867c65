"""A game told to somebody who knows nothing but words: its rules, a position, how to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from numduel.core.numerals import parse_whole

if TYPE_CHECKING:
    from numduel.core.game import Game, Position

    P = TypeVar("P", bound=Position)
else:
    P = TypeVar("P")


class Telling(Generic[P]):
    """The game as it is. A disguise replaces all of it, and leaves the game the same."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.game.title

    @property
    def rules(self) -> str:
        """The rules, with the settings."""
        settings = self.game.settings.worded()
        return f"{self.game.rules}\n\nThe settings: {settings}." if settings else self.game.rules

    @property
    def form(self) -> str:
        """How a move is written, in a sentence."""
        menu = self.game.words.menu(self.game.start())
        if menu and all(choice.gives for choice in menu):  # operations, each with its number
            numbers = ", ".join(f"{choice.move} for {choice.label}" for choice in menu)
            return f"A move is written as its number: {numbers}."
        return "A move is written as the number that you choose."

    def describe(self, position: P) -> str:
        """The position, in a sentence or two."""
        return f"{self.game.words.describe(position)}."

    def label(self, position: P, move: int) -> str:
        """A legal move, as it is written."""
        return str(move)

    def read(self, position: P, text: str) -> int | None:
        """The move that is written so, legal or not; None where it is none."""
        return parse_whole(text)
