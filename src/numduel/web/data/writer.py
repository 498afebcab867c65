"""Events on their way into the database: those that wait together are committed together."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from numduel.web.data.database import events

MOST_TOGETHER = 100
"""How many events are committed in one transaction."""

INSERT_EVENT = sa.insert(events)


class _Waiting(NamedTuple):
    row: dict[str, Any]
    committed: asyncio.Future[None]

    @property
    def key(self) -> tuple[str, int]:
        return self.row["duel"], self.row["number"]


class Writer:
    """Adds events, one transaction after the other; each is answered after its commit."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.committing = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def add(self, row: dict[str, Any]) -> None:
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
        error: Exception | None = None
        try:
            await self._insert(together)
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

    async def _insert(self, together: list[_Waiting]) -> None:
        if len(together) == 1:  # which is its own transaction
            async with self.committing.connect() as connection:
                await connection.execute(INSERT_EVENT, together[0].row)
            return
        # In one order everywhere, so that no two servers wait for each other.
        rows = [one.row for one in sorted(together, key=lambda one: one.key)]
        async with self.engine.begin() as connection:
            await connection.execute(INSERT_EVENT, rows)
