"""Whole numbers of any length as text: how they are read from people and shown to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from reprlib import Repr

MAX_INPUT_DIGITS = 1000
"""Maximum number of digits of a number that a person types."""

MAX_SHOWN_DIGITS = 60
"""Maximum number of digits that are shown. A longer number is shortened."""

_WRITTEN = Repr()
_WRITTEN.maxother = 200

_ENDS = 12  # digits kept at either end of a shortened number


def parse_whole(text: str) -> int | None:
    """Return the whole number that a person typed in decimal digits, or None if it is none.

    >>> parse_whole(" 12 "), parse_whole("-3"), parse_whole("1.5")
    (12, -3, None)
    """
    text = text.strip()
    negative = text.startswith("-")
    digits = text[1:] if negative else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_INPUT_DIGITS):
        return None
    return -int(digits) if negative else int(digits)


def shorten(number: int, divisor: int | None = None) -> str:
    """Return the number for people: all of it up to 60 digits, else its two ends and its length.

    With a divisor, a shortened number also tells its remainder.

    >>> shorten(91)
    '91'
    >>> shorten(2**400, 13)
    '258224987808…972747493376 (121 digits, remainder 3)'
    """
    if number.bit_length() <= 200:  # as 10**60 - 1 has
        text = str(number)
        if len(text) <= MAX_SHOWN_DIGITS:
            return text
    if number < 0:
        return f"-{shorten(-number, divisor)}"
    left_out = (number.bit_length() - 1) * 30_102_999 // 100_000_000 - _ENDS  # log10(2), just less
    head = str(number // 10**left_out)
    tail = number % 10**_ENDS
    count = left_out + len(head)
    remainder = "" if divisor is None else f", remainder {shorten(number % divisor)}"
    return f"{head[:_ENDS]}…{tail:0{_ENDS}} ({count:,} digits{remainder})"


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as (first, last) of each run of consecutive ones.

    >>> runs([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def gaps(taken: Iterable[int], last: int) -> list[tuple[int, int]]:
    """Return the numbers from 1 to `last` that are not taken, as (first, last) of each run.

    >>> gaps([1, 4], last=9)
    [(2, 3), (5, 9)]
    """
    edges = [0, *sorted(taken), last + 1]
    return [(low + 1, high - 1) for low, high in pairwise(edges) if high - low > 1]


def format_ranges(spans: Sequence[tuple[int, int]], most: int = 20) -> str:
    """Return runs as text. Of a long list it has the first runs and the last number.

    >>> format_ranges([(1, 3), (6, 6), (10, 20)])
    '1-3,6,10-20'
    >>> format_ranges([(1, 3), (6, 6), (10, 20)], most=2)
    '1-3,6,… up to 20'
    """
    text = ",".join(str(low) if low == high else f"{low}-{high}" for low, high in spans[:most])
    return text if len(spans) <= most else f"{text},… up to {spans[-1][1]}"


def join_numbers(numbers: Sequence[int], most: int = 100) -> str:
    """Return numbers separated by commas. A long list is shortened, and tells its length.

    >>> join_numbers([4, 6, 8])
    '4, 6, 8'
    >>> join_numbers(range(2, 1001), most=4)
    '2, 3, 4, …, 1000 (999 numbers)'
    """
    if len(numbers) <= most:
        return ", ".join(map(str, numbers))
    kept = ", ".join(map(str, numbers[: most - 1]))
    return f"{kept}, …, {numbers[-1]} ({len(numbers)} numbers)"


def pluralize(number: int, one: str, more: str) -> str:
    """Return the message for one thing or for several, with the number put in for {}.

    >>> pluralize(1, "{} move.", "{} moves."), pluralize(2000, "{} move.", "{} moves.")
    ('1 move.', '2,000 moves.')
    """
    told = f"{number:,}" if number < 10**15 else shorten(number)
    return (one if number == 1 else more).format(told)


def join_or(words: Sequence[object]) -> str:
    """Return alternatives as part of a sentence.

    >>> join_or([1, 2, 3])
    '1, 2 or 3'
    """
    *before, last = map(str, words)
    return f"{', '.join(before)} or {last}" if before else last


def quoted(value: object) -> str:
    """Return any value as text for an error message, bounded in length.

    >>> quoted("twelve"), quoted(12), quoted(None), quoted([12])
    ("'twelve'", '12', 'none', 'a list')
    """
    if isinstance(value, int):
        return str(value) if isinstance(value, bool) else shorten(value)
    if not isinstance(value, str):
        return "none" if value is None else f"a {type(value).__name__}"
    return repr(value if len(value) <= MAX_SHOWN_DIGITS else value[: MAX_SHOWN_DIGITS - 1] + "…")


def short_repr(value: object) -> str:
    """Return the `repr` of any value in one line, bounded in length.

    >>> short_repr((1, "two"))
    "(1, 'two')"
    """
    return " ".join(_WRITTEN.repr_instance(value, 0).split())
