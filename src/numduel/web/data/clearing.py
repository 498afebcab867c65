"""What is cleared away, and when.

How old something is, is counted in days on which a server ran, as the database has noted them. So
neither a clock that jumps nor a server that was off for months makes anything old.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.web.data.database import days, duels, events, records, rooms
from numduel.web.data.store import Store, now

DAY = 24 * 60 * 60

_AT_ONCE = 100  # duels that are deleted before others may write


class Keep(NamedTuple):
    """For how many days something is kept that nobody touches."""

    unfinished: int = 30  # duels of which no round was finished, and uploaded records
    finished: int = 365  # whose pages may have been shared
    rooms: int = 1


async def clear(store: Store, keep: Keep) -> int:
    """Delete what nobody has touched for too long; how many duels that were."""
    unfinished, finished, rooms_ = await store.do(lambda connection: _limits(connection, keep))

    async def others(connection: AsyncConnection) -> None:
        await connection.execute(sa.delete(rooms).where(rooms.c.touched < rooms_))
        await connection.execute(sa.delete(records).where(records.c.created < unfinished))

    await store.do(others)
    return await _clear_duels(store, unfinished, ~duels.c.finished) + await _clear_duels(
        store, finished, duels.c.finished
    )


async def _clear_duels(store: Store, before: int, which: sa.ColumnElement[bool]) -> int:
    recent = sa.exists().where(events.c.duel == duels.c.name, events.c.at >= before)
    stale = sa.select(duels.c.name).where(which, duels.c.created < before, ~recent)
    some = sa.delete(duels).where(duels.c.name.in_(stale.limit(_AT_ONCE)))

    async def delete(connection: AsyncConnection) -> int:
        return (await connection.execute(some)).rowcount

    cleared = 0
    while found := await store.do(delete):
        cleared += found
        await asyncio.sleep(0.1)  # let others write
    return cleared


async def note_day(connection: AsyncConnection) -> None:
    """Note that a server runs today."""
    at = now()
    await connection.execute(_NOTE, {"day": at // DAY, "seen": at})


_NOTE = sa.text(
    "INSERT INTO days (day, seen) VALUES (:day, :seen) "
    "ON CONFLICT (day) DO UPDATE SET seen = excluded.seen"
)


async def _limits(connection: AsyncConnection, keep: Keep) -> list[int]:
    """The times before which something is old: so many days have begun, and ended, since."""
    await note_day(connection)
    # A day that is yet to come was noted by a clock that was wrong.
    await connection.execute(sa.delete(days).where(days.c.day > now() // DAY))
    query = sa.select(days.c.day).order_by(days.c.day.desc()).limit(max(keep) + 1)
    noted = (await connection.scalars(query)).all()
    return [noted[kept] * DAY if kept < len(noted) else 0 for kept in keep]
