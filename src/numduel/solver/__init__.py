"""Exact solvers, which know no particular game.

`solve` and `evaluate` check that play can reach the position, then ask the game's theory. A caller
whose positions come from `Game.play` or `Game.read` asks `theory_of(game)` without this check.
"""

from __future__ import annotations

from collections.abc import Iterable

from numduel.core.game import Game, P
from numduel.core.theory import Theory
from numduel.core.verdict import Verdict

__all__ = ["Verdict", "evaluate", "evaluate_many", "solve", "theory_of"]


def solve(game: Game[P], position: P) -> Verdict:
    """Return the exact verdict for the player to move.

    Raises `TooLarge` if the verdict is out of reach, and `PositionError` if play cannot reach the
    position.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=10)
    >>> solve(game, game.read("5/2"))
    Verdict(value='win', distance=1)
    >>> solve(game, game.read("8/1"))
    Verdict(value='loss', distance=2)
    """
    game.check(position)
    return theory_of(game).solve(position)


def evaluate(game: Game[P], position: P) -> dict[int, Verdict]:
    """Return the exact verdict of each legal move, for the player who makes it.

    Raises the same errors as `solve`.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=10)
    >>> evaluate(game, game.read("4/2"))
    {1: Verdict(value='win', distance=3), 2: Verdict(value='loss', distance=2)}
    """
    game.check(position)
    return theory_of(game).evaluate(position)


def evaluate_many(game: Game[P], positions: Iterable[P]) -> list[dict[int, Verdict]]:
    """Return `evaluate` of each position. The extra `fast` does this on all cores at once.

    Raises the same errors as `solve`. A `PositionError` names the index of the position.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=10)
    >>> [list(verdicts) for verdicts in evaluate_many(game, [game.start(), game.read("10!/1")])]
    [[1, 2], []]
    """
    positions = list(positions)
    game.check_each(positions)
    return theory_of(game).evaluate_many(positions)


def theory_of(game: Game[P]) -> Theory[P]:
    """Return the game's own theory, or the reference solver if it has none.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=10)
    >>> theory_of(game).sound_move(game.read("5/2"))
    1
    """
    if game.theory is not None:
        return game.theory
    if game.reference is None:
        from numduel.solver.reference import Reference

        game.reference = Reference(game)
    return game.reference
