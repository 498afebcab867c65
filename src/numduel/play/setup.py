"""What is agreed before a match, and the first line of its log, which holds that."""

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
from numduel.play.event import check_type
from numduel.play.friendly_settings import seat_to_begin
from numduel.players import HUMAN, check_who

MATCH_FORMAT = "numduel-match/1"
MAX_ROUNDS = 1000
MAX_SEED = 2**64 - 1
MAX_NAME_LENGTH = 20

COIN = "random"
FIRST = ("1", "2", COIN)
"""The ways to choose who begins: a seat, or a coin toss."""

GivenNames = tuple[str | None, str | None]


class Setup(NamedTuple):
    """What is agreed before a match."""

    game: Game[Any]
    players: tuple[str, str]  # who sits in seat 1 and in seat 2
    first: int  # the seat that begins the first round; later rounds alternate
    rounds: int
    swap: bool
    turn_limit: int | None
    seed: int  # of all random numbers in the match
    started: str  # ISO 8601, in UTC
    names: GivenNames = (None, None)  # of the people who gave theirs
    best_of: bool = False  # whether the match ends as soon as it is decided
    coin: bool = False  # whether a coin decided who begins
    coach: bool = False  # whether the coach comments on each move of a person at a terminal
    keep_first: bool = False  # whether the same seat begins in a rematch
    moves: tuple[int, ...] = ()  # made at the beginning of each match, before anybody moves

    @property
    def player_names(self) -> tuple[str, str]:
        """The name of each player, or the kind of player if it has no name: `human`."""
        one, two = self.names
        return one or self.players[0], two or self.players[1]

    @property
    def seat_names(self) -> tuple[str, str]:
        """The name of each player, or the name of the seat if it has no name: `Player 2`."""
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
    """Return the setup of a match that starts now. Raises SettingsError.

    If `first` is None, a person gets a seat that can win against the computer, also in a rematch,
    and between two people Player 1 begins. The seed decides all random numbers, including the coin
    toss. Whether each player can play this game is not checked, which may take long: see
    `players.check_fit`.
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
    """Return a sentence on who won the coin toss; empty if there was none."""
    name = setup.seat_names[setup.first - 1]
    return f"The coin toss decides: {name} begins." if setup.coin else ""


def check_setup(setup: Setup) -> Setup:
    """Return the setup with normalized names. Raises SettingsError."""
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
        why = f"best-of must be an odd number of rounds, not {setup.rounds}"
        raise SettingsError(why, "rounds")
    one, two = (_check_given_name(*seat) for seat in zip(setup.players, setup.names, strict=True))
    if one and two and one.casefold() == two.casefold():
        raise SettingsError(f"the two players need different names, not both {quoted(one)}")
    return setup._replace(names=(one, two))


def _check_given_name(who: str, name: str | None) -> str | None:
    if name is None:
        return None
    if who != HUMAN:
        raise SettingsError(f"{who[:60]} has a name already, and cannot be {quoted(name)}")
    return check_name(name)


def check_name(name: str) -> str:
    """Return a person's name, normalized. Raises SettingsError if it is not allowed."""
    normalized = " ".join(normalize("NFKC", name).split())
    if not 1 <= len(normalized) <= MAX_NAME_LENGTH or not normalized.isprintable():
        raise SettingsError(
            f"a name has 1 to {MAX_NAME_LENGTH} printable characters, not {quoted(name)}"
        )
    try:
        check_who(normalized.casefold())
    except SettingsError:
        return normalized
    raise SettingsError(f"{quoted(normalized)} is the name of a computer player")


def dump_setup(setup: Setup) -> str:
    """Return the setup as the first line of the log of a match."""
    game = setup.game
    named = {"format": MATCH_FORMAT, "game": game.key, "settings": dict(game.settings.values)}
    return json.dumps({**setup._asdict(), **named})


_SIMPLE_FIELDS: dict[str, type] = {"rounds": int, "seed": int}
_SIMPLE_FIELDS |= dict.fromkeys(("swap", "best_of", "coin", "coach", "keep_first"), bool)
"""The types of the fields of which only the type has to be checked."""


class NeedsGame(RecordError):
    """A match of a game that is not installed."""


def load_setup(line: str | bytes) -> Setup:
    """Return the setup of such a line. Raises RecordError, which names the wrong field."""
    # Fields with a default may be missing, because earlier versions did not have them.
    known = ("settings", *Setup._fields)
    fields = read_fields(line, MATCH_FORMAT, known, Setup._field_defaults)
    if (key := str(fields["game"])) not in keys():
        raise NeedsGame(f"this match needs the game {quoted(key)}, which is not installed")
    limit = fields["turn_limit"]
    return Setup(
        game=new(key, **check_settings(fields["settings"])),
        players=check_players(fields["players"]),
        first=check_seat("first", fields["first"]),
        turn_limit=None if limit is None else check_type("turn_limit", limit, int),
        started=_read_time(fields["started"]),
        names=_read_names(fields["names"]),
        moves=_read_moves(fields["moves"]),
        **{name: check_type(name, fields[name], kind) for name, kind in _SIMPLE_FIELDS.items()},
    )


def _read_names(value: Any) -> GivenNames:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise RecordError("field 'names' must be two names, or null in place of one")
    one, two = (None if name is None else check_type("names", name, str) for name in value)
    return one, two


def _read_moves(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise RecordError("field 'moves' must be a list of moves")
    return tuple(check_type("moves", move, int) for move in value)


def _read_time(value: Any) -> str:
    try:
        return datetime.fromisoformat(check_type("started", value, str)).isoformat(
            timespec="seconds"
        )
    except ValueError:
        raise RecordError(f"field 'started' must be a time, not {quoted(value)}") from None
