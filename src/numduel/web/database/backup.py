"""Copies of a database: taken while people play, and put back."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

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
_REVISION = re.compile(r"^COPY public\.alembic_version .*\n(.+)", re.M)
# Of any revision: those of the copy may be fewer, or others. The function was there until 0007.
_DROP_TABLES = b"""
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DROP TABLE IF EXISTS public.%I CASCADE', name);
  END LOOP;
END $$;
DROP FUNCTION IF EXISTS public.numduel_tell() CASCADE;
"""


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
                _run("pg_dump", "--format=custom", "--file", str(part), url=url)
            else:
                _copy(Path(url.database or ""), part)
            if not _revision(url, part):
                raise NumduelError("the database has no tables of a server: nothing was copied")
            with part.open("rb") as written:
                os.fsync(written.fileno())
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)


def restore(text: str, file: Path) -> None:
    """Put a copy in the place of a database, all or nothing; it may be of an earlier revision.

    Raises NumduelError if it is of a later one, or if the database is being served.
    """
    url = read_url(text)
    if not (found := _revision(url, file)):
        raise NumduelError(f"{file} is not a copy of a server's games")
    check_known(found)
    if url.get_backend_name() == "postgresql":
        with connected(text) as connection:
            if connection.scalar(_OTHERS):
                raise NumduelError(_IN_USE)
        with TemporaryFile() as script:
            script.write(_DROP_TABLES)
            script.flush()
            _run("pg_restore", "--no-owner", "--file=-", str(file), stdout=script)
            script.seek(0)
            as_script = "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"
            _run("psql", *as_script, "--single-transaction", url=url, stdin=script)
        return
    with connected(text) as connection:
        try:  # which nobody can while another is connected
            connection.exec_driver_sql("PRAGMA journal_mode = DELETE")
        except sa.exc.OperationalError:
            raise NumduelError(_IN_USE) from None
    with _explaining(file):
        _copy(file, Path(url.database or ""))


def _revision(url: URL, file: Path) -> str:
    """Return the revision of the tables in a copy of such a database; empty if it has none."""
    if url.get_backend_name() == "postgresql":
        data = "--data-only", "--table=alembic_version", "--file=-"
        found = _REVISION.search(_run("pg_restore", *data, str(file)))
        return found[1] if found else ""
    with closing(_opened(file)) as copy, _explaining(file):
        if not copy.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        ).fetchall():
            return ""
        return "".join(*copy.execute("SELECT version_num FROM alembic_version"))


def _opened(file: Path) -> sqlite3.Connection:
    """Open a database of SQLite that is there, to read it."""
    with _explaining(file):
        return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a database of SQLite in one transaction, which holds up nobody who writes."""
    with closing(_opened(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode = DELETE")  # so that reading it writes nothing


def _run(
    program: str,
    *arguments: str,
    url: URL | None = None,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | int = subprocess.PIPE,
) -> str:
    """Run a program of PostgreSQL, on a database or on none; return what it prints."""
    command, environment = [program, *arguments], dict(os.environ)
    if url is not None:
        address = url.set(drivername="postgresql", password=None).render_as_string()
        command.insert(1, f"--dbname={address}")
        if url.password:  # which a command line would show to others
            environment["PGPASSWORD"] = str(url.password)
    try:
        done = subprocess.run(
            command, env=environment, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError:
        raise NumduelError(f"there is no program {program}: install PostgreSQL's client") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it failed"]
        line = next((line for line in lines if "error:" in line.lower()), lines[-1])
        raise NumduelError(f"{program}: {line.removeprefix(f'{program}: ')[:300]}")
    return done.stdout or ""


@contextmanager
def _explaining(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or cause(error)
        raise NumduelError(f"{file}: {why}") from None
