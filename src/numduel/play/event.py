"""What can happen at a table or in a duel, and its one text form: a line such as {"move": 7}."""

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
    """Another match begins, in which the other seat begins."""


@dataclass(frozen=True)
class OfSeat:
    """An event that belongs to a seat."""

    seat: int


class Resign(OfSeat):
    """A seat gives the game up."""


class Forfeited(OfSeat):
    """A player that broke the rules, crashed or was late has lost the game."""


class Ask(OfSeat):
    """A seat asks the other to let it take its last move back; after a match, for another."""


class Refuse(OfSeat):
    """What that seat has asked for is refused."""


class Leave(OfSeat):
    """A seat leaves for good: the other wins the match, wherever it stands."""


class Come(OfSeat):
    """Whoever was invited has taken that seat."""


class Away(OfSeat):
    """The player of that seat looks at the game no more, for now."""


class Back(OfSeat):
    """The player of that seat is there again."""


Presence: TypeAlias = Away | Back
Event: TypeAlias = Move | Swap | Undo | Next | Rematch | OfSeat

_TYPES: dict[Any, type] = {Move: int, Swap: bool, Undo: int}
"""The type of the value of an event that has one."""

_KINDS: dict[str, Any] = {
    kind.__name__.lower(): kind
    for kind in (*_TYPES, Resign, Forfeited, Next, Rematch, Ask, Refuse, Leave, Come, Away, Back)
}


def verb(event: Event) -> str:
    """Return the word for an event, as it stands in its line."""
    return type(event).__name__.lower()


def dump(event: Event) -> str:
    """Return the event as a line, without a newline."""
    [value] = astuple(event) or [True]
    return json.dumps({verb(event): value})


def load(line: str | bytes) -> Event:
    """Return the event of a line; RecordError says what is wrong with it."""
    fields = parse_object(line)
    if len(fields) != 1 or not fields.keys() <= _KINDS.keys():
        raise RecordError(f"must be one of {', '.join(_KINDS)}")
    [(word, value)] = fields.items()
    kind = _KINDS[word]
    event: Event
    if kind in _TYPES:
        event = kind(typed(word, value, _TYPES[kind]))
    elif issubclass(kind, OfSeat):
        event = kind(check_seat(word, value))
    elif value is True:
        event = kind()
    else:
        raise RecordError(f"field {word!r} must be true")
    return event


def typed(name: str, value: Any, kind: type) -> Any:
    """Return the value of a field; RecordError unless it is of exactly that type."""
    if type(value) is not kind:
        raise RecordError(f"field {name!r} must be of type {kind.__name__}, not {quoted(value)}")
    return value
