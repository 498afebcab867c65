import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.record import loads
from numduel.play.event import Move, dump
from numduel.web.data import database
from numduel.web.data.rooms import Rooms
from numduel.web.data.store import Store

TABLES = {
    *("alembic_version", "answers", "calendar", "duels", "events", "outside", "pupils"),
    *("questions", "records", "rooms", "chains"),
}


def look(url, question):
    """Ask something of a connection to the database."""

    async def ask():
        engine = database.connect(database.read_url(url))
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(question)
        finally:
            await engine.dispose()

    return asyncio.run(ask())


def tables(url):
    return set(look(url, lambda connection: sa.inspect(connection).get_table_names()))


def test_an_empty_database_gets_its_tables(database_url):
    assert tables(database_url) == set()
    database.prepare(database_url)
    assert tables(database_url) == TABLES


def test_the_migrated_tables_are_those_that_the_code_declares(database_url):
    database.prepare(database_url)
    assert differences(database_url) == []


def differences(url):
    """Where the tables are others than the code declares."""
    context = {"compare_type": True, "compare_server_default": True}

    def compare(connection):
        return compare_metadata(
            MigrationContext.configure(connection, opts=context), database.metadata
        )

    return look(url, compare)


RELEASES = Path(__file__).with_name("releases")
"""Databases as earlier versions have left them: two games, a room of two, and a record."""


def release(url, name):
    """Let the new database be as that version has left it."""
    kind = database.read_url(url).get_backend_name()
    text = (RELEASES / f"{name}.{kind}.sql").read_text()
    if kind == "sqlite":
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(text)
    else:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(text)


def test_every_release_is_there_for_both_databases():
    names = {tuple(file.name.split(".")) for file in RELEASES.iterdir()}
    kinds = ("sqlite", "postgresql")
    assert names == {(name, kind, "sql") for name in ("first", "second") for kind in kinds}


@pytest.mark.parametrize("name", ["first", "second"])
def test_a_database_of_an_earlier_release_is_brought_to_the_present(database_url, name):
    release(database_url, name)
    database.prepare(database_url)
    assert differences(database_url) == []
    assert triggers(database_url) in ([], ["duels", "events", "rooms"])

    async def play_on():
        store = Store(database.connect(database.read_url(database_url)))
        try:
            names = await store.read(lambda c: c.scalars(sa.select(database.duels.c.name)))
            duels = [await store.load(name) for name in names]
            found = sorted((duel.terms.setup.game.key, duel.table.moves) for duel in duels)
            assert found[0] == ("double-or-add", []) and found[1] == ("double-or-add", [1, 2])
            assert found[2] == ("multiplicity", [7, 14, 2, 4, 8, 16])
            [duel] = [duel for duel in duels if duel.table.moves == [1, 2]]
            assert await store.append(duel, 3, dump(Move(1)), {})
            assert not await store.append(duel, 3, dump(Move(1)), {})
            [code] = await store.read(lambda c: c.scalars(sa.select(database.rooms.c.code)))
            room = await Rooms(store).read(code)
            assert [pupil.name for pupil in room.pupils] == ["Ada", "Max"]
            assert len(room.pairings) == 1
            [body] = await store.read(lambda c: c.scalars(sa.select(database.records.c.body)))
            assert loads(body).moves == (7, 14)
        finally:
            await store.close()

    asyncio.run(play_on())


def test_the_time_of_an_earlier_release_goes_on_from_its_last_event(database_url, monkeypatch):
    release(database_url, "first")
    late = time.time() + 400 * 24 * 60 * 60
    monkeypatch.setattr(time, "time", lambda: late)
    database.prepare(database_url)
    [(day, number)] = look(
        database_url, lambda c: c.exec_driver_sql("SELECT day, number FROM calendar").all()
    )
    last = look(database_url, lambda c: c.exec_driver_sql("SELECT max(at) FROM events").scalar())
    assert (day, number) == (late // 86400, last // 86400)


def triggers(url):
    """The tables whose changes are told."""
    query = "SELECT DISTINCT event_object_table FROM information_schema.triggers ORDER BY 1"
    if url.startswith("sqlite"):
        return []
    return look(url, lambda connection: [*connection.exec_driver_sql(query).scalars()])


def test_a_database_of_a_later_version_is_refused_in_one_line(database_url):
    database.prepare(database_url)
    set_revision(database_url, "9999")
    with pytest.raises(NumduelError, match=r"of a later version of numduel .*9999, ours 0") as e:
        database.prepare(database_url)
    assert "\n" not in str(e.value)
    assert look(database_url, database.revision) == "9999"


def set_revision(url, revision):
    def write(connection):
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
        connection.commit()

    look(url, write)


def test_no_database_is_taken_back(database_url):
    database.prepare(database_url)

    def back(connection):
        config = database._config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")

    with pytest.raises(NumduelError, match="never taken back to an earlier version"):
        look(database_url, back)
    assert tables(database_url) == TABLES


@pytest.mark.skipif(os.name != "posix", reason="others are kept out otherwise there")
def test_a_file_of_sqlite_is_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
        database.prepare(url)

        def modes(connection):
            connection.exec_driver_sql("DELETE FROM calendar")
            return {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}

        names = ("numduel.sqlite", "numduel.sqlite-wal", "numduel.sqlite-shm")
        assert look(url, modes) == dict.fromkeys(names, 0o600)
    finally:
        os.umask(before)


def test_a_database_that_takes_no_writes_is_named_in_one_line(postgres):
    url = postgres.url("read_only")
    name = "ALTER DATABASE read_only SET default_transaction_read_only = on"
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(name)
    with pytest.raises(NumduelError, match=r"^the database cannot be used: [^\n]*read-only"):
        database.prepare(url)


def test_migrating_again_changes_nothing(database_url):
    database.prepare(database_url)
    seat = "INSERT INTO records (name, body, created) VALUES ('kept', '{}', 1)"

    def write(connection):
        connection.exec_driver_sql(seat)
        connection.commit()

    look(database_url, write)
    database.prepare(database_url)
    kept = look(database_url, lambda c: c.execute(sa.select(database.records.c.name)).all())
    assert kept == [("kept",)]


def test_servers_that_start_together_migrate_once(database_url, many):
    code = (
        "import sys; from numduel.web.data.database import prepare; input(); prepare(sys.argv[1])"
    )
    command = [sys.executable, "-c", code, database_url]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    servers = [subprocess.Popen(command, **pipes) for _ in range(many(3, 10))]
    for server in servers:
        server.stdin.write("go\n")
        server.stdin.flush()
    assert [server.communicate()[1] for server in servers] == [""] * len(servers)
    assert tables(database_url) == TABLES


@pytest.mark.parametrize("at", ["CREATE TABLE rooms", "CREATE TABLE events", "alembic_version"])
def test_a_migration_that_was_cut_short_is_made_again(database_url, at):
    async def cut_short():
        engine = database.connect(database.read_url(database_url))

        @sa.event.listens_for(engine.sync_engine, "after_cursor_execute")
        def cut(connection, cursor, statement, *_):
            if at in statement and not statement.lstrip().startswith("SELECT"):
                raise InterruptedError

        try:
            await database.migrate(engine)
        finally:
            await engine.dispose()

    with pytest.raises(InterruptedError):
        asyncio.run(cut_short())
    database.prepare(database_url)
    assert tables(database_url) == TABLES


def test_sqlite_has_what_it_commits_on_disk(tmp_path):
    url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    database.prepare(url)

    def pragmas(connection):
        names = ("journal_mode", "synchronous", "foreign_keys")
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}

    assert look(url, pragmas) == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        ("sqlite:///some.sqlite", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:///some.sqlite", "sqlite+aiosqlite"),
        ("postgresql://me@here/games", "postgresql+psycopg"),
        ("postgresql+psycopg://me@here/games", "postgresql+psycopg"),
    ],
)
def test_the_driver_is_ours(text, driver):
    assert database.read_url(text).drivername == driver


@pytest.mark.parametrize(
    "text", ["", "games", "mysql://here/games", "sqlite://", "sqlite:///:memory:", "sqlite:///"]
)
def test_what_is_no_database_is_refused(text):
    with pytest.raises(SettingsError, match="the database must be"):
        database.read_url(text)


def test_a_database_that_cannot_be_used_is_named_in_one_line(tmp_path):
    (tmp_path / "notes.txt").write_text("not a database, but notes\n" * 100)
    for place in (tmp_path / "nowhere/games.sqlite", tmp_path / "notes.txt"):
        with pytest.raises(NumduelError, match=r"^the database cannot be used: [^\n]+$"):
            database.prepare(f"sqlite:///{place}")


def test_a_file_that_another_holds_is_waited_for(tmp_path):
    url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    database.prepare(url)
    held = sqlite3.connect(tmp_path / "numduel.sqlite", isolation_level=None)
    held.execute("BEGIN IMMEDIATE")

    async def wait():
        loop = asyncio.get_running_loop()
        released = loop.call_later(0.3, held.execute, "COMMIT")
        engine = database.connect(database.read_url(url))
        try:
            await database.migrate(engine)
        finally:
            await engine.dispose()
            released.cancel()

    asyncio.run(wait())
    assert not held.in_transaction or held.execute("COMMIT")
    held.close()
    assert tables(url) == TABLES
