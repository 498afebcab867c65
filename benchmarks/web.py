"""Moves through the server, compared with an endpoint that only commits one INSERT."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from random import Random
from statistics import median, quantiles
from typing import Any, NamedTuple

import sqlalchemy as sa

from benchmarks.siege.server import initdb, running_postgres
from benchmarks.web_app import small
from numduel.web.database.migration import migrate

GAMES = 200
WORKERS = 1, 2, 4, 8  # on PostgreSQL; 2 on SQLite
SECONDS = 4.0
TIMES = 3  # how often each load is run, in alternation with the other
STREAMS, MOVES_HEARD = 20, 10  # number of pages that wait for moves, and moves for each

TRIGGERS = """
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('numduel', 'other\n' || NEW.duel || ' -1');
  RETURN NULL;
END $$;
CREATE TRIGGER tell AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION tell();
"""


def measure() -> Iterator[str]:
    """Compare moves and INSERTs per second, with SQLite and with PostgreSQL."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _compare("SQLite", f"sqlite:///{folder}/games.sqlite", 2, 0.9)
    if initdb() is None:
        yield "PostgreSQL is not on this machine"
        return
    for triggers in (False, True):
        for workers in WORKERS:
            with running_postgres() as postgres:
                yield from _compare("PostgreSQL", postgres.url, workers, 0.8, triggers)


def _compare(
    name: str, database: str, workers: int, least: float, triggers: bool = False
) -> Iterator[str]:
    """Compare both on a database; optionally with triggers that notify in each transaction."""
    migrate(database)
    engine = sa.create_engine(database)
    small.create(engine)
    if triggers:
        name = f"{name} with triggers"
        with engine.begin() as connection:
            connection.exec_driver_sql(TRIGGERS)
    engine.dispose()
    with _server(database, workers, triggers) as port:
        moves, inserts, heard = asyncio.run(_loads(port))
    yield (
        f"{name}, {GAMES} games, {workers} workers: {moves.rate:,.0f} moves a second "
        f"(99 % within {moves.slowest * 1000:.0f} ms); one INSERT: {inserts.rate:,.0f} a second "
        f"({inserts.slowest * 1000:.0f} ms); ratio {moves.rate / inserts.rate:.2f} (at least "
        f"{least}), of the slowest {moves.slowest / inserts.slowest:.2f} (at most 1.5); the other "
        f"player's page hears of a move after {heard * 1000:.0f} ms in the middle (at most 50)"
    )


class Load(NamedTuple):
    """The result of a load."""

    rate: float  # answers per second
    slowest: float  # the 99th percentile of the response times, in seconds


async def _loads(port: int) -> tuple[Load, Load, float]:
    games = [await _open_game(port) for _ in range(GAMES)]
    inserting = [await _Client.connect(port) for _ in range(2 * GAMES)]
    moves, inserts = [], []
    for _ in range(TIMES):
        moves.append(await _run([game.play for game in games]))
        inserts.append(await _run([_inserter(client) for client in inserting[:GAMES]]))
    heard = await asyncio.gather(*(_heard(port, game) for game in games[:STREAMS]))
    middle = median(seconds for one in heard for seconds in one)
    return sorted(moves)[TIMES // 2], sorted(inserts)[TIMES // 2], middle


async def _heard(port: int, game: _Game) -> list[float]:
    """Return the seconds from each move of a game until an open page has it."""
    page, chance, taken = await _Client.connect(port), Random(game.path), []
    page.writer.write(f"GET {game.path[:-4]}events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    told = b"data: %d\n"
    await page.reader.readuntil(told % game.version)
    for _ in range(MOVES_HEARD):
        await asyncio.sleep(chance.uniform(0.5, 1.5))
        begun = time.perf_counter()
        hearing = asyncio.create_task(page.reader.readuntil(told % (game.version + 1)))
        await game.play()
        await hearing
        taken.append(time.perf_counter() - begun)
    page.writer.close()
    return taken


async def _run(steps: list[Callable[[], Awaitable[None]]]) -> Load:
    """Run all of these steps concurrently, each repeatedly, for some seconds."""
    taken: list[float] = []
    end = time.perf_counter() + SECONDS

    async def go(step: Callable[[], Awaitable[None]]) -> None:
        while (begun := time.perf_counter()) < end:
            await step()
            taken.append(time.perf_counter() - begun)

    await asyncio.gather(*map(go, steps))
    return Load(len(taken) / SECONDS, quantiles(taken, n=100)[-1])


class _Client:
    """A persistent connection with minimal overhead."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, port: int) -> _Client:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def post(self, path: str, fields: dict[str, Any], secret: str = "") -> bytes:
        body = json.dumps(fields).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {secret}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        content = await self.reader.readexactly(length)
        if answer[9:12] == b"503":  # the machine is too busy for a measurement
            return await self.post(path, fields, secret)
        assert answer[9:11] == b"20", (answer, content)
        return content


class _Game:
    """A game between two players, each with a connection of their own."""

    def __init__(self, name: str, seats: list[tuple[_Client, str]]) -> None:
        self.path = f"/api/duels/{name}/move"
        self.seats = seats
        self.version = 0

    async def play(self) -> None:
        client, secret = self.seats[self.version % 2]
        # the divisor is far off: adding one does not end the game
        await client.post(self.path, {"move": 1, "at": self.version}, secret)
        self.version += 1


async def _open_game(port: int) -> _Game:
    one, two = await _Client.connect(port), await _Client.connect(port)
    asked = {"game": "divisor-duel", "settings": {"divisor": 10**9 + 7}}
    opened = json.loads(await one.post("/api/duels", asked))
    secrets = opened["secrets"]
    return _Game(opened["name"], [(one, secrets["1"]), (two, secrets["2"])])


def _inserter(client: _Client) -> Callable[[], Awaitable[None]]:
    async def insert() -> None:
        await client.post("/small", {"value": 7})

    return insert


@contextmanager
def _server(database: str, workers: int, triggers: bool) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = f"uvicorn --factory benchmarks.web_app:app --port {port} --workers {workers}"
    kept = "--no-access-log --timeout-keep-alive 600"
    process = subprocess.Popen(
        [sys.executable, "-m", *command.split(), *kept.split()],
        env={
            **os.environ,
            "NUMDUEL_BENCHMARK": database,
            "NUMDUEL_BENCHMARK_TRIGGERS": "1" if triggers else "",
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                time.sleep(3 + 3 * workers)  # until all workers are there
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
