"""The registry of games: the five of this package, and those that other packages register."""

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

OUR_GAMES = {
    "divisor-duel": "numduel.games.tally.games:DivisorDuel",
    "operation-duel": "numduel.games.tally.games:OperationDuel",
    "divisor-line": "numduel.games.divisor_line.rules:DivisorLine",
    "double-or-add": "numduel.games.tally.games:DoubleOrAdd",
    "multiplicity": "numduel.games.multiplicity.rules:Multiplicity",
}


class GameInfo(NamedTuple):
    """A game in the list that `games()` returns."""

    key: str
    title: str
    settings: tuple[Setting[Any], ...]


def games() -> tuple[GameInfo, ...]:
    """Return the key, title and settings of every game. Warns of games that cannot be loaded.

    >>> [(game.key, game.title) for game in games()][:2]
    [('divisor-duel', 'Divisor Duel'), ('operation-duel', 'Operation Duel')]
    """
    infos = []
    for key in keys():
        try:
            kind = game_type(key)
        except SettingsError as error:
            warnings.warn(str(error), stacklevel=2)
        else:
            infos.append(GameInfo(key, kind.title, kind.settings_type.declared))
    return tuple(infos)


def describe_game(key: str) -> dict[str, Any]:
    """Return the key, title, rules and settings of a game as plain values, for programs."""
    kind = game_type(key)
    return {
        "key": key,
        "title": kind.title,
        "summary": kind.summary,
        "rules": kind.rules,
        "settings": [
            {
                name: getattr(setting, name)
                for name in ("name", "flag", "default", "allowed", "help")
            }
            for setting in kind.settings_type.declared
        ],
    }


def new(key: str, /, **settings: object) -> Game[Any]:
    """Return a game with these settings, and the defaults for the others.

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
    """Return the keys of all games, those of this package first."""
    return (*OUR_GAMES, *sorted(_registered_games()))


@cache
def game_type(key: str) -> type[Game[Any]]:
    """Return the class of a game. Raises SettingsError if there is none or it cannot be loaded."""
    target = OUR_GAMES.get(key) or _registered_games().get(key)
    if target is None:
        raise SettingsError(f"there is no game {quoted(key)}; the games are {', '.join(keys())}")
    module, _, name = target.partition(":")
    try:
        kind = getattr(import_module(module), name)
    except Exception as error:  # the module of another package may raise anything
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
def _registered_games() -> dict[str, str]:
    """Return the games of other packages: the target of each entry point, by key."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {
        point.name: point.value
        for point in entry_points(group=GAME_GROUP)
        if point.name not in OUR_GAMES
    }


@contextmanager
def hide_games_except(keys: Iterable[str]) -> Iterator[None]:
    """Hide the games of other packages within the block, except for those with these keys."""
    registered = _registered_games()
    hidden = {key: registered.pop(key) for key in registered.keys() - {*keys}}
    try:
        yield
    finally:
        registered.update(hidden)
