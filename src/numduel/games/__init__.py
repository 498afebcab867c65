"""Every game there is: the five of this package, and those that other packages register."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.settings import Setting

GAME_GROUP = "numduel.games"
"""The entry-point group in which a package registers a game: `key = "module:GameClass"`."""

OURS = {
    "divisor-duel": "numduel.games.tally.games:DivisorDuel",
    "operation-duel": "numduel.games.tally.games:OperationDuel",
    "divisor-line": "numduel.games.divisor_line.rules:DivisorLine",
    "double-or-add": "numduel.games.tally.games:DoubleOrAdd",
    "multiplicity": "numduel.games.multiplicity.rules:Multiplicity",
}


class Listed(NamedTuple):
    """What `games()` tells of a game."""

    key: str
    title: str
    settings: tuple[Setting[Any], ...]


def games() -> tuple[Listed, ...]:
    """Return every game's key, title and settings. Warns of games that cannot be loaded.

    >>> [(game.key, game.title) for game in games()][:2]
    [('divisor-duel', 'Divisor Duel'), ('operation-duel', 'Operation Duel')]
    """
    found = []
    for key in keys():
        try:
            kind = game_type(key)
        except SettingsError as error:
            warnings.warn(str(error), stacklevel=2)
        else:
            found.append(Listed(key, kind.title, kind.settings_type.declared))
    return tuple(found)


def described(key: str) -> dict[str, Any]:
    """Return a game's key, title, rules and settings as plain values, for programs."""
    kind = game_type(key)
    return {
        "key": key,
        "title": kind.title,
        "summary": kind.summary,
        "rules": kind.rules,
        "settings": [
            {
                "name": setting.name,
                "flag": setting.flag,
                "default": setting.default,
                "allowed": setting.allowed,
                "help": setting.help,
            }
            for setting in kind.settings_type.declared
        ],
    }


def new(key: str, /, **settings: object) -> Game[Any]:
    """Return a game at these settings; those not given have their defaults.

    Raises SettingsError if the key or a setting is not allowed.

    >>> new("multiplicity", size=20)
    Multiplicity(size=20)
    >>> new("multiplicity", size=0)
    Traceback (most recent call last):
        ...
    numduel.core.errors.SettingsError: size must be a whole number from 1 to 10,000,000, not 0
    """
    return game_type(key)(**settings)


def keys() -> tuple[str, ...]:
    """Return every registered game's key, ours first."""
    return (*OURS, *sorted(_registered()))


@cache
def game_type(key: str) -> type[Game[Any]]:
    """Return the class of the game of that key."""
    target = OURS.get(key) or _registered().get(key)
    if target is None:
        raise SettingsError(f"there is no game {quoted(key)}; the games are {', '.join(keys())}")
    module, _, name = target.partition(":")
    try:
        kind = getattr(import_module(module), name)
    except Exception as error:  # whatever somebody else's module raises
        raise SettingsError(f"the game {key!r} cannot be loaded from {target}: {error}") from error
    if not (isinstance(kind, type) and issubclass(kind, Game) and getattr(kind, "key", "") == key):
        raise SettingsError(
            f"the game {key!r} cannot be loaded: {target} is not a Game of that key"
        )
    for name in ("title", "summary", "rules"):
        if not hasattr(kind, name):
            raise SettingsError(f"the game {key!r} cannot be loaded: {target} has no {name}")
    return kind


@cache
def _registered() -> dict[str, str]:
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {
        point.name: point.value
        for point in entry_points(group=GAME_GROUP)
        if point.name not in OURS
    }


@contextmanager
def only(others: Iterable[str]) -> Iterator[None]:
    """Hide the games of other packages within the block, except for those with these keys."""
    registered, wanted = _registered(), {*others}
    hidden = {key: registered.pop(key) for key in registered.keys() - wanted}
    try:
        yield
    finally:
        registered.update(hidden)
