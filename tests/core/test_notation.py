"""What the notations of the games share."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.core.notation import (
    field_notation,
    holds_numbers,
    read_number,
    read_numbers,
    split_mover,
    write_numbers,
)


class Held(NamedTuple):
    left: object
    taken: object
    mover: int


class Bare(NamedTuple):
    mover: int


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (Held(21, "a", 1), "21;a/1"),
        (Held((3, 1), [2], 2), "3,1;2/2"),
        (Held(frozenset({10, 9, 100}), frozenset(), 1), "9,10,100;/1"),
        (Held(None, True, 1), "None;True/1"),
        (Bare(2), "Bare(mover=2)"),
    ],
)
def test_the_plain_notation_is_the_fields_and_the_mover(position, text):
    assert field_notation(position) == text


@given(st.frozensets(st.integers(1, 60)))
def test_a_set_of_numbers_reads_back_from_its_text(numbers):
    assert read_numbers(write_numbers(numbers), 60) == numbers


@pytest.mark.no_cover
@given(st.text("0123456789-,", max_size=12) | st.text(max_size=8))
def test_any_text_is_read_as_numbers_or_refused(text):
    numbers = read_numbers(text, 60)
    assert numbers is None or holds_numbers(numbers, 60)


@pytest.mark.parametrize(
    ("numbers", "text"), [((), "-"), ((7,), "7"), ((2, 1, 3), "1-3"), ((9, 1, 2, 7), "1-2,7,9")]
)
def test_runs_are_written_as_ranges(numbers, text):
    assert write_numbers(numbers) == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            ",",
            "1,",
            "1,,2",
            "1-",
            "-1",
            "--",
            "1-2-3",
            "2-1",
            "2,1",
            "1,1",
            "1-3,3",
            "0",
            "61",
        ),
        *("1-61", "+1", "1 ", " 1", "1.0", "one", "٣", "²", "1;2", "9" * 1000, "1," * 1000 + "1"),
    ],
)
def test_a_text_that_is_not_a_set_of_numbers_is_refused(text):
    assert read_numbers(text, 60) is None


def test_overlapping_ranges_are_refused_quickly():
    assert read_numbers(",".join(["1-1000000"] * 100_000), 1_000_000) is None


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("60", 60), ("07", 7), ("61", None)])
def test_only_a_number_within_bounds_is_read(text, number):
    assert read_number(text, 60) == number


@pytest.mark.parametrize(
    ("text", "parts"),
    [("17/1", ("17", 1)), ("a/b/2", ("a/b", 2)), ("/1", ("", 1)), ("17", None), ("17/3", None)],
)
def test_the_mover_comes_after_the_last_slash(text, parts):
    assert split_mover(text) == parts


@pytest.mark.parametrize(
    "value", [{1}, (1,), [1], None, frozenset({0}), frozenset({61}), frozenset({True, 2})]
)
def test_only_a_frozen_set_of_whole_numbers_holds_numbers(value):
    assert not holds_numbers(value, 60)
    assert holds_numbers(frozenset({1, 60}), 60)
    assert holds_numbers(frozenset(), 60)
