"""Runs the real server in a folder of its own, and PostgreSQL, and measures their processes."""

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
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psycopg

from benchmarks.siege.held import LongTurns

SERVER_TIMEOUT_SECONDS = 60.0
NUMDUEL = str(Path(sys.executable).with_name("numduel"))


def wait_until(
    happened: Callable[[], Any], what: str, timeout: float = SERVER_TIMEOUT_SECONDS
) -> None:
    """Wait until something has happened. Raises TimeoutError if it does not."""
    end = time.monotonic() + timeout
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
    ran: float  # seconds of processor time
    waited: float  # seconds of waiting for a processor


class Server:
    """`numduel serve`. It has the same port when it is started again."""

    def __init__(
        self, folder: Path, database: str, workers: int = 1, files: int = 8192, **environment: str
    ) -> None:
        self.log = folder / "log"
        self.database = database
        self.workers = workers
        self.files = files  # maximum number of open files
        self.turns = LongTurns(folder)
        self.environment = {
            **(os.environ | self.turns.environment),
            **({"NUMDUEL_HOME": str(folder)} | environment),
        }
        self.port = 0
        self._out = folder / "out"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ["--port", self.port, "--database", self.database, "--workers", self.workers]
        with self._out.open("wb") as out, self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [NUMDUEL, "serve", *map(str, options)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=log,
                env=self.environment,
                start_new_session=True,
                preexec_fn=self._limit_files,
            )
        wait_until(self._has_address, "the address of numduel serve")
        wait_until(self._is_up, "an answer of numduel serve")

    def _limit_files(self) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))

    def _has_address(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(f"it ended: {self._out.read_text()}{self.log.read_text()[-2000:]}")
        found = re.search(r"http://[^\s/]+:(\d+)/", self._out.read_text())
        self.port = int(found[1]) if found else self.port
        return found is not None

    def _is_up(self) -> bool:
        """Whether a worker answers."""
        try:
            with socket.create_connection(
                ("127.0.0.1", self.port), SERVER_TIMEOUT_SECONDS
            ) as connection:
                connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                return b" 200 " in connection.recv(100)
        except OSError:
            return False

    def kill(self) -> None:
        """Kill the server and all that it has started, like a power cut."""
        if self.process is not None:
            for one in self.processes:
                with suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGKILL)
            self.process.wait(SERVER_TIMEOUT_SECONDS)
            wait_until(lambda: not self.processes, "the end of the server")

    @property
    def processes(self) -> list[Process]:
        """All processes of the server."""
        assert self.process is not None
        return [*_session(self.process.pid)]

    @property
    def serving(self) -> list[Process]:
        """The processes that answer requests."""
        assert self.process is not None
        top = self.process.pid
        if self.workers == 1:
            return [one for one in self.processes if one.pid == top]
        return [one for one in self.processes if one.parent == top and "spawn_main" in one.command]

    @property
    def thinking(self) -> list[Process]:
        """The processes that compute moves."""
        return [one for one in self.processes if "thinking.processes" in one.command]


def _session(leader: int) -> Iterator[Process]:
    page = resource.getpagesize() / 2**20
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(session) == leader and state not in "XZ":
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                pages = int((folder / "statm").read_text().split()[1])
                ran, waited = scheduled_seconds(folder)
                yield Process(int(folder.name), int(parent), command, pages * page, ran, waited)


def scheduled_seconds(folder: Path) -> tuple[float, float]:
    """Return for how many seconds the first thread of a process has run, and waited to run."""
    ran, waited = (folder / "schedstat").read_text().split()[:2]
    return int(ran) / 1e9, int(waited) / 1e9


class Postgres:
    """A PostgreSQL server of our own with the default durability."""

    def __init__(self, folder: Path) -> None:
        found = initdb()
        assert found is not None
        self._programs = Path(found).resolve().parent
        self._folder = folder
        self._process_options: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
            self._process_options |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        made = [self._programs / "initdb", "-D", "data", "-U", "postgres", "-A", "trust"]
        subprocess.run(made, **self._process_options, check=True)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL of the database."""
        return f"postgresql+psycopg://postgres@/postgres?host={self._folder}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self._folder}"]
        self.process = subprocess.Popen(
            [self._programs / "postgres", "-D", "data", *options],
            **self._process_options,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(self._is_up, "PostgreSQL")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the server."""
        assert self.process is not None
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(each, number)

    def kill(self) -> None:
        """Kill the server, like a power cut."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)  # it must not start further processes
        self.signal(signal.SIGKILL)
        self.process.wait(SERVER_TIMEOUT_SECONDS)

    def stop(self) -> None:
        """Stop the server."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(SERVER_TIMEOUT_SECONDS)

    def connect(self) -> psycopg.Connection[Any]:
        """Return a new connection."""
        return psycopg.connect(
            host=str(self._folder), user="postgres", dbname="postgres", autocommit=True
        )

    def _is_up(self) -> bool:
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True


def initdb() -> str | None:
    """Return the path of PostgreSQL's program `initdb`, or None if it is not installed."""
    places = [os.environ["PATH"], *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    return shutil.which("initdb", path=os.pathsep.join(places))


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Start a server, and kill it at the end."""
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start a PostgreSQL server with an empty database, and stop it at the end."""
    with TemporaryDirectory(prefix="siege-") as folder:
        postgres = Postgres(Path(folder))
        try:
            postgres.start()
            yield postgres
        finally:
            postgres.stop()
