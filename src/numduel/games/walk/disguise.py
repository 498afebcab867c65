"""Multiplicity under other words: who can go where is listed, and no number is left."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from numduel.games.naming import NamedTelling, Naming, cards, codes, words
from numduel.games.walk.rules import Multiplicity, Walk


class Story(NamedTuple):
    """What the board is in one disguise."""

    title: str
    place: str  # one of the numbers
    joined: str  # what "related" is
    naming: Naming


STORIES = (
    Story("The Travellers", "village", "joined by a road", words),
    Story("The Museum", "room", "joined by a door", codes),
    Story("The Archipelago", "buoy", "joined by a rope", cards),
)


class WalkDisguise(NamedTelling[Walk]):
    """A walk along what joins places, each of which is entered once."""

    game: Multiplicity

    def __init__(self, game: Multiplicity, story: Story, seed: int) -> None:
        super().__init__(game)
        self.story = story
        self.names = story.naming(game.settings.size, Random(f"{seed} {story.title}"))

    @property
    def title(self) -> str:
        return self.story.title

    @property
    def rules(self) -> str:
        place, settings = self.story.place, self.game.settings
        numbers = range(1, settings.size + 1)
        parts = [
            f"Two players move one token in turn. It begins in {self.name(settings.start)}. On "
            f"your turn you must move it to a {place} that is {self.story.joined} with the one it "
            f"is in, and in which it has not been yet. Who is to move and cannot has lost."
        ]
        if settings.start_open:
            parts.append(f"The {place} in which it begins counts as new: it may be entered once.")
        if settings.opening == "even":
            even = self.listed(number for number in numbers if number % 2 == 0)
            parts.append(f"The very first move must be to one of these: {even}.")
        pairs = self.pairs({number: self.game.neighbours(number) for number in numbers})
        return "\n".join([*parts, f"Each {place}, and what it is {self.story.joined} with:", pairs])

    @property
    def form(self) -> str:
        return f"A move is written as the name of the {self.story.place}."

    def describe(self, position: Walk) -> str:
        used = self.listed(position.chosen)
        return (
            f"The token is in {self.name(position.number)}. It cannot enter again: {used}. "
            f"Player {position.mover} is to move."
        )


def disguised(game: Multiplicity, seed: int) -> tuple[WalkDisguise, ...]:
    """Multiplicity in each of its disguises; TooLarge."""
    return tuple(WalkDisguise(game, story, seed) for story in STORIES)
