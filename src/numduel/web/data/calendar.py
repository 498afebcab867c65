"""The database's own time, by which is counted how old something is.

A day of it is over when a server has seen the clock come from one day to the next. So neither a
clock that jumps nor a server that was off for months makes anything old.
"""

from __future__ import annotations

import time

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.web.data.database import calendar

DAY = 24 * 60 * 60


class Today:
    """Which day of the database it is, as this process was last told."""

    def __init__(self) -> None:
        self._day: int | None = None

    @property
    def day(self) -> int:
        """The number of the day; by the clock, as long as nobody has asked the database."""
        return _clock() // DAY if self._day is None else self._day

    async def note(self, connection: AsyncConnection) -> None:
        """Tell the database which day it is by the clock, and learn which of its own it is."""
        at = _clock()
        day, seen = at // DAY, calendar.c.day
        change = sa.update(calendar).values(
            number=calendar.c.number + sa.case((seen + 1 == day, 1), else_=0),
            day=sa.case((seen - 1 == day, seen), else_=day),  # another server's is a little late
            seen=at,
        )
        await connection.execute(change)
        self._day = await connection.scalar(sa.select(calendar.c.number))


today = Today()


def now() -> int:
    """The time of the database, in seconds."""
    return today.day * DAY + _clock() % DAY


def _clock() -> int:
    return int(time.time())
