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

TIMEOUT_SECONDS = 5  # how long a request waits for a database that is locked, frozen or unreachable
SQLITE_LOCK_SECONDS = 1  # for one attempt; short, so that others get a turn
POOL_SIZE = 5  # connections to PostgreSQL of one process, beside the one that listens

_RETRY_SECONDS = 0.1
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}
_POOL: dict[str, Any] = {
    "max_overflow": 0,
    "pool_timeout": TIMEOUT_SECONDS,
    "hide_parameters": True,
}
_TRANSIENT = (OperationalError, InterfaceError, sa.exc.TimeoutError)


class NoAnswer(Exception):
    """The connection was closed, because the database did not answer in time."""


def read_url(text: str) -> URL:
    """Return the address of a database, with our driver; raises SettingsError."""
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
    """Return connection arguments. A lock times out a second earlier, so that the error names it.

    A pooler keeps neither options nor prepared statements for us: see deploy/pgbouncer.ini.
    """
    if is_pooled:
        return {"connect_timeout": seconds, "prepare_threshold": None}
    options = f"{url.query.get('options', '')} -c lock_timeout={seconds - 1}s".strip()
    return {"connect_timeout": seconds, "options": options}


def create_sqlite_file(url: URL) -> None:
    """Create an empty database that only its owner can read, unless the file exists.

    The journal mode is set under a temporary name, because SQLite does not wait for another process
    that sets it on the same file. SQLite itself reports errors when it opens the file.
    """
    path = Path(url.database or "")
    if path.exists():
        return
    with suppress(OSError, sqlite3.Error), TemporaryDirectory(dir=path.parent) as folder:
        new = Path(folder, "new")
        open(new, "xb", opener=private_opener).close()
        with closing(sqlite3.connect(new)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        os.link(new, path)


def prepare_sqlite(connection: Any, _: object) -> None:
    """Set up a connection: readers never wait, commits reach the disk, foreign keys are checked."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def cause(error: Exception) -> str:
    """Return one line on why the database failed."""
    if isinstance(error, Busy):
        return error.cause
    why = getattr(error, "orig", None) or error
    return (str(why).strip() or type(why).__name__).splitlines()[0][:300]


class Database:
    """Runs transactions. Whatever was committed is on disk."""

    def __init__(self, url: URL, direct: URL | None = None) -> None:
        """Prepare engines; `direct` is PostgreSQL's own address if `url` is a pooler's."""
        self.is_postgresql = url.get_backend_name() == "postgresql"
        self.direct_url = direct or url
        self.written = 0  # writing transactions so far
        if self.is_postgresql:
            arguments = postgresql_timeouts(url, TIMEOUT_SECONDS, is_pooled=direct is not None)
            self.engine = create_async_engine(
                url, pool_size=POOL_SIZE, **_POOL, connect_args=arguments
            )
        else:
            create_sqlite_file(url)
            # With one writing connection, writers queue here; readers do not wait.
            self.engine = _sqlite_engine(url, connections=1)
            self.reading = _sqlite_engine(url, connections=2)
        self.autocommitting = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        if self.is_postgresql:  # BEGIN and COMMIT would cost a round trip each
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
        """Run the work in one transaction; repeat it while the database is unavailable.

        Raises Busy if it stays unavailable, and IntegrityError if a constraint is violated.
        """

        async def attempt() -> T:
            async with self.transaction("write") as connection:
                return await work(connection)

        return await self.retry(attempt, retry_seconds)

    async def read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run work that only reads, without waiting for writers; otherwise like `write`."""

        async def attempt() -> T:
            async with self._measured("read", self.reading) as connection:
                return await work(connection)

        return await self.retry(attempt)

    async def insert(self, table: sa.Table, row: dict[str, Any]) -> None:
        """Insert a row with a random key, which only a repeated attempt can find taken."""
        with suppress(IntegrityError):
            await self.write(lambda connection: connection.execute(sa.insert(table), row))

    @asynccontextmanager
    async def transaction(self, kind: str) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that is not retried; `kind` labels it in the metrics."""
        async with self._measured(kind, self.engine) as connection, connection.begin():
            yield connection

    def autocommit(self, kind: str) -> AbstractAsyncContextManager[AsyncConnection]:
        """Open a connection on which each statement is its own transaction."""
        return self._measured(kind, self.autocommitting)

    async def retry(self, attempt: Callable[[], Awaitable[T]], seconds: float | None = None) -> T:
        """Repeat an attempt while the database is unavailable; raises Busy after a time-out."""
        deadline = time.monotonic() + (TIMEOUT_SECONDS if seconds is None else seconds)
        while True:
            try:
                return await attempt()
            except IntegrityError:
                raise
            except (DatabaseError, *_TRANSIENT, NoAnswer) as error:
                metrics.DATABASE_FAILURES.labels(type(error).__name__).inc()
                if not self._is_transient(error) or time.monotonic() > deadline:
                    line = "The database does not answer just now: please try again."
                    raise Busy(line, cause=cause(error)) from error
                await asyncio.sleep(_RETRY_SECONDS)

    def _is_transient(self, error: Exception) -> bool:
        if isinstance(error, sa.exc.TimeoutError):
            return True
        original = getattr(error, "orig", None)
        if self.is_postgresql:
            is_locked = isinstance(original, psycopg.errors.LockNotAvailable)
            return isinstance(error, _TRANSIENT) and not is_locked
        code: int = getattr(original, "sqlite_errorcode", 0)
        return code & 0xFF == sqlite3.SQLITE_BUSY

    @asynccontextmanager
    async def _measured(self, kind: str, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """Open a connection; raises NoAnswer if it has to be closed because of a time-out."""
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
            metrics.DATABASE_SECONDS.labels(kind).observe(loop.time() - began)


def _sqlite_engine(url: URL, connections: int) -> AsyncEngine:
    arguments = {"timeout": SQLITE_LOCK_SECONDS}
    engine = create_async_engine(url, pool_size=connections, **_POOL, connect_args=arguments)
    sa.event.listen(engine.sync_engine, "connect", prepare_sqlite)
    return engine


def _shut_down(connection: AsyncConnection) -> None:
    """Shut down the socket of a connection, so that pending statements fail."""
    with suppress(OSError, sa.exc.SQLAlchemyError, psycopg.Error):
        raw = connection.sync_connection
        assert raw is not None
        descriptor = raw.connection.driver_connection.fileno()  # type: ignore[union-attr]
        with socket.socket(fileno=os.dup(descriptor)) as line:
            line.shutdown(socket.SHUT_RDWR)
