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
    assert issubclass(getattr(errors, name), numduel.NumduelError)
    assert getattr(numduel, name) is getattr(errors, name)
    assert issubclass(numduel.NumduelError, ValueError)


@pytest.mark.parametrize("line", [None, "why (and where)"])
def test_an_illegal_move_survives_pickling(line):
    error = errors.IllegalMove(3, Tally(1, 2), "why", line)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is errors.IllegalMove
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
