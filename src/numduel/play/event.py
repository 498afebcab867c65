"""What can happen at a table or in a duel, and its one text form: a line such as {"move": 7}."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Any, TypeAlias

from numduel.core.errors import RecordError
from numduel.core.record import check_seat
from numduel.play.fields import parse, typed


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
class Next:
    """The next round of the match begins."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Another match begins, in which the other seat begins."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat asks the other to let it take its last move back."""

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


Event: TypeAlias = Move | Swap | Undo | Resign | Next | Rematch | Ask | Refuse | Leave | Come

_READ: dict[str, Callable[[Any], Event]] = {
    "move": lambda value: Move(typed("move", value, int)),
    "swap": lambda value: Swap(typed("swap", value, bool)),
    "undo": lambda value: Undo(typed("undo", value, int)),
    "resign": lambda value: Resign(check_seat("resign", value)),
    "next": lambda value: Next(*_nothing("next", value)),
    "rematch": lambda value: Rematch(*_nothing("rematch", value)),
    "ask": lambda value: Ask(check_seat("ask", value)),
    "refuse": lambda value: Refuse(check_seat("refuse", value)),
    "leave": lambda value: Leave(check_seat("leave", value)),
    "come": lambda value: Come(check_seat("come", value)),
}


def verb(event: Event) -> str:
    """The word for what happens, as it stands in the line."""
    return type(event).__name__.lower()


def dump(event: Event) -> str:
    """The event as a line, without its end."""
    [value] = astuple(event) or [True]
    return json.dumps({verb(event): value})


def load(line: str | bytes) -> Event:
    """The event that a line tells of; RecordError says what is wrong with it."""
    fields = parse(line)
    if len(fields) != 1 or not fields.keys() <= _READ.keys():
        raise RecordError(f"must be one of {', '.join(_READ)}")
    [(word, value)] = fields.items()
    return _READ[word](value)


def _nothing(name: str, value: Any) -> tuple[()]:
    """What an event holds of which only `true` can be said."""
    if value is not True:
        raise RecordError(f"field {name!r} must be true")
    return ()
