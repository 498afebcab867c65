"""A running or finished arena in the browser: a page of its own, in the look of the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from numduel import __version__
from numduel.arena.asked import Asked, loads
from numduel.arena.log import Log
from numduel.arena.plan import Plan
from numduel.arena.report import PLAYERS, REPORT
from numduel.arena.run import ASKED, LOG
from numduel.arena.standing import Standing
from numduel.core.errors import SettingsError
from numduel.web.pages.html import STATIC

OURS = ["localhost", "127.0.0.1", "[::1]"]
"""What this machine calls itself; a page that is opened under another name is refused."""

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
POLICY = "default-src 'self'"

_PAGES = Environment(
    loader=ChoiceLoader([PackageLoader("numduel.arena"), PackageLoader("numduel.web")]),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.globals.update(release=__version__)


class Watched:
    """An arena that another process plays, as far as its folder tells."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            text = (folder / ASKED).read_text(encoding="utf-8")
            self._log = Log(folder / LOG, len(Plan(Asked(**loads(text)))), writing=False)
        except FileNotFoundError:
            raise SettingsError(f"{folder} holds no arena") from None
        self.plan = Plan(Asked(**loads(text)))
        self._standing = Standing(self.plan)

    def page(self) -> str:
        """How it stands now; once it is finished, what came out."""
        self._standing.add(line.decode() for line in self._log.refresh())
        total, players = len(self.plan), self.folder / PLAYERS
        finished = self._log.done == total and players.exists()
        rows: list[dict[str, Any]] = json.loads(players.read_text("utf-8")) if finished else []
        return _PAGES.get_template("live.html").render(
            asked=self.plan.asked,
            done=self._log.done,
            total=total,
            standing=self._standing.shares(),
            finished=finished,
            players=rows,
        )

    def close(self) -> None:
        """Let go of the folder."""
        self._log.close()


def watching_app(folder: Path) -> Starlette:
    """The pages: how it stands, and the report."""
    watched = Watched(folder)

    async def live(request: Request) -> Response:
        return HTMLResponse(watched.page(), headers={"content-security-policy": POLICY})

    async def report(request: Request) -> Response:
        path = folder / REPORT
        if not path.exists():
            return HTMLResponse("The report is written when all games are played.", 404)
        headers = {"content-security-policy": REPORT_POLICY}
        return HTMLResponse(path.read_text(encoding="utf-8"), headers=headers)

    return Starlette(
        routes=[
            Route("/", live),
            Route("/report", report),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=OURS)],
    )
