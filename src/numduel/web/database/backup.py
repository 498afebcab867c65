"""Copies of a database: taken while people play, and put back."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL

from numduel.core.errors import NumduelError
from numduel.web.database.database import cause, read_url
from numduel.web.database.migration import check_known, connected

_IN_USE = "the database is in use: stop the server first"
_OTHERS = sa.text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IS NOT NULL"
)


def back_up(text: str, file: Path) -> None:
    """Write a copy of a database to a new file; what was committed before is in it. NumduelError.

    The file is complete, or it is not there.
    """
    if file.exists():
        raise NumduelError(f"{file} already exists")
    url, part = read_url(text), file.with_name(f".{file.name}-{os.getpid()}")
    with _explaining(file):
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY, 0o600))
        try:
            if url.get_backend_name() == "postgresql":
                _run("pg_dump", url, "--format=custom", "--file", str(part))
            else:
                _copy(url.database or "", part)
            with part.open("rb") as written:
                os.fsync(written.fileno())
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)


def restore(text: str, file: Path) -> None:
    """Put a copy in the place of a database, all or nothing; NumduelError if it is being served."""
    url = read_url(text)
    if url.get_backend_name() == "postgresql":
        with connected(text) as connection:
            if connection.scalar(_OTHERS):
                raise NumduelError(_IN_USE)
        _run("pg_restore", url, "--single-transaction", "--clean", "--if-exists", str(file))
        return
    with _explaining(file), closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as copy:
        found = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    check_known(found and found[0])
    with connected(text) as connection:
        try:  # which nobody can while another is connected
            connection.exec_driver_sql("PRAGMA journal_mode = DELETE")
        except sa.exc.OperationalError:
            raise NumduelError(_IN_USE) from None
    with _explaining(file):
        _copy(str(file), Path(url.database or ""))


def _copy(source: str, target: Path) -> None:
    """Copy a database of SQLite in one transaction, which holds up nobody who writes."""
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.backup(writing)


def _run(program: str, url: URL, *arguments: str) -> None:
    """Run a program of PostgreSQL, which gets the password by its environment."""
    address = url.set(drivername="postgresql", password=None).render_as_string()
    environment = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    command = [program, f"--dbname={address}", *arguments]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    except FileNotFoundError:
        raise NumduelError(f"there is no program {program}: install PostgreSQL's client") from None
    if done.returncode:
        raise NumduelError(f"{program}: {done.stderr.strip().splitlines()[-1][:300]}")


@contextmanager
def _explaining(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise NumduelError(f"{file}: {cause(error)}") from None
