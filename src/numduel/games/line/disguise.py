"""Divisor Line under other words: what belongs together is listed, and no number is left."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from numduel.games.line.rules import DivisorLine, Line, related
from numduel.games.naming import NamedTelling, Naming, cards, codes, words


class Story(NamedTuple):
    """What the line is in one disguise."""

    title: str
    thing: str  # one of the numbers
    take: str
    fits: str  # what "related" is
    naming: Naming


STORIES = (
    Story("The Auction", "stamp", "buy", "of a set with", words),
    Story("The Laboratory", "flask", "take", "reacts with", codes),
    Story("The Orchestra", "player", "hire", "is a friend of", cards),
)


class LineDisguise(NamedTelling[Line]):
    """Taking things in turn, until somebody has what belongs together."""

    game: DivisorLine

    def __init__(self, game: DivisorLine, story: Story, seed: int) -> None:
        super().__init__(game)
        self.story = story
        self.names = story.naming(game.settings.size, Random(f"{seed} {story.title}"))

    @property
    def title(self) -> str:
        return self.story.title

    @property
    def rules(self) -> str:
        thing, take, fits = self.story.thing, self.story.take, self.story.fits
        numbers = range(1, self.game.settings.size + 1)
        goal = (
            f"at least three of them, one of which {fits} another of yours"
            if self.game.settings.goal == "pair"
            else f"three of them, each of which {fits} both others"
        )
        pairs = {
            one: [other for other in numbers if other != one and related(one, other)]
            for one in numbers
        }
        return (
            f"Two players {take} one {thing} in turn, of those that are left. Whoever first has "
            f"{goal}, wins.\nEach {thing}, and which it {fits}:\n{self.pairs(pairs)}"
        )

    @property
    def form(self) -> str:
        return f"A move is written as the name of the {self.story.thing}."

    def describe(self, position: Line) -> str:
        over = " The game is over." if position.won else ""
        return (
            f"Player 1 has: {self.listed(position.crosses)}. "
            f"Player 2 has: {self.listed(position.noughts)}. "
            f"Player {position.mover} is to move.{over}"
        )


def disguised(game: DivisorLine, seed: int) -> tuple[LineDisguise, ...]:
    """Divisor Line in each of its disguises; TooLarge."""
    return tuple(LineDisguise(game, story, seed) for story in STORIES)
