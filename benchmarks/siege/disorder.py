"""What can break while people play, each with its beginning and its end."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.siege.server import Postgres, Server
from benchmarks.siege.wire import Host

LASTS = 3.0, 5.0  # seconds, if it is short and if not
LOCKED = 8.0, 14.0  # seconds that a lock is held: longer than the server waits for one


@dataclass
class Field:
    """Where it breaks."""

    server: Server
    postgres: Postgres | None
    folder: Path  # of the database
    is_small: bool  # whether this is a small disk of its own
    short: bool  # whether it lasts only as long as it must
    since: float = math.inf  # when it was broken
    until: float = math.inf  # and when it began to be mended

    @property
    def file(self) -> Path:
        """The database of SQLite."""
        return self.folder / "games.sqlite"

    @contextmanager
    def broken(self) -> Iterator[None]:
        """For as long as this lasts, it is broken."""
        self.since = time.monotonic()
        yield
        self.until = time.monotonic()

    async def last(self, seconds: tuple[float, float]) -> None:
        """Be broken for so long."""
        with self.broken():
            await asyncio.sleep(seconds[not self.short])


Deed = Callable[[Field], Awaitable[None]]


class Fault(NamedTuple):
    """A fault, and where it can happen."""

    deed: Deed
    kinds: tuple[str, ...]
    disk: bool  # whether the database needs a small disk of its own
    breaks: bool  # whether no write succeeds while it lasts, which /readyz must say
    cause: str  # what the log must say, where somebody is left to write it: a regular expression


FAULTS: dict[str, Fault] = {}
BOTH = ("sqlite", "postgresql")


def fault(
    *kinds: str, disk: bool = False, breaks: bool = False, cause: str = ""
) -> Callable[[Deed], Deed]:
    """A fault of the list."""

    def add(deed: Deed) -> Deed:
        FAULTS[deed.__name__] = Fault(deed, kinds or BOTH, disk, breaks, cause)
        return deed

    return add


@fault()
async def kill_server(field: Field) -> None:
    """The server and all of its processes are killed; who looks after it starts it again."""
    field.server.kill()


@fault()
async def kill_worker(field: Field) -> None:
    """One process that answers requests is killed."""
    os.kill(field.server.serving[0].pid, signal.SIGKILL)


@fault(cause="a process that thinks has ended|what forks processes has ended")
async def kill_thinking(field: Field) -> None:
    """Every process that thinks is killed, while it thinks."""
    host = Host(field.server.port, "127.6.0.1")
    terms = {"players": ["human", "perfect"], "first": "2"}
    await host.open_duel("multiplicity", {}, **terms)
    with field.broken():
        for _ in range(3):
            for one in field.server.thinking:
                with suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGKILL)
            await host.post_json("/api/duels", {"game": "multiplicity", **terms})


@fault("postgresql", breaks=True, cause="connection .*(failed|lost|closed)|closed the connection")
async def kill_postgres(field: Field) -> None:
    """PostgreSQL is killed, and is back after two seconds."""
    assert field.postgres is not None
    field.postgres.kill()
    with field.broken():
        await asyncio.sleep(2)
    await asyncio.to_thread(field.postgres.start)


@fault()
async def freeze_worker(field: Field) -> None:
    """A process that answers requests is frozen."""
    pid = field.server.serving[0].pid
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(LASTS[not field.short])
    with suppress(ProcessLookupError):  # a supervisor may have replaced it
        os.kill(pid, signal.SIGCONT)


@fault("postgresql", breaks=True, cause="has not answered within|no answer within")
async def freeze_postgres(field: Field) -> None:
    """PostgreSQL is frozen."""
    assert field.postgres is not None
    field.postgres.signal(signal.SIGSTOP)
    await field.last(LASTS)
    field.postgres.signal(signal.SIGCONT)


@fault("sqlite", disk=True, breaks=True, cause="disk is full")
async def full_disk(field: Field) -> None:
    """The disk of the database is full."""
    filler = field.folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    await field.last(LASTS)
    filler.unlink()


@fault(breaks=True, cause="database is locked|lock timeout")
async def write_lock(field: Field) -> None:
    """Another process holds the lock of writers for longer than anybody waits."""
    if field.postgres is not None:
        with field.postgres.connect() as connection, connection.transaction():
            connection.execute("LOCK TABLE events IN EXCLUSIVE MODE")
            await field.last(LOCKED)
        return
    connection = sqlite3.connect(field.file, isolation_level=None, timeout=10)
    connection.execute("BEGIN IMMEDIATE")
    await field.last(LOCKED)
    connection.close()


def mount(folder: Path, megabytes: int) -> bool:
    """Make the folder a small disk of its own; False where that is not allowed."""
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    return subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0


def unmount(folder: Path) -> None:
    """And an ordinary folder again."""
    subprocess.run(["umount", str(folder)], capture_output=True, check=True)
