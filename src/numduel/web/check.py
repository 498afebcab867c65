"""What is wrong with a server before its first visitor: `numduel serve --check`."""

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

WORKER_MB = 350
"""Memory of a worker and of what computes for it, while people play."""

MAX_CLOCK_SECONDS = 5.0
"""How much the clock of the database may differ from ours."""

_PROC, _CGROUPS = Path("/proc"), Path("/sys/fs/cgroup")  # exist on Linux only


class Doubt(NumduelError):
    """What may be wrong, and keeps no server from starting."""


class Finding(NamedTuple):
    """What was looked at, how it is, and what is wrong with it, if anything."""

    what: str
    line: str
    error: NumduelError | None = None


def findings(database: str, direct: str, workers: int, hosts: tuple[str, ...]) -> Iterator[Finding]:
    """Look at everything that a server depends on; nothing is changed."""
    needed = workers * (1 if direct else POOL_SIZE + 1)
    with ExitStack() as stack:
        database = _existing(database, stack)
        checks: list[tuple[str, str, Callable[[Connection], str]]] = [
            ("database", database, lambda connection: connection.dialect.name),
            ("migrations", database, _migrations),
            ("rights", database, _rights),
            ("clock", database, _clock),
            ("connections", direct or database, partial(_connections, needed=needed)),
        ]
        for what, url, check in checks:
            yield (found := _checked(what, partial(_on, url, check)))
            if what == "database" and found.error:
                break
    yield _checked("host names", partial(_names, hosts))
    yield _checked("proxy", _proxy)
    yield _checked("memory", partial(_memory, workers))
    yield _checked("open files", _files)


def _existing(database: str, stack: ExitStack) -> str:
    """Return the address of the database, or of a temporary file beside one yet to be made."""
    with suppress(OSError, NumduelError):  # which are found at once
        url = read_url(database)
        file = Path(url.database or "")
        if url.get_backend_name() == "sqlite" and not file.exists():
            return f"sqlite:///{stack.enter_context(TemporaryDirectory(dir=file.parent))}/new"
    return database


def _checked(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, check())
    except NumduelError as error:
        return Finding(what, str(error), error)


def _on(database: str, check: Callable[[Connection], str]) -> str:
    with migration.connected(database) as connection:
        line = check(connection)
        connection.rollback()
        return line


def _migrations(connection: Connection) -> str:
    found, head = migration.revision(connection), migration.head()
    migration.check_known(found)
    return f"revision {head}" if found == head else f"{found or 'empty'}, to become {head} at start"


def _rights(connection: Connection) -> str:
    is_sqlite, file = connection.dialect.name == "sqlite", connection.engine.url.database or ""
    connection.exec_driver_sql("BEGIN" if is_sqlite else "SELECT 1")
    connection.exec_driver_sql("CREATE TABLE numduel_check (number INTEGER)")
    if is_sqlite and Path(file).stat().st_mode & 0o077:
        raise NumduelError(f"others can read {file}: chmod 600 {file}")
    return "tables can be made and written"


def _clock(connection: Connection) -> str:
    ahead = (connection.scalar(sa.select(now())) or 0) - time.time()
    if abs(ahead) > MAX_CLOCK_SECONDS:
        raise Doubt(f"the database's clock differs from ours by {abs(ahead):,.0f} seconds")
    latest = sa.select(sa.func.max(duels.c.created))
    with suppress(sa.exc.ProgrammingError, sa.exc.OperationalError):  # there are no tables yet
        if (connection.scalar(latest) or 0) > time.time() + MAX_CLOCK_SECONDS:
            raise Doubt("the last game was begun in the future: a clock was or is wrong")
    return "right"


def _connections(connection: Connection, needed: int) -> str:
    if connection.dialect.name == "sqlite":
        return "as many as are needed"
    settings = ("max_connections", "superuser_reserved_connections")
    most, kept = (int(connection.exec_driver_sql(f"SHOW {one}").scalar() or 0) for one in settings)
    if needed > most - kept:
        raise NumduelError(f"{needed} are needed, and PostgreSQL has {most - kept}")
    return f"{needed} of {most - kept}"


def _names(hosts: tuple[str, ...]) -> str:
    check_hosts(hosts)
    return ", ".join(hosts) or "no name but its own (--allow-host)"


def _proxy() -> str:
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
    if "*" in trusted:
        raise NumduelError("FORWARDED_ALLOW_IPS trusts everybody's word")
    return f"{trusted} may say who a visitor is"


def _memory(workers: int) -> str:
    needed, free = workers * WORKER_MB, []
    with suppress(OSError, ValueError, StopIteration):
        lines = (_PROC / "meminfo").read_text().splitlines()
        free.append(int(next(one for one in lines if "Available" in one).split()[1]) // 2**10)
    with suppress(OSError, IndexError):
        # Of this process and of what it is in: 0::/system.slice/numduel.service
        own = (_PROC / "self/cgroup").read_text().splitlines()[-1].partition("::/")[2]
        for group in (_CGROUPS / own, *(_CGROUPS / own).parents):
            with suppress(OSError, ValueError):  # "max" is no bound
                free.append(int((group / "memory.max").read_text()) // 2**20)
    if free and min(free) < needed:
        raise Doubt(f"{needed} MB are needed, {min(free):,} MB are free")
    return f"{needed} MB are needed, and free as far as is known"


def _files() -> str:
    try:
        import resource
    except ImportError:
        return "this system has no limit"
    most, wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[1], MAX_CONNECTIONS + RESERVED_FILES
    if most != resource.RLIM_INFINITY and most < wanted:
        raise Doubt(f"{wanted:,} are used, {most:,} allowed")
    return f"{wanted:,} are allowed"
