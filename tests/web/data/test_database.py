import asyncio
import sqlite3
import subprocess
import sys

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from numduel.core.errors import NumduelError, SettingsError
from numduel.web.data import database

TABLES = {
    *("alembic_version", "answers", "duels", "events", "outside", "pupils", "questions"),
    *("records", "rooms"),
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
    context = {"compare_type": True, "compare_server_default": True}

    def compare(connection):
        return compare_metadata(
            MigrationContext.configure(connection, opts=context), database.metadata
        )

    assert look(database_url, compare) == []


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
