"""The server of the benchmark: ours, with an extra endpoint that only commits one INSERT."""

from __future__ import annotations

import os

import sqlalchemy as sa
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.types import ASGIApp

from numduel.web.app import inner_app
from numduel.web.database.notifications import DatabaseNotifications
from numduel.web.security import SecurityMiddleware
from numduel.web.server import Config
from numduel.web.services import services_of

small = sa.Table(
    "small",
    sa.MetaData(),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("value", sa.Integer, nullable=False),
)
_INSERT = sa.insert(small).inline()


class Small(BaseModel):
    """The body of a request."""

    value: int


class Stored(BaseModel):
    """The body of an answer."""

    stored: int


async def insert(request: Request, asked: Small) -> Stored:
    """Commit one small INSERT with the durability of a move."""
    database = services_of(request).database

    async def commit() -> None:
        async with database.autocommit("small") as connection:
            await connection.execute(_INSERT, {"value": asked.value})

    await database.retry(commit)  # all connections may be in use for a long time
    return Stored(stored=asked.value)


async def _never(notifications: DatabaseNotifications) -> None:
    """Do nothing, because the triggers notify."""


def app() -> ASGIApp:
    """Return the application without rate limits, since the load comes from one address."""
    if os.environ["NUMDUEL_BENCHMARK_TRIGGERS"]:
        DatabaseNotifications.send = _never  # type: ignore[method-assign]
    config = Config(os.environ["NUMDUEL_BENCHMARK"], rates=None)
    inner: FastAPI = inner_app(config)
    inner.add_api_route("/small", insert, methods=["POST"])
    return SecurityMiddleware(inner, None)
