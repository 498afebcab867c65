"""The tally games under other words: another number is shown in place of N, and letters for moves.

What is shown is `factor * N + shift`, so that adding and multiplying look like something else.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from numduel.core.numerals import shown
from numduel.core.telling import Telling
from numduel.games.tally.operations import Operation
from numduel.games.tally.rules import Tally, TallyGame


class Story(NamedTuple):
    """What the number is in one disguise."""

    title: str
    thing: str
    factors: tuple[int, ...]


STORIES = (
    Story("The Lift", "The lift is at floor", (1,)),
    Story("The Purse", "The coins in the purse are worth", (2, 3, 4, 5, 7)),
    Story("The Dive", "The depth gauge shows", (-1, -2, -3)),
)


class TallyDisguise(Telling[Tally]):
    """The number, seen through a glass that shifts and stretches."""

    game: TallyGame

    def __init__(self, game: TallyGame, story: Story, seed: int) -> None:
        super().__init__(game)
        rng = Random(f"{seed} {story.title}")
        self.story = story
        self.factor = rng.choice(story.factors)
        self.shift = rng.randint(11, 60)
        self.letters = rng.sample("ABCDEFGHJKLMNPQRSTUVWXYZ", len(game.operations))

    def seen(self, number: int) -> str:
        """What is shown in place of a number."""
        return shown(self.factor * number + self.shift)

    @property
    def title(self) -> str:
        return self.story.title

    @property
    def rules(self) -> str:
        game, beyond = self.game, "above" if self.factor > 0 else "below"
        moves = "\n".join(
            f"{letter}: {self._changes(operation)}"
            for letter, operation in zip(self.letters, game.operations, strict=True)
        )
        parts = [
            "Two players share one number and change it in turn. At first it is "
            f"{self.seen(game.starting_number)}. On your turn you must make one of these moves:",
            moves,
            self._goal(beyond),
        ]
        if game.subtracts:
            parts.append(
                f"A move that would take it {'below' if self.factor > 0 else 'above'} "
                f"{self.seen(1)} is not allowed. Who is to move and cannot has lost."
            )
        return "\n".join(parts)

    def _goal(self, beyond: str) -> str:
        goal, ceiling = self.game.goal, self.game.ceiling
        if ceiling == goal:
            exact = self.seen(goal)
            return f"Whose move makes it exactly {exact} wins. Whose move takes it {beyond} loses."
        step = abs(self.factor) * goal
        win = (
            f"Whose move makes it a number that leaves the remainder {self.shift % step} when "
            f"divided by {shown(step)} wins."
        )
        if ceiling is None:
            return win
        return f"Whose move takes it {beyond} {self.seen(ceiling)} loses, whatever it is. {win}"

    def _changes(self, operation: Operation) -> str:
        if operation.sign == "x":
            less = (operation.amount - 1) * self.shift
            return f"multiply it by {shown(operation.amount)}, then take away {shown(less)}"
        change = self.factor * operation.amount * (1 if operation.sign == "+" else -1)
        return f"add {shown(change)}" if change > 0 else f"take away {shown(-change)}"

    @property
    def form(self) -> str:
        return "A move is written as its letter."

    def describe(self, position: Tally) -> str:
        over = " The game is over." if position.ended else ""
        seen = self.seen(position.number)
        return f"{self.story.thing} {seen}. Player {position.mover} is to move.{over}"

    def label(self, position: Tally, move: int) -> str:
        return self.letters[move - 1]

    def read(self, position: Tally, text: str) -> int | None:
        letter = text.strip().upper()
        return self.letters.index(letter) + 1 if letter in self.letters else None


def disguised(game: TallyGame, seed: int) -> tuple[TallyDisguise, ...]:
    """A tally game in each of its disguises."""
    return tuple(TallyDisguise(game, story, seed) for story in STORIES)
