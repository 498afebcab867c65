"""What can happen at a table or in a duel, and its one text form: a line such as {"move": 7}."""

from __future__ import annotations

import json
from collections.abc import Callable
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
class Resign:
    """A seat gives the game up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A player that broke the rules, crashed or was late has lost the game."""

    seat: int


@dataclass(frozen=True, slots=True)
class Next:
    """The next round of the match begins."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Another match begins, in which the other seat begins."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat asks the other to let it take its last move back; after a match, for another."""

    seat: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """What that seat has asked for is refused."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat leaves for good: the other wins the match, wherever it stands."""

    seat: int


@dataclass(frozen=True, slots=True)
class Come:
    """Whoever was invited has taken that seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Away:
    """The player of that seat looks at the game no more, for now."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """The player of that seat is there again."""

    seat: int


Presence: TypeAlias = Away | Back
Event: TypeAlias = (
    Move
    | Swap
    | Undo
    | Resign
    | Forfeited
    | Next
    | Rematch
    | Ask
    | Refuse
    | Leave
    | Come
    | Presence
)

_READ: dict[str, Callable[[Any], Event]] = {
    "move": lambda value: Move(typed("move", value, int)),
    "swap": lambda value: Swap(typed("swap", value, bool)),
    "undo": lambda value: Undo(typed("undo", value, int)),
    "resign": lambda value: Resign(check_seat("resign", value)),
    "forfeited": lambda value: Forfeited(check_seat("forfeited", value)),
    "next": lambda value: Next(*_nothing("next", value)),
    "rematch": lambda value: Rematch(*_nothing("rematch", value)),
    "ask": lambda value: Ask(check_seat("ask", value)),
    "refuse": lambda value: Refuse(check_seat("refuse", value)),
    "leave": lambda value: Leave(check_seat("leave", value)),
    "come": lambda value: Come(check_seat("come", value)),
    "away": lambda value: Away(check_seat("away", value)),
    "back": lambda value: Back(check_seat("back", value)),
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
    fields = parse_line(line)
    if len(fields) != 1 or not fields.keys() <= _READ.keys():
        raise RecordError(f"must be one of {', '.join(_READ)}")
    [(word, value)] = fields.items()
    return _READ[word](value)


def _nothing(name: str, value: Any) -> tuple[()]:
    """Return the arguments of an event without fields, whose value must be true."""
    if value is not True:
        raise RecordError(f"field {name!r} must be true")
    return ()


def parse_line(line: str | bytes) -> dict[str, Any]:
    """Return the fields of a line of a log; RecordError, without the number of the line."""
    try:
        return parse_object(line)
    except RecordError as error:
        raise RecordError(str(error).removeprefix("line 1: ")) from None


def typed(name: str, value: Any, kind: type) -> Any:
    """Return the value of a field; RecordError unless it is of exactly that type."""
    if type(value) is not kind:
        raise RecordError(f"field {name!r} must be of type {kind.__name__}, not {quoted(value)}")
    return value
