"""Notifications between the processes and servers that share a database.

They are sent after the commit, because a NOTIFY within it takes a lock for which all commits wait.
PostgreSQL passes them on with LISTEN and NOTIFY. On SQLite each process checks regularly whether
another one has written.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import psycopg
import sqlalchemy as sa

from numduel.web.database.database import Database, NoAnswer, cause
from numduel.web.database.tables import duels, events, events_in_round, rooms
from numduel.web.errors import Busy
from numduel.web.notifications import Notifications

log = logging.getLogger("numduel.web")

UNAVAILABLE = (sa.exc.SQLAlchemyError, psycopg.Error, OSError)

# Asynchronous, because a notification need not survive a crash.
_NOTIFY = sa.text(
    "SELECT set_config('synchronous_commit', 'off', true), pg_notify('numduel', :text)"
)

_POLL_SECONDS = 0.2  # between two checks of an SQLite file
_RECONNECT_SECONDS = 0.5
_BATCH_SECONDS = 0.01  # for which notifications are collected
_MAX_BATCH = 200  # topics in one NOTIFY, which has at most 8,000 bytes


class DatabaseNotifications(Notifications):
    """Notifications of this process, and of all others that use the same database."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self.database = database
        self._server = secrets.token_hex(4)  # so that it can ignore its own
        self._unsent: dict[str, int] = {}  # topics and versions for other servers
        self._has_unsent = asyncio.Event()

    def notify(self, *topics: str, version: int = -1) -> None:
        """Wake the pages that wait for a topic, here and at other servers."""
        super().notify(*topics, version=version)
        self._unsent |= dict.fromkeys(topics, version)
        self._has_unsent.set()

    async def send(self) -> None:
        """Send committed changes to other servers in batches, until cancelled."""
        while True:
            await self._has_unsent.wait()
            await asyncio.sleep(_BATCH_SECONDS)
            self._has_unsent.clear()
            changed, self._unsent = [*self._unsent.items()], {}
            for at in range(0, len(changed) if self.database.is_postgresql else 0, _MAX_BATCH):
                lines = (f"{topic} {version}" for topic, version in changed[at : at + _MAX_BATCH])
                text = "\n".join([self._server, *lines])
                try:
                    async with self.database.autocommit("notify") as connection:
                        await connection.execute(_NOTIFY, {"text": text})
                except (*UNAVAILABLE, NoAnswer) as error:
                    log.warning("notifications", extra={"cause": cause(error)})
                    self._unsent = dict(changed[at:]) | self._unsent
                    self._has_unsent.set()
                    await asyncio.sleep(_RECONNECT_SECONDS)
                    break

    async def listen(self) -> None:
        """Wake pages at the changes of other servers, until cancelled."""
        changes = self._heard_changes if self.database.is_postgresql else self._polled_changes
        while True:
            try:
                async for topic, version in changes():
                    self._wake(topic, version) if topic else self.wake_all()
            except (Busy, *UNAVAILABLE) as error:
                log.warning("notifications", extra={"cause": cause(error)})
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _heard_changes(self) -> AsyncIterator[tuple[str, int]]:
        """Yield each topic that another server notifies; an empty one stands for all."""
        url = self.database.direct_url.set(drivername="postgresql")
        connection = await psycopg.AsyncConnection.connect(
            url.render_as_string(hide_password=False), autocommit=True
        )
        async with connection:
            await connection.execute("LISTEN numduel")
            yield "", -1  # earlier notifications are lost
            async with aclosing(_payloads(connection)) as payloads:
                async for payload in payloads:
                    server, *lines = payload.split("\n")
                    for line in lines if server != self._server else ():
                        topic, _, version = line.rpartition(" ")
                        yield topic, int(version)

    async def _polled_changes(self) -> AsyncIterator[tuple[str, int]]:
        """Yield each topic that another process has changed; an empty one stands for all."""
        written: int | None = None
        seen: dict[str, int | None] = {}
        yield "", -1  # earlier changes are unknown
        while True:
            # This number changes when other connections write; this process writes with this one.
            async with self.database.engine.connect() as connection:
                latest = await connection.scalar(sa.text("PRAGMA data_version"))
            if latest != written:
                written, before = latest, seen
                seen = await versions(self.database, list(self._topics))
                for topic in list(self._topics):
                    if seen.get(topic, -1) != before.get(topic, -1):
                        yield topic, -1
            await asyncio.sleep(_POLL_SECONDS)


async def _payloads(connection: psycopg.AsyncConnection) -> AsyncGenerator[str]:
    """Yield the text of each notification; `connection.notifies()` takes four times as long."""
    loop, arrived, descriptor = asyncio.get_running_loop(), asyncio.Event(), connection.fileno()
    loop.add_reader(descriptor, arrived.set)
    try:
        while await arrived.wait():
            arrived.clear()
            connection.pgconn.consume_input()
            while (notice := connection.pgconn.notifies()) is not None:
                yield notice.extra.decode()
    finally:
        loop.remove_reader(descriptor)


async def versions(database: Database, topics: list[str]) -> dict[str, int | None]:
    """Return the version of each topic that is a room or a duel; None for a new duel."""
    both = duels.outerjoin(events, events.c.duel == duels.c.name)
    of_duels = sa.select(duels.c.name, sa.func.max(events.c.number)).select_from(both)
    of_duels = of_duels.where(duels.c.name.in_(topics)).group_by(duels.c.name)
    progress = rooms.c.version + rooms.c.answered + events_in_round
    of_rooms = sa.select(rooms.c.code, progress).where(rooms.c.code.in_(topics))
    rows = await database.read(lambda connection: connection.execute(of_duels.union_all(of_rooms)))
    return {row[0]: row[1] for row in rows}
