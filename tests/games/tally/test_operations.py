"""The operations of a menu: their texts, their labels, and the numbers that they lead from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.games.tally.operations import Operation, parse_operation


@pytest.mark.parametrize(
    ("text", "operation", "label", "does", "from_seven"),
    [
        ("+1", Operation("+", 1), "Add 1", "adds 1", 8),
        ("-3", Operation("-", 3), "Subtract 3", "subtracts 3", 4),
        ("x2", Operation("x", 2), "Multiply by 2", "multiplies by 2", 14),
        ("+12345", Operation("+", 12345), "Add 12345", "adds 12345", 12352),
    ],
)
def test_an_operation_has_a_text_a_label_and_a_step(text, operation, label, does, from_seven):
    assert parse_operation(text) == operation
    assert operation.text == text
    assert operation.label == label
    assert operation.does == does
    assert operation.step(7) == from_seven


@pytest.mark.parametrize("text", ["×2", "*2", " x2 ", "x 2", "x002"])
def test_multiplication_can_be_typed_in_several_ways(text):
    assert parse_operation(text) == Operation("x", 2)


@given(st.builds(Operation, st.sampled_from("+-x"), st.integers(2, 10**1000 - 1)))
def test_an_operation_can_be_read_back_from_its_text(operation):
    assert parse_operation(operation.text) == operation


@given(st.builds(Operation, st.sampled_from("+-x"), st.integers(2, 50)), st.integers(1, 10**1000))
def test_the_source_of_a_result_is_the_number_before(operation, number):
    assert operation.source(operation.step(number)) == number


def test_a_number_that_is_no_multiple_has_no_source():
    assert Operation("x", 3).source(7) is None
    assert Operation("x", 3).source(6) == 2


@pytest.mark.parametrize(
    ("operation", "equation"),
    [
        (Operation("x", 2), "10 × 2 = 20"),
        (Operation("+", 1), "10 + 1 = 11"),
        (Operation("-", 3), "10 − 3 = 7"),
    ],
)
def test_an_operation_on_a_number_is_an_equation(operation, equation):
    assert operation.equation(10) == equation
