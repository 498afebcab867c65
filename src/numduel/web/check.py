"""What is wrong with a server before its first visitor: `numduel serve --check`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from numduel.core.errors import NumduelError
from numduel.web.database import migration
from numduel.web.database.database import POOL_SIZE
from numduel.web.database.tables import events, now
from numduel.web.limits import MAX_CONNECTIONS, RESERVED_FILES

WORKER_MB = 350
"""Memory of a worker and of what computes for it, while people play."""

MAX_CLOCK_SECONDS = 5.0
"""How much the clock of the database may differ from ours."""

_MEMORY = Path("/proc/meminfo"), Path("/sys/fs/cgroup/memory.max")  # exist on Linux only


class Finding(NamedTuple):
    """What was looked at, and what is wrong with it or how it is."""

    what: str
    line: str
    is_wrong: bool = False


def findings(database: str, direct: str, workers: int, hosts: tuple[str, ...]) -> Iterator[Finding]:
    """Look at everything that a server depends on; nothing is changed."""
    checks: list[tuple[str, Callable[[Connection], str]]] = [
        ("database", lambda connection: connection.dialect.name),
        ("migrations", _migrations),
        ("rights", _rights),
        ("clock", _clock),
        ("connections", lambda connection: _connections(connection, 0 if direct else workers)),
    ]
    for what, check in checks:
        yield (found := _checked(what, lambda check=check: _on(database, check)))  # type: ignore[misc]
        if what == "database" and found.is_wrong:
            break
    if direct:
        yield _checked("direct database", lambda: _on(direct, checks[0][1]))
    yield _checked("proxy", lambda: _proxy(hosts))
    yield _checked("memory", lambda: _memory(workers))
    yield _checked("open files", _files)


def _checked(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, check())
    except NumduelError as error:
        return Finding(what, str(error), is_wrong=True)


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
        raise NumduelError(f"the database's clock differs from ours by {abs(ahead):,.0f} seconds")
    with suppress(sa.exc.ProgrammingError, sa.exc.OperationalError):  # there are no tables yet
        latest = connection.scalar(sa.select(sa.func.max(events.c.at))) or 0
        if latest > time.time() + MAX_CLOCK_SECONDS:
            raise NumduelError("the last move was made in the future: a clock was or is wrong")
    return "right"


def _connections(connection: Connection, workers: int) -> str:
    if connection.dialect.name == "sqlite" or not workers:
        return "as many as are needed"
    settings = ("max_connections", "superuser_reserved_connections")
    most, kept = (int(connection.exec_driver_sql(f"SHOW {one}").scalar() or 0) for one in settings)
    needed = workers * (POOL_SIZE + 1)
    if needed > most - kept:
        raise NumduelError(f"{workers} workers need {needed}, and PostgreSQL has {most - kept}")
    return f"{needed} of {most - kept}"


def _proxy(hosts: tuple[str, ...]) -> str:
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
    if "*" in trusted:
        raise NumduelError("FORWARDED_ALLOW_IPS trusts everybody's word")
    names = ", ".join(hosts) or "no name but its own (--allow-host)"
    return f"{trusted} may say who a visitor is; known as {names}"


def _memory(workers: int) -> str:
    needed, free = workers * WORKER_MB, []
    with suppress(OSError, ValueError, StopIteration):
        lines = _MEMORY[0].read_text().splitlines()
        free.append(int(next(one for one in lines if "Available" in one).split()[1]) // 2**10)
        free.append(int(_MEMORY[1].read_text()) // 2**20)
    if free and min(free) < needed:
        raise NumduelError(f"{needed} MB are needed, {min(free):,} MB are free")
    return f"{needed} MB are needed, and free as far as is known"


def _files() -> str:
    try:
        import resource
    except ImportError:
        return "this system has no limit"
    most, wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[1], MAX_CONNECTIONS + RESERVED_FILES
    if most != resource.RLIM_INFINITY and most < wanted:
        raise NumduelError(f"{wanted:,} are used, {most:,} allowed")
    return f"{wanted:,} are allowed"
