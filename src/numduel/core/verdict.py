"""A verdict: what best play leads to, for the player to move."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from numduel.core.game import Outcome

Value = Literal["win", "draw", "endless", "loss"]
"""`draw`: best play ends with nobody winning; `endless`: a side can go on for ever, unbeaten."""

SCORES: dict[Value, float] = {"win": 1.0, "draw": 0.5, "endless": 0.5, "loss": 0.0}
"""What each value is worth, the best first; what a move gives away is the difference."""

TURNED: dict[Value, Value] = {"win": "loss", "draw": "draw", "endless": "endless", "loss": "win"}
"""Each value as the opponent sees it."""

_ORDER = {value: place for place, value in enumerate(reversed(SCORES))}


class Verdict(NamedTuple):
    """What best play leads to, for the player to move."""

    value: Value
    distance: int | None = None  # moves to the end with best play; None: endless or not known

    @property
    def score(self) -> float:
        """1 for a win, ½ for a draw or an endless game, 0 for a loss."""
        return SCORES[self.value]

    @property
    def rank(self) -> tuple[int, float]:
        """Larger is better for the mover: win soon, win late, draw, endless, lose late or soon."""
        far = inf if self.distance is None else self.distance
        return _ORDER[self.value], {"win": -far, "loss": far}.get(self.value, 0)

    def before(self, same_mover: bool) -> Verdict:
        """The verdict one move earlier, for whoever made that move."""
        value = self.value if same_mover else TURNED[self.value]
        return Verdict(value, None if self.distance is None else self.distance + 1)


def ended_verdict(outcome: Outcome, mover: int) -> Verdict:
    """The verdict of a position in which the game is over."""
    if outcome.winner is None:
        return Verdict("draw", 0)
    return Verdict("win" if outcome.winner == mover else "loss", 0)
