"""What is agreed before a match, and the line of text that opens its log."""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from typing import Any, NamedTuple
from unicodedata import normalize

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import join_or, quoted
from numduel.core.record import (
    MAX_GAME_MOVES,
    check_players,
    check_seat,
    check_settings,
    read_fields,
)
from numduel.core.words import SEATS
from numduel.games import keys, new
from numduel.play.chance import coin
from numduel.play.event import typed
from numduel.play.friendly_settings import seat_to_begin
from numduel.players import HUMAN, check_who

MATCH_FORMAT = "numduel-match/1"
MAX_ROUNDS = 1000
MAX_SEED = 2**64 - 1
MAX_NAME_LENGTH = 20

COIN = "random"
FIRST = ("1", "2", COIN)
"""Who can begin: a seat, or the one that a coin decides on."""

GivenNames = tuple[str | None, str | None]


class Setup(NamedTuple):
    """What is agreed before a match."""

    game: Game[Any]
    players: tuple[str, str]  # who sits in seat 1 and in seat 2
    first: int  # the seat that begins the first round; later rounds alternate
    rounds: int
    swap: bool
    turn_limit: int | None
    seed: int  # decides everything that is left to chance
    started: str  # ISO 8601, in UTC
    names: GivenNames = (None, None)  # of the people, as far as they gave them
    best_of: bool = False  # whether the match ends as soon as it is decided
    coin: bool = False  # whether a coin decided who begins
    coach: bool = False  # whether, at a terminal, the coach speaks about each move of a person
    keep_first: bool = False  # whether the same seat begins in a rematch
    moves: tuple[int, ...] = ()  # with which each match begins, made before anybody moves

    @property
    def called(self) -> tuple[str, str]:
        """What each player is called: by name, or else as what plays."""
        one, two = self.names
        return one or self.players[0], two or self.players[1]

    @property
    def seated(self) -> tuple[str, str]:
        """The name of each player, or else its seat: `Player 2`."""
        return self.names[0] or SEATS[0], self.names[1] or SEATS[1]


def arrange(
    game: Game[Any],
    *,
    players: tuple[str, str] = (HUMAN, HUMAN),
    names: GivenNames = (None, None),
    first: str | None = "1",
    rounds: int = 1,
    best_of: bool = False,
    swap: bool = False,
    turn_limit: int | None = None,
    seed: int | None = None,
    coach: bool = False,
    moves: tuple[int, ...] = (),
) -> Setup:
    """Return the setup of a match that starts now; SettingsError says what is not allowed.

    With None as `first`, a person gets a seat that can win against the computer, in a rematch too;
    between two people Player 1 begins. All chance comes from the seed, the coin included. Whether
    each player can play this game is not checked, for that may take long: see `players.check_fit`.
    """
    keep_first = (first is None or bool(moves)) and players.count(HUMAN) == 1
    if first is None:
        first = str(seat_to_begin(game, 1 + players.index(HUMAN)) if keep_first else 1)
    if first not in FIRST:
        raise SettingsError(f"first must be {join_or(FIRST)}, not {quoted(first)}", "first")
    seed = secrets.randbits(32) if seed is None else seed
    return check_setup(
        Setup(
            game=game,
            players=players,
            first=coin(seed) if first == COIN else int(first),
            rounds=rounds,
            swap=swap,
            turn_limit=turn_limit,
            seed=seed,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            names=names,
            best_of=best_of,
            coin=first == COIN,
            coach=coach,
            keep_first=keep_first,
            moves=moves,
        )
    )


def coin_line(setup: Setup) -> str:
    """Return whom the coin decided on; empty if there was none."""
    name = setup.seated[setup.first - 1]
    return f"The coin toss decides: {name} begins." if setup.coin else ""


def check_setup(setup: Setup) -> Setup:
    """Return the setup with normalized names; SettingsError says what is not allowed."""
    for who in setup.players:
        check_who(who)
    for name, value, low, high in (
        ("first", setup.first, 1, 2),
        ("rounds", setup.rounds, 1, MAX_ROUNDS),
        ("turn-limit", setup.turn_limit, 1, MAX_GAME_MOVES),
        ("seed", setup.seed, 0, MAX_SEED),
    ):
        if value is not None and not low <= value <= high:
            raise SettingsError(f"{name} must be from {low} to {high:,}, not {quoted(value)}", name)
    if setup.best_of and setup.rounds % 2 == 0:
        line = f"best-of must be an odd number of rounds, not {setup.rounds}"
        raise SettingsError(line, "rounds")
    one, two = (_named(*seat) for seat in zip(setup.players, setup.names, strict=True))
    if one and two and one.casefold() == two.casefold():
        raise SettingsError(f"the two players need different names, not both {quoted(one)}")
    return setup._replace(names=(one, two))


def _named(who: str, name: str | None) -> str | None:
    if name is None:
        return None
    if who != HUMAN:
        raise SettingsError(f"{who[:60]} has a name already, and cannot be {quoted(name)}")
    return check_name(name)


def check_name(name: str) -> str:
    """Return a person's name, normalized; SettingsError if it cannot be one."""
    one_form = " ".join(normalize("NFKC", name).split())
    if not 1 <= len(one_form) <= MAX_NAME_LENGTH or not one_form.isprintable():
        raise SettingsError(
            f"a name has 1 to {MAX_NAME_LENGTH} printable characters, not {quoted(name)}"
        )
    try:
        check_who(one_form.casefold())
    except SettingsError:
        return one_form
    raise SettingsError(f"{quoted(one_form)} is the name of a computer player")


def dump_setup(setup: Setup) -> str:
    """Return the setup as the line that opens the log of a match."""
    game = setup.game
    fields = setup._asdict()
    whole = {
        **fields,
        "format": MATCH_FORMAT,
        "game": game.key,
        "settings": dict(game.settings.values),
    }
    return json.dumps(whole)


_LATER = Setup._field_defaults
"""Defaults of the fields that setups of earlier versions do not have."""


_TYPES: dict[str, type] = {"rounds": int, "seed": int}
_TYPES |= dict.fromkeys(("swap", "best_of", "coin", "coach", "keep_first"), bool)
"""The types of the fields that need no other check."""


class NeedsGame(RecordError):
    """A match of a game that is not installed."""


def load_setup(line: str | bytes) -> Setup:
    """Return the setup of such a line; RecordError names the wrong field."""
    fields = read_fields(line, MATCH_FORMAT, ("settings", *Setup._fields), _LATER)
    if (key := str(fields["game"])) not in keys():
        raise NeedsGame(f"this match needs the game {quoted(key)}, which is not installed")
    limit = fields["turn_limit"]
    return Setup(
        game=new(key, **check_settings(fields["settings"])),
        players=check_players(fields["players"]),
        first=check_seat("first", fields["first"]),
        turn_limit=None if limit is None else typed("turn_limit", limit, int),
        started=_time(fields["started"]),
        names=_names(fields["names"]),
        moves=_moves(fields["moves"]),
        **{name: typed(name, fields[name], kind) for name, kind in _TYPES.items()},
    )


def _names(value: Any) -> GivenNames:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise RecordError("field 'names' must be two names, or null in place of one")
    one, two = (None if name is None else typed("names", name, str) for name in value)
    return one, two


def _moves(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise RecordError("field 'moves' must be a list of moves")
    return tuple(typed("moves", move, int) for move in value)


def _time(value: Any) -> str:
    try:
        return datetime.fromisoformat(typed("started", value, str)).isoformat(timespec="seconds")
    except ValueError:
        raise RecordError(f"field 'started' must be a time, not {quoted(value)}") from None
