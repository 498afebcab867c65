"""The application: the pages, the API, the guard around them and what an error looks like."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from numduel import __version__
from numduel.core.errors import NumduelError
from numduel.web.api import routes as api
from numduel.web.guard import Guard
from numduel.web.live.site import Config, Site, site_of
from numduel.web.measured import Measured
from numduel.web.pages import (
    asking,
    chains,
    challenges,
    class_chains,
    home,
    play,
    preferences,
    puzzles,
    reviews,
    rooms,
    teaching,
)
from numduel.web.pages.html import STATIC, page, prepare
from numduel.web.parting import Parting
from numduel.web.problems import sentence, status_of

ENVIRONMENT = "NUMDUEL_SERVE"
"""The variable in which the processes of one server are told how it is set up."""

PAGES = (
    *(home, puzzles, chains, challenges, play, preferences, reviews),
    *(rooms, asking, class_chains, teaching),  # the last takes every other deed in a room
)
ROUTERS = (*(pages.router for pages in PAGES), api.router)

log = logging.getLogger("numduel.web")


def create_app(config: Config) -> ASGIApp:
    """The whole application."""
    return Measured(Guard(Parting(inner_app(config)), config.rates, config.hosts))


def inner_app(config: Config) -> FastAPI:
    """The application without its guard."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        prepare()
        app.state.site = Site(config)
        async with app.state.site.running():
            yield

    app = FastAPI(
        title="Numduel",
        version=__version__,
        description="Five two-player number games, played and solved exactly.",
        lifespan=lifespan,
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for router in ROUTERS:
        app.include_router(router)
    app.add_api_route("/healthz", healthz, include_in_schema=False)
    app.add_api_route("/readyz", readyz, include_in_schema=False)
    app.add_exception_handler(NumduelError, _refused)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _refused)
    app.add_exception_handler(Exception, _broken)
    return app


def from_environment() -> ASGIApp:
    """The application as `numduel serve` has set it up."""
    fields: dict[str, Any] = json.loads(os.environ[ENVIRONMENT])
    return create_app(Config(**fields))


async def healthz(request: Request) -> Response:
    """Whether this process lives, whatever its database does."""
    return JSONResponse({"status": "ok"})


async def readyz(request: Request) -> Response:
    """Whether a move could be kept: a write to the database succeeds, within a second."""
    await site_of(request).ready.check()
    return JSONResponse({"status": "ok"})


async def _refused(request: Request, error: Exception) -> Response:
    """One clear line: as JSON for programs, on a page for people."""
    headers: Mapping[str, str] | None = None
    if isinstance(error, NumduelError):
        status, line = status_of(error), sentence(error)
    elif isinstance(error, HTTPException):
        status, line, headers = error.status_code, str(error.detail), error.headers
    else:
        assert isinstance(error, RequestValidationError)
        status, line = 422, _first_fault(error)
        if error.errors()[0]["loc"][0] == "path":
            status, line = 404, "There is no such page."
    response = _problem(request, status, line)
    response.headers.update(headers or {})  # such as which methods are allowed
    return response


async def _broken(request: Request, error: Exception) -> Response:
    """A fault of ours: the log has all of it, the visitor only that it happened."""
    return _problem(request, 500, "Something is broken inside: it was written to the log.")


def _problem(request: Request, status: int, line: str) -> Response:
    path = request.url.path
    if path.startswith(("/api/", "/healthz", "/readyz")):
        return JSONResponse({"error": line}, status)
    if path.endswith("/events"):  # which nobody reads as a page
        return PlainTextResponse(line, status)
    return page(request, "problem.html", status, line=line)


def _first_fault(error: RequestValidationError) -> str:
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"] if part != "body")[:100]
    return f"{where}: {fault['msg']}" if where else str(fault["msg"])
