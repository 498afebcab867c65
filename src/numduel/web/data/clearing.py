"""What is cleared away, and when, by the database's own time."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.web.data.calendar import DAY, today
from numduel.web.data.database import duels, events, records, rooms
from numduel.web.data.store import Store

_AT_ONCE = 100  # duels that are deleted before others may write


class Keep(NamedTuple):
    """For how many whole days something is kept that nobody touches."""

    unfinished: int = 30  # duels of which no round was finished, and uploaded records
    finished: int = 365  # whose pages may have been shared
    rooms: int = 1


async def clear(store: Store, keep: Keep) -> int:
    """Delete what nobody has touched for too long; how many duels that were."""
    await store.do(today.note)
    unfinished, finished, unused = ((today.day - days) * DAY for days in keep)

    async def others(connection: AsyncConnection) -> None:
        await connection.execute(sa.delete(rooms).where(rooms.c.touched < unused))
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
