"""Exact solving that knows no particular game.

`solve` and `evaluate` check that play can reach the position, then ask the game's theory. Callers
whose positions come from play, or were read by `Game.read`, ask `theory_of(game)` themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

from numduel.core.game import Game, P
from numduel.core.theory import Theory
from numduel.core.verdict import Verdict

__all__ = ["Verdict", "evaluate", "evaluate_many", "solve", "theory_of"]


def solve(game: Game[P], position: P) -> Verdict:
    """Return the exact verdict for the player to move.

    Raises TooLarge if it is out of reach, and PositionError if play cannot reach the position.
    """
    game.check(position)
    return theory_of(game).solve(position)


def evaluate(game: Game[P], position: P) -> dict[int, Verdict]:
    """Return the exact verdict of each legal move, for the player who makes it.

    Raises the same errors as `solve`.
    """
    game.check(position)
    return theory_of(game).evaluate(position)


def evaluate_many(game: Game[P], positions: Iterable[P]) -> list[dict[int, Verdict]]:
    """Return `evaluate` of each position: with the extra `fast`, on all cores at once.

    Raises PositionError if play cannot reach one of them, and says which; the first is number 0.
    """
    positions = list(positions)
    game.check_each(positions)
    return theory_of(game).evaluate_many(positions)


def theory_of(game: Game[P]) -> Theory[P]:
    """Return the game's own theory, or the reference solver."""
    if game.theory is not None:
        return game.theory
    if game.reference is None:
        from numduel.solver.reference import Reference

        game.reference = Reference(game)
    return game.reference
