import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.web.database.databases import EARLIER, execute, look, release

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.record import loads
from numduel.games import new
from numduel.play.chain import Chain
from numduel.play.event import Move
from numduel.web.database import migration, tables
from numduel.web.database.database import Database, read_url
from numduel.web.database.migration import migrate
from numduel.web.duels.store import SqlDuelStore
from numduel.web.rooms.store import SqlRoomStore

pytestmark = pytest.mark.each_database

DAY_SECONDS = 24 * 60 * 60
TABLES = {"alembic_version", "duels", "events", "records", "rooms"}


def table_names(url):
    return set(look(url, lambda connection: sa.inspect(connection).get_table_names()))


def test_the_migrated_tables_are_those_that_the_code_declares(database_url):
    migrate(database_url)
    assert (table_names(database_url), differences(database_url)) == (TABLES, [])


def differences(url):
    """Return how the tables differ from those that the code declares."""
    context = {"compare_type": True, "compare_server_default": True}

    def compare(connection):
        return compare_metadata(
            MigrationContext.configure(connection, opts=context), tables.metadata
        )

    return look(url, compare)


@pytest.mark.parametrize("name", EARLIER)
def test_a_database_of_an_earlier_release_is_migrated(database_url, name):
    release(database_url, name)
    migrate(database_url)
    assert differences(database_url) == []
    assert triggers(database_url) == []

    async def play_on():
        store = SqlDuelStore(Database(read_url(database_url)))
        try:
            names = await store.database.read(lambda c: c.scalars(sa.select(tables.duels.c.name)))
            duels = [await store.load(name) for name in names]
            found = sorted((duel.terms.setup.game.key, duel.table.moves) for duel in duels)
            assert found[0] == ("double-or-add", []) and found[1] == ("double-or-add", [1, 2])
            assert found[2] == ("multiplicity", [7, 14, 2, 4, 8, 16])
            [duel] = [duel for duel in duels if duel.table.moves == [1, 2]]
            duel.apply(Move(1))
            assert await store.append(duel, round_ended=False)
            assert not await store.append(duel, round_ended=False)
            [code] = await store.database.read(lambda c: c.scalars(sa.select(tables.rooms.c.code)))
            room = await SqlRoomStore(store.database).read(code)
            assert [pupil.name for pupil in room.pupils] == ["Ada", "Max"]
            assert len(room.pairings) == 1
            [body] = await store.database.read(
                lambda c: c.scalars(sa.select(tables.records.c.body))
            )
            assert loads(body).moves == (7, 14)
        finally:
            await store.database.close()

    asyncio.run(play_on())


ROOM_ROWS = (
    "UPDATE rooms SET locked = TRUE, chain = 12, answered = 3",
    "INSERT INTO pupils VALUES ('{code}', 5, 'Zoë', 'five')",
    "INSERT INTO outside VALUES ('{code}', 6, 'Bo', 'six', NULL), ('{code}', 7, 'Cy', 'seven', 9)",
    "INSERT INTO outside VALUES ('{code}', 8, 'Di', 'eight', 8)",
    "INSERT INTO questions VALUES ('{code}', 3, 'divisor-line', '{{\"size\": 10}}', "
    '\'2:3/1\', \'shown\', \'{{"4": "win", "6": "loss"}}\')',
    "INSERT INTO answers VALUES ('{code}', 5, '6')",
    "INSERT INTO chains VALUES ('{code}', 5, 2, '6,3'), ('{code}', 1, 1, '8,4')",
)


def test_a_room_becomes_one_document_without_losing_anything(database_url):
    release(database_url, "third")

    def fill(connection):
        code = connection.scalar(sa.text("SELECT code FROM rooms"))
        for row in ROOM_ROWS:
            connection.exec_driver_sql(row.format(code=code))
        connection.commit()
        return code

    code = look(database_url, fill)
    migrate(database_url)

    async def read():
        database = Database(read_url(database_url))
        try:
            return await SqlRoomStore(database).read(code)
        finally:
            await database.close()

    room = asyncio.run(read())
    assert (room.locked, room.screened, room.ended, room.answered) == (True, False, False, 3)
    assert [one.name for one in room.pupils] == ["Ada", "Max", "Zoë"]
    assert [one.name for one in (*room.waiting, *room.removed)] == ["Bo", "Di", "Cy"]
    question = room.question
    assert (question.number, question.position, question.stage) == (3, "2:3/1", "shown")
    assert question.game == new("divisor-line", size=10)
    assert (question.answers, question.values) == ({5: 6}, {4: "win", 6: "loss"})
    assert [*room.contest.longest.items()] == [
        (1, Chain.parse(12, "8,4")),
        (5, Chain.parse(12, "6,3")),
    ]


@pytest.mark.soak(keep=4)
@pytest.mark.parametrize("name", ["first", "third"])
@pytest.mark.parametrize("days_off", [0, 400])
def test_dropping_the_calendar_makes_nothing_older(database_url, monkeypatch, name, days_off):
    """The calendar of earlier versions stood still while no server ran."""
    release(database_url, name)
    late = time.time() + days_off * DAY_SECONDS
    monkeypatch.setattr(time, "time", lambda: late)
    migrate(database_url)
    newest = look(database_url, lambda c: c.scalar(sa.select(sa.func.max(tables.events.c.at))))
    assert late // DAY_SECONDS == newest // DAY_SECONDS


def triggers(url):
    """Return the tables that have triggers."""
    query = "SELECT DISTINCT event_object_table FROM information_schema.triggers ORDER BY 1"
    if url.startswith("sqlite"):
        return []
    return look(url, lambda connection: [*connection.exec_driver_sql(query).scalars()])


def test_a_database_of_a_later_version_is_refused_in_one_line(database_url):
    migrate(database_url)
    execute(database_url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NumduelError, match=r"of a later version of numduel .*9999, ours 0") as e:
        migrate(database_url)
    assert "\n" not in str(e.value)
    assert look(database_url, migration.revision) == "9999"


def test_a_database_cannot_be_downgraded(database_url):
    migrate(database_url)

    def back(connection):
        config = migration._config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")

    with pytest.raises(NumduelError, match="never taken back to an earlier version"):
        look(database_url, back)
    assert table_names(database_url) == TABLES


@pytest.mark.skipif(os.name != "posix", reason="files have no modes there")
def test_only_its_owner_can_read_a_file_of_sqlite(tmp_path):
    before = os.umask(0)
    try:
        url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
        migrate(url)

        def modes(connection):
            connection.exec_driver_sql("DELETE FROM rooms")
            return {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}

        names = ("numduel.sqlite", "numduel.sqlite-wal", "numduel.sqlite-shm")
        assert look(url, modes) == dict.fromkeys(names, 0o600)
    finally:
        os.umask(before)


def test_a_read_only_database_is_reported_in_one_line(postgres):
    url = postgres.url("read_only")
    execute(url, "ALTER DATABASE read_only SET default_transaction_read_only = on")
    with pytest.raises(NumduelError, match=r"^the database cannot be used: [^\n]*read-only"):
        migrate(url)


def test_migrating_again_changes_nothing(database_url):
    migrate(database_url)
    execute(database_url, "INSERT INTO records (name, body, created) VALUES ('kept', '{}', 1)")
    migrate(database_url)
    kept = look(database_url, lambda c: c.execute(sa.select(tables.records.c.name)).all())
    assert kept == [("kept",)]


def test_servers_that_start_together_migrate_once(database_url, many):
    code = (
        "import sys\n"
        "from numduel.web.database.migration import migrate\n"
        "input()\n"
        "migrate(sys.argv[1])\n"
    )
    command = [sys.executable, "-c", code, database_url]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    servers = [subprocess.Popen(command, **pipes) for _ in range(many(2, 6))]
    for server in servers:
        server.stdin.write("go\n")
        server.stdin.flush()
    assert [server.communicate()[1] for server in servers] == [""] * len(servers)
    assert table_names(database_url) == TABLES


@pytest.mark.soak(keep=3)
@pytest.mark.parametrize("at", ["CREATE TABLE rooms", "CREATE TABLE events", "alembic_version"])
def test_an_interrupted_migration_is_repeated(database_url, at):
    def cut(connection, cursor, statement, *_):
        if at in statement and not statement.lstrip().startswith("SELECT"):
            raise InterruptedError("cut short")

    sa.event.listen(sa.Engine, "after_cursor_execute", cut)
    try:
        with pytest.raises(NumduelError, match="cut short"):
            migrate(database_url)
    finally:
        sa.event.remove(sa.Engine, "after_cursor_execute", cut)
    migrate(database_url)
    assert table_names(database_url) == TABLES


def test_sqlite_commits_to_disk(tmp_path):
    url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    migrate(url)

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
    assert read_url(text).drivername == driver


@pytest.mark.parametrize(
    "text", ["", "games", "mysql://here/games", "sqlite://", "sqlite:///:memory:", "sqlite:///"]
)
def test_an_invalid_address_is_refused(text):
    with pytest.raises(SettingsError, match="the database must be"):
        read_url(text)


def test_a_database_that_cannot_be_used_is_reported_in_one_line(tmp_path):
    (tmp_path / "notes.txt").write_text("not a database, but notes\n" * 100)
    for place in (tmp_path / "nowhere/games.sqlite", tmp_path / "notes.txt"):
        with pytest.raises(NumduelError, match=r"^the database cannot be used: [^\n]+$"):
            migrate(f"sqlite:///{place}")


def test_a_migration_waits_for_a_locked_file(tmp_path):
    url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    migrate(url)
    file = tmp_path / "numduel.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as held:
        held.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.3, held.execute, ["COMMIT"])
        release.start()
        migrate(url)
        release.join()
    assert table_names(url) == TABLES
