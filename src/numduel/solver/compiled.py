"""The plain solvers, compiled: the same source, so there is nothing to keep in step.

A plain solver works on flat arrays and calls only functions of its own module. Here its module is
loaded a second time with every function compiled by numba (the extra `fast`).
"""

from __future__ import annotations

import importlib.util
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from numduel.core.errors import TooLarge


@cache
def compiled(module: str) -> Any:
    """The solver module of that name, compiled; TooLarge where numba is not installed."""
    njit = _numba().njit
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.loader is not None
    copy: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    for name, function in list(vars(copy).items()):
        if isinstance(function, FunctionType):
            setattr(copy, name, njit(cache=True, nogil=True)(function))
    return copy


def arrays() -> Any:
    """numpy, for a compiled solver's arrays."""
    _numba()
    import numpy

    return numpy


def cores() -> int:
    """How many threads a compiled solver should be shared among."""
    return int(_numba().config.NUMBA_NUM_THREADS)


def _numba() -> Any:
    try:
        import numba
    except ImportError:
        raise TooLarge(
            "this size needs the compiled solvers: pip install 'numduel[fast]'"
        ) from None
    return numba
