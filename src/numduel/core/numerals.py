"""Whole numbers of any length as text: read what people type, and write it for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from reprlib import Repr

MAX_INPUT_DIGITS = 1000
"""Maximum number of digits of a number that a person types."""

MAX_SHOWN_DIGITS = 60
"""Maximum number of digits that are shown. A longer number is shortened."""

_SHORT_REPR = Repr()
_SHORT_REPR.maxother = 200

_END_DIGITS = 12  # shown at either end of a shortened number


def parse_whole(text: str) -> int | None:
    """Return the whole number that a person typed in decimal digits; None if it is not one.

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
    """Return the number as text; of a number of more than 60 digits, its two ends and its length.

    With a divisor, the text of a shortened number also has the remainder.

    >>> shorten(91)
    '91'
    >>> shorten(2**400, 13)
    '258224987808…972747493376 (121 digits, remainder 3)'
    """
    if number.bit_length() <= 200:  # 10**60 - 1 has 200 bits
        text = str(number)
        if len(text) <= MAX_SHOWN_DIGITS:
            return text
    if number < 0:
        return f"-{shorten(-number, divisor)}"
    log10 = (number.bit_length() - 1) * 30_102_999 // 100_000_000  # log10(2), rounded down
    left_out = log10 - _END_DIGITS
    head = str(number // 10**left_out)
    tail = number % 10**_END_DIGITS
    count = left_out + len(head)
    remainder = "" if divisor is None else f", remainder {shorten(number % divisor)}"
    return f"{head[:_END_DIGITS]}…{tail:0{_END_DIGITS}} ({count:,} digits{remainder})"


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of consecutive numbers. `numbers` are ascending.

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
    """Return the first and the last of each run of numbers from 1 to `last` that are not taken.

    >>> gaps([1, 4], last=9)
    [(2, 3), (5, 9)]
    """
    edges = [0, *sorted(taken), last + 1]
    return [(low + 1, high - 1) for low, high in pairwise(edges) if high - low > 1]


def format_ranges(spans: Sequence[tuple[int, int]], most: int = 20) -> str:
    """Return runs as text. If there are more than `most`, show the first ones and the last number.

    >>> format_ranges([(1, 3), (6, 6), (10, 20)])
    '1-3,6,10-20'
    >>> format_ranges([(1, 3), (6, 6), (10, 20)], most=2)
    '1-3,6,… up to 20'
    """
    text = ",".join(str(low) if low == high else f"{low}-{high}" for low, high in spans[:most])
    return text if len(spans) <= most else f"{text},… up to {spans[-1][1]}"


def join_numbers(numbers: Sequence[int], most: int = 100) -> str:
    """Return numbers separated by commas. A list of more than `most` is shortened.

    >>> join_numbers([4, 6, 8])
    '4, 6, 8'
    >>> join_numbers(range(2, 1001), most=4)
    '2, 3, 4, …, 1000 (999 numbers)'
    """
    if len(numbers) <= most:
        return ", ".join(map(str, numbers))
    first = ", ".join(map(str, numbers[: most - 1]))
    return f"{first}, …, {numbers[-1]} ({len(numbers)} numbers)"


def pluralize(number: int, one: str, more: str) -> str:
    """Return the message `one` for 1 and `more` for other numbers, with the number instead of {}.

    >>> pluralize(1, "{} move.", "{} moves."), pluralize(2000, "{} move.", "{} moves.")
    ('1 move.', '2,000 moves.')
    """
    text = f"{number:,}" if number < 10**15 else shorten(number)
    return (one if number == 1 else more).format(text)


def join_or(words: Sequence[object]) -> str:
    """Return alternatives separated by commas and a final "or".

    >>> join_or([1, 2, 3])
    '1, 2 or 3'
    """
    *others, last = map(str, words)
    return f"{', '.join(others)} or {last}" if others else last


def quoted(value: object) -> str:
    """Return any value as short text for an error message.

    >>> quoted("twelve"), quoted(12), quoted(None), quoted([12])
    ("'twelve'", '12', 'none', 'a list')
    """
    if isinstance(value, int):
        return str(value) if isinstance(value, bool) else shorten(value)
    if not isinstance(value, str):
        return "none" if value is None else f"a {type(value).__name__}"
    return repr(value if len(value) <= MAX_SHOWN_DIGITS else value[: MAX_SHOWN_DIGITS - 1] + "…")


def short_repr(value: object) -> str:
    """Return the `repr` of any value, shortened and in one line.

    >>> short_repr((1, "two"))
    "(1, 'two')"
    """
    return " ".join(_SHORT_REPR.repr_instance(value, 0).split())
