"""What can be known about a position: its verdict, and why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import inf
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from numduel.core.game import Game, Outcome, Position

    P = TypeVar("P", bound=Position)
else:
    P = TypeVar("P")


class Verdict(NamedTuple):
    """What best play leads to, for the player to move."""

    value: str  # "win", "loss" or "endless": neither side can force a win
    distance: int | None = None  # moves to the end with best play; None: endless or not known

    def before(self, same_mover: bool) -> Verdict:
        """The verdict one move earlier, for whoever made that move."""
        value = self.value if same_mover else TURNED[self.value]
        return Verdict(value, None if self.distance is None else self.distance + 1)

    @property
    def rank(self) -> tuple[int, float]:
        """Larger is better for the mover: win soon, win late, endless, lose late, lose soon."""
        far = inf if self.distance is None else self.distance
        return {"win": (2, -far), "endless": (1, 0), "loss": (0, far)}[self.value]


TURNED = {"win": "loss", "loss": "win", "endless": "endless"}


class Theory(ABC, Generic[P]):
    """The exact solution of one game at fixed settings."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @property
    def deliberate(self) -> bool:
        """Whether every move, and every reply to it, can be evaluated while somebody waits."""
        return True

    def winning_move(self, position: P) -> int | None:
        """Some move that wins; None where there is none."""
        wins = {m: v for m, v in self.evaluate(position).items() if v.value == "win"}
        return max(wins, key=lambda move: wins[move].rank, default=None)

    @abstractmethod
    def solve(self, position: P) -> Verdict:
        """The verdict of a position; TooLarge rather than a guess."""

    def evaluate(self, position: P) -> dict[int, Verdict]:
        """The verdict of each legal move, for the player who makes it."""
        found = {}
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            found[move] = self.solve(after).before(after.mover == position.mover)
        return found

    def reason(self, position: P, move: int) -> str:
        """Why the move is as good as it is, in a sentence of the game's own terms."""
        verdict = self.evaluate(position)[move]
        if verdict.value == "endless":
            return f"after {move} neither side can force a win"
        who = "you win" if verdict.value == "win" else "they win"
        if verdict.distance == 1:
            return f"with {move} {who} at once"
        how = "" if verdict.distance is None else f", {verdict.distance - 1} more moves away"
        return f"after {move} {who} with best play{how}"


def ended_verdict(outcome: Outcome, mover: int) -> Verdict:
    """The verdict of a position in which the game is over."""
    if outcome.winner is None:
        return Verdict("endless")
    return Verdict("win" if outcome.winner == mover else "loss", 0)
