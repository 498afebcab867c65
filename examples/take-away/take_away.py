"""Take Away: a complete sixth game, as anybody could publish it.

Some stones lie on the table. On your turn take 1 to `most` of them. Whoever takes the last wins.
"""

from typing import NamedTuple

from numduel.core.game import Game, Outcome, other
from numduel.core.settings import Settings, Whole


class Stones(NamedTuple):
    """How many stones are left, and who moves."""

    left: int
    mover: int


class TakeAwaySettings(Settings):
    stones = Whole(21, "how many stones there are", high=10_000)
    most = Whole(3, "how many stones a player may take", high=100)


class TakeAway(Game[Stones]):
    key = "take-away"
    title = "Take Away"
    summary = "Take a few stones; whoever takes the last one wins."
    rules = "On your turn take at least one stone. Whoever takes the last stone wins."
    settings_type = TakeAwaySettings
    settings: TakeAwaySettings

    def begin(self, first: int) -> Stones:
        return Stones(self.settings.stones, first)

    def moves(self, position: Stones) -> tuple[int, ...]:
        return tuple(range(1, min(self.settings.most, position.left) + 1))

    def after(self, position: Stones, move: int) -> Stones:
        return Stones(position.left - move, other(position.mover))

    def outcome(self, position: Stones) -> Outcome | None:
        return None if position.left else Outcome(other(position.mover), "took the last stone")
