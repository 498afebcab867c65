"""The server of the benchmark: ours, and beside it an endpoint that only commits one INSERT."""

from __future__ import annotations

import os

import sqlalchemy as sa
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.types import ASGIApp

from numduel.web.app import inner_app
from numduel.web.guard import Guard
from numduel.web.live.site import Config, site_of

small = sa.Table(
    "small",
    sa.MetaData(),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("value", sa.Integer, nullable=False),
)
_INSERT = sa.insert(small).inline()


class Small(BaseModel):
    """What is inserted."""

    value: int


class Stored(BaseModel):
    """What is answered."""

    stored: int


async def insert(request: Request, asked: Small) -> Stored:
    """Commit one small INSERT, as durably as a move."""
    committing = site_of(request).store.engine.execution_options(isolation_level="AUTOCOMMIT")
    async with committing.connect() as connection:
        await connection.execute(_INSERT, {"value": asked.value})
    return Stored(stored=asked.value)


def app() -> ASGIApp:
    """Without rates: the whole load comes from one address."""
    config = Config(os.environ["NUMDUEL_BENCHMARK"], rates=None)
    inner: FastAPI = inner_app(config)
    inner.add_api_route("/small", insert, methods=["POST"])
    return Guard(inner, None)
