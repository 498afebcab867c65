"""Games as other packages define them, and the settings with which adapters are tested."""

from dataclasses import dataclass
from typing import NamedTuple

from numduel.core.game import Game, Outcome, other


class Pile(NamedTuple):
    left: int
    mover: int


class Again(Game[Pile]):
    """Take 1 and move again, or take 2 and pass the turn; taking the last one wins."""

    key = "again"
    title = "Again"
    summary = rules = "Take one and move again, or take two."

    def begin(self, first):
        return Pile(9, first)

    def moves(self, position):
        return tuple(range(1, min(2, position.left) + 1))

    def after(self, position, move):
        if position.left == move:
            return Pile(0, other(position.mover))
        return Pile(position.left - move, position.mover if move == 1 else other(position.mover))

    def outcome(self, position):
        return None if position.left else Outcome(other(position.mover), "last")


@dataclass(frozen=True)
class Heap:
    left: int
    mover: int


class Heaps(Game[Heap]):
    """Take 2 or 3; nobody wins if 1 is left over. Positions are dataclasses."""

    key = "heaps"
    title = "Heaps"
    summary = rules = "Take two or three."

    def begin(self, first):
        return Heap(12, first)

    def moves(self, position):
        return tuple(range(2, min(3, position.left) + 1))

    def after(self, position, move):
        return Heap(position.left - move, other(position.mover))

    def outcome(self, position):
        if self.moves(position):
            return None
        return Outcome(None if position.left else other(position.mover), "taken")


REGISTERED = {
    "take-away": "take_away:TakeAway",
    "fifteen": "fifteen:Fifteen",  # may end in a draw
    "again": "elsewhere:Again",
    "heaps": "elsewhere:Heaps",
}

CASES = (
    ("divisor-duel", {"ceiling": 100}),
    ("divisor-duel", {"divisor": 7, "start": 3, "ceiling": 400}),
    ("operation-duel", {}),
    ("operation-duel", {"target": 30, "operations": "+1,-2,x3"}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 100, "start": 5}),
    ("divisor-line", {}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("multiplicity", {}),
    ("multiplicity", {"size": 20, "start": 6, "start_open": True}),
    ("multiplicity", {"size": 12, "opening": "even"}),
    *((key, {}) for key in REGISTERED),
)
"""Keys with settings: several for each game of ours."""
