"""The checks before a request reaches a page: its host, origin, size, rate and body.

Every answer has headers that keep a page from being framed and from loading anything that is not
ours. Every request is one line of the log, without addresses and without secrets.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.web.identity import Client, client_from, our_cookies
from numduel.web.limits import (
    MAX_BODY_BYTES,
    MAX_BODY_SECONDS,
    REFUSAL_DELAY_SECONDS,
    Purpose,
    RateLimits,
    Rates,
    json_fault,
)
from numduel.web.metrics import note_answer

log = logging.getLogger("numduel.web")

RETRY_SECONDS = 1  # before a busy server is asked again

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

_LENGTH = re.compile("[0-9]{1,12}")
_WHERE = re.compile(r"/(?:game|room|join|api/duels)/([^/]+)")
_OPENS = re.compile(
    r"/(?:play|rooms|analyze|verify)(?:/.*)?|/api/(?:duels|analyze|solve)/?|/room/[^/]+/round/?"
)
_JOINS = re.compile(r"/join(?:/.*)?")
_HOST_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?")
_HOST_HEADER = re.compile(r"(?:\[([^\[\]]*)\]|([^:]*))(?::[0-9]{1,5})?")


class SecurityMiddleware:
    """The outermost layer: admits a request with its complete body, or refuses it in one line."""

    def __init__(
        self,
        app: ASGIApp,
        rates: Rates | None,
        hosts: Collection[str] = (),
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.app = app
        self._rate_limits = None if rates is None else RateLimits(rates)
        self._hosts = frozenset(map(canonical_host, hosts))
        self._is_stopping = is_stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, method = time.perf_counter(), 0, scope["method"]
        if method == "HEAD":  # answered like GET; uvicorn leaves out the body
            scope = {**scope, "method": "GET"}
        scope["headers"] = [
            (name, our_cookies(value) if name == b"cookie" else value)
            for name, value in scope["headers"]
        ]
        request = Request(scope, receive)
        client, purpose = client_from(request, head_only=method == "HEAD"), _purpose(request)
        request.state.client = client

        async def send_secured(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status, seconds = message["status"], time.perf_counter() - began
                note_answer(_route(scope), status, seconds, getattr(request.state, "error", None))
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if status == HTTPStatus.SERVICE_UNAVAILABLE:
                    headers["retry-after"] = str(RETRY_SECONDS)
                if self._is_stopping():  # uvicorn does not tell a new connection
                    headers["connection"] = "close"
            await send(message)

        try:
            await self._admit(request, client, purpose)
            await self._answer(request, send_secured)
        except HTTPException as error:
            if self._rate_limits is not None:
                await _drain(receive)
            await _refuse(request, send_secured, error)
        except asyncio.CancelledError:  # the time for a graceful stop is over
            if status:
                raise
            await _refuse(request, send_secured, HTTPException(503, "The server is stopping."))
        finally:
            if self._rate_limits is not None:
                self._rate_limits.note_answer(client, purpose, status)
            ms = round((time.perf_counter() - began) * 1000, 1)
            fields = {"method": method, "route": _route(scope), "status": status, "ms": ms}
            log.info("request", extra=fields)

    async def _admit(self, request: Request, client: Client, purpose: Purpose) -> None:
        """Check the head of a request, and wait for its rate; raises HTTPException."""
        self._check_host(request)
        if request.method not in SAFE_METHODS and _is_cross_site(request.headers):
            raise HTTPException(403, "That request came from another site.")
        length = request.headers.get("content-length", "0")
        if _LENGTH.fullmatch(length) is None or int(length) > MAX_BODY_BYTES:
            raise HTTPException(413, f"A request has at most {MAX_BODY_BYTES:,} bytes here.")
        if self._rate_limits is not None and (wait := self._rate_limits.charge(client, purpose)):
            await asyncio.sleep(wait)

    def _check_host(self, request: Request) -> None:
        """Raise HTTPException if the Host header names another site."""
        header = request.headers.get("host")
        if header is None:  # every browser sends one
            return
        name, reached = host_of(header), request.scope.get("server") or ("", None)
        if not name:
            raise HTTPException(400, "That request names no host.")
        if name not in self._hosts and name != canonical_host(reached[0]):
            allow = f"whoever runs it can allow that: numduel serve --allow-host {name}"
            raise HTTPException(421, f"This server is not known as {name}; {allow}")

    async def _answer(self, request: Request, send: Send) -> None:
        """Read the body, whose length was checked, and call the application.

        Raises HTTPException if the body is late or has too much JSON.
        """
        try:
            async with asyncio.timeout(MAX_BODY_SECONDS):
                body = await request.body()
        except TimeoutError:
            raise HTTPException(408, "That request took too long to arrive.") from None
        except ClientDisconnect:
            return
        media_type = request.headers.get("content-type", "").lower()
        if "json" in media_type and (fault := json_fault(body)) is not None:
            raise HTTPException(422, fault)
        getattr(request.state, "on_admitted", bool)()
        unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return unread.pop() if unread else await request.receive()

        await self.app(request.scope, receive, send)


async def _drain(receive: Receive) -> None:
    """Discard what arrives for a moment: a client cut off while it sends would see no answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(REFUSAL_DELAY_SECONDS):
            while (await receive())["type"] != "http.disconnect":
                pass


async def _refuse(request: Request, send: Send, error: HTTPException) -> None:
    """Answer with one line: as JSON for programs, as text for people."""
    request.state.error = error
    headers = {"connection": "close", **(error.headers or {})}
    response: Response = PlainTextResponse(error.detail, error.status_code, headers)
    if request.scope["path"].startswith("/api/"):
        response = JSONResponse({"error": error.detail}, error.status_code, headers)
    await response(request.scope, request.receive, send)


def _route(scope: Scope) -> str:
    return getattr(scope.get("route"), "path", "-")


def _purpose(request: Request) -> Purpose:
    """Return what a request is for, by its method and path."""
    path, unsafe = request.scope["path"], request.method not in SAFE_METHODS
    where = _WHERE.match(path)
    return Purpose(
        where=where[1] if where else "",
        opens=unsafe and _OPENS.fullmatch(path) is not None,
        tries_code=path.startswith("/room/") or (unsafe and path.rstrip("/") == "/join"),
        joins=_JOINS.fullmatch(path) is not None,
    )


def canonical_host(host: str) -> str:
    """Return the canonical form of a host's name or address; empty if it is neither."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        name = host.lower().removesuffix(".")
        return name if _HOST_NAME.fullmatch(name) else ""
    return str(getattr(address, "ipv4_mapped", None) or address)


def check_hosts(hosts: Collection[str]) -> None:
    """Raise SettingsError unless each is the name or the address of a host."""
    for name in hosts:
        if not canonical_host(name):
            raise SettingsError(
                f"an allowed host is a name or an address, without a port: not {quoted(name)}"
            )


def host_of(header: str) -> str:
    """Return the canonical host of a Host header, without the port; empty if it names none."""
    match = _HOST_HEADER.fullmatch(header)
    return canonical_host(match[1] or match[2] or "") if match else ""


def _is_cross_site(headers: Headers) -> bool:
    """Return whether a browser sent the request on behalf of another site."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")
