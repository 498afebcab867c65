"""What every request passes before it reaches a page: bounds, rates, and where it comes from.

The answer leaves with the headers that keep a page from being framed, or from loading anything
that is not ours; and one line goes to the log, without addresses and without secrets.
"""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.web.bounds import Rate, Rates
from numduel.web.crowd import household
from numduel.web.reading import Reading, Refused, most_bytes
from numduel.web.visitor import head_only, visitor

log = logging.getLogger("numduel.web")

_SAFE = ("GET", "HEAD", "OPTIONS")
_MOST_ADDRESSES = 10_000

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """The outermost layer."""

    def __init__(self, app: ASGIApp, rates: Rates | None) -> None:
        self.app = Reading(app)
        self.rates = rates
        self._purses: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0
        method = scope["method"]
        head = method == "HEAD"
        if head:  # is answered as GET is, without the body
            scope = {**scope, "method": "GET"}
        head_only.set(head)
        visitor.set(_address(scope))

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(HEADERS)
            elif head:
                message = {**message, "body": b""}
            await send(message)

        try:
            refusal = self._refusal(scope, most_bytes(scope["path"]))
            if refusal is not None:
                await _answer(scope, send_guarded, *refusal)
            else:
                await self.app(scope, receive, send_guarded)
        except Refused as error:
            await _answer(scope, send_guarded, error.status, error.line)
        finally:
            taken = round((time.perf_counter() - began) * 1000, 1)
            route = getattr(scope.get("route"), "path", "-")
            details = {"method": method, "route": route, "status": status, "ms": taken}
            log.info("request", extra=details)

    def _refusal(self, scope: Scope, limit: int) -> tuple[HTTPStatus, str] | None:
        headers = Headers(scope=scope)
        unsafe = scope["method"] not in _SAFE
        if unsafe and _from_elsewhere(headers, scope):
            return HTTPStatus.FORBIDDEN, "That request came from another site."
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 12 or int(length) > limit:
            return _too_long(limit)
        if self.rates is not None:
            opening = unsafe and _opens(scope["path"])
            if not self._spend(scope, "requests", self.rates.requests) or (
                opening and not self._spend(scope, "openings", self.rates.openings)
            ):
                return HTTPStatus.TOO_MANY_REQUESTS, "Too many requests: please wait a little."
        return None

    def _spend(self, scope: Scope, what: str, rate: Rate) -> bool:
        """Whether the address has something left to spend: a purse that fills with time."""
        key = what, _address(scope)
        now = time.monotonic()
        left, at = self._purses.pop(key, (rate.at_once, now))
        left = min(rate.at_once, left + (now - at) * rate.a_second)
        self._purses[key] = left - (left >= 1), now  # what is refused costs nothing
        if len(self._purses) > _MOST_ADDRESSES:
            self._purses.popitem(last=False)
        return left >= 1


def _too_long(limit: int) -> tuple[HTTPStatus, str]:
    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A request has at most {limit:,} bytes here."


def _opens(path: str) -> bool:
    """Whether a post to that path makes something new, or computes for long."""
    parts = path.strip("/").split("/")
    return (
        parts[0] in ("play", "rooms", "join", "analyze")
        or parts in (["api", "duels"], ["api", "analyze"], ["api", "solve"])
        or (parts[0] == "room" and parts[2:] == ["round"])
    )


def _from_elsewhere(headers: Headers, scope: Scope) -> bool:
    """Whether a browser sent this for another site."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != headers.get("host", "")
    except ValueError:  # no browser sends such a one
        return True


def _address(scope: Scope) -> str:
    """Whose purse it is: an address, or all of a home's where they come by the million."""
    return household(scope["client"][0] if scope.get("client") else "")


async def _answer(scope: Scope, send: Send, status: HTTPStatus, line: str) -> None:
    """One line: as JSON for programs, as text for people."""
    body, kind = line.encode(), b"text/plain; charset=utf-8"
    if scope["path"].startswith("/api/"):
        body, kind = json.dumps({"error": line}).encode(), b"application/json"
    headers = [(b"content-type", kind), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
