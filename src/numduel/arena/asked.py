"""What is asked of an arena: which games, which players, how many rounds; and its text."""

from __future__ import annotations

import json
import tomllib
from itertools import product
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.core.record import LONGEST_GAME
from numduel.games import game_type, new
from numduel.play.match import LIMIT_WITHOUT_PEOPLE
from numduel.play.setup import LARGEST_SEED
from numduel.players import HUMAN, check_fit, check_who

MOST_GAMES = 100_000_000
"""An arena has no more games than this."""

MOST_SETTINGS = 10_000
"""And no more games at their settings."""

MOST_PLAYERS = 1_000

LONGEST_FILE = 2**20


class Asked(NamedTuple):
    """What an arena is to play. Every pair plays every game, from both seats, in each round."""

    games: tuple[str, ...]  # `KEY` or `KEY:NAME=VALUE,…`, where a value may be a range
    players: tuple[str, ...]
    rounds: int = 10
    seed: int = 0
    decided: bool = False  # from sampled positions that one side can win, not from the start
    turn_limit: int = LIMIT_WITHOUT_PEOPLE
    seconds: float | None = None  # for each move; None: as long as it takes
    truth: bool = True  # whether each move is held against the exact verdicts

    def dumps(self) -> str:
        """As TOML, which can be asked for again."""
        lines = (
            f"{name} = {json.dumps(value, ensure_ascii=False)}"
            for name, value in self._asdict().items()
            if value is not None
        )
        return "".join(f"{line}\n" for line in lines)


def loads(text: str) -> dict[str, Any]:
    """The fields that a file gives; SettingsError where it is not understood."""
    if len(text) > LONGEST_FILE:
        raise SettingsError(f"an arena's file has at most {LONGEST_FILE:,} characters")
    try:
        fields = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"not TOML: {error}") from None
    for name, value in fields.items():
        if name not in Asked._fields:
            known = ", ".join(Asked._fields)
            raise SettingsError(f"an arena has no {quoted(name)}; it has {known}")
        fields[name] = _typed(name, value)
    return fields


def _typed(name: str, value: object) -> object:
    default = Asked._field_defaults.get(name, ())
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        raise SettingsError(f"{name} must be a list of texts")
    if name == "seconds" and type(value) in (int, float):
        return value
    if name == "seconds" or type(value) is not type(default):
        wanted = {bool: "true or false", int: "a whole number"}.get(type(default), "a number")
        raise SettingsError(f"{name} must be {wanted}, not {quoted(value)}")
    return value


def check(asked: Asked) -> Asked:
    """What is asked, if it can be played; SettingsError, or TooLarge."""
    for name, value, low, high in (
        ("rounds", asked.rounds, 1, MOST_GAMES),
        ("seed", asked.seed, 0, LARGEST_SEED),
        ("turn-limit", asked.turn_limit, 1, LONGEST_GAME),
        ("seconds", asked.seconds, 0.1, 86_400),
    ):
        if value is not None and not low <= value <= high:
            given = quoted(value) if isinstance(value, int) else f"{value:g}"
            raise SettingsError(f"{name} must be from {low:,} to {high:,}, not {given}")
    _check_players(asked.players)
    return asked


def _check_players(players: tuple[str, ...]) -> None:
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise SettingsError(f"an arena has 2 to {MOST_PLAYERS:,} players, not {len(players)}")
    for who in players:
        if check_who(who) == HUMAN:
            raise SettingsError("no person plays in an arena")
        if players.count(who) > 1:
            raise SettingsError(f"{quoted(who)} is there twice")


def settled(texts: tuple[str, ...]) -> tuple[Game[Any], ...]:
    """Each game at each of its settings, once; SettingsError."""
    games: dict[Game[Any], None] = {}
    for text in texts:
        for game in _at_each_setting(text):
            games[game] = None
            if len(games) > MOST_SETTINGS:
                raise SettingsError(f"an arena has at most {MOST_SETTINGS:,} games and settings")
    if not games:
        raise SettingsError("which game? As in --game multiplicity:size=30")
    return tuple(games)


def check_fits(games: tuple[Game[Any], ...], players: tuple[str, ...]) -> None:
    """Raise where a player cannot play one of the games."""
    for game in games:
        for who in players:
            try:
                check_fit(who, game)
            except NumduelError as error:
                raise type(error)(f"{quoted(who)} at {label(game)}: {error}") from None


def label(game: Game[Any]) -> str:
    """The game and the settings that differ from the defaults, as they are asked for."""
    texts = game.settings.texts()
    changed = [f"{name}={texts[name]}" for name in game.settings.changed()]
    return f"{game.key}:{','.join(changed)}" if changed else game.key


def _at_each_setting(text: str) -> list[Game[Any]]:
    key, _, rest = text.partition(":")
    kind = game_type(key)
    values = {name: _values(value) for name, value in _named(rest)}
    found = []
    count = 1
    for each in values.values():
        count *= len(each)
    if count > MOST_SETTINGS:
        raise SettingsError(f"{quoted(text)} has {count:,} settings, more than {MOST_SETTINGS:,}")
    for chosen in product(*values.values()):
        texts = dict(zip(values, chosen, strict=True))
        found.append(new(key, **kind.settings_type.parse(texts)))
    return found


def _named(rest: str) -> list[tuple[str, str]]:
    """Each setting's name and text; a comma that no name follows belongs to the text before."""
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


def _values(text: str) -> list[str]:
    """The values that `10..30`, `10..30..5` or `any|even` stand for."""
    found = []
    for each in text.split("|"):
        ends = [parse_whole(end) for end in each.split("..")]
        whole = [end for end in ends if end is not None]
        if len(ends) == 1 or len(whole) < len(ends) or len(ends) > 3:
            found.append(each)
            continue
        low, high, step = (*whole, 1)[:3]
        if step < 1 or high < low or (high - low) // step >= MOST_SETTINGS:
            raise SettingsError(
                f"a range is like 10..30 or 10..30..5, of at most {MOST_SETTINGS:,} values, "
                f"not {quoted(each)}"
            )
        found += map(str, range(low, high + 1, step))
    return found
