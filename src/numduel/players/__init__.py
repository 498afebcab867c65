"""The registry of players: our own, and those that other packages register."""

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
    make: Callable[[str], Player]  # from the parameter, or ""; raises SettingsError if it is wrong
    parameter: str = ""  # how the help shows the parameter; empty if there is none
    served: bool = False  # whether visitors of a website may play against it
    character: str = ""  # what people call it

    @property
    def form(self) -> str:
        """How it is chosen, such as `level:0-10`."""
        return f"{self.name}:{self.parameter}" if self.parameter else self.name


def _make_level(level: str) -> Player:
    from numduel.players.levels import Level

    return Level.of(level)


def _make_perfect(_: str) -> Player:
    from numduel.players.perfect import Perfect

    return Perfect()


def _make_program(command: str) -> Player:
    from numduel.players.program import Program

    return Program(command)


def _make_model(name: str) -> Player:
    from numduel.players.model import Model

    return Model.of(name)


def _character(name: str, help: str, make: Callable[[str], Player], character: str) -> Kind:
    return Kind(name, help, make, served=True, character=character)


OUR_PLAYERS = {
    kind.name: kind
    for kind in (
        _character("random", "plays any move", lambda _: RandomPlayer(), "Pip"),
        _character("easy", "often plays without thinking", lambda _: _make_level("0"), "Dot"),
        _character(
            "medium", "makes a good move more often than not", lambda _: _make_level("4"), "Bolt"
        ),
        _character("hard", "seldom makes a mistake", lambda _: _make_level("8"), "Cal"),
        _character("perfect", "never makes a mistake, and sets traps", _make_perfect, "Otto"),
        Kind("level", "from 0, like easy, to 10, like perfect", _make_level, "0-10", served=True),
        Kind("program", "a program of yours", _make_program, "COMMAND"),
        Kind("model", "a language model on a server", _make_model, "NAME"),
    )
}


def kinds(served: bool = False) -> tuple[Kind, ...]:
    """Return every kind of player, ours first, with a warning for each that cannot be loaded.

    `served`: return only those that visitors of a website may play against.
    """
    loaded = list(OUR_PLAYERS.values())
    for name in sorted(_plug_ins()):
        try:
            loaded.append(_load_kind(name))
        except SettingsError as error:
            warnings.warn(str(error), stacklevel=2)
    return tuple(kind for kind in loaded if kind.served or not served)


def computers(served: bool = False) -> tuple[str, ...]:
    """Return the names of the players that need no parameter, for a menu."""
    return tuple(kind.name for kind in kinds(served) if not kind.parameter)


def character(who: str) -> str:
    """Return what people call a player, such as Otto; empty if it has no such name."""
    return OUR_PLAYERS[who].character if who in OUR_PLAYERS else ""


def display_name(who: str) -> str:
    """Return the name of a player as people see it: `Otto (perfect)`, or its plain name."""
    return f"{character(who)} ({who})" if character(who) else who


def choices(served: bool = False) -> str:
    """Return a list of who can play, including a person, as text."""
    return join_or([HUMAN, *(kind.form for kind in kinds(served))])


def check_who(who: str, served: bool = False) -> str:
    """Return the name of a player or a person. Raises SettingsError if there is no such player."""
    if who != HUMAN:
        _make_player(who, served)
    return who


def check_fit(who: str, game: Game[Any]) -> None:
    """Raise SettingsError or TooLarge if the player cannot play this game."""
    computer = player(who)
    if computer is not None:
        computer.check_fit(game)


def player(who: str) -> Player | None:
    """Return the player of that name; None for a person."""
    return None if who == HUMAN else _make_player(who)


def _make_player(who: str, served: bool = False) -> Player:
    name, colon, parameter = who.partition(":")
    is_known = name in OUR_PLAYERS or name in _plug_ins()
    if is_known and len(who) <= MAX_NAME_CHARACTERS:
        kind = _load_kind(name)
        if bool(colon) == bool(kind.parameter) and (kind.served or not served):
            return kind.make(parameter)
    raise SettingsError(f"a player is {choices(served)}, not {quoted(who)}")


@cache
def _load_kind(name: str) -> Kind:
    """Return the registered kind of that name. Raises SettingsError if it cannot be loaded."""
    if name in OUR_PLAYERS:
        return OUR_PLAYERS[name]
    target = _plug_ins()[name]
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
def _plug_ins() -> dict[str, str]:
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    ours = (HUMAN, *OUR_PLAYERS)
    return {
        point.name: point.value
        for point in entry_points(group=PLAYER_GROUP)
        if point.name not in ours
    }
