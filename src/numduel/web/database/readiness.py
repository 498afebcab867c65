"""Whether this server can do its work just now, for the readiness probe."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.web.database import migration
from numduel.web.database.database import TIMEOUT_SECONDS, Database
from numduel.web.database.tables import duels, events, rooms
from numduel.web.errors import Busy

READY_TIMEOUT_SECONDS = 0.8
"""What has not answered after this time counts as away, unless it is merely busy for others."""

_DATABASE = "The database cannot be written to just now."
_THINKING = "Nothing can be computed just now."


class _Check:
    """A check of which one at a time runs, shared by all who ask."""

    def __init__(self, work: Callable[[], Awaitable[object]], done: Callable[[], int]) -> None:
        self._work = work
        self._done = done  # grows with whatever else is done
        self._task: asyncio.Task[object] | None = None

    async def run(self, line: str, who: str) -> None:
        """Raise Busy, with its cause, if it fails, or if nothing at all is done in time."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._work())
            self._task.add_done_callback(lambda done: done.cancelled() or done.exception())
        task, before = self._task, self._done()
        # It is not cancelled: a frozen database would not answer to that either.
        await asyncio.wait({task}, timeout=READY_TIMEOUT_SECONDS)
        if task.done():
            task.result()
        elif self._done() <= before:
            raise Busy(line, cause=f"{who} not answered within {READY_TIMEOUT_SECONDS:g} seconds")

    async def close(self) -> None:
        """Wait until a check under way is done."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=TIMEOUT_SECONDS)


class Readiness:
    """Checks the database, and the processes that compute.

    `ping` asks these something, and `answered` is the number of their answers so far.
    """

    def __init__(
        self,
        database: Database,
        ping: Callable[[], Awaitable[object]] | None = None,
        answered: Callable[[], int] = lambda: 0,
    ) -> None:
        self._database = database
        self._is_connected = False
        self._writing = _Check(lambda: database.write(self._write, retry_seconds=0), self._written)
        self._thinking = None if ping is None else _Check(ping, answered)

    async def check(self) -> None:
        """Raise Busy, with its cause, if a write or an answer does not come in time."""
        checks = [self._writing.run(_DATABASE, "the database has")]
        if self._thinking is not None:
            checks.append(self._thinking.run(_THINKING, "the processes that compute have"))
        await asyncio.gather(*checks)

    async def close(self) -> None:
        """Wait until the checks under way are done."""
        await self._writing.close()

    def _written(self) -> int:
        """Return the writes so far; those of others say nothing of a table that may be locked."""
        is_waiting = not (self._is_connected and self._database.is_postgresql)
        return self._database.written if is_waiting else -1

    async def _write(self, connection: AsyncConnection) -> None:
        self._is_connected = True
        try:
            found = await connection.run_sync(migration.revision)
            if found != migration.head():
                cause = f"the tables are of revision {found}, not {migration.head()}"
                raise Busy(_DATABASE, cause=cause)
            # Deletes nothing, but needs the same locks as a move, a new game and a class.
            for key in (events.c.duel, duels.c.name, rooms.c.code):
                await connection.execute(sa.delete(key.table).where(key == ""))
            # Changes nothing, but is written: a full disk is noticed.
            await connection.execute(
                sa.text("UPDATE alembic_version SET version_num = version_num")
            )
        finally:
            self._is_connected = False
