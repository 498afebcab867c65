"""What a player is, what it is asked, and the simplest one."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, NamedTuple

from numduel.core.game import Game, Position

HUMAN = "human"

PATIENCE = 3.0
"""Seconds to plan for where nobody has said how long an answer may take, a sound move apart."""

INSTANT = 0.2
"""Seconds that any answer may take."""


class Turn(NamedTuple):
    """What a player is asked about."""

    game: Game[Any]
    position: Position
    first: int  # the seat that moved first
    moves: tuple[int, ...]  # the moves so far
    rng: Random  # all chance comes from here, so that a seed repeats a game
    swap_ahead: bool = False  # whether the opponent may take this move over
    seconds: float | None = None  # how long the answer may take; None: as long as it takes

    @property
    def allowance(self) -> float:
        """The seconds to plan for: a third of what there is, for machines differ.

        What is planned is what a theory says that its answers cost. No clock is asked, so that
        the same seed and the same seconds give the same move.
        """
        return PATIENCE if self.seconds is None else max(self.seconds / 3, INSTANT)


Fault = Literal["illegal", "unreadable", "late", "crashed"]
"""How a player can fail to answer: a move that is not allowed, what is no move at all, …"""


class Forfeit(Exception):
    """The player cannot go on and loses this game; says why, in a sentence without full stop."""

    def __init__(self, why: str, fault: Fault = "crashed") -> None:
        super().__init__(why)
        self.fault: Fault = fault


class Player:
    """Chooses moves."""

    name = "player"  # what it is called, where it was not asked for by name

    def choose(self, turn: Turn) -> int:
        """A legal move, the best that it knows in the time it has; the game is not over."""
        raise NotImplementedError

    def swaps(self, turn: Turn) -> bool:
        """Whether to take over the first move, which led to this position."""
        return turn.rng.random() < 0.5

    def check_fit(self, game: Game[Any]) -> None:
        """Raise NumduelError where the player cannot play this game."""

    def close(self) -> None:
        """Let go of what the player holds; it can still be asked again."""


class RandomPlayer(Player):
    """Any legal move, each as likely."""

    name = "random"

    def choose(self, turn: Turn) -> int:
        return turn.rng.choice(turn.game.moves(turn.position))
