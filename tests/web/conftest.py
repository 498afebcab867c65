"""Fixtures of the web tests: PostgreSQL, a browser, the real server, and the application."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import pytest
from filelock import FileLock
from playwright.sync_api import Browser, sync_playwright
from psycopg import sql
from starlette.testclient import TestClient
from tests.waiting import TIMEOUT_SECONDS, until

from numduel.web.app import create_app
from numduel.web.database.database import Database, read_url
from numduel.web.database.migration import migrate
from numduel.web.duels.store import SqlDuelStore
from numduel.web.server import Config


def _state(pid: int) -> str:
    """Return the state letter of a process; X if it no longer exists."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "each_database: run on SQLite, and again on PostgreSQL")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marked = metafunc.definition.get_closest_marker("each_database")
    if marked and "backend" in metafunc.fixturenames:
        metafunc.parametrize("backend", ["sqlite", "postgresql"], indirect=True)


class Postgres:
    """A PostgreSQL server with its own folder, in which its socket is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        places = [os.environ["PATH"], *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
        found = shutil.which("pg_ctl", path=os.pathsep.join(places))
        if found is None:
            pytest.skip("no PostgreSQL on this machine (its pg_ctl was looked for)")
        self._program = found
        self._as: dict[str, Any] = {"cwd": folder}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
            self._as |= {"user": "postgres", "group": "postgres", "extra_groups": []}

    def create(self) -> None:
        """Create its files, and start it."""
        # Written data must survive a kill of the processes, not of the machine.
        settings = {"listen_addresses": "''", "unix_socket_directories": f"'{self.folder}'"}
        settings |= {"fsync": "off", "full_page_writes": "off"}
        self._control("init", "-o", "-U postgres -A trust -E UTF8 --locale C.UTF-8 --no-sync")
        with (self.folder / "data/postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._control("start", "-w", "-l", "log")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: "fast" closes all connections, "immediate" stops without a checkpoint."""
        self._control("stop", "-w", "-m", mode)

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def kill(self) -> None:
        """Kill all of its processes at once, like a power cut."""
        first = self._processes[0]
        os.kill(first, signal.SIGSTOP)  # so that it starts no more
        until(lambda: _state(first) == "T", "PostgreSQL to stand still")
        processes = self._processes
        _send(signal.SIGKILL, processes)
        until(lambda: all(_state(each) in "XZ" for each in processes), "PostgreSQL's end")
        # The first process may be left as a zombie, so that its number would seem to be in use.
        for lock in ("data/postmaster.pid", ".s.PGSQL.5432.lock"):
            (self.folder / lock).unlink(missing_ok=True)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all of its processes while the context lasts."""
        processes = self._processes
        _send(signal.SIGSTOP, processes)
        try:
            yield
        finally:
            _send(signal.SIGCONT, processes)

    def url(self, name: str, template: str = "template1") -> str:
        """Create a database of that name, as a copy of another, and return its address."""
        self.drop(name)
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self._execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def drop(self, name: str) -> None:
        """Drop a database, whoever is connected to it."""
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        self._execute(drop.format(sql.Identifier(name)))

    @property
    def _processes(self) -> list[int]:
        pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    def _control(self, *command: str) -> None:
        done = subprocess.run(
            [self._program, "-D", "data", *command],
            **self._as,
            stdout=subprocess.DEVNULL,  # the server would keep a pipe open
            stderr=subprocess.DEVNULL,
        )
        log = self.folder / "log"
        assert done.returncode == 0, log.read_text() if log.exists() else command

    def _execute(self, statement: sql.Composed) -> None:
        where = {"host": str(self.folder), "user": "postgres", "dbname": "postgres"}
        with psycopg.connect(**where, autocommit=True) as connection:
            connection.execute(statement)


def _send(number: signal.Signals, pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for the tests that stop it; the others use `shared_postgres`."""
    # Not in pytest's folders, which only their owner may enter.
    with tempfile.TemporaryDirectory(prefix="numduel-") as folder:
        server = Postgres(Path(folder))
        server.create()
        yield server
        server.stop("immediate")


@pytest.fixture(scope="session")
def shared_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """The PostgreSQL server of all workers: the first one starts it, and the last one stops it.

    Its database `prepared` has our tables.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    lock, users = FileLock(shared / "postgres.lock"), shared / "postgres"
    with lock:
        if not users.exists():
            server = Postgres(Path(tempfile.mkdtemp(prefix="numduel-")))
            server.create()
            migrate(server.url("prepared"))
            users.write_text(f"{server.folder}\n")
        with users.open("a") as file:
            file.write(f"{os.getpid()}\n")
        folder = Path(users.read_text().split()[0])
    server = Postgres(folder)
    yield server
    with lock:
        rest = [line for line in users.read_text().split() if line != str(os.getpid())]
        users.write_text("\n".join(rest) + "\n")
        if len(rest) == 1:
            server.stop("immediate")
            shutil.rmtree(folder)
            users.unlink()


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> str:
    """The kind of database: SQLite, and PostgreSQL too if a test is marked `each_database`."""
    return getattr(request, "param", "sqlite")


@pytest.fixture
def new_database(
    request: pytest.FixtureRequest, backend: str, tmp_path: Path
) -> Iterator[Callable[[bool], str]]:
    """The address of a new database, empty or with our tables: new_database(prepared=True)."""
    name = f"numduel_{uuid4().hex}"
    file = tmp_path / "numduel.sqlite"

    def new_database(prepared: bool) -> str:
        if backend == "postgresql":
            server = request.getfixturevalue("shared_postgres")
            return server.url(name, "prepared" if prepared else "template1")
        if prepared and not file.exists():
            file.write_bytes(_bare_tables())
        return f"sqlite:///{file}"

    yield new_database
    if backend == "postgresql":
        request.getfixturevalue("shared_postgres").drop(name)


@pytest.fixture
def database_url(new_database: Callable[[bool], str]) -> str:
    """A new, empty database."""
    return new_database(False)


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, backend: str, tmp_path: Path) -> str:
    """The address of another, empty database."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    url: str = request.getfixturevalue("shared_postgres").url(f"numduel_{uuid4().hex}")
    return url


@pytest.fixture(scope="session")
def _launched() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A headless browser for all tests of this worker, and the loop that it is driven by."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("no browser on this machine (chromium was looked for)")
    with sync_playwright() as playwright:
        # Root in a container has no sandbox.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        loop = asyncio.get_running_loop()
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(_launched: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The browser; each `browser.new_context()` is a visitor with cookies of their own."""
    browser, loop = _launched
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)  # otherwise other tests could run no loop in this thread


class Server:
    """A running `numduel serve`."""

    def __init__(self, process: subprocess.Popen[bytes], out: Path, log: Path) -> None:
        self.process = process
        self._out = out
        self._log = log
        self.url = ""  # ends in a slash

    @property
    def log(self) -> str:
        """What it wrote on standard error."""
        return self._log.read_text(errors="replace")

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def ready(self) -> None:
        """Wait until it has printed its address, and answers there."""
        until(self._has_printed_address, "the address of numduel serve")
        until(self._is_healthy, f"{self.url}healthz")

    @property
    def family(self) -> set[int]:
        """Its living processes: itself, its workers and its thinking processes."""
        found = set()
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
                if int(session) == self.process.pid and state not in "XZ":
                    found.add(int(stat.parent.name))
        return found

    def stop(self) -> int:
        """Stop it, and return its exit status."""
        self.process.terminate()
        return self.process.wait(TIMEOUT_SECONDS)

    def kill(self) -> None:
        """Kill it and its workers, like a power cut, and wait until its port is free."""
        self.end()
        until(self._is_closed, f"the end of {self.url}")

    def end(self) -> None:
        """Kill those of its processes that still run."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(TIMEOUT_SECONDS)

    def _has_printed_address(self) -> bool:
        printed = self._out.read_text()
        assert self.process.poll() is None, f"it ended: {printed}{self.log}"
        if not printed.endswith("\n"):
            return False
        found = re.search(r"http://[^\s/]+:\d+/", printed)
        assert found, f"no address in: {printed}"
        self.url = found[0]
        return True

    def _is_healthy(self) -> bool:
        assert self.process.poll() is None, f"it ended: {self.log}"
        with suppress(httpx2.TransportError):
            url = f"{self.url}healthz"
            return httpx2.get(url, trust_env=False, timeout=TIMEOUT_SECONDS).status_code == 200
        return False

    def _is_closed(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except ConnectionRefusedError:
            return True
        except ConnectionResetError:
            pass
        return False


@pytest.fixture
def serve(start: Callable[..., Any], tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Run the real server: serve(database_url), serve(url, workers=2, port=killed.port)."""
    servers: list[Server] = []
    held: dict[int, socket.socket] = {}  # reserves the port while its server is down

    def serve(
        database: str, *arguments: object, port: int | None = None, workers: int | None = None
    ) -> Server:
        if port is None:
            holder = socket.socket()
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind(("127.0.0.1", 0))
            port = holder.getsockname()[1]
            held[port] = holder
        if workers is not None:
            arguments = ("--workers", workers, *arguments)
        out, log = (tmp_path / f"server-{len(servers)}.{end}" for end in ("out", "log"))
        with out.open("wb") as stdout, log.open("wb") as stderr:
            process = start(
                *("serve", "--port", port, "--database", database, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        servers.append(Server(process, out, log))
        servers[-1].ready()
        return servers[-1]

    yield serve
    for server in servers:
        server.end()
    for holder in held.values():
        holder.close()


@cache
def _bare_tables() -> bytes:
    """Return an SQLite file with our empty tables."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "numduel.sqlite"
        migrate(f"sqlite:///{file}")
        return file.read_bytes()


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of the tests marked `anyio`."""
    return "asyncio"


@pytest.fixture
async def new_store(
    new_database: Callable[[bool], str],
) -> AsyncIterator[Callable[[], SqlDuelStore]]:
    """new_store() is a store of one new database; further calls give those of other servers."""
    url, stores = read_url(new_database(True)), []

    def new_store() -> SqlDuelStore:
        stores.append(SqlDuelStore(Database(url)))
        return stores[-1]

    yield new_store
    for store in stores:
        await store.database.close()


def _store(new_store: Callable[[], SqlDuelStore]) -> SqlDuelStore:
    return new_store()


store, here, there = (pytest.fixture(_store, name=name) for name in ("store", "here", "there"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The application in this process, without rates; see `visit` for visitors."""
    file = tmp_path_factory.mktemp("site") / "numduel.sqlite"
    file.write_bytes(_bare_tables())
    config = Config(f"sqlite:///{file}", rates=None, hosts=("play.example",))
    with TestClient(create_app(config)) as client:
        yield client


@pytest.fixture
def visit(site: TestClient) -> Callable[..., TestClient]:
    """A new visitor of `site`, with cookies of their own: visit(), visit(**TestClient's)."""

    def visit(**options: Any) -> TestClient:
        visitor = TestClient(site.app, **{"follow_redirects": False, **options})
        visitor.portal = site.portal  # the thread in which the application runs
        return visitor

    return visit


@pytest.fixture
def client() -> Iterator[Callable[[], httpx2.Client]]:
    """client() is a new HTTP client with its own address, and so with its own rates."""
    clients: list[httpx2.Client] = []

    def client() -> httpx2.Client:
        address = f"127.1.{len(clients) // 250}.{len(clients) % 250 + 1}"
        way = httpx2.HTTPTransport(verify=False, trust_env=False, local_address=address)
        clients.append(httpx2.Client(transport=way, trust_env=False, timeout=TIMEOUT_SECONDS))
        return clients[-1]

    yield client
    for each in clients:
        each.close()
