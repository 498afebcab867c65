"""Retention: when old games, rooms and uploads are deleted."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.web.database.database import Database
from numduel.web.database.tables import duels, events, now, records, rooms

_DAY_SECONDS = 24 * 60 * 60
_MAX_BATCH_DUELS = 100  # deleted in one transaction
_BATCH_PAUSE_SECONDS = 0.1  # during which others can write


class Retention(NamedTuple):
    """For how many full days something is kept after its last change."""

    unfinished: int = 30  # duels without a finished round, and uploaded records
    finished: int = 365  # duels with a finished round, whose pages may have been shared
    rooms: int = 1


async def delete_expired(database: Database, keep: Retention) -> int:
    """Delete everything that has expired; return the number of deleted duels."""
    unfinished, finished, unused = (_midnight(days) for days in keep)

    async def delete_others(connection: AsyncConnection) -> None:
        await connection.execute(sa.delete(rooms).where(rooms.c.touched < unused))
        await connection.execute(sa.delete(records).where(records.c.created < unfinished))

    await database.write(delete_others)
    return await _delete_duels(database, unfinished, ~duels.c.finished) + await _delete_duels(
        database, finished, duels.c.finished
    )


def _midnight(days: int) -> sa.ColumnElement[int]:
    """Return the beginning (in UTC) of the day that many days ago, by the database's clock."""
    return now() - now() % _DAY_SECONDS - days * _DAY_SECONDS


async def _delete_duels(
    database: Database, before: sa.ColumnElement[int], which: sa.ColumnElement[bool]
) -> int:
    recent = sa.exists().where(events.c.duel == duels.c.name, events.c.at >= before)
    expired = sa.select(duels.c.name).where(which, duels.c.created < before, ~recent)
    batch = sa.delete(duels).where(duels.c.name.in_(expired.limit(_MAX_BATCH_DUELS)))

    async def delete(connection: AsyncConnection) -> int:
        return (await connection.execute(batch)).rowcount

    deleted = 0
    while count := await database.write(delete):
        deleted += count
        await asyncio.sleep(_BATCH_PAUSE_SECONDS)
    return deleted
