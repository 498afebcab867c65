"""Serves a page about a running or finished arena, in the style of the other pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from numduel import __version__
from numduel.arena.log import Log, Standings, read_plan
from numduel.arena.report import PLAYERS_FILE, REPORT_FILE
from numduel.arena.run import LOG_FILE
from numduel.core.errors import NumduelError, SettingsError
from numduel.web.html import STATIC

ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
"""Requests for other hosts are refused, so that other sites cannot read the page."""

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
POLICY = "default-src 'self'"

_TEMPLATES = Environment(
    loader=ChoiceLoader([PackageLoader("numduel.arena"), PackageLoader("numduel.web")]),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals.update(release=__version__)


class LivePage:
    """The page of an arena, which another process may be playing. It is read from the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            with (folder / LOG_FILE).open("rb") as file:
                self.plan = read_plan(file.readline())
        except FileNotFoundError:
            raise SettingsError(f"{folder} holds no arena") from None
        self._log = Log(folder / LOG_FILE, self.plan, writing=False)
        self._standings = Standings(self.plan)

    def render(self) -> str:
        """Return the page: the scores so far, or the ratings when the arena is finished.

        Raises NumduelError if the log is damaged.
        """
        self._standings.add(self._log.refresh())
        total, players = len(self.plan), self.folder / PLAYERS_FILE
        finished = self._log.done == total and players.exists()
        rows: list[dict[str, Any]] = json.loads(players.read_text("utf-8")) if finished else []
        return _TEMPLATES.get_template("live.html").render(
            spec=self.plan.spec,
            done=self._log.done,
            total=total,
            standing=self._standings.shares(),
            finished=finished,
            players=rows,
        )

    def close(self) -> None:
        """Close the log."""
        self._log.close()


def live_app(folder: Path) -> Starlette:
    """Return an application with the live page and the report."""
    page = LivePage(folder)

    async def live(request: Request) -> Response:
        try:
            return HTMLResponse(page.render(), headers={"content-security-policy": POLICY})
        except NumduelError as error:
            return PlainTextResponse(str(error), 500)

    async def report(request: Request) -> Response:
        path = folder / REPORT_FILE
        if not path.exists():
            return HTMLResponse("The report is written when all games have been played.", 404)
        headers = {"content-security-policy": REPORT_POLICY}
        return HTMLResponse(path.read_text(encoding="utf-8"), headers=headers)

    return Starlette(
        routes=[
            Route("/", live),
            Route("/report", report),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=ALLOWED_HOSTS)],
    )
