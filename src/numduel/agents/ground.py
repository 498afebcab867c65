"""What all adapters stand on: a game that can be carried, its bounds, rewards and truth."""

from __future__ import annotations

from typing import Any

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game, Outcome
from numduel.core.verdict import Verdict
from numduel.games import new
from numduel.solver import evaluate, solve

MOST_ACTIONS = 10_000
"""A game of more actions, or of longer vectors, is not carried."""

TURN_LIMIT = 1000
"""After so many moves a game is called off, and nobody has won."""


def carried(key: str, settings: dict[str, Any]) -> Game[Any]:
    """The game at these settings; SettingsError where it is too large to be carried."""
    game = new(key, **settings)
    try:
        most = max(len(game.actions), game.encoding.length)
    except TooLarge as error:
        raise SettingsError(f"{game.title} cannot be carried at these settings: {error}") from None
    if most > MOST_ACTIONS:
        raise SettingsError(
            f"{game.title} cannot be carried at these settings: "
            f"it has {most:,} actions, at most {MOST_ACTIONS:,} are allowed"
        )
    return game


def reward(outcome: Outcome | None, seat: int) -> float:
    """1 to who won, -1 to who lost, 0 to both in any other case."""
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == seat else -1.0


def truth(game: Game[Any], position: Any) -> dict[str, Any]:
    """The exact verdict of a position and of each of its moves, as what goes into an info."""
    moves = evaluate(game, position)
    return {
        "verdict": _plain(solve(game, position)),
        "verdicts": {move: _plain(verdict) for move, verdict in moves.items()},
    }


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {"value": verdict.value, "score": verdict.score, "distance": verdict.distance}
