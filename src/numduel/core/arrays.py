"""The rules of a game over arrays: many games at once, by pure functions.

A game that can be played so gives its `ArrayRules` from `Game.arrays(xp)`, where `xp` is numpy,
without which the games themselves do. An action is a place in `game.actions`. Sets are rows of
64-bit words, as suits NumPy; `numduel.core.bits` has what suits XLA.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from numduel.core.verdict import SCORES, Value, Verdict

if TYPE_CHECKING:
    from numduel.core.game import Encoding

P = TypeVar("P")
S = TypeVar("S", bound="State")

NOBODY = 3
"""The `winner` of a game that is over without one."""

VALUES: tuple[Value, ...] = tuple(reversed(SCORES))
"""A value in an array is its place here: the larger the better."""

UNKNOWN = -1
"""In an array of values: no legal move; in one of distances: not known, or no end."""


class State(Protocol):
    """Where many games stand: a named tuple of arrays, each with one entry, or one row, a game."""

    @property
    def mover(self) -> Any:
        """The seat whose turn it is, as in a position."""

    @property
    def winner(self) -> Any:
        """0 while the game goes on; else the seat that has won, or NOBODY."""

    @property
    def legal(self) -> Any:
        """Of each action whether it is legal; none is when the game is over."""


class Truth(NamedTuple):
    """The exact verdict of each action of many games, for the player who takes it."""

    values: Any  # places in VALUES; UNKNOWN where the action is not legal
    distances: Any  # moves to the end with best play; UNKNOWN where it is not known or has no end

    def verdicts(self, row: int, actions: range) -> dict[int, Verdict]:
        """What `evaluate` gives for one of the games, by `game.actions`."""
        return {
            move: Verdict(VALUES[value], None if distance == UNKNOWN else distance)
            for move, value, distance in zip(
                actions, self.values[row].tolist(), self.distances[row].tolist(), strict=True
            )
            if value != UNKNOWN
        }


class ArrayRules(ABC, Generic[P, S]):
    """The rules of one game at fixed settings, for as many games at once as the arrays have."""

    @abstractmethod
    def start(self, first: Any) -> S:
        """Where the games begin in which these seats make the first move."""

    @abstractmethod
    def after(self, state: S, actions: Any) -> S:
        """Where the games stand after an action in each; anything where it is not legal.

        All its arrays are new.
        """

    @abstractmethod
    def encode(self, state: S) -> Any:
        """The vectors that `Game.encode` gives, one row a game, in `kept_in(game.encoding)`."""

    @abstractmethod
    def position(self, state: S, row: int) -> P:
        """The position in which one of the games stands."""

    def truth(self, state: S) -> Truth | None:
        """The exact verdicts, where arrays give them; None leaves it to the game's theory."""
        return None


def kept_in(encoding: Encoding) -> str | None:
    """The smallest type of signed numbers that an encoding fits; None where 64 bits do not do."""
    for bits in (8, 16, 32, 64):
        if -(1 << bits - 1) <= encoding.low and encoding.high < 1 << bits - 1:
            return f"int{bits}"
    return None
