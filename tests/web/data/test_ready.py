import asyncio
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

from numduel.web.data import database
from numduel.web.data import ready as module
from numduel.web.data.ready import Readiness
from numduel.web.data.store import Store
from numduel.web.problems import Busy


async def refused(ready):
    """The cause for which it is not ready."""
    with pytest.raises(Busy, match=r"^The database [^\n]+\.$") as caught:
        await ready.check()
    return caught.value.cause


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Nobody is in a hurry here."""
    monkeypatch.setattr(module, "ANSWER", 180)


@pytest.fixture
def hasty(patient, monkeypatch):
    """What does not answer at once counts as away."""
    monkeypatch.setattr(module, "ANSWER", 0.05)


async def execute(store, statement):
    await store.do(lambda connection: connection.execute(sa.text(statement)))


def test_it_is_ready_where_a_write_succeeds(in_store):
    async def work(store):
        ready = Readiness(store)
        await asyncio.gather(*(ready.check() for _ in range(5)))
        await ready.check()

    in_store(work)


def test_it_is_not_where_the_tables_are_of_another_version(in_store):
    async def work(store):
        ready = Readiness(store)
        await execute(store, "UPDATE alembic_version SET version_num = '9999'")
        assert await refused(ready) == f"the tables are of revision 9999, not {database.head()}"
        await execute(store, f"UPDATE alembic_version SET version_num = '{database.head()}'")
        await ready.check()

    in_store(work)


@pytest.mark.parametrize("table", ["events", "calendar", "alembic_version"])
def test_it_is_not_where_a_table_is_missing(in_store, table):
    async def work(store):
        await execute(store, f"DROP TABLE {table}")
        assert await refused(Readiness(store))

    in_store(work)


def test_it_is_not_while_another_process_writes_and_reads_go_on(
    hasty, tmp_path, in_store, database_url
):
    async def work(store):
        ready = Readiness(store)
        if store.shared:
            engine = database.connect(database.read_url(database_url))
            async with engine.connect() as other, other.begin():
                await other.execute(sa.text("LOCK TABLE events IN EXCLUSIVE MODE"))
                assert "not answered" in await refused(ready)
                assert await store.load("nobody") is None
            await engine.dispose()
        else:
            file = tmp_path / "numduel.sqlite"
            with closing(sqlite3.connect(file, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                assert "not answered" in await refused(ready)
                assert await store.load("nobody") is None
        await recovered(ready)

    in_store(work)


async def recovered(ready):
    """Ask, without haste, until it is ready."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ANSWER", 180)
        async with asyncio.timeout(180):
            while True:
                try:
                    return await ready.check()
                except Busy:
                    await asyncio.sleep(0.05)


@pytest.fixture
def frozen(postgres):
    """Run `work(store)` on a PostgreSQL that can be frozen."""

    def frozen(work):
        url = database.read_url(postgres.url("frozen"))

        async def run():
            store = Store(database.connect(url))
            try:
                await database.migrate(store.engine)
                await work(store)
            finally:
                await store.close()

        asyncio.run(run())

    return frozen


def test_it_is_not_while_postgresql_is_frozen(hasty, postgres, frozen):
    async def work(store):
        ready = Readiness(store)
        await recovered(ready)
        with postgres.frozen():
            assert "not answered" in await refused(ready)
            assert "not answered" in await refused(ready)
        await recovered(ready)

    frozen(work)


@pytest.mark.soak(keep=0)
@pytest.mark.parametrize("write", [True, False])
def test_whoever_asks_a_frozen_postgresql_is_told_so_in_the_end(postgres, frozen, write):
    async def work(store):
        with postgres.frozen():
            with pytest.raises(Busy) as caught:
                await (store.keep_record("some", "{}") if write else store.load("nobody"))
            assert caught.value.cause == "no answer within 5 seconds"
        assert await store.load("nobody") is None

    frozen(work)
