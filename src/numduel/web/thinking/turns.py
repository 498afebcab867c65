"""Who waits to have something thought about, and whose turn it is.

Those who have shown the secret of a seat or of a room are told apart, also behind one address:
each has a few questions of their own, and one after the other they have their turn.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from numduel.web.problems import Busy
from numduel.web.visitor import seat, visitor


class Turns:
    """One question at a time for each address, and in it for each seat."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._waiting: Counter[tuple[str, ...]] = Counter()  # in all, by address, and by seat
        self._turns: dict[tuple[str, ...], asyncio.Lock] = {}

    @property
    def waiting(self) -> int:
        """How many have their turn, or wait for it."""
        return self._waiting[()]

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Whoever asks has their turn within; Busy where too many wait."""
        address, own = (visitor.get(),), (visitor.get(), seat())
        few = max(1, self.most // 10)
        bounds = {(): 4 * self.most, address: 2 * self.most, own: few if seat() else self.most}
        if any(self._waiting[line] >= most for line, most in bounds.items()):
            raise Busy("Too much is being computed just now: please try again in a moment.")
        self._waiting.update(bounds.keys())
        try:
            async with self._lock(own), self._lock(address):
                yield
        finally:
            for line in bounds:
                self._waiting[line] -= 1
                if not self._waiting[line]:
                    del self._waiting[line]
                    self._turns.pop(line, None)

    def _lock(self, line: tuple[str, ...]) -> asyncio.Lock:
        return self._turns.setdefault(line, asyncio.Lock())
