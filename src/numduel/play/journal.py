"""A match as lines of text: the first is its setup, each later one something that happened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from numduel.core.errors import RecordError
from numduel.core.numerals import quoted
from numduel.core.record import check_players, check_seat, check_settings, parse_object
from numduel.games import new
from numduel.play.match import Setup

FORMAT = "numduel-match/1"

Event = tuple[str, int | bool]
"""Something that happened: what, and its value, for `Match.apply`."""

VERBS: dict[str, type] = {"move": int, "undo": int, "swap": bool, "resign": int}
"""What can happen in a match, and of which type its value is."""

_FIELDS = {"format", "game", *Setup._fields, "settings"}


def dump_setup(setup: Setup) -> str:
    """The setup as the line that opens a match."""
    game = setup.game
    fields = setup._asdict()
    whole = {**fields, "format": FORMAT, "game": game.key, "settings": dict(game.settings.values)}
    return json.dumps(whole)


def load_setup(line: str | bytes) -> Setup:
    """The setup that such a line tells of; RecordError names the field."""
    fields = _parse(line)
    if fields.get("format") != FORMAT:
        raise RecordError(f"field 'format' must be {FORMAT!r}, not {quoted(fields.get('format'))}")
    if fields.keys() != _FIELDS:
        wrong = min(fields.keys() ^ _FIELDS)
        raise RecordError(f"field {quoted(wrong)} is {'unknown' if wrong in fields else 'missing'}")
    limit = fields["turn_limit"]
    return Setup(
        game=new(str(fields["game"]), **check_settings(fields["settings"])),
        players=check_players(fields["players"]),
        first=check_seat("first", fields["first"]),
        rounds=_typed("rounds", fields["rounds"], int),
        swap=_typed("swap", fields["swap"], bool),
        turn_limit=None if limit is None else _typed("turn_limit", limit, int),
        seed=_typed("seed", fields["seed"], int),
        started=_time(fields["started"]),
    )


def dump_event(verb: str, value: int | bool) -> str:
    """Something that happened, as a later line."""
    return json.dumps({verb: value})


def load_event(line: str | bytes, verbs: Mapping[str, type] = VERBS) -> Event:
    """What a later line says has happened, among what can."""
    fields = _parse(line)
    if len(fields) != 1 or not fields.keys() <= verbs.keys():
        raise RecordError(f"must be one of {', '.join(verbs)}")
    [(verb, value)] = fields.items()
    if verb == "resign":
        return verb, check_seat(verb, value)
    return verb, _typed(verb, value, verbs[verb])


def _parse(line: str | bytes) -> dict[str, Any]:
    try:
        return parse_object(line)
    except RecordError as error:
        raise RecordError(str(error).removeprefix("line 1: ")) from None  # our caller counts


def _time(value: Any) -> str:
    try:
        return datetime.fromisoformat(_typed("started", value, str)).isoformat(timespec="seconds")
    except ValueError:
        raise RecordError(f"field 'started' must be a time, not {quoted(value)}") from None


def _typed(name: str, value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise RecordError(f"field {name!r} must be of type {kind.__name__}, not {quoted(value)}")
    return value
