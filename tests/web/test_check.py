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


def looked(url, workers=1, direct="", hosts=()):
    return {one.what: one for one in check.findings(url, direct, workers, hosts)}


def wrong(found):
    return {one.what: one.line for one in found.values() if one.is_wrong}


@pytest.mark.each_database
def test_where_all_is_right_it_says_so_and_changes_nothing(database_url):
    found = looked(database_url)
    assert [*found][:4] == WHAT and not wrong(found)
    assert found["migrations"].line == f"empty, to become {head()} at start"
    prepare(database_url)
    found = looked(database_url, direct=database_url)
    assert found["migrations"].line == f"revision {head()}"
    assert not wrong(found) and "direct database" in found


@pytest.mark.each_database
def test_a_later_version_and_a_clock_that_was_wrong_are_told(new_database, backend):
    url = new_database(True)
    with check.migration.connected(url) as connection:
        connection.exec_driver_sql(
            "INSERT INTO duels (name, setup, coach, created, finished, over)"
            " VALUES ('a', '{}', false, 0, false, false)"
        )
        connection.exec_driver_sql(
            f"INSERT INTO events VALUES ('a', 1, '', {int(time.time()) + 86_400}, '')"
        )
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    found = wrong(looked(url))
    found.pop("rights", None)  # anybody can read the file of this test
    assert found.keys() == {"migrations", "clock"}
    assert "of a later version" in found["migrations"]
    assert found["clock"] == "the last move was made in the future: a clock was or is wrong"


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
        "64 workers need 384, and PostgreSQL has 97"
    )
    assert "connections" not in wrong(looked(url, workers=64, direct=url))  # a pooler bounds them


def test_the_proxy_the_memory_and_the_files_are_looked_at(database_url, monkeypatch, tmp_path):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    memory = tmp_path / "meminfo"
    memory.write_text("MemTotal: 9000000 kB\nMemAvailable: 600000 kB\n")
    monkeypatch.setattr(check, "_MEMORY", (memory, tmp_path / "none"))
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    assert wrong(looked(database_url, workers=2)) == {
        "proxy": "FORWARDED_ALLOW_IPS trusts everybody's word",
        "memory": "700 MB are needed, 585 MB are free",
        "open files": "4,352 are used, 1,024 allowed",
    }
    (tmp_path / "max").write_text(str(300 * 2**20))
    monkeypatch.setattr(check, "_MEMORY", (memory, tmp_path / "max"))
    assert wrong(looked(database_url))["memory"] == "350 MB are needed, 300 MB are free"


def test_the_command_prints_a_line_for_each_and_its_status_says_whether_all_is_right(run, home):
    ran = run("serve", "--check", "--port", 0)
    assert (ran.status, ran.err) == (0, "")
    assert [line[:5] for line in ran.out.splitlines()] == ["ok   "] * 8
    with closing(sqlite3.connect(home / "web.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    ran = run("serve", "--check", "--port", 0)
    assert ran.status == 1
    assert "WRONG migrations: the database cannot be used: it is of a later version" in ran.out
    assert ran.err == "numduel: what is marked as wrong keeps this server from running well\n"
