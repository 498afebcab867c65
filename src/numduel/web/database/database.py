"""The connection to the database: its address, its engines, retries and time-outs."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DatabaseError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from numduel.core.errors import SettingsError
from numduel.play.files import private_opener
from numduel.web import metrics
from numduel.web.errors import Busy

T = TypeVar("T")

TIMEOUT_SECONDS = 5
"""How long a request waits for a database that is locked, frozen or unreachable."""

SQLITE_LOCK_SECONDS = 1
"""How long one attempt waits for SQLite's lock. Short, so that others get their turn."""

POOL_SIZE = 5
"""How many connections to PostgreSQL a process has, beside the one that it listens on."""

_RETRY_SECONDS = 0.1
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}
_POOL: dict[str, Any] = {
    "max_overflow": 0,
    "pool_timeout": TIMEOUT_SECONDS,
    "hide_parameters": True,
}
_TRANSIENT = (OperationalError, InterfaceError, sa.exc.TimeoutError)


class NoAnswer(Exception):
    """The database has not answered in time, so that its connection was closed."""


def read_url(text: str) -> URL:
    """Return the address of a database with the driver that we use; raises SettingsError."""
    try:
        url = make_url(text if text.isprintable() else "")
        driver = _DRIVERS[url.get_backend_name()]
    except (sa.exc.ArgumentError, KeyError, ValueError):
        raise SettingsError(
            "the database must be sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
        ) from None
    if driver.startswith("sqlite") and (url.query or url.database in (None, "", ":memory:")):
        raise SettingsError("the database must be a file: sqlite:///FILE")
    return url.set(drivername=driver)


def postgresql_timeouts(url: URL, seconds: int, is_pooled: bool = False) -> dict[str, Any]:
    """Return connection arguments; a lock times out first, so that the error can say so.

    A pooler keeps neither options nor prepared statements for us: see deploy/pgbouncer.ini.
    """
    if is_pooled:
        return {"connect_timeout": seconds, "prepare_threshold": None}
    options = f"{url.query.get('options', '')} -c lock_timeout={seconds - 1}s".strip()
    return {"connect_timeout": seconds, "options": options}


def create_sqlite_file(url: URL) -> None:
    """Create an empty database that only its owner can read, unless there is a file already.

    It gets its journal mode under a name of its own, since SQLite does not wait for another who
    sets that of the same file. Errors are left to SQLite, which reports them when it opens it.
    """
    path = Path(url.database or "")
    if path.exists():
        return
    with suppress(OSError, sqlite3.Error), TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder, "made")
        open(made, "xb", opener=private_opener).close()
        with closing(sqlite3.connect(made)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        os.link(made, path)


def prepare_sqlite(connection: Any, _: object) -> None:
    """Set up a new connection: readers do not wait, commits are on disk, keys are checked."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def cause(error: Exception) -> str:
    """Return in one line why something went wrong with the database."""
    if isinstance(error, Busy):
        return error.cause
    why = getattr(error, "orig", None) or error
    return (str(why).strip() or type(why).__name__).splitlines()[0][:300]


class Database:
    """Runs transactions. What was committed is on disk."""

    def __init__(self, url: URL, direct: URL | None = None) -> None:
        """Connect to that address; `direct` is PostgreSQL's own, where that is a pooler's."""
        self.is_postgresql = url.get_backend_name() == "postgresql"
        self.direct_url = direct or url
        self.written = 0  # transactions so far
        if self.is_postgresql:
            arguments = postgresql_timeouts(url, TIMEOUT_SECONDS, is_pooled=direct is not None)
            self.engine = create_async_engine(
                url, pool_size=POOL_SIZE, **_POOL, connect_args=arguments
            )
        else:
            create_sqlite_file(url)
            # One connection writes, so that writers wait here in turn; readers need not wait.
            self.engine = _sqlite_engine(url, connections=1)
            self.reading = _sqlite_engine(url, connections=2)
        self.autocommitting = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        if self.is_postgresql:  # where BEGIN and COMMIT would take as long again as one query each
            self.reading = self.autocommitting

    async def close(self) -> None:
        """Close all connections."""
        await self.reading.dispose()
        await self.engine.dispose()

    async def write(
        self,
        work: Callable[[AsyncConnection], Awaitable[T]],
        retry_seconds: float | None = None,
    ) -> T:
        """Run the work in one transaction, and again if the database was unavailable.

        Raises Busy if it stays unavailable, and IntegrityError if a constraint is violated.
        """

        async def attempt() -> T:
            async with self.transaction("write") as connection:
                return await work(connection)

        return await self.retry(attempt, retry_seconds)

    async def read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run work that only reads, which waits for no writer; otherwise like `write`."""

        async def attempt() -> T:
            async with self._measured("read", self.reading) as connection:
                return await work(connection)

        return await self.retry(attempt)

    async def insert(self, table: sa.Table, row: dict[str, Any]) -> None:
        """Insert a row whose key is random, so that only a repeated attempt finds it taken."""
        with suppress(IntegrityError):
            await self.write(lambda connection: connection.execute(sa.insert(table), row))

    @asynccontextmanager
    async def transaction(self, kind: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that is not retried; `kind` is its label among the metrics."""
        async with self._measured(kind, self.engine) as connection, connection.begin():
            yield connection

    def autocommit(self, kind: str) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection on which each statement is its own transaction."""
        return self._measured(kind, self.autocommitting)

    async def retry(self, attempt: Callable[[], Awaitable[T]], seconds: float | None = None) -> T:
        """Repeat an attempt while the database is unavailable; raises Busy in the end."""
        deadline = time.monotonic() + (TIMEOUT_SECONDS if seconds is None else seconds)
        while True:
            try:
                return await attempt()
            except IntegrityError:
                raise
            except (DatabaseError, *_TRANSIENT, NoAnswer) as error:
                metrics.AWAY.labels(type(error).__name__).inc()
                if not self._is_transient(error) or time.monotonic() > deadline:
                    line = "The database does not answer just now: please try again."
                    raise Busy(line, cause=cause(error)) from error
                await asyncio.sleep(_RETRY_SECONDS)

    def _is_transient(self, error: Exception) -> bool:
        if isinstance(error, sa.exc.TimeoutError):
            return True
        original = getattr(error, "orig", None)
        if self.is_postgresql:
            waited = isinstance(original, psycopg.errors.LockNotAvailable)
            return isinstance(error, _TRANSIENT) and not waited
        code: int = getattr(original, "sqlite_errorcode", 0)
        return code & 0xFF == sqlite3.SQLITE_BUSY

    @asynccontextmanager
    async def _measured(self, kind: str, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """A connection that is closed if it does not answer in time; raises NoAnswer."""
        loop, timer = asyncio.get_running_loop(), None
        began = loop.time()
        try:
            async with engine.connect() as connection:
                if self.is_postgresql:
                    timer = loop.call_later(TIMEOUT_SECONDS, _shut_down, connection)
                yield connection
            self.written += kind != "read"
        except (OperationalError, InterfaceError) as error:
            if timer is not None and timer.when() <= loop.time():
                raise NoAnswer(f"no answer within {TIMEOUT_SECONDS:g} seconds") from error
            raise
        finally:
            if timer is not None:
                timer.cancel()
            metrics.DATABASE.labels(kind).observe(loop.time() - began)


def _sqlite_engine(url: URL, connections: int) -> AsyncEngine:
    arguments = {"timeout": SQLITE_LOCK_SECONDS}
    engine = create_async_engine(url, pool_size=connections, **_POOL, connect_args=arguments)
    sa.event.listen(engine.sync_engine, "connect", prepare_sqlite)
    return engine


def _shut_down(connection: AsyncConnection) -> None:
    """Shut down the socket of a connection, so that whoever waits for it gets an error."""
    with suppress(OSError, sa.exc.SQLAlchemyError, psycopg.Error):
        raw = connection.sync_connection
        assert raw is not None
        descriptor = raw.connection.driver_connection.fileno()  # type: ignore[union-attr]
        with socket.socket(fileno=os.dup(descriptor)) as line:
            line.shutdown(socket.SHUT_RDWR)
