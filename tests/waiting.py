"""Waiting for what is expected, and never for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

TIMEOUT_SECONDS = 180  # until something that does not come is given up


def until(happened: Callable[[], T], what: str = "what should happen") -> T:
    """Wait until that returns something true, and return it."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not (found := happened()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)
    return found
