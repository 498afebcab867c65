"""A verdict: the result of best play, for the player to move."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from numduel.core.game import Outcome

Value = Literal["win", "draw", "endless", "loss"]
"""`draw`: best play ends without a winner. `endless`: with best play the game never ends."""

SCORES: dict[Value, float] = {"win": 1.0, "draw": 0.5, "endless": 0.5, "loss": 0.0}
"""The score of each value, best first. The cost of a mistake is the difference of two scores."""

OPPOSITE: dict[Value, Value] = {"win": "loss", "draw": "draw", "endless": "endless", "loss": "win"}
"""Each value from the opponent's point of view."""

_ORDER = {value: place for place, value in enumerate(reversed(SCORES))}


class Verdict(NamedTuple):
    """The result of best play, for the player to move.

    >>> import numduel
    >>> game = numduel.new("operation-duel", target=20)
    >>> numduel.solve(game, game.start())
    Verdict(value='loss', distance=14)
    """

    value: Value
    distance: int | None = None  # moves to the end with best play; None if endless or not known

    @property
    def score(self) -> float:
        """1 for a win, 0.5 for a draw or an endless game, 0 for a loss."""
        return SCORES[self.value]

    @property
    def rank(self) -> tuple[int, float]:
        """A sort key. A larger one is better: lose late rather than early, and win early."""
        distance = inf if self.distance is None else self.distance
        return _ORDER[self.value], {"win": -distance, "loss": distance}.get(self.value, 0)

    def before(self, same_mover: bool) -> Verdict:
        """Return the verdict of the move that led here, for the player who made it.

        `same_mover` says whether that player is to move again.

        >>> Verdict("loss", 4).before(same_mover=False)
        Verdict(value='win', distance=5)
        """
        value = self.value if same_mover else OPPOSITE[self.value]
        return Verdict(value, None if self.distance is None else self.distance + 1)


def ended_verdict(outcome: Outcome, mover: int) -> Verdict:
    """Return the verdict of a position after the end of the game, for the seat `mover`.

    >>> from numduel.core.game import Outcome
    >>> ended_verdict(Outcome(winner=2, reason="stuck"), mover=1)
    Verdict(value='loss', distance=0)
    """
    if outcome.winner is None:
        return Verdict("draw", 0)
    return Verdict("win" if outcome.winner == mover else "loss", 0)
