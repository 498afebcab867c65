"""What of a request is read: the cookies that we set, and a body that is whole, in time and small.

A body is read before anything is done with it, within its size and its time; JSON is looked over
before it is parsed, since a megabyte of brackets or commas takes seconds.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from http import HTTPStatus
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.web.bounds import LARGEST_BODY, LARGEST_UPLOAD, too_much_json

UPLOADS = ("/analyze", "/api/analyze")

_MOST_COOKIES = 50
_COOKIE = re.compile(rb"(?:^|;)[ \t]*([a-z]{1,20})=([A-Za-z0-9_.-]{1,130})[ \t]*(?=;|$)")


def our_cookies(header: bytes) -> bytes:
    """Of a Cookie header the pairs that may be ours: plain names, and values of plain letters.

    What else there is, another site on the same host may have set: it is left out.
    """
    pairs = (match.expand(rb"\1=\2") for match in _COOKIE.finditer(header))
    return b"; ".join(pair for pair, _ in zip(pairs, range(_MOST_COOKIES), strict=False))


def most_bytes(path: str) -> int:
    """How long the body of a request to that path may be."""
    return LARGEST_UPLOAD if path in UPLOADS else LARGEST_BODY


class Patience(NamedTuple):
    """How long a body may take, and how many uploads are read at a time."""

    body: float = 10.0  # seconds
    upload: float = 30.0
    uploads: int = 64
    uploads_each: int = 8  # of one address


PATIENCE = Patience()


class Refused(Exception):
    """Why a request is not read."""

    def __init__(self, status: HTTPStatus, line: str, seconds: int | None = None) -> None:
        super().__init__(line)
        self.status = status
        self.line = line
        self.seconds = seconds  # after which it may be tried again


def too_long(limit: int) -> Refused:
    """Why a longer body is not read."""
    line = f"A request has at most {limit:,} bytes here."
    return Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, line)


class Reading:
    """Reads a request and hands it on whole; `Refused` where it cannot."""

    def __init__(self, app: ASGIApp, patience: Patience = PATIENCE) -> None:
        self.app = app
        self.patience = patience
        self._uploading: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["headers"] = [
            (name, our_cookies(value) if name == b"cookie" else value)
            for name, value in scope["headers"]
        ]
        body = await self._read(scope, receive)
        if body is None:  # whoever asked has gone
            return
        kind = dict(scope["headers"]).get(b"content-type", b"").lower()
        if b"json" in kind and (fault := too_much_json(body)) is not None:
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, fault)
        await self.app(scope, _Once(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        if scope["path"] not in UPLOADS:
            return await read_body(receive, LARGEST_BODY, self.patience.body)
        whose = scope["client"][0] if scope.get("client") else ""
        if (
            self._uploading.total() >= self.patience.uploads
            or self._uploading[whose] >= self.patience.uploads_each
        ):
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "Too many records come just now.")
        self._uploading[whose] += 1
        try:
            return await read_body(receive, LARGEST_UPLOAD, self.patience.upload)
        finally:
            self._uploading[whose] -= 1
            if not self._uploading[whose]:
                del self._uploading[whose]


async def read_body(receive: Receive, limit: int, seconds: float) -> bytes | None:
    """A whole body, whatever its headers said; None where the connection ends before it does."""
    parts, length = [], 0
    try:
        async with asyncio.timeout(seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                parts.append(message.get("body", b""))
                length += len(parts[-1])
                if length > limit:
                    raise too_long(limit)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise Refused(HTTPStatus.REQUEST_TIMEOUT, "That request took too long to come.") from None


class _Once:
    """A body that was read, in one piece; after it, whatever still comes."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}
