"""The tree of errors."""

import pickle

import pytest

import numduel
from numduel.core import errors
from numduel.games.tally.rules import Tally


@pytest.mark.parametrize(
    "name", ["SettingsError", "IllegalMove", "PositionError", "RecordError", "TooLarge"]
)
def test_every_error_is_a_numduel_error_and_public(name):
    assert issubclass(getattr(errors, name), errors.NumduelError)
    assert getattr(numduel, name) is getattr(errors, name)


def test_the_root_is_a_value_error():
    assert issubclass(errors.NumduelError, ValueError)
    assert numduel.NumduelError is errors.NumduelError


def test_an_illegal_move_carries_the_move_the_position_and_why():
    error = errors.IllegalMove(3, Tally(1, 2), "3 is not in the menu")
    assert (error.move, error.position, error.why) == (3, (1, 2, ""), "3 is not in the menu")
    assert str(error) == "3 is not in the menu"


def test_the_line_of_an_illegal_move_can_say_more_than_why():
    error = errors.IllegalMove(3, Tally(1, 2), "why", "why (and where)")
    assert str(error) == "why (and where)"
    assert error.why == "why"


@pytest.mark.parametrize("line", [None, "why (and where)"])
def test_an_illegal_move_survives_pickling(line):
    error = errors.IllegalMove(3, Tally(1, 2), "why", line)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is errors.IllegalMove
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
