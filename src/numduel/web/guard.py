"""What every request passes before it reaches a page: bounds, rates, and where it comes from.

The answer leaves with the headers that keep a page from being framed, or from loading anything
that is not ours; and one line goes to the log, without addresses and without secrets.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Collection
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.web.bounds import Rates
from numduel.web.crowd import household
from numduel.web.hosts import canonical, is_ours, named
from numduel.web.problems import answered_with
from numduel.web.reading import Reading, Refused, most_bytes, too_long
from numduel.web.tolls import SAFE, Asking, Tolls, asking
from numduel.web.visitor import head_only, proven, visitor

log = logging.getLogger("numduel.web")

PAUSE = 1.0
"""Seconds before a refusal: who asks over and over is slowed down, and who still sends can end."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; "
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

    def __init__(self, app: ASGIApp, rates: Rates | None, hosts: Collection[str] = ()) -> None:
        self.app = Reading(app)
        self._hosts = frozenset(map(canonical, hosts))
        self._tolls = None if rates is None else Tolls(rates)

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
        address = household(scope["client"][0] if scope.get("client") else "")
        visitor.set(address)
        asked, secrets = asking(scope, address), set[tuple[str, str]]()
        proven.set(secrets)

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(HEADERS)
            elif head:
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._admit(scope, asked)
            await self.app(scope, receive, send_guarded)
        except Refused as error:
            answered_with.set(error)
            if self._tolls is not None:
                await _hear_out(receive)
            await _answer(scope, send_guarded, error)
        finally:
            if self._tolls is not None:
                self._tolls.settle(asked, secrets, status)
            taken = round((time.perf_counter() - began) * 1000, 1)
            route = getattr(scope.get("route"), "path", "-")
            details = {"method": method, "route": route, "status": status, "ms": taken}
            log.info("request", extra=details)

    async def _admit(self, scope: Scope, asked: Asking) -> None:
        """Let it in when it is its turn; Refused."""
        headers, limit = Headers(scope=scope), most_bytes(scope["path"])
        self._check_host(headers, scope)
        if scope["method"] not in SAFE and _from_elsewhere(headers):
            raise Refused(HTTPStatus.FORBIDDEN, "That request came from another site.")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 12 or int(length) > limit:
            raise too_long(limit)
        if self._tolls is not None and (wait := self._tolls.pay(asked)):
            await asyncio.sleep(wait)

    def _check_host(self, headers: Headers, scope: Scope) -> None:
        """Refused, where a browser was led here by another site's name, or nobody told us ours."""
        header = headers.get("host")
        if header is None:  # as no browser asks
            return
        name, reached = named(header), scope.get("server") or ("", None)
        if not name:
            raise Refused(HTTPStatus.BAD_REQUEST, "That request names no host.")
        if not is_ours(name, reached[0], self._hosts):
            allow = f"whoever runs it can allow that: numduel serve --allow-host {name}"
            line = f"This server is not known as {name}; {allow}"
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, line)


def _from_elsewhere(headers: Headers) -> bool:
    """Whether a browser sent this for another site."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != headers.get("host", "")
    except ValueError:  # no browser sends such a one
        return True


async def _hear_out(receive: Receive) -> None:
    """Let what still comes of a request come, for a moment: who is cut off hears no answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PAUSE):
            while (await receive())["type"] != "http.disconnect":
                pass


async def _answer(scope: Scope, send: Send, refused: Refused) -> None:
    """One line: as JSON for programs, as text for people."""
    line = refused.line
    body, kind = line.encode(), b"text/plain; charset=utf-8"
    if scope["path"].startswith("/api/"):
        body, kind = json.dumps({"error": line}).encode(), b"application/json"
    headers = [(b"content-type", kind), (b"connection", b"close")]
    if refused.seconds is not None:
        headers.append((b"retry-after", b"%d" % refused.seconds))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
