"""`numduel serve --check`: what would go wrong, before the first visitor comes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from numduel.core.errors import NumduelError
from numduel.web.database import migration
from numduel.web.database.database import POOL_SIZE, read_url
from numduel.web.database.tables import duels, now
from numduel.web.limits import MAX_CONNECTIONS, RESERVED_FILES
from numduel.web.security import check_hosts

WORKER_MB = 350  # of a worker and the processes that compute for it, while people play
MAX_CLOCK_SECONDS = 5.0  # by which the clock of the database may differ from ours

_PROC, _CGROUPS = Path("/proc"), Path("/sys/fs/cgroup")  # exist on Linux only


class Doubt(NumduelError):
    """A possible problem, which keeps no server from starting."""


class Finding(NamedTuple):
    """The result of one check."""

    what: str  # was checked
    line: str  # its state, or what is wrong with it
    error: NumduelError | None = None


def findings(database: str, direct: str, workers: int, hosts: tuple[str, ...]) -> Iterator[Finding]:
    """Check everything that a server depends on, without changing anything."""
    needed = workers * (1 if direct else POOL_SIZE + 1)
    with ExitStack() as stack:
        database = _existing_or_temporary(database, stack)
        checks: list[tuple[str, str, Callable[[Connection], str]]] = [
            ("database", database, lambda connection: connection.dialect.name),
            ("migrations", database, _migrations),
            ("permissions", database, _permissions),
            ("clock", database, _clock),
            ("connections", direct or database, partial(_connections, needed=needed)),
        ]
        for what, url, check in checks:
            yield (finding := _run_check(what, partial(_check_database, url, check)))
            if what == "database" and finding.error:
                break
    yield _run_check("host names", partial(_host_names, hosts))
    yield _run_check("proxy", _proxy)
    yield _run_check("memory", partial(_memory, workers))
    yield _run_check("open files", _files)


def _existing_or_temporary(database: str, stack: ExitStack) -> str:
    """Return the database's address, or that of a temporary file if SQLite's does not exist yet."""
    with suppress(OSError, NumduelError):  # the check of the database reports these
        url = read_url(database)
        file = Path(url.database or "")
        if url.get_backend_name() == "sqlite" and not file.exists():
            return f"sqlite:///{stack.enter_context(TemporaryDirectory(dir=file.parent))}/new"
    return database


def _run_check(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, check())
    except NumduelError as error:
        return Finding(what, str(error), error)


def _check_database(database: str, check: Callable[[Connection], str]) -> str:
    with migration.connected(database) as connection:
        line = check(connection)
        connection.rollback()
        return line


def _migrations(connection: Connection) -> str:
    found, head = migration.revision(connection), migration.head()
    migration.check_known(found)
    if found == head:
        return f"revision {head}"
    return f"{found or 'empty'}; the start migrates to {head}"


def _permissions(connection: Connection) -> str:
    is_sqlite, file = connection.dialect.name == "sqlite", connection.engine.url.database or ""
    connection.exec_driver_sql("BEGIN" if is_sqlite else "SELECT 1")
    connection.exec_driver_sql("CREATE TABLE numduel_check (number INTEGER)")
    if is_sqlite and Path(file).stat().st_mode & 0o077:
        raise NumduelError(f"others can read {file}: chmod 600 {file}")
    return "tables can be created and written"


def _clock(connection: Connection) -> str:
    ahead = (connection.scalar(sa.select(now())) or 0) - time.time()
    if abs(ahead) > MAX_CLOCK_SECONDS:
        raise Doubt(f"the database's clock differs from ours by {abs(ahead):,.0f} seconds")
    latest = sa.select(sa.func.max(duels.c.created))
    with suppress(sa.exc.ProgrammingError, sa.exc.OperationalError):  # there are no tables yet
        if (connection.scalar(latest) or 0) > time.time() + MAX_CLOCK_SECONDS:
            raise Doubt("the last game began in the future: a clock is or was wrong")
    return "right"


def _connections(connection: Connection, needed: int) -> str:
    if connection.dialect.name == "sqlite":
        return "as many as are needed"
    settings = ("max_connections", "superuser_reserved_connections")
    most, reserved = (
        int(connection.exec_driver_sql(f"SHOW {one}").scalar() or 0) for one in settings
    )
    if needed > most - reserved:
        raise NumduelError(f"{needed} are needed, and PostgreSQL has {most - reserved}")
    return f"{needed} of {most - reserved}"


def _host_names(hosts: tuple[str, ...]) -> str:
    check_hosts(hosts)
    return ", ".join(hosts) or "only its own (add others with --allow-host)"


def _proxy() -> str:
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
    if "*" in trusted:
        raise NumduelError("FORWARDED_ALLOW_IPS lets everybody claim any address")
    return f"{trusted} may say which address a visitor has"


def _memory(workers: int) -> str:
    needed, free = workers * WORKER_MB, []
    with suppress(OSError, ValueError, StopIteration):
        lines = (_PROC / "meminfo").read_text().splitlines()
        free.append(int(next(one for one in lines if "Available" in one).split()[1]) // 2**10)
    with suppress(OSError, IndexError):
        # The limits of our control group and its parents: 0::/system.slice/numduel.service
        own = (_PROC / "self/cgroup").read_text().splitlines()[-1].partition("::/")[2]
        for group in (_CGROUPS / own, *(_CGROUPS / own).parents):
            with suppress(OSError, ValueError):  # "max" stands for no limit
                free.append(int((group / "memory.max").read_text()) // 2**20)
    if free and min(free) < needed:
        raise Doubt(f"{needed} MB are needed, {min(free):,} MB are free")
    return f"{needed} MB are needed, and seem to be free"


def _files() -> str:
    try:
        import resource
    except ImportError:
        return "this system has no limit"
    allowed, wanted = (
        resource.getrlimit(resource.RLIMIT_NOFILE)[1],
        MAX_CONNECTIONS + RESERVED_FILES,
    )
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        raise Doubt(f"{wanted:,} are used, {allowed:,} allowed")
    return f"{wanted:,} are allowed"
