"""Migrates the tables of a database to the present revision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from numduel.core.errors import NumduelError
from numduel.web.database.database import (
    cause,
    create_sqlite_file,
    postgresql_timeouts,
    prepare_sqlite,
    read_url,
)

_LOCK = 6_861_368_585  # our advisory lock in PostgreSQL
_START_TIMEOUT_SECONDS = 10
_LOCK_SECONDS = _START_TIMEOUT_SECONDS - 1  # earlier, so that the error names the lock


@contextmanager
def connected(text: str) -> Iterator[Connection]:
    """Open a transaction on a database; raises NumduelError if it cannot be used."""
    url = read_url(text)
    if url.get_backend_name() == "postgresql":
        arguments = postgresql_timeouts(url, _START_TIMEOUT_SECONDS, is_pooled=True)
        engine = sa.create_engine(url, hide_parameters=True, connect_args=arguments)
    else:
        create_sqlite_file(url)
        arguments = {"timeout": _START_TIMEOUT_SECONDS}
        url = url.set(drivername="sqlite")
        engine = sa.create_engine(url, hide_parameters=True, connect_args=arguments)
        sa.event.listen(engine, "connect", prepare_sqlite)
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
            yield connection
    except (sa.exc.SQLAlchemyError, OSError) as error:
        raise NumduelError(f"the database cannot be used: {cause(error)}") from None
    finally:
        engine.dispose()


def migrate(text: str) -> None:
    """Migrate the tables to the present revision, once if several servers start together.

    Raises NumduelError if the database cannot be used.
    """
    with connected(text) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        else:
            # Otherwise the driver commits after each table, and a kill leaves only some of them.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        check_known(revision(connection))
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def head() -> str:
    """Return the revision that the tables should have."""
    return _revisions()[0]


def revision(connection: Connection) -> str | None:
    """Return the revision that the tables have."""
    return MigrationContext.configure(connection).get_current_revision()


def check_known(revision: str | None) -> None:
    """Raise NumduelError if the revision of the tables is unknown."""
    if revision is not None and revision not in _revisions():
        raise NumduelError(
            f"the database cannot be used: it is of a later version of numduel (its revision is "
            f"{revision[:20]}, ours {head()})"
        )


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """Return all revisions, the latest first."""
    scripts = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(script.revision for script in scripts)
