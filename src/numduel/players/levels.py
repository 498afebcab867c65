"""Opponents that look a few moves ahead, like a person, and play soundly within that sight."""

from __future__ import annotations

from typing import Any

from numduel.core.game import Game, Position
from numduel.core.verdict import Verdict, ended_verdict
from numduel.players.player import IMMEDIATE_WIN, Player, Turn, foreseen

SIGHT = {"easy": (1, 1_000), "medium": (4, 2_500), "hard": (10, 20_000)}
"""How many moves each level looks ahead, and at how many positions before its sight ends."""


class Level(Player):
    """Takes a win in sight, avoids a loss in sight, and otherwise moves at random."""

    def __init__(self, name: str) -> None:
        self.depth, self.looks = SIGHT[name]

    def choose(self, turn: Turn) -> int:
        seen = foreseen(turn, self._seen(turn))
        best = max(map(_rank, seen.values()))
        return turn.rng.choice([move for move, verdict in seen.items() if _rank(verdict) == best])

    def swaps(self, turn: Turn) -> bool:
        best = max(self._seen(turn).values(), key=_rank)
        return super().swaps(turn) if best is None else best.value == "loss"

    def _seen(self, turn: Turn) -> dict[int, Verdict | None]:
        return _Sight(turn.game, self.looks).moves(turn.position, self.depth)


def _rank(verdict: Verdict | None) -> tuple[int, float]:
    """Larger is better; what is out of sight stands between winning and losing."""
    return (1, 0) if verdict is None else verdict.rank


class _OutOfSight(Exception):
    """More positions than we look at."""


class _Sight:
    """What can be seen of a game from a position, within some number of moves."""

    def __init__(self, game: Game[Any], looks: int) -> None:
        self.game = game
        self.looks = looks

    def moves(self, position: Position, depth: int) -> dict[int, Verdict | None]:
        """Each legal move with its verdict, None where it lies beyond the sight."""
        moves = self.game.moves(position)
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
        self.looks -= 1
        if self.looks < 0:
            raise _OutOfSight
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
        best: Verdict | None = Verdict("loss", 0)
        for move in self.game.moves(position):
            reply = self._after(position, move, depth, known)
            if _rank(reply) > _rank(best):
                best = reply
            if reply == IMMEDIATE_WIN:
                break
        return best
