import pytest
import sqlalchemy as sa

from numduel.games import new
from numduel.play.event import Move, Resign
from numduel.web.database import retention, tables
from numduel.web.database.retention import Retention, delete_expired
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.terms import agree
from numduel.web.identity import new_name
from numduel.web.reviews.store import SqlRecordStore
from numduel.web.rooms.service import RoomService
from numduel.web.rooms.store import SqlRoomStore

pytestmark = [pytest.mark.anyio, pytest.mark.each_database]

KEEP = Retention()
DAY_SECONDS = 24 * 60 * 60
TERMS = agree(new("divisor-line", size=10), ("human", "human")).terms


async def make(store, *events):
    """Create a duel with these events."""
    duel = DuelRecord(new_name(), TERMS)
    await store.create(duel)
    for event in events:
        await add_event(store, duel, event)
    return duel


async def add_event(store, duel, event):
    duel.apply(event)
    assert await store.append(duel, round_ended=bool(duel.rounds))


async def after_days(store, days, keep=KEEP):
    """Make everything that many days older; return how many duels are then deleted."""

    async def age(connection):
        for column in (
            tables.duels.c.created,
            tables.events.c.at,
            tables.records.c.created,
            tables.rooms.c.touched,
        ):
            change = sa.update(column.table).values({column: column - days * DAY_SECONDS})
            await connection.execute(change)

    await store.database.write(age)
    return await delete_expired(store.database, keep)


async def count(store, table):
    query = sa.select(sa.func.count()).select_from(table)
    return await store.database.read(lambda connection: connection.scalar(query))


async def test_unfinished_duels_are_deleted_if_untouched_for_long(store):
    untouched, played = await make(store), await make(store)
    assert await after_days(store, 15) == 0
    await add_event(store, played, Move(6))
    assert await after_days(store, 15) == 0
    assert await after_days(store, 1) == 1
    assert await store.load(untouched.name) is None
    assert (await store.load(played.name)).version == 1
    assert await after_days(store, 15) == 1
    assert await store.load(played.name) is None


async def test_finished_duels_are_kept_longer_but_not_for_ever(store):
    keep = Retention(unfinished=3, finished=5)
    await make(store, Move(6))
    await make(store, Resign(1))
    deleted = [await after_days(store, 1, keep) for _ in range(7)]
    assert deleted == [0, 0, 0, 1, 0, 1, 0]


async def test_many_duels_are_deleted_in_several_transactions(store, monkeypatch):
    monkeypatch.setattr(retention, "_MAX_BATCH_DUELS", 2)
    for _ in range(5):
        await make(store, Move(6))
    assert await after_days(store, 2, Retention(unfinished=1)) == 5


async def test_expired_rooms_and_uploads_are_deleted_completely(store):
    rooms, codes = RoomService(SqlRoomStore(store.database), None), []
    for _ in range(2):
        code, _ = await rooms.open(TERMS.setup, coach=False)
        for name in ("Ada", "Max"):
            await rooms.join(code, name)
        await rooms.store.update(code, lambda room: room.begin_round(1))
        codes.append(code)
    await SqlRecordStore(store.database).add("old", "{}")
    await after_days(store, 1)
    await rooms.store.update(codes[1], lambda room: room.begin_round(2))
    await after_days(store, 1)
    kept = (tables.rooms, tables.duels, tables.records)
    assert [await count(store, table) for table in kept] == [1, 2, 1]
    assert (await rooms.store.read(codes[1])).round == 2
    await after_days(store, 29)
    assert [await count(store, table) for table in kept] == [0, 0, 0]
