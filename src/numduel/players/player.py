"""What a player is, and the simplest one."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from numduel.core.game import Game, Position
from numduel.core.verdict import Verdict

HUMAN = "human"

IMMEDIATE_WIN = Verdict("win", 1)


class Turn(NamedTuple):
    """What a player is asked about."""

    game: Game[Any]
    position: Position
    first: int  # the seat that moved first
    moves: tuple[int, ...]  # the moves so far
    rng: Random  # all chance comes from here, so that a seed repeats a game
    swap_ahead: bool = False  # whether the opponent may take this move over


class Forfeit(Exception):
    """The player cannot go on and loses this game; says why, in a sentence."""


class Player:
    """Chooses moves."""

    name = ""
    """What it calls itself, where it says so."""

    def choose(self, turn: Turn) -> int:
        """A legal move; the game is not over."""
        raise NotImplementedError

    def swaps(self, turn: Turn) -> bool:
        """Whether to take over the first move, which led to this position."""
        return turn.rng.random() < 0.5

    def check_fit(self, game: Game[Any]) -> None:
        """Raise NumduelError where the player cannot play this game."""

    def close(self) -> None:
        """Let go of what the player holds; it can still be asked again."""


def foreseen(turn: Turn, seen: dict[int, Verdict | None]) -> dict[int, Verdict | None]:
    """What each move is worth, with the swap in mind.

    An opening that wins is taken over and one that loses is not, unless it ends the game at once.
    """
    if not turn.swap_ahead:
        return seen
    return {
        move: Verdict("loss", verdict.distance)
        if verdict is not None and verdict.value == "win" and verdict != IMMEDIATE_WIN
        else verdict
        for move, verdict in seen.items()
    }


class RandomPlayer(Player):
    """Any legal move, each as likely."""

    def choose(self, turn: Turn) -> int:
        return turn.rng.choice(turn.game.moves(turn.position))
