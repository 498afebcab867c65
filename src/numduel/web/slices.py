"""Work that may take long on the event loop, in slices, so that nobody else waits for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

T = TypeVar("T")

_SLICE = 0.005  # seconds


async def in_slices(items: Iterable[T]) -> AsyncIterator[T]:
    """The items one after the other; every few milliseconds others have their turn."""
    begun = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - begun > _SLICE:
            await asyncio.sleep(0)
            begun = time.perf_counter()
