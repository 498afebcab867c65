"""Who chooses a move: every player there is, ours and those that other packages register."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, quoted
from numduel.players.player import HUMAN, Forfeit, Player, RandomPlayer, Turn

__all__ = [
    "GROUP",
    "HUMAN",
    "OURS",
    "Forfeit",
    "Kind",
    "Player",
    "Turn",
    "check_fit",
    "check_who",
    "choices",
    "computers",
    "kinds",
    "player",
]

GROUP = "numduel.players"
"""The entry-point group in which a package registers a player: `name = "module:KIND"`."""

LONGEST_NAME = 1000
"""A player of a longer name fits no record."""


class Kind(NamedTuple):
    """A kind of player, as it is asked for: `NAME`, or `NAME:PARAMETER`."""

    name: str
    help: str  # one line
    make: Callable[[str], Player]  # from the parameter, or ""; SettingsError where it is wrong
    parameter: str = ""  # what follows the name and a colon, in a word; empty: nothing does
    served: bool = False  # whether a server may let its visitors play against it

    @property
    def form(self) -> str:
        """How it is asked for: `level:0-10`."""
        return f"{self.name}:{self.parameter}" if self.parameter else self.name


def _level(level: int) -> Callable[[str], Player]:
    return lambda _: _any_level(str(level))


def _any_level(level: str) -> Player:
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


OURS = {
    kind.name: kind
    for kind in (
        Kind("random", "any legal move", lambda _: RandomPlayer(), served=True),
        Kind("easy", "errs half of the time where it matters", _level(0), served=True),
        Kind("medium", "errs one time in four where it matters", _level(4), served=True),
        Kind("hard", "errs one time in twelve where it matters", _level(8), served=True),
        Kind("perfect", "never errs, and sets traps", _perfect, served=True),
        Kind("level", "from 0, as easy, to 10, which never errs", _any_level, "0-10", served=True),
        Kind("program", "a program of yours", _program, "COMMAND"),
        Kind("model", "a language model, by its server", _model, "NAME"),
    )
}


def kinds(served: bool = False) -> tuple[Kind, ...]:
    """Every kind of player, ours first. One that cannot be loaded is warned of.

    `served`: only those that a server may let its visitors play against.
    """
    found = list(OURS.values())
    for name in sorted(_registered()):
        try:
            found.append(_kind(name))
        except SettingsError as error:
            warnings.warn(str(error), stacklevel=2)
    return tuple(kind for kind in found if kind.served or not served)


def computers(served: bool = False) -> tuple[str, ...]:
    """The names of the players that need no parameter, to be offered in a menu."""
    return tuple(kind.name for kind in kinds(served) if not kind.parameter)


def choices(served: bool = False) -> str:
    """Who can play, a person included, to be read by people."""
    return either([HUMAN, *(kind.form for kind in kinds(served))])


def check_who(who: str, served: bool = False) -> str:
    """The name of a player, a person included; SettingsError if there is none of that name."""
    if who != HUMAN:
        _made(who, served)
    return who


def check_fit(who: str, game: Game[Any]) -> None:
    """Raise where the player cannot play this game: a settings error, or TooLarge."""
    chooser = player(who)
    if chooser is not None:
        chooser.check_fit(game)


def player(who: str) -> Player | None:
    """The player of that name, which is not a person; None for a person."""
    return None if who == HUMAN else _made(who)


def _made(who: str, served: bool = False) -> Player:
    name, colon, parameter = who.partition(":")
    known = name in OURS or name in _registered()
    if known and len(who) <= LONGEST_NAME:
        kind = _kind(name)
        if bool(colon) == bool(kind.parameter) and (kind.served or not served):
            return kind.make(parameter)
    raise SettingsError(f"a player is {choices(served)}, not {quoted(who)}")


@cache
def _kind(name: str) -> Kind:
    """The registered kind of that name; SettingsError where it cannot be loaded."""
    if name in OURS:
        return OURS[name]
    target = _registered()[name]
    module, _, attribute = target.partition(":")
    try:
        kind = getattr(import_module(module), attribute)
    except Exception as error:  # whatever somebody else's module raises
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

    ours = (HUMAN, *OURS)
    return {
        point.name: point.value for point in entry_points(group=GROUP) if point.name not in ours
    }
