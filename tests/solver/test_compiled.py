"""Without the extra `fast`, large sizes are refused with an error that names the extra."""

import sys

import pytest

from numduel import TooLarge
from numduel.solver import compiled


def test_without_numba_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(TooLarge, match=r"\[fast\]"):
        compiled.compile_module.__wrapped__("numduel.solver.retrograde")
    with pytest.raises(TooLarge, match=r"\[fast\]"):
        compiled.require_numpy()
