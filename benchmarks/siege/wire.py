"""A minimal HTTP client that sends from any loopback address."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlencode

REQUEST_TIMEOUT_SECONDS = 60.0
MAX_READ_BYTES = 64 * 2**20


class Answer(NamedTuple):
    """An answer of the server. Status 0 means that there was none."""

    status: int
    head: str
    body: bytes

    def json(self) -> Any:
        """Return the body, parsed as JSON."""
        return json.loads(self.body)

    def header(self, name: str) -> str:
        """Return a header, or an empty text."""
        for line in self.head.split("\r\n")[1:]:
            key, _, value = line.partition(":")
            if key.lower() == name:
                return value.strip()
        return ""


NO_ANSWER = Answer(0, "", b"")


class Host(NamedTuple):
    """The server, and the address from which requests are sent to it."""

    port: int
    address: str

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Open a connection, which is aborted at the end."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=MAX_READ_BYTES
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    async def send(self, request: bytes, timeout: float = REQUEST_TIMEOUT_SECONDS) -> Answer:
        """Send a request and read until the server closes the connection.

        Returns NO_ANSWER if there is none.
        """
        try:
            async with asyncio.timeout(timeout), self.connect() as (reader, writer):
                writer.write(request)
                return parse_answer(await reader.read(-1))
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            return NO_ANSWER

    async def get(
        self, path: str, timeout: float = REQUEST_TIMEOUT_SECONDS, **headers: str
    ) -> Answer:
        """Get a page."""
        return await self.send(head("GET", path, headers), timeout)

    async def post(
        self, path: str, fields: Any, timeout: float = REQUEST_TIMEOUT_SECONDS, **headers: str
    ) -> Answer:
        """Post a form."""
        headers |= {"content_type": "application/x-www-form-urlencoded"}
        return await self.send(request(path, urlencode(fields).encode(), headers), timeout)

    async def post_json(
        self, path: str, fields: Any, timeout: float = REQUEST_TIMEOUT_SECONDS, **headers: str
    ) -> Answer:
        """Post JSON. Bytes are sent unchanged."""
        body = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
        headers |= {"content_type": "application/json"}
        return await self.send(request(path, body, headers), timeout)

    async def open_duel(self, game: str, settings: dict[str, Any], **terms: Any) -> Any:
        """Open a new duel. Return its name and the secrets of its seats."""
        wanted = {"game": game, "settings": settings, **terms}
        answer = await self.post_json("/api/duels", wanted)
        assert answer.status == 201, answer
        return answer.json()


def head(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    """Return the head of a request that asks the server to close the connection afterwards."""
    given = {"host": "127.0.0.1", "connection": "close", **headers}
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in given.items()]
    return f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode()


def request(path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return a post with its body."""
    return head("POST", path, {**headers, "content-length": str(len(body))}) + body


def parse_answer(text: bytes) -> Answer:
    """Return a complete answer."""
    top, _, body = text.partition(b"\r\n\r\n")
    if not top.startswith(b"HTTP/1.1 "):
        return NO_ANSWER
    answer = Answer(int(top[9:12]), top.decode("latin-1"), body)
    if answer.header("transfer-encoding") == "chunked":
        return answer._replace(body=_join_chunks(body))
    return answer


def _join_chunks(chunks: bytes) -> bytes:
    found = b""
    while chunks:
        size, _, chunks = chunks.partition(b"\r\n")
        found += chunks[: int(size or b"0", 16)]
        chunks = chunks[int(size or b"0", 16) + 2 :]
    return found


async def stream_lines(host: Host, path: str, headers: Mapping[str, str]) -> AsyncIterator[str]:
    """Yield the status and then the lines of an event stream."""
    async with host.connect() as (reader, writer):
        writer.write(head("GET", path, headers))
        async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
            top = await reader.readuntil(b"\r\n\r\n")
        yield top[9:12].decode()
        while line := await reader.readline():
            yield line.decode("utf-8", "replace").strip()
