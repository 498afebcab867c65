"""Long loops on the event loop that let other tasks run in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

T = TypeVar("T")

_SLICE_SECONDS = 0.005


async def cooperatively(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield the items in order; give other tasks a turn every few milliseconds."""
    begun = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - begun > _SLICE_SECONDS:
            await asyncio.sleep(0)
            begun = time.perf_counter()
