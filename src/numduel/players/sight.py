"""What a player sees by looking a few moves ahead, where the theory does not reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numduel.core.game import Game, Position
from numduel.core.verdict import Verdict, ended_verdict
from numduel.players.player import Turn

IMMEDIATE_WIN = Verdict("win", 1)

LOOKS_A_SECOND = 5_000
"""Positions that can be looked at in a second, on a slow machine, in a large game."""


class Sight:
    """How many moves ahead to look, and at how many positions before the sight ends."""

    def __init__(self, depth: int, looks: int) -> None:
        self.depth = depth
        self.looks = looks

    def of(self, turn: Turn) -> dict[int, Verdict | None]:
        """Each move with its verdict, the swap in mind; None where it is out of sight.

        Of a great many moves, only some.
        """
        looks = min(self.looks, int(turn.allowance * LOOKS_A_SECOND))
        moves = turn.game.moves(turn.position)
        if len(moves) > looks // 2:
            moves = tuple(turn.rng.sample(moves, looks // 2))
        return foreseen(turn, _Look(turn.game, looks).at(turn.position, moves, self.depth))

    def swaps(self, turn: Turn) -> bool | None:
        """Whether to take over the first move; None where nothing is in sight."""
        best = max(self.of(turn).values(), key=_rank)
        return None if best is None else best.value == "loss"


def best_in_sight(turn: Turn, seen: Mapping[int, Verdict | None]) -> int:
    """Some move that is the best of what is seen."""
    best = max(map(_rank, seen.values()))
    return turn.rng.choice([move for move, verdict in seen.items() if _rank(verdict) == best])


def foreseen(turn: Turn, seen: dict[int, Verdict | None]) -> dict[int, Verdict | None]:
    """What each move is worth, with the swap in mind.

    An opening that wins is taken over and one that loses is not, unless it ends the game at once.
    """
    if not turn.swap_ahead:
        return seen
    return {
        move: Verdict("loss", verdict.distance)
        if verdict is not None and verdict.value == "win" and verdict != IMMEDIATE_WIN
        else verdict
        for move, verdict in seen.items()
    }


def _rank(verdict: Verdict | None) -> tuple[float, float]:
    """Larger is better; what is out of sight may be a win, so that only a win in sight is more."""
    return (2.5, 0) if verdict is None else verdict.rank


class _OutOfSight(Exception):
    """More positions than we look at."""


class _Look:
    """A look at a game, from a position."""

    def __init__(self, game: Game[Any], looks: int) -> None:
        self.game = game
        self.looks = looks

    def at(
        self, position: Position, moves: tuple[int, ...], depth: int
    ) -> dict[int, Verdict | None]:
        """Each of the moves with its verdict, None where it lies beyond the sight."""
        seen: dict[int, Verdict | None] = dict.fromkeys(moves)
        try:
            for near in range(1, depth + 1):
                known: dict[tuple[Position, int], Verdict | None] = {}
                seen = {move: self._after(position, move, near, known) for move in moves}
        except _OutOfSight:
            pass
        return seen

    def _after(
        self, position: Any, move: int, depth: int, known: dict[Any, Verdict | None]
    ) -> Verdict | None:
        after = self.game.after(position, move)
        verdict = self._verdict(after, depth - 1, known)
        return None if verdict is None else verdict.before(after.mover == position.mover)

    def _verdict(
        self, position: Any, depth: int, known: dict[Any, Verdict | None]
    ) -> Verdict | None:
        if (position, depth) in known:
            return known[position, depth]
        self._look(1)
        outcome = self.game.outcome(position)
        verdict: Verdict | None = None
        if outcome is not None:
            verdict = ended_verdict(outcome, position.mover)
        elif depth > 0:
            verdict = self._best_reply(position, depth, known)
        known[position, depth] = verdict
        return verdict

    def _best_reply(
        self, position: Any, depth: int, known: dict[Any, Verdict | None]
    ) -> Verdict | None:
        moves = self.game.moves(position)
        self._look(len(moves) // 100)  # for finding them takes time, too
        best: Verdict | None = Verdict("loss", 0)
        for move in moves:
            reply = self._after(position, move, depth, known)
            if _rank(reply) > _rank(best):
                best = reply
            if reply == IMMEDIATE_WIN:
                break
        return best

    def _look(self, count: int) -> None:
        self.looks -= count
        if self.looks < 0:
            raise _OutOfSight
