"""Backups of a database, which can be made while people play, and restoring them."""

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
# Drops the tables of any revision, because the backup may have others. Until revision 0007
# there was a function.
_DROP_TABLES = b"""
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DROP TABLE IF EXISTS public.%I CASCADE', name);
  END LOOP;
END $$;
DROP FUNCTION IF EXISTS public.numduel_tell() CASCADE;
"""


def back_up(text: str, file: Path) -> None:
    """Copy a database, with everything committed so far, to a new file; raises NumduelError.

    The file appears only once it is complete.
    """
    if file.exists():
        raise NumduelError(f"{file} already exists")
    url, part = read_url(text), file.with_name(f".{file.name}-{os.getpid()}")
    with _file_errors(file):
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY, 0o600))
        try:
            if url.get_backend_name() == "postgresql":
                _run_program("pg_dump", "--format=custom", "--file", str(part), url=url)
            else:
                _copy_sqlite(Path(url.database or ""), part)
            if not _revision_of(url, part):
                raise NumduelError("the database has no tables of a server: nothing was copied")
            with part.open("rb") as written:
                os.fsync(written.fileno())
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)


def restore(text: str, file: Path) -> None:
    """Replace a database by a backup, completely or not at all.

    The backup may have an earlier revision. Raises NumduelError if it has a later one, or if a
    server uses the database.
    """
    url = read_url(text)
    if not (revision := _revision_of(url, file)):
        raise NumduelError(f"{file} is not a copy of a server's games")
    check_known(revision)
    if url.get_backend_name() == "postgresql":
        with connected(text) as connection:
            if connection.scalar(_OTHERS):
                raise NumduelError(_IN_USE)
        with TemporaryFile() as script:
            script.write(_DROP_TABLES)
            script.flush()
            _run_program("pg_restore", "--no-owner", "--file=-", str(file), stdout=script)
            script.seek(0)
            as_script = "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"
            _run_program("psql", *as_script, "--single-transaction", url=url, stdin=script)
        return
    with connected(text) as connection:
        try:  # fails while anybody else is connected
            connection.exec_driver_sql("PRAGMA journal_mode = DELETE")
        except sa.exc.OperationalError:
            raise NumduelError(_IN_USE) from None
    with _file_errors(file):
        _copy_sqlite(file, Path(url.database or ""))


def _revision_of(url: URL, file: Path) -> str:
    """Return the revision of the tables in a backup of such a database; empty if it has none."""
    if url.get_backend_name() == "postgresql":
        data = "--data-only", "--table=alembic_version", "--file=-"
        match = _REVISION.search(_run_program("pg_restore", *data, str(file)))
        return match[1] if match else ""
    with closing(_open_to_read(file)) as copy, _file_errors(file):
        if not copy.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        ).fetchall():
            return ""
        return "".join(*copy.execute("SELECT version_num FROM alembic_version"))


def _open_to_read(file: Path) -> sqlite3.Connection:
    """Open an existing SQLite database read-only."""
    with _file_errors(file):
        return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy an SQLite database in one transaction, which blocks no writer."""
    with closing(_open_to_read(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute(
            "PRAGMA journal_mode = DELETE"
        )  # reading a copy in WAL mode would write beside it


def _run_program(
    program: str,
    *arguments: str,
    url: URL | None = None,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | int = subprocess.PIPE,
) -> str:
    """Run a program of PostgreSQL, on a database if given; return what it prints."""
    command, environment = [program, *arguments], dict(os.environ)
    if url is not None:
        address = url.set(drivername="postgresql", password=None).render_as_string()
        command.insert(1, f"--dbname={address}")
        if url.password:  # not on the command line, which others can see
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
def _file_errors(file: Path) -> Iterator[None]:
    """Turn an error of the system or of SQLite into a NumduelError that names the file."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or cause(error)
        raise NumduelError(f"{file}: {why}") from None
