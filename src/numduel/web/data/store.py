"""Duels in the database. What `append` has accepted is on disk."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, NamedTuple, TypeVar

import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from numduel.core.game import other
from numduel.play.duel import without_undone
from numduel.play.event import Leave, dump, load
from numduel.play.setup import Names, dump_setup, load_setup
from numduel.web import metrics
from numduel.web.data import database
from numduel.web.data.calendar import now
from numduel.web.data.database import duels, events, records, rooms
from numduel.web.data.file import File
from numduel.web.data.hosted import Hosted, Terms
from numduel.web.data.writer import Writer
from numduel.web.problems import Busy
from numduel.web.slices import in_slices

T = TypeVar("T")

log = logging.getLogger("numduel.web")

PATIENCE = database.PATIENCE

_PAUSE = 0.1  # seconds between two attempts


class Deleted(Exception):
    """The file of the database is no longer where it was, or another one is there."""


class Unanswered(Exception):
    """The database has not answered for so long that we have hung up."""


_PASSING = (OperationalError, InterfaceError, sa.exc.TimeoutError)
_AWAY = (DatabaseError, *_PASSING, Deleted, Unanswered)


class Newer(NamedTuple):
    """What there is of a duel beyond what somebody knows."""

    log: list[str]  # the later events
    seats: tuple[str | None, str | None]  # as in the terms: a pupil can be removed
    names: Names


class Store:
    """The database as the rest of the server sees it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.committing = engine.execution_options(isolation_level="AUTOCOMMIT")
        self.reading = database.connect_reading(engine)
        self._file = None if self.shared else File.of(engine.url)
        self._mending = asyncio.Lock()
        self._writer = Writer(self._add_events)

    async def close(self) -> None:
        """Let go of the database."""
        await self.reading.dispose()
        await self.engine.dispose()

    @property
    def shared(self) -> bool:
        """Whether the database itself tells the servers of each change."""
        return self.engine.dialect.name == "postgresql"

    # Duels.

    async def create(self, duel: Hosted) -> None:
        """Put a new duel into the database."""
        await self._insert(duels, duel_row(duel))

    async def load(self, name: str) -> Hosted | None:
        """The duel as far as it was played; None if there is none of that name."""

        async def select(connection: AsyncConnection) -> tuple[Any, list[str]]:
            found = await connection.execute(sa.select(duels).where(duels.c.name == name))
            row = found.one_or_none()
            newer = row and await _newer(connection, name, 0)
            return row, newer.log if newer else []

        row, log = await self.read(select)
        if row is None:
            return None
        duel = Hosted(name, _terms(row))
        happened = [load(body) async for body in in_slices(log)]
        async for event in in_slices(without_undone(happened)):
            duel.apply(event)
        duel.version, duel.latest = len(log), next(reversed(happened), None)
        return duel

    async def take(self, name: str, seat: int, hash_: str, own: str) -> bool:
        """Give a seat another secret; whether it was done: somebody may have been faster."""
        column = duels.c[f"seat{seat}"]
        known = column.in_((hash_, own))  # own: an attempt was committed that seemed to fail
        change = sa.update(duels).where(duels.c.name == name, known).values({column: own})
        done = await self.do(lambda connection: connection.execute(change))
        return bool(done.rowcount)

    async def newer(self, name: str, version: int) -> Newer | None:
        """What is new after that version; None if the duel is gone."""
        return await self.read(lambda connection: _newer(connection, name, version))

    async def versions(self, topics: list[str]) -> dict[str, int]:
        """The versions of those among the duels and rooms that have had any events."""
        moved = sa.select(events.c.duel, sa.func.max(events.c.number)).group_by(events.c.duel)
        progress = rooms.c.version + rooms.c.answered + MOVED
        changed = sa.select(rooms.c.code, progress).where(rooms.c.code.in_(topics))
        both = moved.where(events.c.duel.in_(topics)).union_all(changed)
        found = await self.read(lambda connection: connection.execute(both))
        return {row[0]: row[1] for row in found}

    async def append(self, duel: Hosted, number: int, body: str, closing: dict[str, Any]) -> bool:
        """Add the event of that number; whether it was accepted: another may have been faster.

        With it goes what it closes: the columns of the duel that change.
        """
        row = _event_row(duel.name, number, body)
        unsure = False  # whether an earlier attempt may have been committed
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if closing:
                    async with self._reached(self.engine.begin, "move") as connection:
                        await _close(connection, duel, closing, row)
                else:
                    await self._writer.add(row)
                return True
            except IntegrityError:
                return unsure and await self._stands(row)
            except _AWAY as error:
                unsure = True
                await self._wait(error, deadline)

    async def _add_events(self, rows: list[dict[str, Any]]) -> None:
        """Add events, all of them or none; when this returns, they are on disk."""
        if len(rows) == 1:  # which is its own transaction
            async with self._reached(self.committing.connect, "move") as connection:
                await connection.execute(_INSERT_EVENT, rows[0])
        else:
            async with self._reached(self.engine.begin, "move") as connection:
                await connection.execute(_INSERT_EVENT, rows)

    async def _stands(self, row: dict[str, Any]) -> bool:
        """Whether just this event is in the database."""
        query = sa.select(events.c.token).filter_by(duel=row["duel"], number=row["number"])
        return bool(row["token"] == await self.read(lambda connection: connection.scalar(query)))

    # Records that somebody uploaded.

    async def keep_record(self, name: str, body: str) -> None:
        """Keep an uploaded record."""
        await self._insert(records, {"name": name, "body": body, "created": now()})

    async def record(self, name: str) -> str | None:
        """An uploaded record."""
        query = sa.select(records.c.body).where(records.c.name == name)
        return await self.read(lambda connection: connection.scalar(query))

    # How the database is reached.

    async def _insert(self, table: sa.Table, row: dict[str, Any]) -> None:
        """Insert a row under a name that nobody else has."""
        with suppress(IntegrityError):  # then an attempt was committed that seemed to fail
            await self.do(lambda connection: connection.execute(sa.insert(table), row))

    async def do(
        self, work: Callable[[AsyncConnection], Awaitable[T]], patience: float = PATIENCE
    ) -> T:
        """Do something in one transaction; again where the database was away."""
        return await self._done(self.engine, work, "write", patience)

    async def read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """The same for what only reads: it waits for no writer."""
        return await self._done(self.reading, work, "read", PATIENCE)

    async def _done(
        self,
        engine: AsyncEngine,
        work: Callable[[AsyncConnection], Awaitable[T]],
        kind: str,
        patience: float,
    ) -> T:
        deadline = time.monotonic() + patience
        while True:
            try:
                async with self._reached(engine.begin, kind) as connection:
                    return await work(connection)
            except IntegrityError:
                raise
            except _AWAY as error:
                await self._wait(error, deadline)

    @asynccontextmanager
    async def _reached(
        self, way: Callable[[], AbstractAsyncContextManager[AsyncConnection]], kind: str
    ) -> AsyncIterator[AsyncConnection]:
        """A connection. What it has committed is in the database that others will find."""
        loop, hanging_up = asyncio.get_running_loop(), None
        began = loop.time()
        try:
            async with way() as connection:
                if self.shared:  # a frozen one would never answer
                    hanging_up = loop.call_later(PATIENCE, _hang_up, connection)
                found = connection.info
                yield connection
            if self._file is not None and not self._file.is_open_by(found):
                raise Deleted("the file of the database was deleted or replaced")
        except (OperationalError, InterfaceError) as error:
            if hanging_up is not None and hanging_up.when() <= loop.time():
                raise Unanswered(f"no answer within {PATIENCE:g} seconds") from error
            raise
        finally:
            if hanging_up is not None:
                hanging_up.cancel()
            metrics.DATABASE.labels(kind).observe(loop.time() - began)

    async def _wait(self, error: Exception, deadline: float) -> None:
        """Until the next attempt; Busy where there is none."""
        metrics.AWAY.labels(type(error).__name__).inc()
        if not (await self.mend() or self._passes(error)) or time.monotonic() > deadline:
            line = "The database does not answer just now: please try again."
            raise Busy(line, cause=database.cause(error)) from error
        await asyncio.sleep(_PAUSE)

    def _passes(self, error: Exception) -> bool:
        """Whether it is worth waiting for the end of what is wrong."""
        orig = getattr(error, "orig", None)
        if self.shared or isinstance(error, Deleted | sa.exc.TimeoutError):
            waited = isinstance(orig, psycopg.errors.LockNotAvailable)
            return isinstance(error, (Deleted, *_PASSING)) and not waited
        code = getattr(orig, "sqlite_errorcode", 0)
        return bool(code & 0xFF == sqlite3.SQLITE_BUSY)

    async def mend(self) -> bool:
        """Write the file back if it was deleted: all of it is in the hands of our connection."""
        if self._file is None:
            return False
        async with self._mending:
            if self._file.identity is not None:
                return False
            try:
                async with self.committing.connect() as connection:
                    await self._file.write_back(connection)
            except (sa.exc.SQLAlchemyError, OSError) as error:
                why = f"the file of the database was deleted: {database.cause(error)}"
                raise Busy("The database is away: please try again.", cause=why) from error
            log.warning("written back", extra={"cause": "the file of the database was deleted"})
            return True


def _hang_up(connection: AsyncConnection) -> None:
    """End a connection that does not answer: whoever waits for it is told that it is lost."""
    with suppress(OSError, sa.exc.SQLAlchemyError, psycopg.Error):
        raw = connection.sync_connection
        assert raw is not None
        number = raw.connection.driver_connection.fileno()  # type: ignore[union-attr]
        with socket.socket(fileno=os.dup(number)) as line:
            line.shutdown(socket.SHUT_RDWR)


_INSERT_EVENT = sa.insert(events)

MOVED = (
    sa.select(sa.func.count())
    .select_from(duels.join(events, events.c.duel == duels.c.name))
    .where(duels.c.room == rooms.c.code, duels.c.room_round == rooms.c.round)
    .correlate(rooms)
    .scalar_subquery()
)
"""Of a room, how many events there were in the games of its round."""


def _event_row(duel: str, number: int, body: str) -> dict[str, Any]:
    at, token = now(), secrets.token_hex(8)
    return {"duel": duel, "number": number, "body": body, "at": at, "token": token}


def duel_row(duel: Hosted) -> dict[str, Any]:
    """A new duel as a row of its table."""
    terms, names = duel.terms, duel.terms.setup.names
    return {
        "name": duel.name,
        "setup": dump_setup(terms.setup._replace(names=(None, None))),  # which can be taken back
        "seat1": terms.seats[0],
        "seat2": terms.seats[1],
        "name1": names[0],
        "name2": names[1],
        "coach": terms.coach,
        "room": terms.room,
        "created": now(),
        **result(duel),
    }


def result(duel: Hosted) -> dict[str, Any]:
    """The columns of a duel that change when a round ends."""
    match = duel.match
    finished, over = bool(duel.rounds), match.over
    return {"finished": finished, "over": over, "champion": match.champion if over else None}


def _terms(row: Any) -> Terms:
    return Terms(
        setup=load_setup(row.setup)._replace(names=(row.name1, row.name2)),
        seats=(row.seat1, row.seat2),
        coach=row.coach,
        room=row.room,
    )


async def _newer(connection: AsyncConnection, name: str, version: int) -> Newer | None:
    joined = duels.outerjoin(events, (events.c.duel == duels.c.name) & (events.c.number > version))
    seated = (duels.c.seat1, duels.c.seat2, duels.c.name1, duels.c.name2)
    query = sa.select(events.c.body, *seated).select_from(joined).where(duels.c.name == name)
    rows = (await connection.execute(query.order_by(events.c.number))).all()
    if not rows:
        return None
    log = [row.body for row in rows if row.body is not None]
    return Newer(log, (rows[0].seat1, rows[0].seat2), (rows[0].name1, rows[0].name2))


async def _close(
    connection: AsyncConnection, duel: Hosted, closing: dict[str, Any], row: dict[str, Any]
) -> None:
    # The room first, here as everywhere, so that nobody waits in a circle.
    if duel.terms.room is not None:
        await touch(connection, duel.terms.room)
    await connection.execute(sa.update(duels).where(duels.c.name == duel.name).values(closing))
    await connection.execute(_INSERT_EVENT, row)


async def leave(connection: AsyncConnection, name: str, seat: int) -> None:
    """Let whoever has that seat leave the duel for good, whatever others do at this moment."""
    count = sa.select(sa.func.count()).where(events.c.duel == name)
    body, left = dump(Leave(seat)), False
    while not left:  # not for ever: a duel takes only so many events
        number = 1 + (await connection.scalar(count) or 0)
        with suppress(IntegrityError):  # then somebody has moved just now
            async with connection.begin_nested():
                await connection.execute(_INSERT_EVENT, _event_row(name, number, body))
            left = True
    closing = {"finished": True, "over": True, "champion": other(seat)}
    await connection.execute(sa.update(duels).where(duels.c.name == name).values(closing))


async def touch(connection: AsyncConnection, code: str, **values: Any) -> None:
    """Mark a room as changed."""
    values = {"version": rooms.c.version + 1, "touched": now(), **values}
    await connection.execute(sa.update(rooms).where(rooms.c.code == code).values(values))
