"""Timing."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the time of the fastest of some runs."""
    best = float("inf")
    for _ in range(times):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


def gigabytes() -> float:
    """Return the maximum memory that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
