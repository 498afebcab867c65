"""The events of a table or a duel, and their text form: a line such as {"move": 7}."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from typing import Any, TypeAlias

from numduel.core.errors import RecordError
from numduel.core.numerals import quoted
from numduel.core.record import check_seat, parse_object


@dataclass(frozen=True, slots=True)
class Move:
    """The mover plays a move."""

    move: int


@dataclass(frozen=True, slots=True)
class Swap:
    """The second player takes over the first move, or leaves it."""

    taken: bool


@dataclass(frozen=True, slots=True)
class Undo:
    """The last moves are taken back."""

    count: int


@dataclass(frozen=True, slots=True)
class Next:
    """The next round of the match begins."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Another match begins, and the other seat moves first."""


@dataclass(frozen=True)
class OfSeat:
    """An event of one seat."""

    seat: int


class Resign(OfSeat):
    """A seat gives up the game."""


class Forfeited(OfSeat):
    """A player has lost the game because it broke the rules, crashed or was late."""


class Ask(OfSeat):
    """A seat asks to take back its last move or, after a match, for a rematch."""


class Refuse(OfSeat):
    """The request of that seat is refused."""


class Leave(OfSeat):
    """A seat leaves for good. The other seat wins the match, whatever the score."""


class Come(OfSeat):
    """The invited person has taken that seat."""


class Away(OfSeat):
    """The player of that seat has stopped looking at the game for now."""


class Back(OfSeat):
    """The player of that seat has come back."""


Presence: TypeAlias = Away | Back
Event: TypeAlias = Move | Swap | Undo | Next | Rematch | OfSeat

_VALUES: dict[Any, type] = {Move: int, Swap: bool, Undo: int}
"""The type of the value of an event that has one."""

_KINDS: dict[str, Any] = {
    kind.__name__.lower(): kind
    for kind in (*_VALUES, Resign, Forfeited, Next, Rematch, Ask, Refuse, Leave, Come, Away, Back)
}


def event_word(event: Event) -> str:
    """Return the word for an event in its line."""
    return type(event).__name__.lower()


def dump(event: Event) -> str:
    """Return the event as a line, without a newline."""
    [value] = astuple(event) or [True]
    return json.dumps({event_word(event): value})


def load(line: str | bytes) -> Event:
    """Return the event of a line. Raises RecordError."""
    fields = parse_object(line)
    if len(fields) != 1 or not fields.keys() <= _KINDS.keys():
        raise RecordError(f"must be one of {', '.join(_KINDS)}")
    [(word, value)] = fields.items()
    kind = _KINDS[word]
    event: Event
    if kind in _VALUES:
        event = kind(check_type(word, value, _VALUES[kind]))
    elif issubclass(kind, OfSeat):
        event = kind(check_seat(word, value))
    elif value is True:
        event = kind()
    else:
        raise RecordError(f"field {word!r} must be true")
    return event


def check_type(name: str, value: Any, kind: type) -> Any:
    """Return the value of a field. Raises RecordError unless it is of exactly that type."""
    if type(value) is not kind:
        raise RecordError(f"field {name!r} must be of type {kind.__name__}, not {quoted(value)}")
    return value
