"""While a server stops: each answer is the last on its connection, and nobody is broken off."""

import asyncio
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from numduel.web.parting import Parting


@pytest.fixture
def app():
    app = FastAPI()
    app.state.site = SimpleNamespace(stopping=False)

    @app.get("/")
    async def answer():
        return PlainTextResponse("here")

    @app.get("/long")
    async def answer_too_late():
        raise asyncio.CancelledError  # as uvicorn cancels whoever is not done in time

    return app


def test_an_answer_leaves_its_connection_open(app):
    assert "connection" not in TestClient(Parting(app)).get("/").headers


def test_while_the_server_stops_an_answer_closes_its_connection(app):
    app.state.site.stopping = True
    answer = TestClient(Parting(app)).get("/")
    assert (answer.text, answer.headers["connection"]) == ("here", "close")


def test_whoever_takes_longer_than_the_end_may_is_told(app):
    app.state.site.stopping = True
    answer = TestClient(Parting(app)).get("/long")
    assert answer.status_code == 503
    assert answer.json() == {"error": "The server is stopping."}
    assert answer.headers["connection"] == "close"
