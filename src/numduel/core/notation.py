"""Positions as short texts: what the notations of all games share."""

from __future__ import annotations

from collections.abc import Iterable, Set

from numduel.core.numerals import runs
from numduel.core.words import position_fields

LONGEST_NOTATION = 8_000_000
"""A text of more characters than this is not read: a million numbers have that many."""


def field_notation(position: object) -> str:
    """The fields of a position and, behind a slash, its mover: `21/1`."""
    held = ";".join(map(_text, position_fields(position).values()))
    mover = getattr(position, "mover", "")
    return f"{held}/{mover}" if held else repr(position)


def _text(value: object) -> str:
    if isinstance(value, Set):
        return ",".join(sorted(map(_text, value)))
    if isinstance(value, (tuple, list)):
        return ",".join(map(_text, value))
    return str(value)


def write_numbers(numbers: Iterable[int]) -> str:
    """Numbers in ascending order, runs in short: `1-3,7`; `-` for none."""
    spans = runs(sorted(numbers))
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans) or "-"


def read_numbers(text: str, most: int) -> frozenset[int] | None:
    """The numbers from 1 to `most` that such a text stands for; None if it does for none.

    There is one text for each set: what is out of order, or could be shorter, is not read.
    """
    if text == "-":
        return frozenset()
    found: set[int] = set()
    for part in text.split(","):
        ends = part.split("-")
        if len(ends) > 2 or not all(_is_plain(end, most) for end in ends):
            return None
        low, high = int(ends[0]), int(ends[-1])
        if not 1 <= low <= high <= most:
            return None
        found.update(range(low, high + 1))
    return frozenset(found) if write_numbers(found) == text else None


def read_mover(text: str) -> tuple[str, int] | None:
    """What stands before the last slash, and the seat behind it; None if that is no seat."""
    held, slash, mover = text.strip().rpartition("/")
    if len(text) > LONGEST_NOTATION or not slash or mover not in ("1", "2"):
        return None
    return held, int(mover)


def _is_plain(digits: str, most: int) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) <= len(str(most))
