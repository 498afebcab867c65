"""What is agreed before a match, and the line of text that opens its log."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple
from unicodedata import normalize

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.record import LONGEST_GAME, check_players, check_seat, check_settings
from numduel.games import new
from numduel.play.fields import parse, typed
from numduel.players import HUMAN, check_who

FORMAT = "numduel-match/1"
MOST_ROUNDS = 1000
LARGEST_SEED = 2**64 - 1
LONGEST_NAME = 20

Names = tuple[str | None, str | None]


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
    names: Names = (None, None)  # of the people, as far as they gave them
    best_of: bool = False  # whether the match ends as soon as it is decided
    coin: bool = False  # whether a coin decided who begins

    @property
    def called(self) -> tuple[str, str]:
        """What each player is called: by name, or else as what plays."""
        one, two = self.names
        return one or self.players[0], two or self.players[1]


def check_setup(setup: Setup) -> Setup:
    """The setup, with its names in their one form; or SettingsError."""
    for who in setup.players:
        check_who(who)
    for name, value, low, high in (
        ("first", setup.first, 1, 2),
        ("rounds", setup.rounds, 1, MOST_ROUNDS),
        ("turn-limit", setup.turn_limit, 1, LONGEST_GAME),
        ("seed", setup.seed, 0, LARGEST_SEED),
    ):
        if value is not None and not low <= value <= high:
            raise SettingsError(f"{name} must be from {low} to {high:,}, not {quoted(value)}", name)
    if setup.best_of and setup.rounds % 2 == 0:
        line = f"best-of must be an odd number of rounds, not {setup.rounds}"
        raise SettingsError(line, "rounds")
    one, two = (_named(*seat) for seat in zip(setup.players, setup.names, strict=True))
    return setup._replace(names=(one, two))


def _named(who: str, name: str | None) -> str | None:
    if name is None:
        return None
    if who != HUMAN:
        raise SettingsError(f"{who[:60]} has a name already, and cannot be {quoted(name)}")
    return check_name(name)


def check_name(name: str) -> str:
    """A person's name in its one form; SettingsError."""
    one_form = " ".join(normalize("NFKC", name).split())
    if not 1 <= len(one_form) <= LONGEST_NAME or not one_form.isprintable():
        raise SettingsError(
            f"a name has 1 to {LONGEST_NAME} printable characters, not {quoted(name)}"
        )
    try:
        check_who(one_form.casefold())
    except SettingsError:
        return one_form
    raise SettingsError(f"{quoted(one_form)} is the name of a player that is no person")


def dump_setup(setup: Setup) -> str:
    """The setup as the line that opens a match."""
    game = setup.game
    fields = setup._asdict()
    whole = {**fields, "format": FORMAT, "game": game.key, "settings": dict(game.settings.values)}
    return json.dumps(whole)


_LATER = Setup._field_defaults
"""The fields that setups of earlier versions do not have."""


def load_setup(line: str | bytes) -> Setup:
    """The setup that such a line tells of; RecordError names the field."""
    fields = parse(line)
    if fields.get("format") != FORMAT:
        raise RecordError(f"field 'format' must be {FORMAT!r}, not {quoted(fields.get('format'))}")
    fields = {**_LATER, **fields}
    known = {"format", "settings", *Setup._fields}
    if fields.keys() != known:
        wrong = min(fields.keys() ^ known)
        raise RecordError(f"field {quoted(wrong)} is {'unknown' if wrong in fields else 'missing'}")
    limit = fields["turn_limit"]
    return Setup(
        game=new(str(fields["game"]), **check_settings(fields["settings"])),
        players=check_players(fields["players"]),
        first=check_seat("first", fields["first"]),
        rounds=typed("rounds", fields["rounds"], int),
        swap=typed("swap", fields["swap"], bool),
        turn_limit=None if limit is None else typed("turn_limit", limit, int),
        seed=typed("seed", fields["seed"], int),
        started=_time(fields["started"]),
        names=_names(fields["names"]),
        best_of=typed("best_of", fields["best_of"], bool),
        coin=typed("coin", fields["coin"], bool),
    )


def _names(value: Any) -> Names:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise RecordError("field 'names' must be two names, or null in place of one")
    one, two = (None if name is None else typed("names", name, str) for name in value)
    return one, two


def _time(value: Any) -> str:
    try:
        return datetime.fromisoformat(typed("started", value, str)).isoformat(timespec="seconds")
    except ValueError:
        raise RecordError(f"field 'started' must be a time, not {quoted(value)}") from None
