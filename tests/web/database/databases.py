"""Databases: looked at and changed without a server, and as earlier versions have left them."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from numduel.web.database.database import Database, read_url

RELEASES = Path(__file__).with_name("releases")
EARLIER = "first", "second", "third"
"""What earlier versions have left: two games, a room of two, and a record."""


def look(url, question):
    """Ask something of a connection to the database."""

    async def ask():
        engine = Database(read_url(url)).engine
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(question)
        finally:
            await engine.dispose()

    return asyncio.run(ask())


def execute(url, statement):
    """Change something in the database."""

    def write(connection):
        connection.exec_driver_sql(statement)
        connection.commit()

    look(url, write)


def release(url, name):
    """Let the new database be as that version has left it."""
    kind = read_url(url).get_backend_name()
    text = (RELEASES / f"{name}.{kind}.sql").read_text()
    if kind == "sqlite":
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(text)
    else:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(text)
