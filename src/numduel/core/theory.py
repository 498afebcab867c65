"""A theory: the exact solution of a game, what asking it costs, and why a move is good."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from numduel.core.numerals import counted
from numduel.core.proof import Proof
from numduel.core.verdict import Value, Verdict

if TYPE_CHECKING:
    from numduel.core.game import Game, Position

    P = TypeVar("P", bound=Position)
else:
    P = TypeVar("P")


class Cost(NamedTuple):
    """About how many seconds a question takes at a position, on a slow machine; and bytes."""

    solve: float  # the verdict of the position, or a sound move
    values: float  # the value of each move
    evaluate: float  # the verdict of each move, distances and all
    once: float = 0.0  # what the first question of all takes beside that
    bytes: float = 0.0  # of memory, where it is much: what all answers are looked up in


CHEAP = Cost(0.001, 0.001, 0.001)


class Theory(ABC, Generic[P]):
    """The exact solution of one game at fixed settings."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @abstractmethod
    def solve(self, position: P) -> Verdict:
        """The verdict of a position; TooLarge rather than a guess."""

    def distance(self, position: P) -> int | None:
        """That of the verdict, searched for longer where `solve` leaves it out; TooLarge.

        None where the position is endless.
        """
        return self.solve(position).distance

    def evaluate(self, position: P) -> dict[int, Verdict]:
        """The verdict of each legal move, for the player who makes it."""
        found = {}
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            found[move] = self.solve(after).before(after.mover == position.mover)
        return found

    def evaluate_many(self, positions: Sequence[P]) -> list[dict[int, Verdict]]:
        """`evaluate` of each of many positions, or sooner."""
        return [self.evaluate(position) for position in positions]

    def values(self, position: P) -> dict[int, Value]:
        """The value of each legal move, for the player who makes it: as `evaluate`, or sooner."""
        return {move: verdict.value for move, verdict in self.evaluate(position).items()}

    def sound_move(self, position: P) -> int:
        """Some move that keeps what there is, found quickly; the game is not over."""
        verdicts = self.evaluate(position)
        return max(verdicts, key=lambda move: verdicts[move].rank)

    def cost(self, position: P) -> Cost:
        """What questions about this position cost, so that nobody asks what takes too long.

        The same whatever was asked before: players plan by it, and a seed must repeat a game.
        """
        return CHEAP

    def reason(self, position: P, move: int) -> str:
        """Why the move is as good as it is, to follow the move and a colon."""
        verdict = self.evaluate(position)[move]
        if verdict.value == "endless":
            return "neither side can force an end"
        if verdict.value == "draw":
            return "with best play nobody wins"
        who = "you win" if verdict.value == "win" else "they win"
        if verdict.distance == 1:
            return f"{who} at once"
        if verdict.distance is None:
            return f"{who} with best play"
        return f"{who} with best play, {counted(verdict.distance - 1, 'more move')} away"

    def proofs(self, position: P) -> tuple[Proof, ...]:
        """What proves the verdict of a position in which the game is not over, and its distance.

        Nothing leaves it to the labels of all positions that can be reached; TooLarge.
        """
        return ()

    def pairs(self, position: P, move: int) -> tuple[tuple[int, int], ...]:
        """Where a move wins because numbers pair up: each answer to it, with one's own."""
        return ()
