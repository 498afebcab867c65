"""The readiness probe: whether this server can do its work at present."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.web.database import migration
from numduel.web.database.database import TIMEOUT_SECONDS, Database
from numduel.web.database.tables import duels, events, rooms
from numduel.web.errors import Busy

READY_TIMEOUT_SECONDS = 0.8  # for a check, unless other work goes on

_NOT_WRITABLE = "The database cannot be written to just now."
_NOT_COMPUTING = "Nothing can be computed just now."


class _Check:
    """A check that runs once at a time; simultaneous callers share its result."""

    def __init__(self, work: Callable[[], Awaitable[object]], done: Callable[[], int]) -> None:
        self._work = work
        self._done = done  # how much work of any kind is done so far
        self._task: asyncio.Task[object] | None = None

    async def run(self, line: str, who: str) -> None:
        """Raise Busy, with its cause, if the check fails or if no work at all is done in time."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._work())
            self._task.add_done_callback(lambda done: done.cancelled() or done.exception())
        task, before = self._task, self._done()
        # Not cancelled: a frozen database would not answer to that either.
        await asyncio.wait({task}, timeout=READY_TIMEOUT_SECONDS)
        if task.done():
            task.result()
        elif self._done() <= before:
            raise Busy(line, cause=f"{who} not answered within {READY_TIMEOUT_SECONDS:g} seconds")

    async def close(self) -> None:
        """Wait until a running check is done."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=TIMEOUT_SECONDS)


class Readiness:
    """Checks the database and the thinking processes.

    `ping` asks the latter something, and `answered` returns the number of their answers so far.
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
        """Raise Busy, with its cause, if a write or an answer takes too long."""
        checks = [self._writing.run(_NOT_WRITABLE, "the database has")]
        if self._thinking is not None:
            checks.append(self._thinking.run(_NOT_COMPUTING, "the processes that compute have"))
        await asyncio.gather(*checks)

    async def close(self) -> None:
        """Wait until running checks are done."""
        await self._writing.close()

    def _written(self) -> int:
        """Return the number of writes so far, or -1 where other writes prove nothing about ours.

        On PostgreSQL, ours may wait for the lock of one table while others are written.
        """
        may_be_locked = self._is_connected and self._database.is_postgresql
        return -1 if may_be_locked else self._database.written

    async def _write(self, connection: AsyncConnection) -> None:
        self._is_connected = True
        try:
            revision = await connection.run_sync(migration.revision)
            if revision != migration.head():
                cause = f"the tables are of revision {revision}, not {migration.head()}"
                raise Busy(_NOT_WRITABLE, cause=cause)
            # Deletes nothing, but needs the locks that a move, a new game and a class need.
            for key in (events.c.duel, duels.c.name, rooms.c.code):
                await connection.execute(sa.delete(key.table).where(key == ""))
            # Changes nothing, but is written, which fails if the disk is full.
            await connection.execute(
                sa.text("UPDATE alembic_version SET version_num = version_num")
            )
        finally:
            self._is_connected = False
