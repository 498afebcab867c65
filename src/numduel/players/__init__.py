"""The registry of players: ours, and those that other packages register."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import join_or, quoted
from numduel.players.player import HUMAN, Forfeit, Player, RandomPlayer, Turn

__all__ = [
    "HUMAN",
    "OUR_PLAYERS",
    "PLAYER_GROUP",
    "Forfeit",
    "Kind",
    "Player",
    "Turn",
    "character",
    "check_fit",
    "check_who",
    "choices",
    "computers",
    "display_name",
    "kinds",
    "player",
]

PLAYER_GROUP = "numduel.players"
"""The entry-point group in which a package registers a player: `name = "module:KIND"`."""

MAX_NAME_CHARACTERS = 1000
"""Maximum length of a player's name, so that it fits a record."""


class Kind(NamedTuple):
    """A kind of player, which is chosen by `NAME` or `NAME:PARAMETER`."""

    name: str
    help: str  # one line
    make: Callable[[str], Player]  # from the parameter, or ""; SettingsError if that is wrong
    parameter: str = ""  # how the help shows the parameter; empty if there is none
    served: bool = False  # whether visitors of a server may play against it
    character: str = ""  # what people call it

    @property
    def form(self) -> str:
        """How it is chosen: `level:0-10`."""
        return f"{self.name}:{self.parameter}" if self.parameter else self.name


def _level(level: str) -> Player:
    from numduel.players.levels import Level

    return Level.of(level)


def _perfect(_: str) -> Player:
    from numduel.players.perfect import Perfect

    return Perfect()


def _program(command: str) -> Player:
    from numduel.players.program import Program

    return Program(command)


def _model(name: str) -> Player:
    from numduel.players.model import Model

    return Model.of(name)


def _ours(name: str, help: str, make: Callable[[str], Player], character: str) -> Kind:
    return Kind(name, help, make, served=True, character=character)


OUR_PLAYERS = {
    kind.name: kind
    for kind in (
        _ours("random", "plays any move", lambda _: RandomPlayer(), "Pip"),
        _ours("easy", "often plays without thinking", lambda _: _level("0"), "Dot"),
        _ours("medium", "makes a good move more often than not", lambda _: _level("4"), "Bolt"),
        _ours("hard", "seldom makes a mistake", lambda _: _level("8"), "Cal"),
        _ours("perfect", "never makes a mistake, and sets traps", _perfect, "Otto"),
        Kind("level", "from 0, like easy, to 10, like perfect", _level, "0-10", served=True),
        Kind("program", "a program of yours", _program, "COMMAND"),
        Kind("model", "a language model on a server", _model, "NAME"),
    )
}


def kinds(served: bool = False) -> tuple[Kind, ...]:
    """Return every kind of player, ours first. Warns of those that cannot be loaded.

    `served`: only those that visitors of a server may play against.
    """
    found = list(OUR_PLAYERS.values())
    for name in sorted(_registered()):
        try:
            found.append(_kind(name))
        except SettingsError as error:
            warnings.warn(str(error), stacklevel=2)
    return tuple(kind for kind in found if kind.served or not served)


def computers(served: bool = False) -> tuple[str, ...]:
    """Return the names of the players that need no parameter, for a menu."""
    return tuple(kind.name for kind in kinds(served) if not kind.parameter)


def character(who: str) -> str:
    """Return what people call a player, such as Otto; empty if it has no character."""
    return OUR_PLAYERS[who].character if who in OUR_PLAYERS else ""


def display_name(who: str) -> str:
    """Return how a player is shown to people: `Otto (perfect)`, or its name."""
    return f"{character(who)} ({who})" if character(who) else who


def choices(served: bool = False) -> str:
    """Return a text for people that lists who can play, a person included."""
    return join_or([HUMAN, *(kind.form for kind in kinds(served))])


def check_who(who: str, served: bool = False) -> str:
    """Return the name of a player, a person included; SettingsError if there is none."""
    if who != HUMAN:
        _made(who, served)
    return who


def check_fit(who: str, game: Game[Any]) -> None:
    """Raise SettingsError or TooLarge if the player cannot play this game."""
    chooser = player(who)
    if chooser is not None:
        chooser.check_fit(game)


def player(who: str) -> Player | None:
    """Return the player of that name; None for a person."""
    return None if who == HUMAN else _made(who)


def _made(who: str, served: bool = False) -> Player:
    name, colon, parameter = who.partition(":")
    known = name in OUR_PLAYERS or name in _registered()
    if known and len(who) <= MAX_NAME_CHARACTERS:
        kind = _kind(name)
        if bool(colon) == bool(kind.parameter) and (kind.served or not served):
            return kind.make(parameter)
    raise SettingsError(f"a player is {choices(served)}, not {quoted(who)}")


@cache
def _kind(name: str) -> Kind:
    """Return the registered kind of that name; SettingsError if it cannot be loaded."""
    if name in OUR_PLAYERS:
        return OUR_PLAYERS[name]
    target = _registered()[name]
    module, _, attribute = target.partition(":")
    try:
        kind = getattr(import_module(module), attribute)
    except Exception as error:  # another package's module may raise anything
        raise SettingsError(
            f"the player {name!r} cannot be loaded from {target}: {error}"
        ) from error
    if not (isinstance(kind, Kind) and kind.name == name):
        raise SettingsError(
            f"the player {name!r} cannot be loaded: {target} is not a Kind of that name"
        )
    return kind


@cache
def _registered() -> dict[str, str]:
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    ours = (HUMAN, *OUR_PLAYERS)
    return {
        point.name: point.value
        for point in entry_points(group=PLAYER_GROUP)
        if point.name not in ours
    }
