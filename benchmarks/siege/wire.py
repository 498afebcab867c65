"""HTTP by hand, from an address of one's choice: as little work as can be around a request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlencode

PATIENCE = 60.0
"""Seconds until a request that gets no answer is given up."""

LARGEST = 64 * 2**20  # of what is read at once


class Answer(NamedTuple):
    """What the server said; status 0: nothing."""

    status: int
    head: str
    body: bytes

    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)

    def header(self, name: str) -> str:
        """A header, or nothing."""
        for line in self.head.split("\r\n")[1:]:
            key, _, value = line.partition(":")
            if key.lower() == name:
                return value.strip()
        return ""


NOTHING = Answer(0, "", b"")


class Host(NamedTuple):
    """The server as it is seen from one address."""

    port: int
    address: str

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection, which is cut off in the end."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=LARGEST
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    async def send(self, request: bytes, patience: float = PATIENCE) -> Answer:
        """Send this and read until the server closes; NOTHING where it gives no answer."""
        try:
            async with asyncio.timeout(patience), self.connect() as (reader, writer):
                writer.write(request)
                return parsed(await reader.read(-1))
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            return NOTHING

    async def get(self, path: str, patience: float = PATIENCE, **headers: str) -> Answer:
        """Ask for a page."""
        return await self.send(head("GET", path, headers), patience)

    async def post(
        self, path: str, fields: Any, patience: float = PATIENCE, **headers: str
    ) -> Answer:
        """Send a form."""
        headers |= {"content_type": "application/x-www-form-urlencoded"}
        return await self.send(request(path, urlencode(fields).encode(), headers), patience)

    async def post_json(
        self, path: str, fields: Any, patience: float = PATIENCE, **headers: str
    ) -> Answer:
        """Send JSON; bytes are sent as they are."""
        body = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
        headers |= {"content_type": "application/json"}
        return await self.send(request(path, body, headers), patience)

    async def open_duel(self, game: str, settings: dict[str, Any], **terms: Any) -> Any:
        """A new duel between two people: its name and the secrets of its seats."""
        asked = {"game": game, "settings": settings, **terms}
        answer = await self.post_json("/api/duels", asked, patience=60.0)
        assert answer.status == 201, answer
        return answer.json()


def head(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    """The head of a request, after which the server is to close."""
    given = {"host": "127.0.0.1", "connection": "close", **headers}
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in given.items()]
    return f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode()


def request(path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """A post with its body."""
    return head("POST", path, {**headers, "content-length": str(len(body))}) + body


def parsed(text: bytes) -> Answer:
    """An answer that was read to its end."""
    top, _, body = text.partition(b"\r\n\r\n")
    if not top.startswith(b"HTTP/1.1 "):
        return NOTHING
    answer = Answer(int(top[9:12]), top.decode("latin-1"), body)
    if answer.header("transfer-encoding") == "chunked":
        return answer._replace(body=_joined(body))
    return answer


def _joined(chunks: bytes) -> bytes:
    found = b""
    while chunks:
        size, _, chunks = chunks.partition(b"\r\n")
        found += chunks[: int(size or b"0", 16)]
        chunks = chunks[int(size or b"0", 16) + 2 :]
    return found


async def lines(host: Host, path: str, headers: Mapping[str, str]) -> AsyncIterator[str]:
    """The lines of a stream of events; the first is the status."""
    async with host.connect() as (reader, writer):
        writer.write(head("GET", path, headers))
        async with asyncio.timeout(PATIENCE):
            top = await reader.readuntil(b"\r\n\r\n")
        yield top[9:12].decode()
        while line := await reader.readline():
            yield line.decode("utf-8", "replace").strip()
