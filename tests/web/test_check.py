"""`numduel serve --check`: what is wrong is told before the first visitor."""

import os
import re
import resource
import sqlite3
import time
from contextlib import closing

import pytest

from numduel.web import check
from numduel.web.database.migration import head, prepare

WHAT = ["database", "migrations", "rights", "clock"]


@pytest.fixture(autouse=True)
def machine(monkeypatch, tmp_path):
    """A machine with enough of everything; its folder, in place of /proc and /sys/fs/cgroup."""
    folder = tmp_path / "machine"
    folder.mkdir()
    (folder / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\n")
    monkeypatch.setattr(check, "_PROC", folder)
    monkeypatch.setattr(check, "_CGROUPS", folder)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (8192, 8192))
    return folder


def looked(url, workers=1, direct="", hosts=()):
    return {one.what: one for one in check.findings(url, direct, workers, hosts)}


def wrong(found):
    return {one.what: one.line for one in found.values() if one.error}


@pytest.mark.each_database
def test_where_all_is_right_it_says_so_and_changes_nothing(database_url, tmp_path):
    before = {*tmp_path.iterdir()}
    found = looked(database_url)
    assert {*tmp_path.iterdir()} == before
    assert [*found][:4] == WHAT and not wrong(found)
    assert found["migrations"].line == f"empty, to become {head()} at start"
    prepare(database_url)
    found = looked(database_url, direct=database_url)
    assert found["migrations"].line == f"revision {head()}"
    assert not wrong(found)


@pytest.mark.each_database
def test_a_later_version_and_a_clock_that_was_wrong_are_told(new_database, backend):
    url = new_database(True)
    with check.migration.connected(url) as connection:
        connection.exec_driver_sql(
            "INSERT INTO duels (name, setup, coach, created, finished, over)"
            f" VALUES ('a', '{{}}', false, {int(time.time()) + 86_400}, false, false)"
        )
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    doubts = {what for what, one in looked(url).items() if isinstance(one.error, check.Doubt)}
    assert doubts == {"clock"}
    found = wrong(looked(url))
    found.pop("rights", None)  # anybody can read the file of this test
    assert found.keys() == {"migrations", "clock"}
    assert "of a later version" in found["migrations"]
    assert found["clock"] == "the last game was begun in the future: a clock was or is wrong"


def test_a_clock_that_differs_is_told(database_url, monkeypatch):
    monkeypatch.setattr(check.time, "time", lambda: 1_000_000.0)
    assert re.fullmatch(
        r"the database's clock differs from ours by [\d,]+ seconds",
        wrong(looked(database_url))["clock"],
    )


def test_a_database_that_cannot_be_used_is_told_once(tmp_path):
    (tmp_path / "file").write_text("this is not a database " * 100)
    for url in (
        f"sqlite:///{tmp_path}/no/such",
        f"sqlite:///{tmp_path}/file",
        "postgresql://nobody@127.0.0.1:1/none",
    ):
        found = looked(url)
        assert [*wrong(found)] == ["database"] and "rights" not in found
        assert wrong(found)["database"].startswith("the database cannot be used: ")


def test_rights_are_told(tmp_path):
    file = tmp_path / "games.sqlite"
    prepare(f"sqlite:///{file}")
    file.chmod(0o644)
    assert wrong(looked(f"sqlite:///{file}")) == {
        "rights": f"others can read {file}: chmod 600 {file}"
    }
    if os.geteuid():  # root may write everywhere
        file.chmod(0o400)
        assert "rights" in wrong(looked(f"sqlite:///{file}"))


def test_too_many_workers_for_postgresql_are_told(shared_postgres):
    url = shared_postgres.url("checked")
    assert looked(url, workers=2)["connections"].line == "12 of 97"
    assert wrong(looked(url, workers=64))["connections"] == (
        "384 are needed, and PostgreSQL has 97"
    )
    pooled = looked(url, workers=64, direct=url)  # a pooler bounds the others
    assert pooled["connections"].line == "64 of 97"


def test_the_names_the_proxy_the_memory_and_the_files_are_looked_at(
    database_url, monkeypatch, machine
):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    (machine / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable: 600000 kB\n")
    assert wrong(looked(database_url, workers=2, hosts=("a.example", "bad host:80"))) == {
        "host names": "an allowed host is a name or an address, without a port: not 'bad host:80'",
        "proxy": "FORWARDED_ALLOW_IPS trusts everybody's word",
        "memory": "700 MB are needed, 585 MB are free",
        "open files": "4,352 are used, 1,024 allowed",
    }
    (machine / "self").mkdir()
    (machine / "self" / "cgroup").write_text("0::/system.slice/numduel.service\n")
    unit = machine / "system.slice" / "numduel.service"
    unit.mkdir(parents=True)
    (unit / "memory.max").write_text("max")
    (unit.parent / "memory.max").write_text(str(300 * 2**20))
    assert wrong(looked(database_url))["memory"] == "350 MB are needed, 300 MB are free"


def test_the_command_prints_a_line_for_each_and_its_status_says_whether_all_is_right(
    run, home, machine
):
    ran = run("serve", "--check", "--port", 0)
    assert (ran.status, ran.err) == (0, "")
    assert [line[:5] for line in ran.out.splitlines()] == ["ok   "] * 9
    assert not (home / "web.sqlite").exists()
    (machine / "meminfo").write_text("MemAvailable: 1 kB\n")
    ran = run("serve", "--check", "--port", 0)
    assert ran.status == 0 and "DOUBT memory: " in ran.out
    with closing(sqlite3.connect(home / "web.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    ran = run("serve", "--check", "--port", 0)
    assert ran.status == 1
    assert "WRONG migrations: the database cannot be used: it is of a later version" in ran.out
    assert ran.err == "numduel: what is marked as wrong keeps this server from running well\n"
