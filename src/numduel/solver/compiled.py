"""Compile the plain solvers by numba (the extra `fast`), from the same source.

A plain solver works on flat arrays and calls only functions of its own module or of other plain
solvers. Its module is loaded a second time here, with every function compiled.
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
    """Return a solver module with compiled functions. Raises `TooLarge` without numba."""
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
    """Return whether numba is loaded. Loading it takes seconds."""
    return sys.modules.get("numba") is not None


def is_installed() -> bool:
    """Return whether numba is installed."""
    return is_loaded() or importlib.util.find_spec("numba") is not None


def require_numpy() -> Any:
    """Return numpy, for the arrays of a compiled solver. Raises `TooLarge` without numba."""
    _numba()
    import numpy

    return numpy


def thread_count() -> int:
    """Return the number of threads to use with a compiled solver."""
    return int(_numba().config.NUMBA_NUM_THREADS)


def _numba() -> Any:
    try:
        import numba
    except ImportError:
        install = install_command("fast")
        raise TooLarge(f"this size needs the compiled solvers; type: {install}") from None
    return numba
