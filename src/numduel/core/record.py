"""A record of one game: who played which moves at which settings, and how it ended.

A record contains no positions. It is checked by playing its moves.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from numduel.core.errors import IllegalMove, NumduelError, RecordError
from numduel.core.game import OUTSIDE_REASONS, Game, Outcome, P, is_seat
from numduel.core.numerals import MAX_INPUT_DIGITS, quoted

RECORD_FORMAT = "numduel-record/1"

MAX_RECORD_BYTES = 16 * 2**20
"""Maximum length of a record, in bytes."""

MAX_GAME_MOVES = 100_000
"""Maximum number of moves of a game. A longer game ends undecided."""


class Record(NamedTuple):
    """One game. `outcome` is None if it is unfinished.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=4)
    >>> record = numduel.play_game(game, ["perfect", "perfect"])
    >>> record.moves, record.outcome
    ((2, 1), Outcome(winner=2, reason='reached'))
    >>> loads(record.dumps()) == record
    True
    """

    game: str  # the key
    settings: dict[str, Any]
    players: tuple[str, str]  # who sat in seat 1 and in seat 2
    first: int  # the seat that moved first
    moves: tuple[int, ...]
    outcome: Outcome | None
    started: str  # ISO 8601, in UTC

    def dumps(self) -> str:
        """Return the record as JSON text.

        >>> Record("double-or-add", {"target": 4}, ("Ada", "Bo"), 1, (2,), None, "").dumps()[:55]
        '{"format": "numduel-record/1", "game": "double-or-add",'
        """
        fields = {"format": RECORD_FORMAT, **self._asdict()}
        fields["outcome"] = self.outcome and self.outcome._asdict()
        return json.dumps(fields) + "\n"

    def positions(self, game: Game[P]) -> Iterator[P]:
        """Yield each position, from the start. Raises `RecordError` if the record breaks a rule.

        >>> import numduel
        >>> record = Record("double-or-add", {}, ("Ada", "Bo"), 1, (2, 3), None, "")
        >>> [*record.positions(numduel.new("double-or-add"))]
        Traceback (most recent call last):
            ...
        numduel.core.errors.RecordError: field 'moves': move 2: 3 is not in the menu (...)
        """
        position = game.start(self.first)
        yield position
        for count, move in enumerate(self.moves, 1):
            try:
                position = game.play(position, move)
            except IllegalMove as error:
                raise RecordError(f"field 'moves': move {count}: {error}") from None
            yield position
        by_rules = game.outcome(position)
        ended_outside = self.outcome is not None and self.outcome.reason in OUTSIDE_REASONS
        if self.outcome != by_rules and not (by_rules is None and ended_outside):
            found, given = _describe(by_rules), _describe(self.outcome)
            raise RecordError(f"field 'outcome': the moves lead to {found}, not {given}")


def loads(text: str | bytes) -> Record:
    """Return the record of a JSON text. Raises `RecordError`, which names a bad line or field.

    >>> loads("{}")
    Traceback (most recent call last):
        ...
    numduel.core.errors.RecordError: field 'format' must be 'numduel-record/1', not none
    """
    if len(text) > MAX_RECORD_BYTES:
        raise RecordError(f"a record has at most {MAX_RECORD_BYTES:,} bytes")
    fields = read_fields(text, RECORD_FORMAT, Record._fields)
    moves = fields["moves"]
    if not isinstance(moves, list) or not all(type(move) is int for move in moves):
        raise field_error("moves", "must be a list of whole numbers")
    if len(moves) > MAX_GAME_MOVES:
        raise field_error("moves", f"must be at most {MAX_GAME_MOVES:,} moves, not {len(moves):,}")
    return Record(
        game=check_text("game", fields["game"]),
        settings=check_settings(fields["settings"]),
        players=check_players(fields["players"]),
        first=check_seat("first", fields["first"]),
        moves=tuple(moves),
        outcome=_check_outcome(fields["outcome"]),
        started=check_text("started", fields["started"]),
    )


def read_fields(
    text: str | bytes, format: str, names: Sequence[str], defaults: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the fields of a JSON object of this format. They must have exactly these names.

    A field that is in `defaults` may be missing. Raises `RecordError`.

    >>> read_fields('{"format": "cup/1", "size": 3}', "cup/1", ["size"])
    {'size': 3}
    """
    fields = parse_object(text)
    if fields.get("format") != format:
        raise field_error("format", f"must be {format!r}, not {quoted(fields.get('format'))}")
    del fields["format"]
    fields = {**(defaults or {}), **fields}
    for name in (*fields, *names):
        if name not in names:
            raise RecordError(f"field {quoted(name)} is unknown")
        if name not in fields:
            raise RecordError(f"field {name!r} is missing")
    return fields


def parse_object(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object of an untrusted text. Raises `RecordError` if it is not one.

    >>> parse_object('{"moves": [7, 14]}')
    {'moves': [7, 14]}
    """
    try:
        if isinstance(text, bytes):  # json.loads would accept invalid text
            text = text.decode(json.detect_encoding(text))
        fields = json.loads(text, parse_int=_parse_integer, object_pairs_hook=_unique_keys)
        if "\\u" in text or not text.isascii():
            json.dumps(fields, ensure_ascii=False).encode()  # fails for half of a surrogate pair
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno}: not JSON ({error.msg})") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start}: not UTF-8 text") from None
    except UnicodeEncodeError:
        raise RecordError("half of a surrogate pair: not text that can be written") from None
    except RecursionError:
        raise RecordError("nested too deeply") from None
    if not isinstance(fields, dict):
        raise RecordError("not a JSON object")
    return fields


def _parse_integer(digits: str) -> int | float:
    """Return the whole number, or infinity, which no field accepts, if it has too many digits."""
    return int(digits) if len(digits.lstrip("-")) <= MAX_INPUT_DIGITS else math.inf


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RecordError("an object has a key twice")
    return fields


def check_text(name: str, value: object, most: int = 1000) -> str:
    """Return the text of a field. Raises `RecordError` if it is not text or too long.

    >>> check_text("game", "double-or-add")
    'double-or-add'
    """
    if not isinstance(value, str) or len(value) > most:
        raise field_error(name, f"must be text of at most {most:,} characters")
    return value


def check_seat(name: str, value: object) -> int:
    """Return the seat in a field. Raises `RecordError` if it is not 1 or 2.

    >>> check_seat("first", 3)
    Traceback (most recent call last):
        ...
    numduel.core.errors.RecordError: field 'first' must be 1 or 2, not 3
    """
    if not is_seat(value):
        raise field_error(name, f"must be 1 or 2, not {quoted(value)}")
    return value


def check_players(value: object) -> tuple[str, str]:
    """Return the names of the two players. Raises `RecordError` if the field is anything else.

    >>> check_players(["Ada", "Bo"])
    ('Ada', 'Bo')
    """
    if not isinstance(value, list) or len(value) != 2:
        raise field_error("players", "must be two names")
    return check_text("players", value[0]), check_text("players", value[1])


def check_settings(value: object) -> dict[str, Any]:
    """Return the settings. Raises `RecordError` if the field is not an object.

    The names and values are not checked here: the game does that.

    >>> check_settings({"size": 20})
    {'size': 20}
    """
    if not isinstance(value, dict):
        raise field_error("settings", f"must be an object, not {quoted(value)}")
    return value


def field_error(name: str, why: str) -> RecordError:
    """Return an error that names a field and says what is wrong with it.

    >>> field_error("first", "must be 1 or 2")
    RecordError("field 'first' must be 1 or 2")
    """
    return RecordError(f"field {name!r} {why}")


def error_at(where: object, error: NumduelError) -> RecordError:
    """Return the error with the place of the fault in front of its text.

    >>> error_at("games.jsonl, line 3", RecordError("not a JSON object"))
    RecordError('games.jsonl, line 3: not a JSON object')
    """
    return RecordError(f"{where}: {error}")


def _check_outcome(value: object) -> Outcome | None:
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != {"winner", "reason"}:
        raise field_error("outcome", "must be null, or an object of winner and reason")
    winner = value["winner"]
    if winner is not None:
        winner = check_seat("outcome", winner)
    outcome = Outcome(winner, check_text("outcome", value["reason"]))
    if outcome.reason in OUTSIDE_REASONS and (outcome.winner is None) != (
        outcome.reason == "turn-limit"
    ):
        raise field_error(
            "outcome", "must have a winner after resigned or forfeited, and none after turn-limit"
        )
    return outcome


def _describe(outcome: Outcome | None) -> str:
    if outcome is None:
        return "an unfinished game"
    winner = "nobody" if outcome.winner is None else f"Player {outcome.winner}"
    return f"{winner} winning ({outcome.reason[:60]})"
