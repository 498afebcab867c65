"""Who chooses a move."""

from __future__ import annotations

from typing import Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, quoted
from numduel.players.player import HUMAN, Forfeit, Player, RandomPlayer, Turn

__all__ = [
    "COMPUTERS",
    "HUMAN",
    "LEVELS",
    "PROGRAM",
    "RANDOM",
    "Forfeit",
    "Player",
    "Turn",
    "check_fit",
    "check_who",
    "player",
]

LEVELS = ("easy", "medium", "hard")
RANDOM = "random"
COMPUTERS = (RANDOM, *LEVELS, "perfect")
"""The computer players, by the names that they are asked for with."""

PROGRAM = "program:"
"""What stands before the command of an outside program."""


def check_who(who: str) -> str:
    """The name of a player, a person included; SettingsError if there is none of that name."""
    if who in (HUMAN, *COMPUTERS) or (who.startswith(PROGRAM) and len(who) <= 1000):
        return who
    choices = either([HUMAN, *COMPUTERS, f"{PROGRAM}COMMAND"])
    raise SettingsError(f"a player is {choices}, not {quoted(who)}")


def check_fit(who: str, game: Game[Any]) -> None:
    """Raise where the player cannot play this game: a settings error, or TooLarge."""
    chooser = player(who)
    if chooser is not None:
        chooser.check_fit(game)


def player(who: str) -> Player | None:
    """The player of that name, which is not a person; None for a person."""
    check_who(who)
    if who == HUMAN:
        return None
    if who == RANDOM:
        return RandomPlayer()
    if who == "perfect":
        from numduel.players.perfect import Perfect

        return Perfect()
    if who in LEVELS:
        from numduel.players.levels import Level

        return Level(who)
    from numduel.players.program import Program

    return Program(who.removeprefix(PROGRAM))
