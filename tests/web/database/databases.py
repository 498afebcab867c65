"""Databases without a server: queries, changes, and the state after earlier releases."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from numduel.web.database.database import Database, read_url

RELEASES = Path(__file__).with_name("releases")
EARLIER = "first", "second", "third"
"""Earlier releases, whose databases have three games, a room of two pupils, and a record."""


def look(url, question):
    """Return the answer of a function to which a connection is given."""

    async def ask():
        engine = Database(read_url(url)).engine
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(question)
        finally:
            await engine.dispose()

    return asyncio.run(ask())


def execute(url, statement):
    """Execute a statement, and commit."""

    def write(connection):
        connection.exec_driver_sql(statement)
        connection.commit()

    look(url, write)


def release(url, name):
    """Fill a new database like that release."""
    kind = read_url(url).get_backend_name()
    text = (RELEASES / f"{name}.{kind}.sql").read_text()
    if kind == "sqlite":
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(text)
    else:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(text)
