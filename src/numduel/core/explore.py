"""Visit the positions of a game: all that play can reach, or those of a random game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from numduel.core.errors import TooLarge

if TYPE_CHECKING:
    from random import Random

    from numduel.core.game import Game, Position

P = TypeVar("P", bound="Position")

MAX_EXPLORED_POSITIONS = 200_000
"""Maximum number of positions of a game that are all visited."""


def reachable(game: Game[P], starts: Iterable[P], most: int | None = None) -> dict[P, list[P]]:
    """Return each position that play can reach from the starts, with the positions after it.

    Raises `TooLarge` if there are more than `most` positions, by default MAX_EXPLORED_POSITIONS.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=4)
    >>> following = reachable(game, [game.start()])
    >>> len(following), [after.number for after in following[game.read("2/2")]]
    (6, [4, 3])
    """
    most = MAX_EXPLORED_POSITIONS if most is None else most
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


def playout(
    game: Game[P], rng: Random, position: P | None = None, most: int | None = None
) -> Iterator[tuple[P, int | None]]:
    """Yield each position of a random game with the move that is made there.

    The game begins at the given position, or at the start with a random seat to move. It goes on
    to its end, or for `most` moves. The last position comes with None instead of a move.

    >>> from random import Random
    >>> import numduel
    >>> game = numduel.new("double-or-add", target=4)
    >>> [(position.number, move) for position, move in playout(game, Random(0), game.start())]
    [(1, 2), (2, 2), (3, 1), (6, None)]
    """
    if position is None:
        position = game.start(rng.choice((1, 2)))
    for _ in count() if most is None else range(most):
        moves = game.moves(position)
        if not moves:
            break
        move = rng.choice(moves)
        yield position, move
        position = game.after(position, move)
    yield position, None
