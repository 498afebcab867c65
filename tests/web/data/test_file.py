"""A file of SQLite's that is deleted or replaced while servers have it open."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from numduel.games import new
from numduel.play.event import Move, dump
from numduel.web.data import database, ready
from numduel.web.data.hosted import Hosted
from numduel.web.data.ready import Readiness
from numduel.web.data.store import Store
from numduel.web.keys import new_name
from numduel.web.live.agreement import agree
from numduel.web.problems import Busy

TERMS = agree(new("divisor-line", size=10), ("human", "human")).terms


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Nobody is in a hurry here."""
    monkeypatch.setattr(ready, "ANSWER", 180)


@pytest.fixture
def in_file(tmp_path):
    """Run `work(file, stores...)`, on a file in a folder of its own."""

    def in_file(work, servers=1):
        folder = tmp_path / "data"
        folder.mkdir()
        file = folder / "numduel.sqlite"

        async def run():
            url = database.read_url(f"sqlite:///{file}")
            stores = [Store(database.connect(url)) for _ in range(servers)]
            try:
                for store in stores:
                    await database.migrate(store.engine)
                await work(file, *stores)
            finally:
                for store in stores:
                    await store.close()

        asyncio.run(run())

    return in_file


async def begin(store):
    duel = Hosted(new_name(), TERMS)
    await store.create(duel)
    await play(store, duel, 6)
    return duel


async def play(store, duel, move):
    duel.apply(Move(move))
    assert await store.append(duel, duel.version, dump(Move(move)), {})


def moves(file):
    """What whoever opens the file later will find in it."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [body for (body,) in connection.execute("SELECT body FROM events ORDER BY number")]


LEFT = {"all of it": ("", "-wal", "-shm"), "the file alone": ("",), "its log too": ("", "-wal")}


def remove(file, ends=("", "-wal", "-shm")):
    for end in ends:
        file.with_name(file.name + end).unlink()


@pytest.mark.parametrize("ends", LEFT.values(), ids=LEFT)
@pytest.mark.parametrize("servers", [1, 2])
def test_what_is_acknowledged_after_the_file_was_deleted_is_in_a_file_again(in_file, ends, servers):
    async def work(file, *stores):
        duel = await begin(stores[0])
        for store in stores:
            assert (await store.load(duel.name)).version == 1
        remove(file, ends)
        await asyncio.gather(play(stores[0], duel, 3), *(store.mend() for store in stores))
        assert moves(file) == ['{"move": 6}', '{"move": 3}']
        assert file.stat().st_mode & 0o777 == 0o600
        for number, store in enumerate(stores):
            assert (await store.load(duel.name)).version == 2 + number
            await play(store, duel, 8 + number)
            await Readiness(store).check()
        assert len(moves(file)) == 2 + servers

    in_file(work, servers)


def test_it_is_written_back_though_nobody_asks_for_anything(in_file):
    async def work(file, store):
        await begin(store)
        remove(file)
        await store.mend()
        assert moves(file) == ['{"move": 6}']
        await store.mend()
        assert [one.name for one in file.parent.iterdir() if one.name.startswith(".")] == []

    in_file(work)


def test_whoever_reads_has_it_written_back_too(in_file):
    async def work(file, store):
        duel = await begin(store)
        await store.load(duel.name)
        remove(file)
        assert (await store.load(duel.name)).version == 1
        assert moves(file) == ['{"move": 6}']

    in_file(work)


def test_a_folder_that_was_deleted_comes_back_with_its_file(in_file):
    async def work(file, store):
        await begin(store)
        remove(file)
        file.parent.rmdir()
        await store.mend()
        assert moves(file) == ['{"move": 6}']

    in_file(work)


def test_where_it_cannot_be_written_back_nothing_is_acknowledged(in_file):
    async def work(file, store):
        duel = await begin(store)
        remove(file)
        file.parent.rmdir()
        file.parent.touch()  # no folder
        with pytest.raises(Busy) as caught:
            await play(store, duel, 3)
        assert "deleted" in caught.value.cause
        with pytest.raises(Busy):
            await Readiness(store).check()
        file.parent.unlink()
        again = await store.load(duel.name)
        assert again.version in (1, 2)
        assert len(moves(file)) == again.version

    in_file(work)


def test_a_file_that_was_put_in_its_place_is_the_database_from_then_on(in_file, tmp_path):
    async def work(file, store):
        duel = await begin(store)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("VACUUM INTO ?", (str(tmp_path / "backup"),))
        await play(store, duel, 3)
        remove(file)
        (tmp_path / "backup").replace(file)
        found = await store.load(duel.name)
        assert found.version == 1
        await play(store, found, 9)
        assert moves(file) == ['{"move": 6}', '{"move": 9}']

    in_file(work)
