"""The interface of a player, the turn that it is asked about, and the random player."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, NamedTuple

from numduel.core.errors import NumduelError
from numduel.core.game import Game, Position

HUMAN = "human"

DEFAULT_ALLOWANCE_SECONDS = 3.0
"""The time to plan for if a turn has no time limit. A sound move may take longer."""

MIN_ALLOWANCE_SECONDS = 0.2


class Turn(NamedTuple):
    """The turn for which a player is asked to choose a move."""

    game: Game[Any]
    position: Position
    first: int  # the seat that moved first
    moves: tuple[int, ...]  # the moves so far
    rng: Random  # the only source of chance, so that the same seed gives the same game
    swap_ahead: bool = False  # whether the opponent may take over this turn
    seconds: float | None = None  # the time limit for the answer; None if there is none

    @property
    def allowance_seconds(self) -> float:
        """The time to plan for: a third of the limit, because machines differ in speed.

        A player compares it with the costs that a theory declares, never with a clock. So the same
        seed and the same limit give the same move.
        """
        if self.seconds is None:
            return DEFAULT_ALLOWANCE_SECONDS
        return max(self.seconds / 3, MIN_ALLOWANCE_SECONDS)


Fault = Literal["illegal", "unreadable", "late", "crashed", "refused"]
"""How a player can fail to answer with a legal move in time."""

Cut = Literal["cut"]
"""An answer was cut off by a limit of tokens. In an arena this does not lose the game."""


class Forfeit(Exception):
    """Raised by a player that loses the game because it cannot go on.

    The message says why, in a sentence without a full stop.
    """

    def __init__(self, why: str, fault: Fault | Cut = "crashed") -> None:
        super().__init__(why)
        self.fault: Fault | Cut = fault


class Unavailable(NumduelError):
    """Raised if a player could not be asked through no fault of its own. It does not lose the game.

    `stops`: whether asking again would not help.
    """

    def __init__(self, why: str, stops: bool = False) -> None:
        super().__init__(why)
        self.stops = stops


class Player:
    """Chooses moves."""

    name = "player"  # shown where the player was not chosen by name
    is_remote = False  # whether it asks a server; an arena asks such a player from its own process

    def choose(self, turn: Turn) -> int:
        """Return the best legal move that it finds in time. The game is not over."""
        raise NotImplementedError

    def swaps(self, turn: Turn) -> bool:
        """Return whether to take over the first move, which led to this position."""
        return turn.rng.random() < 0.5

    def check_fit(self, game: Game[Any]) -> None:
        """Raise NumduelError if the player cannot play this game."""

    def close(self) -> None:
        """Release the player's resources. It can be asked again afterwards."""


class RandomPlayer(Player):
    """Chooses each legal move with the same probability."""

    name = "random"

    def choose(self, turn: Turn) -> int:
        moves = turn.game.moves(turn.position)
        return moves[int(turn.rng.random() * len(moves))]
