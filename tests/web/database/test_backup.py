"""Backups of a database contain everything that was acknowledged before."""

import asyncio

import pytest
import sqlalchemy as sa
from tests.web.database.databases import EARLIER, execute, look, release

from numduel.core.errors import NumduelError
from numduel.games import new
from numduel.play.event import Move
from numduel.web.database import tables
from numduel.web.database.backup import back_up, restore
from numduel.web.database.database import Database, read_url
from numduel.web.database.migration import head, migrate, revision
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.store import SqlDuelStore
from numduel.web.duels.terms import agree

pytestmark = pytest.mark.anyio

TERMS = agree(new("divisor-duel", divisor=10**9 + 7), ("human", "human")).terms


async def moves_in(url, name):
    store = SqlDuelStore(Database(read_url(url)))
    try:
        return (await store.load(name)).table.moves
    finally:
        await store.database.close()


@pytest.mark.each_database
async def test_a_backup_made_while_people_play_has_everything_acknowledged(
    new_database, elsewhere, tmp_path, many
):
    url, file = new_database(True), tmp_path / "games.backup"
    store, going_on = SqlDuelStore(Database(read_url(url))), True
    duels = [DuelRecord(f"duel{n}", TERMS) for n in range(5)]

    async def play(duel):
        await store.create(duel)
        while going_on:
            duel.apply(Move(1))
            assert await store.append(duel, round_ended=False)
            acknowledged[duel.name] = duel.version

    acknowledged = {}
    playing = [asyncio.create_task(play(duel)) for duel in duels]
    for number in range(many(1, 3)):
        while min(acknowledged.values(), default=0) < 20 * (number + 1) or len(acknowledged) < 5:
            await asyncio.sleep(0.01)
        before = dict(acknowledged)
        file.unlink(missing_ok=True)
        await asyncio.to_thread(back_up, url, file)
        assert file.stat().st_mode & 0o777 == 0o600
        await asyncio.to_thread(restore, elsewhere, file)
        for name, version in before.items():
            assert len(await moves_in(elsewhere, name)) >= version
    going_on = False
    await asyncio.gather(*playing)
    await store.database.close()
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []
    await asyncio.to_thread(restore, url, file)  # replaces everything, once nobody plays
    assert len(await moves_in(url, "duel0")) < len(duels[0].table.moves)


@pytest.mark.each_database
async def test_a_database_in_use_is_not_replaced(new_database, tmp_path, store):
    await store.create(DuelRecord("kept", TERMS))
    url, file = new_database, tmp_path / "games.backup"
    url = store.database.engine.url.render_as_string(hide_password=False)
    await asyncio.to_thread(back_up, url, file)
    with pytest.raises(NumduelError, match=r"^the database is in use: stop the server first$"):
        await asyncio.to_thread(restore, url, file)
    assert await store.load("kept") is not None


@pytest.mark.each_database
async def test_a_backup_replaces_no_file_and_leaves_no_incomplete_one(database_url, tmp_path):
    file = tmp_path / "games.backup"
    file.write_text("mine")
    with pytest.raises(NumduelError, match="already exists"):
        back_up(database_url, file)
    for place in (tmp_path / "no" / "folder", file / "below"):
        with pytest.raises(NumduelError, match=rf"^{place}: (No such file|Not a directory)[^\n]*$"):
            back_up(database_url, place)
    assert file.read_text() == "mine"
    (tmp_path / "bare").touch()
    for url, why in (
        (
            f"sqlite:///{tmp_path}/bare",
            "the database has no tables of a server: nothing was copied",
        ),
        (f"sqlite:///{tmp_path}/none", f"{tmp_path}/none: unable to open database file"),
        (database_url, "(the database has no tables|[^\n]*numduel.sqlite: unable to open).*"),
    ):
        with pytest.raises(NumduelError, match=f"^{why}$"):
            back_up(url, tmp_path / "empty")
    assert [one.name for one in tmp_path.iterdir() if "empty" in one.name] == []


def test_a_backup_may_have_any_name_and_reading_it_writes_nothing(tmp_path):
    folder = tmp_path / "a #?%20"
    folder.mkdir()
    url, file = f"sqlite:///{tmp_path}/b#%20.sqlite", folder / "c #?%20.backup"
    migrate(url)
    execute(url, "INSERT INTO records (name, body, created) VALUES ('kept', '{}', 1)")
    back_up(url, file)
    execute(url, "DELETE FROM records")
    restore(url, file)
    assert records(url) == ["kept"]
    assert [*folder.iterdir()] == [file]
    assert file.read_bytes()[18:20] == b"\1\1"  # no write-ahead log: its folder need not be written


@pytest.mark.each_database
async def test_a_file_that_is_no_backup_is_refused(new_database, tmp_path):
    url, file = new_database(True), tmp_path / "games.backup"
    for text in (b"", b"nonsense", b"SQLite format 3\x00" + bytes(100)):
        file.write_bytes(text)
        with pytest.raises(NumduelError, match=r"^[^\n]+$"):
            restore(url, file)
    with pytest.raises(NumduelError, match=r"^[^\n]+$"):
        restore(url, tmp_path / "none")
    back_up(url, tmp_path / "later")  # the database is unchanged


@pytest.mark.soak(keep=2)
@pytest.mark.each_database
@pytest.mark.parametrize("name", EARLIER)
def test_a_backup_of_an_earlier_version_is_restored_and_then_migrated(
    new_database, elsewhere, tmp_path, name
):
    url, file = new_database(False), tmp_path / "games.backup"
    release(url, name)
    back_up(url, file)
    migrate(elsewhere)
    execute(elsewhere, "INSERT INTO records (name, body, created) VALUES ('gone', '{}', 1)")
    restore(elsewhere, file)
    migrate(elsewhere)
    assert look(elsewhere, revision) == head()
    assert len(records(elsewhere)) == 1 and "gone" not in records(elsewhere)


@pytest.mark.each_database
def test_a_backup_of_a_later_version_is_refused_and_nothing_is_lost(new_database, tmp_path):
    url, file = new_database(True), tmp_path / "games.backup"
    execute(url, "UPDATE alembic_version SET version_num = '9999'")
    back_up(url, file)
    execute(url, f"UPDATE alembic_version SET version_num = '{head()}'")
    execute(url, "INSERT INTO records (name, body, created) VALUES ('kept', '{}', 1)")
    with pytest.raises(NumduelError, match=r"^[^\n]*of a later version of numduel[^\n]*$"):
        restore(url, file)
    assert records(url) == ["kept"]


def test_a_truncated_backup_leaves_postgresql_unchanged(shared_postgres, tmp_path):
    url, file = shared_postgres.url("cut_short", "prepared"), tmp_path / "games.backup"
    execute(
        url,
        "INSERT INTO records SELECT 'kept' || n, md5(n::text), 1 FROM generate_series(1, 5000) n",
    )
    back_up(url, file)
    file.write_bytes(file.read_bytes()[:-20_000])
    with pytest.raises(NumduelError, match=r"^pg_restore: error: [^\n]+$"):
        restore(url, file)
    assert len(records(url)) == 5000


def records(url):
    return look(url, lambda connection: [*connection.scalars(sa.select(tables.records.c.name))])


def test_backup_and_restore_are_commands(run, home):
    home.mkdir()
    migrate(f"sqlite:///{home / 'web.sqlite'}")
    for arguments, line in (
        (("backup", "games.backup"), "The games are in games.backup."),
        (("restore", "games.backup"), "The games are back."),
    ):
        ran = run(*arguments)
        assert (ran.status, ran.err) == (0, ""), ran
        assert ran.out.startswith(line)
    assert run("backup", "games.backup").err == "numduel: games.backup already exists\n"
    named = {"NUMDUEL_DATABASE": "sqlite:////no/such"}
    assert "/no/such: unable to open" in run("backup", "another", env=named).err
