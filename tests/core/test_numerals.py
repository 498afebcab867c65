"""Whole numbers of any length as text."""

from decimal import Decimal
from enum import IntEnum
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.core import numerals
from numduel.core.numerals import (
    format_ranges,
    gaps,
    join_numbers,
    parse_whole,
    quoted,
    runs,
    short_repr,
    shorten,
)


@given(st.integers(-(10**1000) + 1, 10**1000 - 1))
def test_a_number_can_be_read_back_from_its_digits(number):
    assert parse_whole(str(number)) == number


@pytest.mark.parametrize(
    ("text", "number"), [(" 7 ", 7), ("007", 7), ("-7", -7), ("-0", 0), ("0", 0), ("7\n", 7)]
)
def test_what_people_type_for_a_number(text, number):
    assert parse_whole(text) == number


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "--7", "- 7", "+7", "7-", "7.0", "1e3", "1_000", "1,000", "1 2", "0x7"),
        *("seven", "٣", "²", "½", "∞", "\x00", "7\x00"),
    ],
)
def test_texts_that_are_not_numbers(text):
    assert parse_whole(text) is None


def test_a_number_may_have_1000_digits_and_no_more():
    assert parse_whole("9" * 1000) == 10**1000 - 1
    assert parse_whole("-" + "9" * 1000) == -(10**1000) + 1
    assert parse_whole("9" * 1001) is None
    assert parse_whole("9" * 5000) is None


def parts_of_shortened(number):
    """Return the number of digits that a shortened number shows, and its two ends."""
    ends, count = shorten(number).removesuffix(" digits)").split(" (")
    head, tail = ends.split("…")
    return int(count.replace(",", "")), head, tail


@pytest.mark.parametrize("digits", [61, 62, 100, 4300, 4301, 10_000])
def test_digits_are_counted_exactly_at_powers_of_ten(digits):
    assert parts_of_shortened(10**digits) == (digits + 1, "100000000000", "0" * 12)
    assert parts_of_shortened(10**digits - 1) == (digits, "9" * 12, "9" * 12)


def test_digits_are_counted_exactly_at_powers_of_two():
    # 2136, 13301 and 28738 are exponents of powers of two that are just above a power of ten.
    for bits in (*range(200, 1000), 2136, 13301, 28738):
        assert parts_of_shortened(1 << bits)[0] == Decimal(1 << bits).adjusted() + 1


@given(st.integers(-(10**60) + 1, 10**60 - 1))
def test_a_number_of_up_to_60_digits_is_not_shortened(number):
    assert shorten(number) == str(number)
    assert shorten(number, 7) == str(number)


@given(st.integers(10**60, 10**200))
def test_a_longer_number_is_shown_by_its_ends_and_its_length(number):
    text = str(number)
    shortened = f"{text[:12]}…{text[-12:]} ({len(text)} digits"
    assert shorten(number) == f"{shortened})"
    assert shorten(-number) == f"-{shortened})"
    assert shorten(number, 13) == f"{shortened}, remainder {number % 13})"


def test_the_remainder_of_a_long_number_is_itself_shortened():
    assert shorten(10**100 + 1, 10**99) == "100000000000…000000000001 (101 digits, remainder 1)"
    remainder = "999999999999…999999999999 (99 digits)"
    assert shorten(10**99 - 1, 10**100) == f"{remainder[:-1]}, remainder {remainder})"


@given(st.sets(st.integers(-50, 50)))
def test_runs_contain_exactly_the_numbers_and_never_touch(numbers):
    found = runs(sorted(numbers))
    assert [n for low, high in found for n in range(low, high + 1)] == sorted(numbers)
    assert all(high + 1 < low for (_, high), (low, _) in pairwise(found))


@given(st.sets(st.integers(1, 40)), st.just(40))
def test_gaps_are_the_runs_of_what_is_not_taken(taken, last):
    assert gaps(taken, last) == runs(n for n in range(1, last + 1) if n not in taken)


def test_a_long_list_of_ranges_is_shortened_and_shows_the_last_number():
    spans = [(n, n) for n in range(0, 100, 2)]
    assert format_ranges(spans) == f"{','.join(map(str, range(0, 40, 2)))},… up to 98"
    assert format_ranges(spans[:20]) == ",".join(map(str, range(0, 40, 2)))
    assert format_ranges([(1, 2), (4, 9)], most=1) == "1-2,… up to 9"


def test_a_long_list_of_numbers_is_shortened():
    assert join_numbers([]) == ""
    assert join_numbers([2]) == "2"
    assert join_numbers(range(1, 101)) == ", ".join(map(str, range(1, 101)))
    assert join_numbers(range(1, 102)).endswith("98, 99, …, 101 (101 numbers)")


class Seat(IntEnum):
    ONE = 1
    HUGE = 10**5000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (-7, "-7"),
        (True, "True"),
        (Seat.ONE, "1"),
        ("seven", "'seven'"),
        ("new\nline", r"'new\nline'"),
        (7.5, "a float"),
        ([1], "a list"),
        (None, "none"),
    ],
)
def test_a_value_in_an_error_message(value, text):
    assert quoted(value) == text


@pytest.mark.parametrize(
    "value",
    [10**5000, -(10**5000), Seat.HUGE, "x" * 10**6, [10**5000], {"a" * 10**6: 1}],
    ids=["int", "negative", "enum", "text", "list", "dict"],
)
def test_any_value_in_an_error_message_is_short(value):
    assert len(quoted(value)) <= 63


def test_text_of_up_to_60_characters_is_quoted_completely():
    assert quoted("x" * 60) == repr("x" * 60)
    assert quoted("x" * 61) == repr("x" * 59 + "…")


def test_the_message_depends_on_the_number():
    assert numerals.pluralize(1, "{} turn", "{} turns") == "1 turn"
    assert numerals.pluralize(0, "{} turn", "{} turns") == "0 turns"
    assert numerals.pluralize(10**15 - 1, "{} turn", "{} turns") == "999,999,999,999,999 turns"
    assert (
        numerals.pluralize(10**70, "{} turn", "{} turns")
        == "100000000000…000000000000 (71 digits) turns"
    )


class Unwritable:
    def __repr__(self):
        raise ValueError("no")


class Verse:
    def __repr__(self):
        return "two\n  lines"


@pytest.mark.parametrize(
    ("value", "text"), [((1, "a\nb"), r"(1, 'a\nb')"), (None, "None"), (Verse(), "two lines")]
)
def test_the_repr_of_any_value_is_one_line(value, text):
    assert short_repr(value) == text


@pytest.mark.parametrize("value", [10**5000, [10**5000], "x" * 10**6, Unwritable()], ids=range(4))
def test_the_repr_of_any_value_is_shortened(value):
    assert 0 < len(short_repr(value)) <= 200
