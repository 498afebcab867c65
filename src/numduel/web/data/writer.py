"""Events on their way into the database: those that wait together are committed together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from sqlalchemy.exc import IntegrityError

MOST_TOGETHER = 100
"""How many events are committed in one transaction."""

Row = dict[str, Any]


class _Waiting(NamedTuple):
    row: Row
    committed: asyncio.Future[None]


class Writer:
    """Adds events, one transaction after the other; each is answered after its commit."""

    def __init__(self, insert: Callable[[list[Row]], Awaitable[None]]) -> None:
        self.insert = insert  # all of them or none, in one transaction
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def add(self, row: Row) -> None:
        """Add an event; when this returns, it is on disk. IntegrityError: its number is taken."""
        one = _Waiting(row, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await one.committed

    async def _write(self) -> None:
        try:
            while self._waiting:
                together = self._waiting[:MOST_TOGETHER]
                del self._waiting[:MOST_TOGETHER]
                await self._commit(together)
        finally:
            self._writing = None

    async def _commit(self, together: list[_Waiting]) -> None:
        # In one order everywhere, so that no two servers wait for each other.
        rows = sorted((one.row for one in together), key=lambda row: (row["duel"], row["number"]))
        error: Exception | None = None
        try:
            await self.insert(rows)
        except IntegrityError as taken:
            if len(together) > 1:  # nothing was committed: each for itself
                for one in together:
                    await self._commit([one])
                return
            error = taken
        except Exception as other:
            error = other
        for one in together:
            if not one.committed.done():  # whoever waited for it may have left
                one.committed.set_exception(error) if error else one.committed.set_result(None)
