"""The store of duels in the database; its interface is DuelStore in the service."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.core.game import other
from numduel.play.event import Event, Leave, dump
from numduel.play.setup import dump_setup, load_setup
from numduel.web.database.database import Database
from numduel.web.database.tables import duels, events, touch_room
from numduel.web.duels.record import DuelRecord, Terms, load_events
from numduel.web.duels.service import Changes

MAX_GROUPED_EVENTS = 100
"""Maximum number of events that are committed in one transaction."""

Row = dict[str, Any]


class SqlDuelStore:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._commits = GroupCommit(self._insert)

    async def create(self, duel: DuelRecord) -> None:
        # The name is random: if it is taken, an earlier attempt only seemed to fail.
        with suppress(IntegrityError):
            await self.database.retry(lambda: self._commits.add(duels, duel_row(duel)))

    async def load(self, name: str) -> DuelRecord | None:
        async def select(connection: AsyncConnection) -> tuple[Any, list[str]]:
            query = sa.select(duels).where(duels.c.name == name)
            row = (await connection.execute(query)).one_or_none()
            bodies = sa.select(events.c.body).where(events.c.duel == name)
            return row, [*await connection.scalars(bodies.order_by(events.c.number))]

        row, bodies = await self.database.read(select)
        if row is None:
            return None
        return await DuelRecord.replayed(name, _load_terms(row), bodies)

    async def changes_since(self, name: str, version: int) -> Changes | None:
        given = {"after": version, "of": name}
        rows = (
            await self.database.read(lambda connection: connection.execute(_CHANGES, given))
        ).all()
        if not rows:
            return None
        log = await load_events(row.body for row in rows if row.body is not None)
        return Changes(log, (rows[0].seat1, rows[0].seat2), (rows[0].name1, rows[0].name2))

    async def append(self, duel: DuelRecord, round_ended: bool) -> bool:
        assert duel.latest is not None
        row = _event_row(duel.name, duel.version, duel.latest)

        async def add() -> None:
            if not round_ended:
                await self._commits.add(events, row)
                return
            async with self.database.transaction("move") as connection:
                # The room is locked first, here as everywhere, to avoid a deadlock.
                if duel.terms.room is not None:
                    await touch_room(connection, duel.terms.room)
                change = sa.update(duels).where(duels.c.name == duel.name)
                await connection.execute(change.values(_result_columns(duel)))
                await connection.execute(_INSERT_EVENT, row)

        try:
            await self.database.retry(add)
        except IntegrityError:
            return await self._is_stored(row)  # it is if an earlier attempt only seemed to fail
        return True

    async def take_seat(
        self, name: str, seat: int, hash_: str, new_hash: str, called: str | None
    ) -> bool:
        column = duels.c[f"seat{seat}"]
        expected = column.in_((hash_, new_hash))  # new if an earlier attempt only seemed to fail
        values = {column: new_hash, **({duels.c[f"name{seat}"]: called} if called else {})}
        change = sa.update(duels).where(duels.c.name == name, expected).values(values)
        done = await self.database.write(lambda connection: connection.execute(change))
        return bool(done.rowcount)

    async def _insert(self, group: list[tuple[sa.Table, Row]]) -> None:
        if len(group) == 1:
            async with self.database.autocommit("move") as connection:
                await connection.execute(sa.insert(group[0][0]), group[0][1])
            return
        async with self.database.transaction("move") as connection:
            # Every server inserts in the same order, to avoid a deadlock.
            for table, keys in ((duels, ["name"]), (events, ["duel", "number"])):
                rows = [row for into, row in group if into is table]
                rows.sort(key=lambda row, keys=keys: [row[key] for key in keys])  # type: ignore[misc]
                if rows:
                    await connection.execute(sa.insert(table), rows)

    async def _is_stored(self, row: Row) -> bool:
        """Return whether the database has this event, and not another one of the same number."""
        query = sa.select(events.c.token).filter_by(duel=row["duel"], number=row["number"])
        token = await self.database.read(lambda connection: connection.scalar(query))
        return bool(row["token"] == token)


class _Pending(NamedTuple):
    table: sa.Table
    row: Row
    committed: asyncio.Future[None]


class GroupCommit:
    """Commits all events and new duels that wait at the same time in one transaction."""

    def __init__(self, insert: Callable[[list[tuple[sa.Table, Row]]], Awaitable[None]]) -> None:
        self.insert = insert  # inserts all rows or none
        self._pending: list[_Pending] = []
        self._writing: asyncio.Task[None] | None = None

    async def add(self, table: sa.Table, row: Row) -> None:
        """Insert a row and return when it is committed; raises IntegrityError."""
        pending = _Pending(table, row, asyncio.get_running_loop().create_future())
        self._pending.append(pending)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await pending.committed

    async def _write(self) -> None:
        try:
            while self._pending:
                group = self._pending[:MAX_GROUPED_EVENTS]
                del self._pending[:MAX_GROUPED_EVENTS]
                await self._commit(group)
        finally:
            self._writing = None

    async def _commit(self, group: list[_Pending]) -> None:
        error: Exception | None = None
        try:
            await self.insert([(one.table, one.row) for one in group])
        except Exception as raised:
            if isinstance(raised, IntegrityError) and len(group) > 1:
                for one in group:  # nothing was committed: try each on its own
                    await self._commit([one])
                return
            error = raised
        for one in group:
            if not one.committed.done():  # it is done if the request was cancelled
                one.committed.set_exception(error) if error else one.committed.set_result(None)


_INSERT_EVENT = sa.insert(events)
_later = (events.c.duel == duels.c.name) & (events.c.number > sa.bindparam("after"))
_CHANGES = (  # built once, because building it takes as long as the query
    sa.select(events.c.body, duels.c.seat1, duels.c.seat2, duels.c.name1, duels.c.name2)
    .select_from(duels.outerjoin(events, _later))
    .where(duels.c.name == sa.bindparam("of"))
    .order_by(events.c.number)
)


def _event_row(duel: str, number: int, event: Event) -> Row:
    return {"duel": duel, "number": number, "body": dump(event), "token": secrets.token_hex(8)}


def duel_row(duel: DuelRecord) -> Row:
    """Return a new duel as a row of its table."""
    terms, names = duel.terms, duel.terms.setup.names
    return {
        "name": duel.name,
        # Names have columns of their own, so that the names of removed pupils can be deleted.
        "setup": dump_setup(terms.setup._replace(names=(None, None))),
        "seat1": terms.seats[0],
        "seat2": terms.seats[1],
        "name1": names[0],
        "name2": names[1],
        "coach": terms.coach,
        "room": terms.room,
        **_result_columns(duel),
    }


def _result_columns(duel: DuelRecord) -> Row:
    """Return the columns that change when a round ends."""
    match = duel.match
    finished, over = bool(duel.rounds), match.over
    return {"finished": finished, "over": over, "champion": match.champion if over else None}


def _load_terms(row: Any) -> Terms:
    return Terms(
        setup=load_setup(row.setup)._replace(names=(row.name1, row.name2)),
        seats=(row.seat1, row.seat2),
        coach=row.coach,
        room=row.room,
    )


async def leave(connection: AsyncConnection, name: str, seat: int) -> None:
    """Let the player of that seat leave the duel for good, even if somebody moves meanwhile."""
    count = sa.select(sa.func.count()).where(events.c.duel == name)
    has_left = False
    while not has_left:  # this ends, because the number of events is bounded
        number = 1 + (await connection.scalar(count) or 0)
        with suppress(IntegrityError):  # somebody has just moved
            async with connection.begin_nested():
                await connection.execute(_INSERT_EVENT, _event_row(name, number, Leave(seat)))
            has_left = True
    result = {"finished": True, "over": True, "champion": other(seat)}
    await connection.execute(sa.update(duels).where(duels.c.name == name).values(result))
