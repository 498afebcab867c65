"""Odd input and odd circumstances. Each must be answered promptly with one clear line."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.siege.disorder import mount, unmount
from benchmarks.siege.run import serving
from benchmarks.siege.server import NUMDUEL, Postgres, Server, initdb, running, running_postgres
from benchmarks.siege.wire import Answer, Host, request

COMMAND_TIMEOUT_SECONDS = 20.0
LONE_SURROGATE = "\ud800"  # half of a pair, which cannot be encoded

HEADER = "| oddity | said | as it must be |\n|---|---|---|"


class Reply(NamedTuple):
    """The text of an answer, and whether it is one clear line."""

    text: str
    is_clear: bool


def _refusal(answer: Answer) -> Reply:
    line = answer.body.decode("utf-8", "replace").strip()
    return Reply(f"{answer.status} {line[:120]}", 400 <= answer.status < 500)


def _run_command(*arguments: str, home: Path, status: int = 1) -> Reply:
    """Run the command. Its answer is clear if it has this exit status and one line of errors."""
    try:
        ran = subprocess.run(
            [NUMDUEL, *arguments],
            env={**os.environ, "NUMDUEL_HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Reply(f"nothing in {COMMAND_TIMEOUT_SECONDS:g} seconds", False)
    said = ran.stderr.strip()
    clear = ran.returncode == status and said.count("\n") <= 1
    clear = clear and "Traceback" not in said and "broken inside" not in said
    return Reply(f"status {ran.returncode}: {said[-200:] or ran.stdout.strip()[-200:]}", clear)


def surrogate() -> Reply:
    """A record with a lone surrogate, in one field after another."""
    record = {
        "format": "numduel-record/1",
        "game": "multiplicity",
        "settings": {"size": 20},
        "players": ["human", "human"],
        "first": 1,
        "moves": [],
        "outcome": None,
        "started": "2026-01-01",
    }
    odd: list[dict[str, object]] = [
        {"game": LONE_SURROGATE},
        {"settings": {LONE_SURROGATE: 1}},
        {"settings": {"opening": LONE_SURROGATE}},
        {"players": [LONE_SURROGATE, "human"]},
        {"outcome": {"winner": None, "reason": LONE_SURROGATE}},
        {"started": LONE_SURROGATE},
        {LONE_SURROGATE: 1},
    ]

    async def send(port: int) -> list[Reply]:
        host, said = Host(port, "127.1.0.1"), []
        kind = {"content-type": "multipart/form-data; boundary=x"}
        for change in odd:
            body = json.dumps({**record, **change}).encode()
            form = b"--x\r\nContent-Disposition: form-data; name=text\r\n\r\n%s\r\n--x--\r\n" % body
            said.append(_refusal(await host.post_json("/api/analyze", body)))
            said.append(_refusal(await host.send(request("/analyze", form, kind))))
        return said

    with serving("sqlite") as server:
        said = asyncio.run(send(server.port))
    return Reply(", ".join(one.text[:4] for one in said), all(one.is_clear for one in said))


def newer_database() -> Reply:
    """A database of a later version."""
    with TemporaryDirectory() as name:
        home = Path(name)
        with serving("sqlite") as server:
            old = Path(server.database.removeprefix("sqlite:///"))
            with sqlite3.connect(old) as connection:
                connection.execute(f"VACUUM INTO '{home}/games.sqlite'")
        with sqlite3.connect(home / "games.sqlite") as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.close()
        return _run_command(
            "serve", "--port", "0", "--database", f"sqlite:///{home}/games.sqlite", home=home
        )


def read_only_database() -> Reply:
    """A database on a disk that cannot be written to."""
    with TemporaryDirectory() as name:
        home = Path(name)
        if not mount(home, 4):
            return Reply("skipped: no small disk can be made here", True)
        try:
            sqlite3.connect(home / "games.sqlite").close()
            subprocess.run(["mount", "-o", "remount,ro", name], check=True)
            url = f"sqlite:///{home}/games.sqlite"
            return _run_command("serve", "--port", "0", "--database", url, home=home)
        finally:
            unmount(home)


def became_read_only() -> Reply:
    """A PostgreSQL database that becomes read-only while the server is running."""
    if initdb() is None:
        return Reply("skipped: PostgreSQL is not on this machine", True)
    with (
        TemporaryDirectory() as home,
        running_postgres() as postgres,
        running(Server(Path(home), postgres.url)) as server,
    ):
        return asyncio.run(_move_when_read_only(Host(server.port, "127.1.0.1"), postgres))


async def _move_when_read_only(host: Host, postgres: Postgres) -> Reply:
    opened = await host.open_duel("divisor-duel", {})
    with postgres.connect() as connection:
        connection.execute("ALTER DATABASE postgres SET default_transaction_read_only = on")
        others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = 'postgres'"
        connection.execute(f"SELECT pg_terminate_backend(pid) {others}")
    path, bearer = f"/api/duels/{opened['name']}/move", f"Bearer {opened['secrets']['1']}"
    answer = await host.post_json(path, {"move": 1}, authorization=bearer)
    line = answer.body.decode("utf-8", "replace")[:100]
    return Reply(f"{answer.status} {line}", answer.status == 503)


def fifo() -> Reply:
    """A FIFO among the saved games."""
    with TemporaryDirectory() as name:
        home = Path(name)
        (home / "games").mkdir()
        os.mkfifo(home / "games" / "1.jsonl")
        return _run_command("history", home=home, status=0)


ODDITIES: dict[str, Callable[[], Reply]] = {
    one.__name__: one
    for one in (surrogate, newer_database, read_only_database, became_read_only, fifo)
}
