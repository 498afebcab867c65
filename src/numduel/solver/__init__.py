"""Exact solving that knows no particular game.

`solve` and `evaluate` ask the game's own theory, or the reference solver where it has none.
"""

from __future__ import annotations

from collections.abc import Iterable

from numduel.core.game import Game, P
from numduel.core.theory import Theory
from numduel.core.verdict import Verdict

__all__ = ["Verdict", "evaluate", "evaluate_many", "solve", "theory_of"]


def solve(game: Game[P], position: P) -> Verdict:
    """The exact verdict for the player to move; TooLarge where it is out of reach.

    PositionError where play cannot reach the position.
    """
    game.check(position)
    return theory_of(game).solve(position)


def evaluate(game: Game[P], position: P) -> dict[int, Verdict]:
    """The exact verdict of each legal move, for the player who makes it; as `solve`."""
    game.check(position)
    return theory_of(game).evaluate(position)


def evaluate_many(game: Game[P], positions: Iterable[P]) -> list[dict[int, Verdict]]:
    """`evaluate` of each of many positions: with the extra `fast`, on all cores at once.

    PositionError says which one play cannot reach; the first is position 0.
    """
    positions = list(positions)
    game.check_each(positions)
    return theory_of(game).evaluate_many(positions)


def theory_of(game: Game[P]) -> Theory[P]:
    """The game's own theory, or the reference solver."""
    theory: Theory[P] | None = game.theory
    if theory is not None:
        return theory
    from numduel.solver.reference import Reference

    reference: Reference[P] = vars(game).setdefault("_reference", Reference(game))
    return reference  # kept with the game, with all that it has found
