"""The spec of an arena (its games, players and number of rounds), and the spec as TOML."""

from __future__ import annotations

import json
import tomllib
from itertools import product
from math import prod
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.record import MAX_GAME_MOVES
from numduel.core.settings import values_in_text
from numduel.games import game_type, new
from numduel.play.setup import MAX_SEED
from numduel.play.table import TURN_LIMIT
from numduel.players import HUMAN, check_fit, check_who

MAX_GAMES = 100_000_000

MAX_SETTINGS = 10_000
"""Maximum number of different games in an arena. The same rules at other settings count again."""

MAX_PLAYERS = 1_000

MAX_SPEC_CHARACTERS = 2**20


class Spec(NamedTuple):
    """What to play in an arena. In each round every pair plays every game from both seats."""

    games: tuple[str, ...]  # `KEY` or `KEY:NAME=VALUE,…`, where a value may be a range
    players: tuple[str, ...]
    rounds: int = 10
    seed: int = 0
    decided: bool = False  # begin from sampled positions that one side can win
    turn_limit: int = TURN_LIMIT
    seconds: float | None = None  # time limit of a move
    truth: bool = True  # compare each move with the exact verdicts
    bench: str = ""  # a file of positions, `rounds` of which are asked about; "1": Numduel-Bench 1

    def dumps(self) -> str:
        """Return the spec as TOML, which `parse_fields` reads."""
        lines = (
            f"{name} = {json.dumps(value, ensure_ascii=False)}"
            for name, value in self._asdict().items()
            if value is not None
        )
        return "".join(f"{line}\n" for line in lines)


def parse_fields(text: str) -> dict[str, Any]:
    """Return the fields of a spec from TOML text. Raises SettingsError if the text is not valid."""
    if len(text) > MAX_SPEC_CHARACTERS:
        raise SettingsError(f"an arena's file has at most {MAX_SPEC_CHARACTERS:,} characters")
    try:
        fields = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"not TOML: {error}") from None
    for name, value in fields.items():
        if name not in Spec._fields:
            known = ", ".join(Spec._fields)
            raise SettingsError(f"an arena has no {quoted(name)}; it has {known}")
        fields[name] = _checked_value(name, value)
    return fields


def _checked_value(name: str, value: object) -> object:
    """Return the value, a list as a tuple. Raises SettingsError if it has the wrong type."""
    default = Spec._field_defaults.get(name, ())
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        raise SettingsError(f"{name} must be a list of texts")
    if name == "seconds" and type(value) in (int, float):
        return value
    if name == "seconds" or type(value) is not type(default):
        kinds = {bool: "true or false", int: "a whole number", str: "a text"}
        wanted = kinds.get(type(default), "a number")
        raise SettingsError(f"{name} must be {wanted}, not {quoted(value)}")
    return value


def check_spec(spec: Spec) -> None:
    """Raise SettingsError if a number or a player is not allowed."""
    for name, value, low, high in (
        ("rounds", spec.rounds, 1, MAX_GAMES),
        ("seed", spec.seed, 0, MAX_SEED),
        ("turn-limit", spec.turn_limit, 1, MAX_GAME_MOVES),
        ("seconds", spec.seconds, 0.1, 86_400),
    ):
        if value is not None and not low <= value <= high:
            given = quoted(value) if isinstance(value, int) else f"{value:g}"
            raise SettingsError(f"{name} must be from {low:,} to {high:,}, not {given}")
    players, min_players = spec.players, 1 if spec.bench else 2
    if not min_players <= len(players) <= MAX_PLAYERS:
        allowed = f"{min_players} to {MAX_PLAYERS:,}"
        raise SettingsError(f"an arena has {allowed} players, not {len(players)}")
    for who in players:
        if check_who(who) == HUMAN:
            raise SettingsError("no person plays in an arena")
        if players.count(who) > 1:
            raise SettingsError(f"the player {quoted(who)} is given twice")


def parse_games(texts: tuple[str, ...]) -> tuple[Game[Any], ...]:
    """Return each game at each of its settings, once. Raises SettingsError if a text is wrong."""
    games: dict[Game[Any], None] = {}
    for text in texts:
        for game in _expand(text):
            games[game] = None
            if len(games) > MAX_SETTINGS:
                raise SettingsError(f"an arena has at most {MAX_SETTINGS:,} games and settings")
    if not games:
        raise SettingsError("which game? As in --game multiplicity:size=30")
    return tuple(games)


def check_fits(games: tuple[Game[Any], ...], players: tuple[str, ...]) -> None:
    """Raise NumduelError if a player cannot play one of the games."""
    for game in games:
        for who in players:
            try:
                check_fit(who, game)
            except NumduelError as error:
                raise type(error)(f"{quoted(who)} at {game_text(game)}: {error}") from None


def game_text(game: Game[Any]) -> str:
    """Return a game and its changed settings as text that `parse_games` reads."""
    texts = game.settings.texts()
    changed = [f"{name}={texts[name]}" for name in game.settings.changed()]
    return f"{game.key}:{','.join(changed)}" if changed else game.key


def _expand(text: str) -> list[Game[Any]]:
    """Return a game at every combination of the settings that its text allows."""
    key, _, rest = text.partition(":")
    kind = game_type(key)
    values = {name: values_in_text(value, MAX_SETTINGS) for name, value in _split_settings(rest)}
    count = prod(map(len, values.values()))
    if count > MAX_SETTINGS:
        raise SettingsError(f"{quoted(text)} has {count:,} settings, more than {MAX_SETTINGS:,}")
    return [
        new(key, **kind.settings_type.parse(dict(zip(values, chosen, strict=True))))
        for chosen in product(*values.values())
    ]


def _split_settings(rest: str) -> list[tuple[str, str]]:
    """Return the name and value of each setting. A value may contain commas: `operations=+1,x3`."""
    found: list[tuple[str, str]] = []
    for part in rest.split(",") if rest else []:
        name, equals, value = part.partition("=")
        if equals:
            found.append((name.strip().replace("-", "_"), value.strip()))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]},{part.strip()}")
        else:
            raise SettingsError(f"a setting is given as size=30, not {quoted(part)}")
    return found
