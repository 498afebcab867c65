"""`numduel serve --check` reports problems before the first visitor comes."""

import os
import re
import resource
import sqlite3
import time
from contextlib import closing

import pytest

from numduel.web import check
from numduel.web.database.migration import head, migrate

WHAT = ["database", "migrations", "permissions", "clock"]


@pytest.fixture(autouse=True)
def machine(monkeypatch, tmp_path):
    """A machine with enough of everything; its folder replaces /proc and /sys/fs/cgroup."""
    folder = tmp_path / "machine"
    folder.mkdir()
    (folder / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\n")
    monkeypatch.setattr(check, "_PROC", folder)
    monkeypatch.setattr(check, "_CGROUPS", folder)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (8192, 8192))
    return folder


def findings(url, workers=1, direct="", hosts=()):
    return {one.what: one for one in check.findings(url, direct, workers, hosts)}


def errors(found):
    return {one.what: one.line for one in found.values() if one.error}


@pytest.mark.each_database
def test_a_sound_setup_passes_every_check_and_nothing_is_changed(database_url, tmp_path):
    before = {*tmp_path.iterdir()}
    found = findings(database_url)
    assert {*tmp_path.iterdir()} == before
    assert [*found][:4] == WHAT and not errors(found)
    assert found["migrations"].line == f"empty; the start migrates to {head()}"
    migrate(database_url)
    found = findings(database_url, direct=database_url)
    assert found["migrations"].line == f"revision {head()}"
    assert not errors(found)


@pytest.mark.each_database
def test_a_later_version_and_a_clock_that_was_wrong_are_reported(new_database, backend):
    url = new_database(True)
    with check.migration.connected(url) as connection:
        connection.exec_driver_sql(
            "INSERT INTO duels (name, setup, coach, created, finished, over)"
            f" VALUES ('a', '{{}}', false, {int(time.time()) + 86_400}, false, false)"
        )
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    doubts = {what for what, one in findings(url).items() if isinstance(one.error, check.Doubt)}
    assert doubts == {"clock"}
    found = errors(findings(url))
    found.pop("permissions", None)  # anybody can read the file of this test
    assert found.keys() == {"migrations", "clock"}
    assert "of a later version" in found["migrations"]
    assert found["clock"] == "the last game began in the future: a clock is or was wrong"


def test_a_clock_that_differs_is_reported(database_url, monkeypatch):
    monkeypatch.setattr(check.time, "time", lambda: 1_000_000.0)
    assert re.fullmatch(
        r"the database's clock differs from ours by [\d,]+ seconds",
        errors(findings(database_url))["clock"],
    )


def test_a_database_that_cannot_be_used_is_reported_once(tmp_path):
    (tmp_path / "file").write_text("this is not a database " * 100)
    for url in (
        f"sqlite:///{tmp_path}/no/such",
        f"sqlite:///{tmp_path}/file",
        "postgresql://nobody@127.0.0.1:1/none",
    ):
        found = findings(url)
        assert [*errors(found)] == ["database"] and "permissions" not in found
        assert errors(found)["database"].startswith("the database cannot be used: ")


def test_wrong_permissions_are_reported(tmp_path):
    file = tmp_path / "games.sqlite"
    migrate(f"sqlite:///{file}")
    file.chmod(0o644)
    assert errors(findings(f"sqlite:///{file}")) == {
        "permissions": f"others can read {file}: chmod 600 {file}"
    }
    if os.geteuid():  # root may write everywhere
        file.chmod(0o400)
        assert "permissions" in errors(findings(f"sqlite:///{file}"))


def test_too_many_workers_for_postgresql_are_reported(shared_postgres):
    url = shared_postgres.url("checked")
    assert findings(url, workers=2)["connections"].line == "12 of 97"
    assert errors(findings(url, workers=64))["connections"] == (
        "384 are needed, and PostgreSQL has 97"
    )
    pooled = findings(url, workers=64, direct=url)  # a pooler bounds the others
    assert pooled["connections"].line == "64 of 97"


def test_host_names_proxy_memory_and_open_files_are_checked(database_url, monkeypatch, machine):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    (machine / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable: 600000 kB\n")
    assert errors(findings(database_url, workers=2, hosts=("a.example", "bad host:80"))) == {
        "host names": "an allowed host is a name or an address, without a port: not 'bad host:80'",
        "proxy": "FORWARDED_ALLOW_IPS lets everybody claim any address",
        "memory": "700 MB are needed, 585 MB are free",
        "open files": "4,352 are used, 1,024 allowed",
    }
    (machine / "self").mkdir()
    (machine / "self" / "cgroup").write_text("0::/system.slice/numduel.service\n")
    unit = machine / "system.slice" / "numduel.service"
    unit.mkdir(parents=True)
    (unit / "memory.max").write_text("max")
    (unit.parent / "memory.max").write_text(str(300 * 2**20))
    assert errors(findings(database_url))["memory"] == "350 MB are needed, 300 MB are free"


def test_the_command_prints_a_line_for_each_check_and_fails_if_one_is_wrong(run, home, machine):
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
