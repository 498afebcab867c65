"""Whether a write to the database succeeds just now."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.web.data import database
from numduel.web.data.calendar import today
from numduel.web.data.store import Store
from numduel.web.problems import Busy

ANSWER = 0.8
"""Seconds after which a database that has not answered counts as away."""

_LINE = "The database cannot be written to just now."


class Readiness:
    """Asks the database; one question at a time, whoever wants to know."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._asked: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Raise Busy, with its cause, where a write does not succeed."""
        if self._asked is None or self._asked.done():
            self._asked = asyncio.create_task(self.store.do(_write, patience=0))
            self._asked.add_done_callback(lambda done: done.cancelled() or done.exception())
        asked = self._asked
        # It is not broken off: what is frozen would not even answer to that.
        await asyncio.wait({asked}, timeout=ANSWER)
        if not asked.done():
            raise Busy(_LINE, cause=f"the database has not answered within {ANSWER:g} seconds")
        asked.result()

    async def close(self) -> None:
        """Let go of the database, as soon as it answers."""
        if self._asked is not None:
            await asyncio.wait({self._asked}, timeout=database.PATIENCE)


async def _write(connection: AsyncConnection) -> None:
    found = await connection.run_sync(database.revision)
    if found != database.head():
        cause = f"the tables are of revision {found}, not {database.head()}"
        raise Busy(_LINE, cause=cause)
    # There is none, but whoever locks out the moves locks this out too.
    await connection.execute(sa.delete(database.events).where(database.events.c.duel == ""))
    await today.note(connection)
