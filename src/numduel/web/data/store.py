"""Duels in the database. What `append` has accepted is on disk."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from numduel.play.duel import without_undone
from numduel.play.event import load
from numduel.play.setup import Names, dump_setup, load_setup
from numduel.web.data.database import duels, events, records, rooms
from numduel.web.data.hosted import Hosted, Terms
from numduel.web.data.writer import INSERT_EVENT, Writer
from numduel.web.problems import Busy
from numduel.web.slices import in_slices

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds in which a database that was restarted is waited for."""

_PAUSE = 0.1  # seconds between two attempts
_AWAY = (OperationalError, InterfaceError, sa.exc.TimeoutError)


def now() -> int:
    """The time, in seconds."""
    return int(time.time())


class Newer(NamedTuple):
    """What there is of a duel beyond what somebody knows."""

    log: list[str]  # the later events
    seats: tuple[str | None, str | None]  # as in the terms: a pupil can be taken out
    names: Names


class Store:
    """The database as the rest of the server sees it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.writer = Writer(engine)

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

        row, log = await self.do(select)
        if row is None:
            return None
        duel = Hosted(name, _terms(row))
        happened = [load(body) async for body in in_slices(log)]
        async for event in in_slices(without_undone(happened)):
            duel.apply(event)
        duel.version = len(log)
        return duel

    async def newer(self, name: str, version: int) -> Newer | None:
        """What is new after that version; None if the duel is gone."""
        return await self.do(lambda connection: _newer(connection, name, version))

    async def versions(self, topics: list[str]) -> dict[str, int]:
        """The versions of those among the duels and rooms that have had any events."""
        moved = sa.select(events.c.duel, sa.func.max(events.c.number)).group_by(events.c.duel)
        changed = sa.select(rooms.c.code, rooms.c.version).where(rooms.c.code.in_(topics))
        both = moved.where(events.c.duel.in_(topics)).union_all(changed)
        found = await self.do(lambda connection: connection.execute(both))
        return {row[0]: row[1] for row in found}

    async def append(self, duel: Hosted, number: int, body: str, closing: dict[str, Any]) -> bool:
        """Add the event of that number; whether it was accepted: another may have been faster.

        With it goes what it closes: the columns of the duel that change.
        """
        row = {
            "duel": duel.name,
            "number": number,
            "body": body,
            "at": now(),
            "token": secrets.token_hex(8),
        }
        unsure = False  # whether an earlier attempt may have been committed
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if closing:
                    async with self.engine.begin() as connection:
                        await connection.execute(INSERT_EVENT, row)
                        await _close(connection, duel, closing)
                else:
                    await self.writer.add(row)
                return True
            except IntegrityError:
                return unsure and await self._stands(row)
            except _AWAY as error:
                unsure = True
                await self._wait(error, deadline)

    async def _stands(self, row: dict[str, Any]) -> bool:
        """Whether just this event is in the database."""
        query = sa.select(events.c.token).filter_by(duel=row["duel"], number=row["number"])
        return bool(row["token"] == await self.do(lambda connection: connection.scalar(query)))

    # Records that somebody uploaded.

    async def keep_record(self, name: str, body: str) -> None:
        """Keep an uploaded record."""
        await self._insert(records, {"name": name, "body": body, "created": now()})

    async def record(self, name: str) -> str | None:
        """An uploaded record."""
        query = sa.select(records.c.body).where(records.c.name == name)
        return await self.do(lambda connection: connection.scalar(query))

    # Keeping house.

    async def clear(self, before: int, rooms_before: int) -> int:
        """Delete what nobody has touched since; how many unfinished duels that were.

        Duels of which a round was finished stay, for their pages may have been shared.
        """
        recent = sa.exists().where(events.c.duel == duels.c.name, events.c.at >= before)
        stale = sa.delete(duels).where(~duels.c.finished, duels.c.created < before, ~recent)

        async def delete(connection: AsyncConnection) -> int:
            await connection.execute(sa.delete(rooms).where(rooms.c.touched < rooms_before))
            await connection.execute(sa.delete(records).where(records.c.created < before))
            return (await connection.execute(stale)).rowcount

        return await self.do(delete)

    async def check(self) -> None:
        """Raise Busy where the database does not answer."""
        await self.do(lambda connection: connection.execute(sa.select(1)), patience=0)

    async def _insert(self, table: sa.Table, row: dict[str, Any]) -> None:
        """Insert a row under a name that nobody else has."""
        with suppress(IntegrityError):  # then an attempt was committed that seemed to fail
            await self.do(lambda connection: connection.execute(sa.insert(table), row))

    async def do(
        self, work: Callable[[AsyncConnection], Awaitable[T]], patience: float = PATIENCE
    ) -> T:
        """Do something in one transaction; again where the database was away."""
        deadline = time.monotonic() + patience
        while True:
            try:
                async with self.engine.begin() as connection:
                    return await work(connection)
            except _AWAY as error:
                await self._wait(error, deadline)

    async def _wait(self, error: Exception, deadline: float) -> None:
        if not self.shared or time.monotonic() > deadline:
            raise Busy("The database does not answer just now: please try again.") from error
        await asyncio.sleep(_PAUSE)


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


async def _close(connection: AsyncConnection, duel: Hosted, closing: dict[str, Any]) -> None:
    await connection.execute(sa.update(duels).where(duels.c.name == duel.name).values(closing))
    if duel.terms.room is not None:
        await touch(connection, duel.terms.room)


async def touch(connection: AsyncConnection, code: str, **values: Any) -> None:
    """Mark a room as changed."""
    values = {"version": rooms.c.version + 1, "touched": now(), **values}
    await connection.execute(sa.update(rooms).where(rooms.c.code == code).values(values))
