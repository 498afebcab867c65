"""The perfect player: never turns a win into less, never loses what is endless."""

from __future__ import annotations

from math import inf
from typing import Any

from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.players.player import Player, Turn, foreseen
from numduel.solver import theory_of


class Perfect(Player):
    """Hurries where it wins. Elsewhere it sets the trap after which most replies are mistakes."""

    def choose(self, turn: Turn) -> int:
        theory = theory_of(turn.game)
        if theory.cost(turn.position).evaluate > 1 and not turn.swap_ahead:
            return theory.sound_move(turn.position)
        exact: dict[int, Verdict | None] = {**theory.evaluate(turn.position)}
        verdicts = {move: one for move, one in foreseen(turn, exact).items() if one is not None}
        value = max(verdicts.values(), key=lambda verdict: verdict.rank).value
        good = {move: verdict for move, verdict in verdicts.items() if verdict.value == value}
        if value == "win":
            scores: dict[int, Any] = {move: verdict.rank for move, verdict in good.items()}
        elif turn.swap_ahead:
            scores = {move: verdict.rank for move, verdict in good.items()}
        else:
            scores = {move: _trap(turn, move, verdict) for move, verdict in good.items()}
        best = max(scores.values())
        return turn.rng.choice([move for move, score in scores.items() if score == best])

    def check_fit(self, game: Game[Any]) -> None:
        theory_of(game).solve(game.start())  # TooLarge, before a game is begun

    def swaps(self, turn: Turn) -> bool:
        """Take over the first move where the player who is to move now would rather not be."""
        return theory_of(turn.game).solve(turn.position).value == "loss"


def _trap(turn: Turn, move: int, verdict: Verdict) -> tuple[float, float]:
    """What share of the replies would be mistakes, and how far off the end is."""
    replies = theory_of(turn.game).evaluate(turn.game.after(turn.position, move)).values()
    kept = max((reply.rank[0] for reply in replies), default=0)
    mistakes = sum(reply.rank[0] < kept for reply in replies)
    distance = inf if verdict.distance is None else verdict.distance
    return (mistakes / len(replies) if replies else 0.0), distance
