"""The application: the pages, the API, their middleware, and the handlers of errors."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from numduel import __version__
from numduel.core.errors import NumduelError
from numduel.web import certificates, chains, cookies, home, lessons
from numduel.web.api import routes as api
from numduel.web.duels import pages as duels
from numduel.web.duels import setup_pages
from numduel.web.html import STATIC, answer_bug, answer_error, compile_templates, error_response
from numduel.web.puzzles import challenges
from numduel.web.puzzles import pages as puzzles
from numduel.web.reviews import pages as reviews
from numduel.web.rooms import asking_pages as asking
from numduel.web.rooms import pages as rooms
from numduel.web.rooms import teacher_pages as teaching
from numduel.web.security import SecurityMiddleware
from numduel.web.server import Config, Server

ENVIRONMENT = "NUMDUEL_SERVE"
"""The environment variable in which `numduel serve` passes its settings to its processes."""

PAGES = (
    *(home, puzzles, chains, challenges, setup_pages, duels),
    *(cookies, reviews, lessons, certificates),
    *(rooms, asking, teaching),  # in this order: `teaching` takes all other POSTs to a room
)

MIN_COMPRESSED_BYTES = 1_000  # shorter answers are sent uncompressed

log = logging.getLogger("numduel.web")


def create_app(config: Config) -> ASGIApp:
    """Return the application with its middleware."""
    app = inner_app(config)
    return SecurityMiddleware(
        GZipMiddleware(app, minimum_size=MIN_COMPRESSED_BYTES, compresslevel=5),
        *(config.rates, config.hosts),
        is_stopping=lambda: app.state.services.is_stopping,
    )


def inner_app(config: Config) -> FastAPI:
    """Return the application without its middleware."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        compile_templates()
        server = app.state.services = Server(config)
        async with server.running():
            yield {"stop": server.notifications.close}  # called before connections are closed

    app = FastAPI(
        title="Numduel",
        version=__version__,
        description="Five two-player number games, played and solved exactly.",
        lifespan=lifespan,
        docs_url=None,  # that page would load scripts from another site
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for pages in PAGES:
        app.router.routes.extend(pages.router.routes)
    app.include_router(api.router)
    app.add_api_route("/healthz", healthz, include_in_schema=False)
    app.add_api_route("/readyz", readyz, include_in_schema=False)
    app.add_exception_handler(NumduelError, answer_error)
    app.add_exception_handler(HTTPException, answer_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(Exception, answer_bug)
    return app


def from_environment() -> ASGIApp:
    """Return the application with the settings that `numduel serve` passed on."""
    logging.captureWarnings(True)
    fields: dict[str, Any] = json.loads(os.environ[ENVIRONMENT])
    return create_app(Config(**fields))


async def healthz(request: Request) -> Response:
    """Answer as long as this process lives, whatever its database does."""
    return JSONResponse({"status": "ok"})


async def readyz(request: Request) -> Response:
    """Check within a second that the database can be written to and that computations work."""
    server: Server = request.app.state.services
    await server.ready.check()
    return JSONResponse({"status": "ok"})


async def _answer_invalid(request: Request, error: Exception) -> Response:
    """Answer a request to the API that does not match its schema."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["loc"][0] == "path":
        return error_response(request, 404, "There is no such page.")
    where = ".".join(str(part) for part in first["loc"] if part != "body")[:100]
    line = f"{where}: {first['msg']}" if where else str(first["msg"])
    return error_response(request, 422, line)
