import asyncio
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

from numduel.games import new
from numduel.web.database import migration
from numduel.web.database import readiness as module
from numduel.web.database.database import Database, read_url
from numduel.web.database.readiness import Readiness
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.store import SqlDuelStore
from numduel.web.duels.terms import agree
from numduel.web.errors import Busy
from numduel.web.identity import new_name
from numduel.web.reviews.store import SqlRecordStore

pytestmark = pytest.mark.anyio

TERMS = agree(new("divisor-line", size=10), ("human", "human")).terms


async def refused(ready):
    """Return the cause for which it is not ready."""
    with pytest.raises(Busy, match=r"^The database [^\n]+\.$") as caught:
        await ready.check()
    return caught.value.cause


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Checks have plenty of time."""
    monkeypatch.setattr(module, "READY_TIMEOUT_SECONDS", 180)


@pytest.fixture
def hasty(patient, monkeypatch):
    """Checks must succeed almost at once."""
    monkeypatch.setattr(module, "READY_TIMEOUT_SECONDS", 0.05)


async def execute(store, statement):
    await store.database.write(lambda connection: connection.execute(sa.text(statement)))


@pytest.mark.each_database
async def test_it_is_ready_if_a_write_succeeds(store):
    ready = Readiness(store.database)
    await asyncio.gather(*(ready.check() for _ in range(5)))
    await ready.check()


async def test_a_check_is_written_to_disk(store):
    """Otherwise a full disk would not be noticed."""
    ready, file = Readiness(store.database), store.database.engine.url.database
    with closing(sqlite3.connect(file)) as other:
        seen = [other.execute("PRAGMA data_version").fetchone()]
        for _ in range(2):
            await ready.check()
            seen.append(other.execute("PRAGMA data_version").fetchone())
    assert len({*seen}) == 3


@pytest.mark.each_database
async def test_it_is_not_ready_if_the_tables_have_another_version(store):
    ready = Readiness(store.database)
    await execute(store, "UPDATE alembic_version SET version_num = '9999'")
    assert await refused(ready) == f"the tables are of revision 9999, not {migration.head()}"
    await execute(store, f"UPDATE alembic_version SET version_num = '{migration.head()}'")
    await ready.check()


@pytest.mark.each_database
@pytest.mark.parametrize("table", ["events", "alembic_version"])
async def test_it_is_not_ready_if_a_table_is_missing(store, table):
    await execute(store, f"DROP TABLE {table}")
    assert await refused(Readiness(store.database))


@pytest.mark.each_database
@pytest.mark.parametrize("table", ["events", "duels", "rooms"])
async def test_it_is_not_ready_while_a_table_is_locked_and_reading_continues(
    here, there, hasty, table
):
    ready, is_postgresql = Readiness(here.database), there.database.is_postgresql
    if table != "events" and not is_postgresql:
        return  # SQLite has one lock for all tables
    async with there.database.engine.connect() as other:
        lock = f"LOCK TABLE {table} IN EXCLUSIVE MODE" if is_postgresql else "BEGIN IMMEDIATE"
        await other.exec_driver_sql(lock)
        for _ in range(2):
            assert "not answered" in await refused(ready)
            if is_postgresql:  # other writes succeed, which proves nothing about this one
                await SqlRecordStore(here.database).add(new_name(), "{}")
        assert await here.load("nobody") is None
        await other.rollback()
    await recovered(ready)


async def test_it_is_ready_while_earlier_writers_make_progress(store, hasty, monkeypatch):
    ready, done = Readiness(store.database), asyncio.Event()

    async def hold(connection):
        await connection.execute(sa.text("DELETE FROM events WHERE duel = ''"))
        await done.wait()

    writing = asyncio.create_task(store.database.write(hold))
    await asyncio.sleep(0)
    assert "not answered" in await refused(ready)
    written = iter(range(1_000))  # as if writes succeeded
    monkeypatch.setattr(Database, "written", property(lambda _: next(written)), raising=False)
    await ready.check()
    monkeypatch.undo()
    done.set()
    await writing
    await recovered(ready)


async def test_it_is_not_ready_if_nothing_can_be_computed(store, hasty):
    answers, stuck = iter([0] * 2), asyncio.Event()
    ready = Readiness(store.database, ping=stuck.wait, answered=lambda: next(answers))
    await recovered(Readiness(store.database))
    with pytest.raises(Busy, match=r"^Nothing can be computed just now\.$") as caught:
        await ready._thinking.run("Nothing can be computed just now.", "the processes have")
    assert caught.value.cause == "the processes have not answered within 0.05 seconds"
    answers = iter(range(9))  # other questions are answered
    await ready._thinking.run("", "")
    stuck.set()
    await recovered(ready)


async def recovered(ready):
    """Check with plenty of time until it is ready."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "READY_TIMEOUT_SECONDS", 180)
        async with asyncio.timeout(180):
            while True:
                try:
                    return await ready.check()
                except Busy:
                    await asyncio.sleep(0.05)


@pytest.fixture
async def freezable(postgres):
    """A store on a PostgreSQL that can be frozen."""
    url = postgres.url("frozen")
    await asyncio.to_thread(migration.migrate, url)
    store = SqlDuelStore(Database(read_url(url)))
    yield store
    await store.database.close()


async def test_it_is_not_ready_while_postgresql_is_frozen(hasty, postgres, freezable):
    ready = Readiness(freezable.database)
    await recovered(ready)
    with postgres.frozen():
        assert "not answered" in await refused(ready)
        assert "not answered" in await refused(ready)
    await recovered(ready)


@pytest.mark.soak(keep=0)
@pytest.mark.parametrize("write", [True, False])
async def test_a_query_to_a_frozen_postgresql_times_out(postgres, freezable, write):
    duel = DuelRecord("some", TERMS)
    assert await freezable.load("nobody") is None  # opens a connection
    with postgres.frozen():
        with pytest.raises(Busy) as caught:
            await (freezable.create(duel) if write else freezable.load("nobody"))
        assert caught.value.cause == "no answer within 5 seconds"
    assert await freezable.load("nobody") is None
