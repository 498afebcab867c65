"""The tables of the database, and statements that several stores share."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class now(FunctionElement[int]):  # noqa: N801, written like an SQL function
    """The database's own time, in whole seconds since 1970."""

    type = sa.BigInteger()
    inherit_cache = True


@compiles(now, "sqlite")
def _now_in_sqlite(*_: Any, **__: Any) -> str:
    return "CAST(strftime('%s', 'now') AS INTEGER)"


@compiles(now, "postgresql")
def _now_in_postgresql(*_: Any, **__: Any) -> str:
    return "CAST(extract(epoch FROM now()) AS BIGINT)"


metadata = sa.MetaData()


def _room() -> sa.ForeignKey:
    return sa.ForeignKey("rooms.code", ondelete="CASCADE")


rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("secret", sa.Text, nullable=False),  # the hash of the teacher's secret
    sa.Column("setup", sa.Text, nullable=False),  # of each of its games
    sa.Column("coach", sa.Boolean, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("touched", sa.BigInteger, nullable=False, default=now(), onupdate=now()),
    sa.Column("answered", sa.Integer, nullable=False, server_default="0"),  # number of answers
    sa.Column("body", sa.Text, nullable=False, server_default="{}"),  # JSON: everything else
)

duels = sa.Table(
    "duels",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("seat1", sa.Text),  # the hash of the seat's secret; null: the computer
    sa.Column("seat2", sa.Text),
    sa.Column("name1", sa.Text),
    sa.Column("name2", sa.Text),
    sa.Column("coach", sa.Boolean, nullable=False),
    sa.Column("room", sa.Text, _room(), index=True),
    sa.Column("room_round", sa.Integer),
    sa.Column("pupil1", sa.Integer),
    sa.Column("pupil2", sa.Integer),
    sa.Column("created", sa.BigInteger, nullable=False, default=now()),
    sa.Column("finished", sa.Boolean, nullable=False),  # whether a round is finished
    sa.Column("over", sa.Boolean, nullable=False),  # whether the match is over
    sa.Column("champion", sa.Integer),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("duel", sa.Text, sa.ForeignKey("duels.name", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, default=now()),
    sa.Column("token", sa.Text, nullable=False),  # unique, to recognise a repeated attempt
)

records = sa.Table(
    "records",  # uploaded by visitors
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False, default=now()),
)

events_in_round = (
    sa.select(sa.func.count())
    .select_from(duels.join(events, events.c.duel == duels.c.name))
    .where(duels.c.room == rooms.c.code, duels.c.room_round == rooms.c.round)
    .correlate(rooms)
    .scalar_subquery()
)
"""The number of events in the games of a room's present round."""


async def touch_room(connection: AsyncConnection, code: str) -> None:
    """Increase a room's version."""
    change = sa.update(rooms).where(rooms.c.code == code)
    await connection.execute(change.values(version=rooms.c.version + 1))
