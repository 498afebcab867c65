"""What the notations of the games share: numbers, sets of numbers and the mover as text."""

from __future__ import annotations

from collections.abc import Iterable, Set

from numduel.core.numerals import runs
from numduel.core.words import position_fields

MAX_NOTATION_LENGTH = 8_000_000
"""Maximum length of a notation, in characters. It is enough for a million numbers."""


def field_notation(position: object) -> str:
    """Return the fields of a position separated by semicolons and, after a slash, its mover.

    >>> from typing import NamedTuple
    >>> class Pile(NamedTuple):
    ...     stones: int
    ...     mover: int
    >>> field_notation(Pile(21, 1))
    '21/1'
    """
    fields = ";".join(map(_field_text, position_fields(position).values()))
    mover = getattr(position, "mover", "")
    return f"{fields}/{mover}" if fields else repr(position)


def _field_text(value: object) -> str:
    if isinstance(value, Set):
        return ",".join(sorted(map(_field_text, value), key=lambda text: (len(text), text)))
    if isinstance(value, (tuple, list)):
        return ",".join(map(_field_text, value))
    return str(value)


def write_numbers(numbers: Iterable[int]) -> str:
    """Return numbers as text in ascending order, with runs as ranges; `-` if there are none.

    >>> write_numbers({7, 1, 2, 3})
    '1-3,7'
    """
    spans = runs(sorted(numbers))
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans) or "-"


def read_numbers(text: str, most: int) -> frozenset[int] | None:
    """Return the numbers from 1 to `most` of a text by `write_numbers`; None for any other text.

    >>> sorted(read_numbers("1-3,7", most=10))
    [1, 2, 3, 7]
    """
    if text == "-":
        return frozenset()
    if text.count(",") >= most:
        return None
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.partition("-")
        first, last = read_number(low, most), read_number(high if dash else low, most)
        if first is None or last is None or first > last or (found and first <= found[-1]):
            return None  # a set has only one text, in which the numbers ascend
        found += range(first, last + 1)
    return frozenset(found)


def read_number(text: str, most: int) -> int | None:
    """Return the number that a text stands for; None unless it is from 1 to `most`.

    >>> read_number("7", most=10), read_number("11", most=10)
    (7, None)
    """
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    number = int(text)
    return number if 1 <= number <= most else None


def split_mover(text: str) -> tuple[str, int] | None:
    """Return the text before the last slash and the seat after it; None if that is not a seat.

    >>> split_mover("7:1,7/2"), split_mover("7:1,7/3")
    (('7:1,7', 2), None)
    """
    fields, slash, mover = text.rpartition("/")
    return (fields, int(mover)) if slash and mover in ("1", "2") else None


def holds_numbers(value: object, most: int) -> bool:
    """Return whether a value of any type is a frozenset of whole numbers from 1 to `most`.

    >>> holds_numbers(frozenset({1, 7}), most=10), holds_numbers({1, 7}, most=10)
    (True, False)
    """
    return type(value) is frozenset and all(type(n) is int and 1 <= n <= most for n in value)
