"""Who chooses a move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from numduel.core.errors import SettingsError
from numduel.core.game import Game, P
from numduel.core.numerals import either, quoted

HUMAN = "human"


class Player(Protocol):
    """Chooses moves. All chance comes from `rng`, so that a seed repeats a game."""

    def choose(self, game: Game[P], position: P, rng: Random) -> int:
        """A legal move; the game is not over."""

    def swaps(self, game: Game[P], position: P, rng: Random) -> bool:
        """Whether to take over the first move, which led to `position`."""


class RandomPlayer:
    """Any legal move, each as likely."""

    def choose(self, game: Game[P], position: P, rng: Random) -> int:
        return rng.choice(game.moves(position))

    def swaps(self, game: Game[P], position: P, rng: Random) -> bool:
        return rng.random() < 0.5


PLAYERS: dict[str, Callable[[], Player]] = {"random": RandomPlayer}
"""Each computer player by the name that it is asked for with."""


def check_who(who: str) -> str:
    """The name of a player, a person included; SettingsError if there is none of that name."""
    if who != HUMAN and who not in PLAYERS:
        raise SettingsError(f"a player is {either([HUMAN, *PLAYERS])}, not {quoted(who)}")
    return who


def player(who: str) -> Player | None:
    """The computer player of that name, or None for a person."""
    return None if check_who(who) == HUMAN else PLAYERS[who]()
