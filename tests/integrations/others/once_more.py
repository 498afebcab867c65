"""Once More: positions are dataclasses, a player may move twice, and a game may be drawn."""

from dataclasses import dataclass

from numduel.core.game import Game, Outcome, other
from numduel.core.settings import Settings, Whole


@dataclass(frozen=True)
class Heap:
    stones: int
    mover: int


class OnceMoreSettings(Settings):
    stones = Whole(11, "how many stones there are", high=1000)


class OnceMore(Game[Heap]):
    key = "once-more"
    title = "Once More"
    summary = "Take two to four stones; whoever takes the last one wins."
    rules = (
        "Take two, three or four stones. Whoever takes two moves again. Whoever takes the last "
        "stone wins; where one is left over nobody does."
    )
    settings_type = OnceMoreSettings
    settings: OnceMoreSettings

    def begin(self, first):
        return Heap(self.settings.stones, first)

    def moves(self, position):
        return tuple(range(2, min(4, position.stones) + 1))

    def after(self, position, move):
        mover = position.mover if move == 2 else other(position.mover)
        # Who took the last stone is not to move, whatever was taken.
        return Heap(
            position.stones - move, mover if position.stones > move else other(position.mover)
        )

    def outcome(self, position):
        if self.moves(position):
            return None
        winner = None if position.stones else other(position.mover)
        return Outcome(winner, "left over" if position.stones else "took the last stone")
