"""Every position that play can reach, for games that are small enough to look at whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from numduel.core.errors import TooLarge

if TYPE_CHECKING:
    from numduel.core.game import Game, Position

    P = TypeVar("P", bound=Position)
else:
    P = TypeVar("P")

MOST_POSITIONS = 200_000
"""A game with more positions than this is too large to look at whole."""


def reachable(game: Game[P], starts: Iterable[P], most: int | None = None) -> dict[P, list[P]]:
    """Each position that can be reached, with those that follow it; TooLarge."""
    most = MOST_POSITIONS if most is None else most
    waiting = list(dict.fromkeys(starts))
    following: dict[P, list[P]] = {position: [] for position in waiting}
    while waiting:
        position = waiting.pop()
        for move in game.moves(position):
            after = game.after(position, move)
            following[position].append(after)
            if after not in following:
                if len(following) >= most:
                    raise TooLarge(f"more than {most:,} positions can be reached")
                following[after] = []
                waiting.append(after)
    return following
