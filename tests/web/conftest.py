"""What the web is tested with: a PostgreSQL server of our own, a browser, the real server."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import pytest
from playwright.sync_api import Browser, sync_playwright
from psycopg import sql
from starlette.testclient import TestClient

from numduel.web.app import create_app
from numduel.web.data import database
from numduel.web.data.store import Store
from numduel.web.live.site import Config

PATIENCE = 180  # seconds until something that does not come is given up

_STOPS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}  # as PostgreSQL names them


def _until(happened: Callable[[], Any], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)


def _state(pid: int) -> str:
    """The letter of what a process does; that of a dead one where it is in the list no more."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def _dead(pid: int) -> bool:
    """Whether a process holds nothing any more; a dead child of nobody may stay in the list."""
    return _state(pid) in "XZ"


class Postgres:
    """A real PostgreSQL server in a folder of its own, reached through a socket in that folder."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self._programs = programs
        self._process: subprocess.Popen[bytes] | None = None
        self._as: dict[str, Any] = {"cwd": folder}
        if os.geteuid() == 0:  # as whom it refuses to run
            shutil.chown(folder, "postgres", "postgres")
            self._as |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        made = subprocess.run(
            [
                *(programs / "initdb", "-D", "data", "-U", "postgres", "-A", "trust"),
                *("-E", "UTF8", "--no-sync"),
            ],
            **self._as,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
        )
        assert made.returncode == 0, made.stderr
        with (folder / "data/postgresql.conf").open("a") as settings:
            settings.write(f"listen_addresses = ''\nunix_socket_directories = '{folder}'\n")
            # What it has written outlives its processes, if not the machine, which nobody kills.
            settings.write("fsync = off\nfull_page_writes = off\n")

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, unless it runs, and wait until it answers."""
        if self.running:
            return
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", "data"],
                **self._as,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the tests alone
            )
        _until(self._answers, "PostgreSQL")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: "fast" ends what is connected, "immediate" leaves the log to be replayed."""
        if self.running:
            self._process.send_signal(_STOPS[mode])
            self._process.wait(PATIENCE)

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def kill(self) -> None:
        """Kill every one of its processes at once, as a power cut would."""
        if not self.running:
            return
        pid = self._process.pid
        self._process.send_signal(signal.SIGSTOP)  # so that it starts no other, nor buries any
        _until(lambda: _state(pid) == "T", "PostgreSQL to stand still")
        children = [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
        for each in (pid, *children):
            os.kill(each, signal.SIGKILL)
        self._process.wait(PATIENCE)
        _until(lambda: all(map(_dead, children)), "the end of PostgreSQL's processes")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """All of its processes stand still within."""
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        everyone = [pid, *map(int, children)]
        _send(signal.SIGSTOP, everyone)
        try:
            yield
        finally:
            _send(signal.SIGCONT, everyone)

    def url(self, name: str) -> str:
        """A new, empty database of that name; the server is started if it does not run."""
        self.drop(name)
        self._execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def drop(self, name: str) -> None:
        """Drop a database, whoever is connected to it."""
        self.start()
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        self._execute(drop.format(sql.Identifier(name)))

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(
            host=str(self.folder), user="postgres", dbname="postgres", autocommit=True
        )

    def _execute(self, statement: sql.Composed) -> None:
        with self._connect() as connection:
            connection.execute(statement)

    def _answers(self) -> bool:
        assert self.running, self.log.read_text()
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True


def _send(number: signal.Signals, pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, this worker's own; started with the first database."""
    places = [os.environ["PATH"], *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    initdb = shutil.which("initdb", path=os.pathsep.join(places))
    if initdb is None:
        pytest.skip("no PostgreSQL on this machine (its initdb was looked for)")
    # not in pytest's folders, which only their owner may enter
    with tempfile.TemporaryDirectory(prefix="numduel-") as folder:
        server = Postgres(Path(initdb).resolve().parent, Path(folder))
        yield server
        server.stop("immediate")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new, empty database: a SQLite file, and then one of PostgreSQL."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'numduel.sqlite'}"
        return
    postgres = request.getfixturevalue("postgres")
    name = f"numduel_{uuid4().hex}"
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Debian's browser, or one like it."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("no browser on this machine (chromium was looked for)")


@pytest.fixture(scope="module")  # no longer: while it is there, its thread can run no other loop
def browser(browser_path: str) -> Iterator[Browser]:
    """A headless browser; each `browser.new_context()` is a visitor with cookies of their own."""
    with sync_playwright() as playwright:
        # a container's root has no sandbox
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Server:
    """`numduel serve`, running."""

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
        """Wait until it has said where it is, and answers there."""
        _until(self._said, "the address of numduel serve")
        _until(self._healthy, f"{self.url}healthz")

    @property
    def family(self) -> set[int]:
        """The processes that it has, itself and what it thinks in; dead ones do not count."""
        found = set()
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
                if int(session) == self.process.pid and state not in "XZ":
                    found.add(int(stat.parent.name))
        return found

    def stop(self) -> int:
        """Ask it to end; its status."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill it and its workers, as a power cut would, and wait until its port is free."""
        self.end()
        _until(self._refuses, f"the end of {self.url}")

    def end(self) -> None:
        """Kill whatever of it still runs."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def _said(self) -> bool:
        said = self._out.read_text()
        assert self.process.poll() is None, f"it ended: {said}{self.log}"
        if not said.endswith("\n"):
            return False
        found = re.search(r"http://[^\s/]+:\d+/", said)
        assert found, f"no address in: {said}"
        self.url = found[0]
        return True

    def _healthy(self) -> bool:
        assert self.process.poll() is None, f"it ended: {self.log}"
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(f"{self.url}healthz", timeout=PATIENCE) as answer:
                return answer.status == 200
        except urllib.error.HTTPError as error:
            error.close()
        except OSError:
            pass
        return False

    def _refuses(self) -> bool:
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
    held: dict[int, socket.socket] = {}  # so that nobody takes a port while its server is away

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
    """A SQLite file of tables without rows: made once, as migrating outlasts most tests."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "numduel.sqlite"

        async def make() -> None:
            engine = database.connect(database.read_url(f"sqlite:///{file}"))
            await database.migrate(engine)
            await engine.dispose()

        asyncio.run(make())
        return file.read_bytes()


@pytest.fixture
def in_store(database_url: str) -> Callable[..., Any]:
    """Run `work(store, ...)` on a new database that has its tables; a store for each `servers`."""

    def in_store(work: Callable[..., Awaitable[Any]], *arguments: object, servers: int = 1) -> Any:
        url = database.read_url(database_url)
        if url.get_backend_name() == "sqlite" and not Path(url.database).exists():
            Path(url.database).write_bytes(_bare_tables())

        async def run() -> Any:
            stores = [Store(database.connect(url)) for _ in range(servers)]
            try:
                await database.migrate(stores[0].engine)
                return await work(*stores, *arguments)
            finally:
                for store in stores:
                    await store.close()

        return asyncio.run(run())

    return in_store


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The application in this process, without rates; see `visit` for visitors."""
    file = tmp_path_factory.mktemp("site") / "numduel.sqlite"
    config = Config(f"sqlite:///{file}", rates=None, hosts=("play.example",))
    with TestClient(create_app(config)) as client:
        yield client


@pytest.fixture
def visit(site: TestClient) -> Callable[..., TestClient]:
    """A new visitor of `site`, with cookies of their own: visit(), visit(**TestClient's)."""

    def visit(**options: Any) -> TestClient:
        visitor = TestClient(site.app, **{"follow_redirects": False, **options})
        visitor.portal = site.portal  # in which the application runs
        return visitor

    return visit


@pytest.fixture
def client() -> Iterator[Callable[[], httpx2.Client]]:
    """A new program that asks: client(). Each has an address of its own, and so its own rates."""
    clients: list[httpx2.Client] = []

    def client() -> httpx2.Client:
        address = f"127.1.{len(clients) // 250}.{len(clients) % 250 + 1}"
        way = httpx2.HTTPTransport(verify=False, trust_env=False, local_address=address)
        clients.append(httpx2.Client(transport=way, trust_env=False, timeout=PATIENCE))
        return clients[-1]

    yield client
    for each in clients:
        each.close()
