"""Stepping Stones: a game in which a player may move twice, with a picture of its own.

The stones of a path are numbered. On your turn step 1, 2 or 3 stones on; whoever comes to a warm
stone, a multiple of 5, steps again. Whoever reaches the last stone wins.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from numduel.core.game import Game, Outcome, other
from numduel.core.scene import Choice, Fact, Scene, Step, Track
from numduel.core.settings import Settings, Whole
from numduel.core.words import Last, Words

LONGEST_STEP = 3


class Place(NamedTuple):
    """The stone that both stand on, and who moves."""

    stone: int
    mover: int


class SteppingStonesSettings(Settings):
    stones = Whole(21, "how many stones there are", high=1_000)
    warm = Whole(5, "on whose multiples one steps again", low=2, high=100)


class SteppingStones(Game[Place]):
    key = "stepping-stones"
    title = "Stepping Stones"
    summary = "Step 1 to 3 stones on, and again from a warm one; reach the last stone."
    rules = (
        "Step 1, 2 or 3 stones on. From a warm stone, usually a multiple of 5, you step again at "
        "once. Whoever reaches the last stone wins."
    )
    settings_type = SteppingStonesSettings
    settings: SteppingStonesSettings

    def begin(self, first: int) -> Place:
        return Place(0, first)

    def moves(self, position: Place) -> tuple[int, ...]:
        left = self.settings.stones - position.stone
        return tuple(range(1, min(LONGEST_STEP, left) + 1))

    def after(self, position: Place, move: int) -> Place:
        stone = position.stone + move
        again = stone % self.settings.warm == 0 and stone < self.settings.stones
        return Place(stone, position.mover if again else other(position.mover))

    def outcome(self, position: Place) -> Outcome | None:
        ended = position.stone == self.settings.stones
        return Outcome(other(position.mover), "reached the last stone") if ended else None

    @cached_property
    def words(self) -> Words[Place]:
        return SteppingStonesWords(self)


class SteppingStonesWords(Words[Place]):
    game: SteppingStones

    def move_label(self, position: Place, move: int) -> str:
        return f"{move} → {position.stone + move}"

    def brief(self, position: Place, move: int) -> str:
        return str(position.stone + move)

    def moved(self, before: Place, move: int, after: Place, who: str) -> str:
        again = " and steps again" if self.game.moves(after) and after.mover == before.mover else ""
        return f"{who} steps from {before.stone} to {after.stone}{again}"

    def menu(self, position: Place) -> tuple[Choice, ...]:
        return tuple(
            Choice(move, f"+{move}", str(after.stone), self.ends(position, move) or again)
            for move in self.game.moves(position)
            for after in [self.game.after(position, move)]
            for again in ["you step again" if after.mover == position.mover else ""]
        )

    def scene(self, position: Place, past: Sequence[Last] = ()) -> Scene:
        stones, warm = self.game.settings.stones, self.game.settings.warm
        possible = tuple(self.step(position, move) for move in self.game.moves(position))
        return self.staged(
            position,
            past,
            number=Fact("Stone", str(position.stone)),
            choices=self.menu(position),
            aim=f"Reach {stones}. From a multiple of {warm} you step again.",
            track=Track(
                *(0, stones, position.stone, stones),
                steps=tuple(self.step(*last) for last in past),
                choices=possible,
            ),
        )

    def step(self, before: Place, move: int) -> Step:
        start = before.stone
        return Step(start, start + move, before.mover, f"+{move}", move)
