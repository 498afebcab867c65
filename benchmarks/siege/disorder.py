"""Faults that can happen while people play. Each function causes one and repairs it."""

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

FAULT_SECONDS = 3.0, 5.0  # in a short and in a full run
LOCK_SECONDS = 8.0, 14.0  # the same for a lock: longer than the server waits for one


@dataclass
class Testbed:
    """A running server, its database, and when a fault has lasted."""

    server: Server
    postgres: Postgres | None
    folder: Path  # of the database
    is_small: bool  # whether the folder is a small disk of its own
    short: bool  # whether faults last only as long as necessary
    since: float = math.inf  # when the fault began
    until: float = math.inf  # when it ended

    @property
    def file(self) -> Path:
        """The file of the SQLite database."""
        return self.folder / "games.sqlite"

    @contextmanager
    def breaking(self) -> Iterator[None]:
        """Record when the fault begins and ends."""
        self.since = time.monotonic()
        yield
        self.until = time.monotonic()

    async def stay_broken(self, seconds: tuple[float, float]) -> None:
        """Let the fault last for the first or second of these times, if it is short or not."""
        with self.breaking():
            await asyncio.sleep(seconds[not self.short])


FaultFunction = Callable[[Testbed], Awaitable[None]]


class Fault(NamedTuple):
    """A fault, and what is expected of the server."""

    act: FaultFunction
    databases: tuple[str, ...]
    needs_small_disk: bool
    stops_writes: bool  # whether all writes fail meanwhile, so that /readyz must not say ready
    cause: str  # a regular expression that the log must match; empty: none


FAULTS: dict[str, Fault] = {}
BOTH = ("sqlite", "postgresql")


def fault(
    *databases: str, needs_small_disk: bool = False, stops_writes: bool = False, cause: str = ""
) -> Callable[[FaultFunction], FaultFunction]:
    """Add a function to the table of faults."""

    def add(act: FaultFunction) -> FaultFunction:
        FAULTS[act.__name__] = Fault(act, databases or BOTH, needs_small_disk, stops_writes, cause)
        return act

    return add


@fault()
async def kill_server(testbed: Testbed) -> None:
    """The server and all of its processes are killed; a supervisor starts it again."""
    testbed.server.kill()


@fault()
async def kill_worker(testbed: Testbed) -> None:
    """One process that answers requests is killed."""
    os.kill(testbed.server.serving[0].pid, signal.SIGKILL)


@fault(cause="a thinking process has ended|the process that forks has ended")
async def kill_thinking(testbed: Testbed) -> None:
    """Every process that computes moves is killed while it computes."""
    host = Host(testbed.server.port, "127.6.0.1")
    terms = {"players": ["human", "perfect"], "first": "2"}
    await host.open_duel("multiplicity", {}, **terms)
    with testbed.breaking():
        for _ in range(3):
            for one in testbed.server.thinking:
                with suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGKILL)
            await host.post_json("/api/duels", {"game": "multiplicity", **terms})


@fault(
    "postgresql", stops_writes=True, cause="connection .*(failed|lost|closed)|closed the connection"
)
async def kill_postgres(testbed: Testbed) -> None:
    """PostgreSQL is killed, and started again after two seconds."""
    assert testbed.postgres is not None
    testbed.postgres.kill()
    with testbed.breaking():
        await asyncio.sleep(2)
    await asyncio.to_thread(testbed.postgres.start)


@fault()
async def freeze_worker(testbed: Testbed) -> None:
    """A process that answers requests is frozen."""
    pid = testbed.server.serving[0].pid
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(FAULT_SECONDS[not testbed.short])
    with suppress(ProcessLookupError):  # a supervisor may have replaced it
        os.kill(pid, signal.SIGCONT)


@fault("postgresql", stops_writes=True, cause="has not answered within|no answer within")
async def freeze_postgres(testbed: Testbed) -> None:
    """PostgreSQL is frozen."""
    assert testbed.postgres is not None
    testbed.postgres.signal(signal.SIGSTOP)
    await testbed.stay_broken(FAULT_SECONDS)
    testbed.postgres.signal(signal.SIGCONT)


@fault("sqlite", needs_small_disk=True, stops_writes=True, cause="disk is full")
async def full_disk(testbed: Testbed) -> None:
    """The disk of the database is full."""
    filler = testbed.folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    await testbed.stay_broken(FAULT_SECONDS)
    filler.unlink()


@fault(stops_writes=True, cause="database is locked|lock timeout")
async def write_lock(testbed: Testbed) -> None:
    """Another process holds the write lock for longer than the server waits."""
    if testbed.postgres is not None:
        with testbed.postgres.connect() as connection, connection.transaction():
            connection.execute("LOCK TABLE events IN EXCLUSIVE MODE")
            await testbed.stay_broken(LOCK_SECONDS)
        return
    connection = sqlite3.connect(testbed.file, isolation_level=None, timeout=10)
    connection.execute("BEGIN IMMEDIATE")
    await testbed.stay_broken(LOCK_SECONDS)
    connection.close()


def mount(folder: Path, megabytes: int) -> bool:
    """Mount a small disk in the folder. Return False if that is not allowed."""
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    return subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0


def unmount(folder: Path) -> None:
    """Unmount the disk in a folder."""
    subprocess.run(["umount", str(folder)], capture_output=True, check=True)
