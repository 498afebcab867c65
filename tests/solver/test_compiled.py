"""Without the extra, large sizes say so and name it."""

import sys

import pytest

from numduel import TooLarge
from numduel.solver import compiled


def test_without_numba_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(TooLarge, match=r"\[fast\]"):
        compiled.compile_module.__wrapped__("numduel.solver.retrograde")
    with pytest.raises(TooLarge, match=r"\[fast\]"):
        compiled.require_numpy()
