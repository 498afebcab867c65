"""Times every request, counts every refusal, and says in the log why something was busy."""

from __future__ import annotations

import logging
import time
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.core.errors import NumduelError
from numduel.web import metrics
from numduel.web.problems import Busy, answered_with

log = logging.getLogger("numduel.web")

_RETRY = 1  # seconds after which what was busy may be tried again


class Measured:
    """Around everything else, so that it knows of each answer, whoever gives it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        answered_with.set(None)

        async def send_measured(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "-")
                metrics.ANSWERED.labels(route).observe(time.perf_counter() - began)
                if message["status"] >= HTTPStatus.BAD_REQUEST:
                    _note_answer(HTTPStatus(message["status"]), route)
                if message["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
                    MutableHeaders(scope=message)["retry-after"] = str(_RETRY)
            await send(message)

        await self.app(scope, receive, send_measured)


def _note_answer(status: HTTPStatus, route: str) -> None:
    error = answered_with.get()
    reason = type(error).__name__ if isinstance(error, NumduelError) else status.phrase
    cause = error.cause if isinstance(error, Busy) else str(error or status.phrase)
    note(status, reason, route, cause)


def note(status: HTTPStatus, reason: str, route: str, cause: str) -> None:
    """Count a refusal; that something was busy is said in the log, with its cause."""
    metrics.REFUSED.labels(str(status.value), reason).inc()
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        log.warning("busy", extra={"route": route, "cause": cause})
