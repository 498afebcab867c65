"""The real server in a folder of its own, PostgreSQL beside it, and what they take."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from benchmarks.siege.held import Turns

PATIENCE = 60.0
NUMDUEL = str(Path(sys.executable).with_name("numduel"))


def until(happened: Callable[[], Any], what: str, patience: float = PATIENCE) -> None:
    """Wait for something."""
    end = time.monotonic() + patience
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain for {what}")
        time.sleep(0.02)


class Process(NamedTuple):
    """A running process."""

    pid: int
    parent: int
    command: str
    memory: float  # MB
    ran: float  # seconds on a processor
    waited: float  # seconds in which it could have run, and others did


class Server:
    """`numduel serve`, on a port that stays the same when it is started again."""

    def __init__(
        self, folder: Path, database: str, workers: int = 1, files: int = 8192, **environment: str
    ) -> None:
        self.log = folder / "log"
        self.database = database
        self.workers = workers
        self.files = files  # that it may have open
        self.turns = Turns(folder)
        self.environment = {
            **(os.environ | self.turns.environment),
            **({"NUMDUEL_HOME": str(folder)} | environment),
        }
        self.port = 0
        self._out = folder / "out"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = ["--port", self.port, "--database", self.database, "--workers", self.workers]
        with self._out.open("wb") as out, self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [NUMDUEL, "serve", *map(str, options)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=log,
                env=self.environment,
                start_new_session=True,
                preexec_fn=self._limit,
            )
        until(self._said, "the address of numduel serve")
        until(self._answers, "an answer of numduel serve")

    def _limit(self) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))

    def _said(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(f"it ended: {self._out.read_text()}{self.log.read_text()[-2000:]}")
        found = re.search(r"http://[^\s/]+:(\d+)/", self._out.read_text())
        self.port = int(found[1]) if found else self.port
        return found is not None

    def _answers(self) -> bool:
        """Whether it is up; each of several workers answers in time."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
                connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                return b" 200 " in connection.recv(100)
        except OSError:
            return False

    def kill(self) -> None:
        """Kill it and all that it has started, as a power cut would."""
        if self.process is not None:
            for one in self.family:
                with suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)
            until(lambda: not self.family, "the end of the server")

    @property
    def family(self) -> list[Process]:
        """Its processes."""
        assert self.process is not None
        return [*_session(self.process.pid)]

    @property
    def serving(self) -> list[Process]:
        """Those of its processes that answer requests."""
        assert self.process is not None
        top = self.process.pid
        if self.workers == 1:
            return [one for one in self.family if one.pid == top]
        return [one for one in self.family if one.parent == top and "spawn_main" in one.command]

    @property
    def thinking(self) -> list[Process]:
        """Those that think."""
        return [one for one in self.family if "thinking.processes" in one.command]


def _session(leader: int) -> Iterator[Process]:
    page = resource.getpagesize() / 2**20
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(session) == leader and state not in "XZ":
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                pages = int((folder / "statm").read_text().split()[1])
                ran, waited = scheduled(folder)
                yield Process(int(folder.name), int(parent), command, pages * page, ran, waited)


def scheduled(folder: Path) -> tuple[float, float]:
    """How long a process has run, and has waited to; of its first thread, which has the loop."""
    ran, waited = (folder / "schedstat").read_text().split()[:2]
    return int(ran) / 1e9, int(waited) / 1e9


class Postgres:
    """A PostgreSQL server of our own, as durable as they come."""

    def __init__(self, folder: Path) -> None:
        found = initdb()
        assert found is not None
        self._programs = Path(found).resolve().parent
        self._folder = folder
        self._as: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL}
        if os.geteuid() == 0:  # as whom it refuses to run
            shutil.chown(folder, "postgres", "postgres")
            self._as |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        made = [self._programs / "initdb", "-D", "data", "-U", "postgres", "-A", "trust"]
        subprocess.run(made, **self._as, check=True)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return f"postgresql+psycopg://postgres@/postgres?host={self._folder}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self._folder}"]
        self.process = subprocess.Popen(
            [self._programs / "postgres", "-D", "data", *options],
            **self._as,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(self._answers, "PostgreSQL")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all of its processes."""
        assert self.process is not None
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(each, number)

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)  # so that it starts no other
        self.signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Stop it."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(PATIENCE)

    def connect(self) -> psycopg.Connection[Any]:
        """A connection to it."""
        return psycopg.connect(
            host=str(self._folder), user="postgres", dbname="postgres", autocommit=True
        )

    def _answers(self) -> bool:
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True


def initdb() -> str | None:
    """PostgreSQL's program that makes a database, if it is on this machine."""
    places = [os.environ["PATH"], *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    return shutil.which("initdb", path=os.pathsep.join(places))


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A server, until it is no longer needed."""
    try:
        server.start()
        yield server
    finally:
        server.kill()
