"""The database: its tables, how it is reached, and how it is brought to the present version."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from numduel.core.errors import NumduelError, SettingsError
from numduel.web.data.file import File
from numduel.web.problems import Busy

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}
_MIGRATING = 6_861_368_585  # the number of our lock among PostgreSQL's advisory locks

PATIENCE = 5
"""Seconds that whoever asks waits for a database that is locked, frozen or away."""

_LOCKED = 1  # seconds that a lock of SQLite's is waited for at a time: others have their turn
_STARTING = 10  # seconds that a server waits for the database before it starts

metadata = sa.MetaData()


def _room() -> sa.ForeignKey:
    return sa.ForeignKey("rooms.code", ondelete="CASCADE")


rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("secret", sa.Text, nullable=False),  # the hash of the teacher's secret
    sa.Column("setup", sa.Text, nullable=False),  # of each game in it
    sa.Column("coach", sa.Boolean, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("touched", sa.BigInteger, nullable=False),
    sa.Column("locked", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("screened", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("answered", sa.Integer, nullable=False, server_default="0"),  # how often
    sa.Column("chain", sa.Integer, nullable=False, server_default="0"),  # the size of its board
)

pupils = sa.Table(
    "pupils",
    metadata,
    sa.Column("room", sa.Text, _room(), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),
    sa.UniqueConstraint("room", "name"),
)

outside = sa.Table(  # who waits to be a pupil, and who was one
    "outside",
    metadata,
    sa.Column("room", sa.Text, _room(), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("removed", sa.Integer),  # the room's version when they were; null: they wait
)

duels = sa.Table(
    "duels",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("seat1", sa.Text),  # the hash of the seat's secret; null: the computer
    sa.Column("seat2", sa.Text),
    sa.Column("name1", sa.Text),
    sa.Column("name2", sa.Text),
    sa.Column("coach", sa.Boolean, nullable=False),
    sa.Column("room", sa.Text, _room(), index=True),
    sa.Column("room_round", sa.Integer),
    sa.Column("pupil1", sa.Integer),
    sa.Column("pupil2", sa.Integer),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("finished", sa.Boolean, nullable=False),  # whether a round was
    sa.Column("over", sa.Boolean, nullable=False),  # whether a match was
    sa.Column("champion", sa.Integer),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("duel", sa.Text, sa.ForeignKey("duels.name", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("token", sa.Text, nullable=False),  # tells two equal events apart
)

questions = sa.Table(  # of each room, the one that is posed now
    "questions",
    metadata,
    sa.Column("room", sa.Text, _room(), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("stage", sa.Text, nullable=False),
    sa.Column("worth", sa.Text, nullable=False),  # the value of each move, where it is revealed
)

answers = sa.Table(
    "answers",
    metadata,
    sa.Column(
        "room", sa.Text, sa.ForeignKey("questions.room", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("pupil", sa.Integer, primary_key=True),
    sa.Column("move", sa.Text, nullable=False),
)

chains = sa.Table(  # the longest of each pupil, on the room's board
    "chains",
    metadata,
    sa.Column("room", sa.Text, _room(), primary_key=True),
    sa.Column("pupil", sa.Integer, primary_key=True),
    sa.Column("made", sa.Integer, nullable=False),  # the first to be made has the lowest
    sa.Column("numbers", sa.Text, nullable=False),
)

records = sa.Table(
    "records",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

calendar = sa.Table(  # of one row: the database's own time
    "calendar",
    metadata,
    sa.Column("day", sa.Integer, nullable=False),  # by the clock that told it last
    sa.Column("number", sa.Integer, nullable=False),  # its own
    sa.Column("seen", sa.BigInteger, nullable=False),
)


def read_url(text: str) -> URL:
    """The address of a database, with the driver that we use; SettingsError if it is none."""
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


def connect(url: URL) -> AsyncEngine:
    """The way to the database; what it commits is on disk."""
    if url.get_backend_name() == "postgresql":
        return create_async_engine(url, pool_size=10, **_OPTIONS, connect_args=_waiting(url))
    # One connection: SQLite writes one thing at a time, and what waits here waits in turn.
    file = File.of(url)
    file.create()
    engine = create_async_engine(_existing(url), pool_size=1, **_OPTIONS, connect_args=_LOCK)
    sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    file.follow(engine)
    return engine


def connect_reading(engine: AsyncEngine) -> AsyncEngine:
    """A way for those who only read: no writer, here or elsewhere, lets them wait."""
    if engine.dialect.name == "postgresql":
        return engine
    reading = create_async_engine(engine.url, pool_size=2, **_OPTIONS, connect_args=_LOCK)
    sa.event.listen(reading.sync_engine, "connect", _prepare_sqlite)
    File.of(engine.url).follow(reading)
    return reading


_OPTIONS: dict[str, Any] = {"max_overflow": 0, "pool_timeout": PATIENCE, "hide_parameters": True}
_LOCK = {"timeout": _LOCKED}


def _waiting(url: URL, seconds: int = PATIENCE) -> dict[str, Any]:
    """How long PostgreSQL is waited for; a lock a little less, so that it can say so."""
    options = f"{url.query.get('options', '')} -c lock_timeout={seconds - 1}s".strip()
    return {"connect_timeout": seconds, "options": options}


def _existing(url: URL) -> URL:
    """A file of SQLite's that is there, for SQLite would put an empty one where it is not."""
    name = File.of(url).path.as_uri()
    return url.set(database=name, query={"uri": "true", "mode": "rw"})


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def migrate(engine: AsyncEngine) -> None:
    """Bring the tables to the present version, once, however many servers start together."""
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))
        _run(connection)
    else:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {_STARTING * 1000}")
        # Or the driver would commit table after table, and leave half of them when killed.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        _run(connection)
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {_LOCKED * 1000}")


def _run(connection: Connection) -> None:
    found = revision(connection)
    if found is not None and found not in _revisions():
        raise NumduelError(
            f"the database cannot be used: it is of a later version of numduel (its revision is "
            f"{found[:20]}, ours {head()})"
        )
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """The revisions that we know, the latest first."""
    scripts = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(script.revision for script in scripts)


def head() -> str:
    """The revision that the tables are to have."""
    return _revisions()[0]


def revision(connection: Connection) -> str | None:
    """The revision of the tables that are there."""
    return MigrationContext.configure(connection).get_current_revision()


def prepare(text: str) -> None:
    """Bring a database to the present version before it is served; NumduelError says why not."""
    url = read_url(text)
    if url.get_backend_name() == "postgresql":
        waiting = _waiting(url, _STARTING)
        engine = sa.create_engine(url, hide_parameters=True, connect_args=waiting)
    else:
        File.of(url).create()
        here = _existing(url).set(drivername="sqlite")
        engine = sa.create_engine(here, hide_parameters=True, connect_args={"timeout": _STARTING})
        sa.event.listen(engine, "connect", _prepare_sqlite)
    try:
        with engine.begin() as connection:
            _upgrade(connection)
    except (sa.exc.SQLAlchemyError, OSError) as error:
        raise NumduelError(f"the database cannot be used: {cause(error)}") from None
    finally:
        engine.dispose()


def cause(error: Exception) -> str:
    """Why something went wrong with the database, in one line."""
    if isinstance(error, Busy):
        return error.cause
    why = getattr(error, "orig", None) or error
    return (str(why).strip() or type(why).__name__).splitlines()[0][:300]
