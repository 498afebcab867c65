"""The plain solvers, compiled: the same source, so there is nothing to keep in step.

A plain solver works on flat arrays and calls only functions of its own module or of another plain
solver. Here its module is loaded a second time with every function compiled by numba (the extra
`fast`).
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from numduel.core.errors import TooLarge, install_command


@cache
def compile_module(module: str) -> Any:
    """Return the compiled solver module. Raises TooLarge if numba is not installed."""
    njit = _numba().njit
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.loader is not None
    copy: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    for name, function in list(vars(copy).items()):
        if isinstance(function, FunctionType):
            if function.__module__ == module:
                setattr(copy, name, njit(cache=True, nogil=True)(function))
            elif function.__module__.startswith("numduel."):
                setattr(copy, name, getattr(compile_module(function.__module__), name))
    return copy


def is_loaded() -> bool:
    """Return whether numba is loaded, which takes seconds."""
    return sys.modules.get("numba") is not None


def is_installed() -> bool:
    """Return whether there are compiled solvers."""
    return is_loaded() or importlib.util.find_spec("numba") is not None


def require_numpy() -> Any:
    """Return numpy, for the arrays of a compiled solver. Raises TooLarge without numba."""
    _numba()
    import numpy

    return numpy


def thread_count() -> int:
    """Return the number of threads that should share the work of a compiled solver."""
    return int(_numba().config.NUMBA_NUM_THREADS)


def _numba() -> Any:
    try:
        import numba
    except ImportError:
        install = install_command("fast")
        raise TooLarge(f"this size needs the compiled solvers; type: {install}") from None
    return numba
