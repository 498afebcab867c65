"""Connections: how many there may be, bounds on the head of a request, and their end at a stop.

uvicorn accepts any number of connections, bounds neither the length nor the number of lines of a
head that comes in one piece, and waits for the first head as long as it takes.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import re
import select
import socket
import struct
from collections import Counter
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors.multiprocess import Process

from numduel.web.identity import client_prefix
from numduel.web.limits import (
    MAX_CONNECTIONS,
    MAX_CONNECTIONS_PER_CLIENT,
    MAX_HEAD_BYTES,
    MAX_HEAD_LINES,
    REFUSAL_SECONDS,
    RESERVED_FILES,
)
from numduel.web.metrics import note_refusal

log = logging.getLogger("numduel.web")

MAX_ACCEPTED_AT_ONCE = 32
BACKLOG = 2_048
"""How many connections are accepted before others are answered again, and how many can wait."""

FULL_COLLECTION_THRESHOLD = 100
"""How many collections of young garbage there are for one of all."""

STALLED_SECONDS = 30.0  # in which a client reads nothing of an answer
STOP_SECONDS = 0.5  # that an idle connection has at a stop for a request on its way

_HANDSHAKE_SECONDS = 0.1  # in which a new connection is made
_SO_ATTACH_FILTER = 26  # Linux

_STALLED_SECONDS = 1.0
"""How long a whole request may wait for its rate, or for its body, before it counts as stalled."""

_HEAD_END = re.compile(rb"\n\r?\n")
_HEAD_END_OVERLAP = 3  # bytes by which the end of a head may reach back into what came before
_CHUNKED = re.compile(rb"\ntransfer-encoding[ \t]*:", re.IGNORECASE)


class Loop(asyncio.SelectorEventLoop):
    """An event loop that accepts few connections at once and yet lets many wait.

    asyncio uses one number for both. A client that finds the backlog full waits for a second.
    """

    async def create_server(self, *arguments: Any, **named: Any) -> asyncio.Server:
        server = await super().create_server(*arguments, **named)
        for listening in server.sockets:
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(BACKLOG)
        Connection.limits.max_total = max_connections()
        gc.collect()
        gc.freeze()  # looking through all that is loaded would hold the loop for 0.1 seconds
        gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_THRESHOLD)
        return server


def let_nobody_in(listening: socket.socket) -> None:
    """Let Linux drop the first packet of each new connection: who has made one is answered.

    Others try again, until the socket is closed, and are then refused.
    """
    # Load the flags of TCP; is SYN among them? Then keep no byte of the packet, otherwise all.
    program = [(0x30, 0, 0, 13), (0x45, 0, 1, 0x02), (0x06, 0, 0, 0), (0x06, 0, 0, 0x40000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in program))
    with suppress(OSError):  # another system
        pointer = struct.pack("HP", len(program), ctypes.addressof(code))
        listening.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, pointer)


class GracefulServer(uvicorn.Server):
    """A server that resets no connection when it is stopped."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.lifespan.state["stop"]()  # streams end
        for listening in sockets if sockets and self.config.workers == 1 else ():
            let_nobody_in(listening)
        await asyncio.sleep(_HANDSHAKE_SECONDS)
        for _ in range(BACKLOG):
            if select.select(sockets or [], [], [], 0)[0]:
                await asyncio.sleep(0)  # accept who waits, and would be reset
        await super().shutdown(sockets)


class Worker(Process):
    """A process of several, with such a server."""

    @cached_property
    def server(self) -> GracefulServer:
        return GracefulServer(self.config)


class ConnectionLimits:
    """The open connections of a process, in total and by client.

    A new connection takes the place of an idle one if there is no room: one whose request is not
    complete, or waits for its rate. The one that has been idle longest is closed, but those that
    have stalled go before the others, which may have come just now.
    """

    def __init__(self, max_total: int, max_per_client: int) -> None:
        self.max_total = max_total
        self.max_per_client = max_per_client
        self.open: Counter[str] = Counter()
        self.idle: dict[Connection, None] = {}  # the longest idle first

    def admit(self, connection: Connection, is_proxy: bool) -> str:
        """Count a new connection; return what is full if no other could be closed for it.

        A proxy has no limit of its own: it counts its clients itself.
        """
        prefix, full = connection.prefix, ""
        if not is_proxy and self.open[prefix] >= self.max_per_client:
            full = f"all {self.max_per_client:,} connections of an address ask for something"
        elif self.open.total() >= self.max_total:
            full, prefix = f"all {self.max_total:,} connections ask for something", ""
        if full:
            idle = [one for one in self.idle if prefix in ("", one.prefix)]
            if not idle:
                return full
            next((one for one in idle if one.has_stalled), idle[0]).drop("others came")
        self.open[connection.prefix] += 1
        self.idle[connection] = None
        return ""

    def release(self, connection: Connection) -> None:
        """Count a connection no more."""
        self.idle.pop(connection, None)
        self.open[connection.prefix] -= 1
        if not self.open[connection.prefix]:
            del self.open[connection.prefix]


def max_connections() -> int:
    """Return how many connections this process can take, after raising its limit of files."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return MAX_CONNECTIONS
    files, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + RESERVED_FILES
    if files == resource.RLIM_INFINITY or files >= wanted:
        return MAX_CONNECTIONS
    files = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(files - RESERVED_FILES, files // 2)


class Connection(H11Protocol):
    """uvicorn's connection, which sees a head only when it is complete and within bounds."""

    limits: ClassVar = ConnectionLimits(MAX_CONNECTIONS, MAX_CONNECTIONS_PER_CLIENT)

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.prefix = ""
        self._is_counted = self._is_refused = False
        self.head: bytearray | None = bytearray()  # what has come of it; None: it is complete
        self._head_at = 0.0  # when it was complete
        self._body_left = 0  # bytes
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.prefix = client_prefix(host)
        proxies = getattr(self.config.loaded_app, "trusted_hosts", ())
        full = self.limits.admit(self, is_proxy=host in proxies)
        self._is_counted = not full
        if full:  # told without delay, since each holds a file
            line = "Too many people are connected just now."
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, line, full, delay_seconds=0)
        else:
            handler = self.timeout_keep_alive_handler
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, handler)

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_refused or self.transport.is_closing():
            return
        if self.head is None:
            self._take_body(data)
            return
        searched = max(0, len(self.head) - _HEAD_END_OVERLAP)
        self.head += data
        found = _HEAD_END.search(self.head, searched)
        end = len(self.head) if found is None else found.end()
        if end > MAX_HEAD_BYTES or self.head.count(b"\n", 0, end) > MAX_HEAD_LINES:
            bounds = f"{MAX_HEAD_BYTES:,} bytes and {MAX_HEAD_LINES} lines"
            line = f"The head of a request has at most {bounds} here."
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, line)
        elif self.head[0] <= ord(" "):  # such as TLS
            self._refuse(HTTPStatus.BAD_REQUEST, "That is not a request.")
        elif found is not None and _CHUNKED.search(self.head, 0, end):  # dear to parse
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "A request must say how long it is.")
        elif found is not None:
            self._take_head(bytes(self.head[:end]), bytes(self.head[end:]))

    @property
    def has_stalled(self) -> bool:
        """Whether it has begun a request, and its head or what follows does not come."""
        if self.head is None:
            return self.loop.time() > self._head_at + _STALLED_SECONDS
        return bool(self.head)

    def _take_head(self, head: bytes, rest: bytes) -> None:
        self.head, self._head_at = None, self.loop.time()
        self.headers = []
        super().data_received(head)
        if self.scope is not None:
            self.scope["state"]["on_admitted"] = self._answer  # for the middleware
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        self._body_left = int(length)  # h11 has checked it
        if rest and not self.transport.is_closing():
            self._take_body(rest)

    def _answer(self) -> None:
        """Keep the connection from here on, since its request is being answered."""
        self.limits.idle.pop(self, None)

    def _take_body(self, data: bytes) -> None:
        """Hand on the body; close after the answer if another request comes before it."""
        body, beyond = data[: self._body_left], data[self._body_left :]
        self._body_left -= len(body)
        if body:
            super().data_received(body)
        if beyond and self.cycle is not None:
            self.cycle.keep_alive = False

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._body_left:  # it was answered before it had come
            self.transport.close()
        elif not self.transport.is_closing():
            self.head = bytearray()
            self._answer()
            self.limits.idle[self] = None

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection whose next head is late; uvicorn has the timer."""
        if self.head:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The head of that request took too long.")
        else:
            self.drop("nothing came")

    def shutdown(self) -> None:
        """Close at a stop, but answer a request that is on its way."""
        if self in self.limits.idle and self.head is not None:
            self._unset_keepalive_if_required()
            timer = self.loop.call_later(STOP_SECONDS, self.drop, "the server stops")
            self.timeout_keep_alive_task = timer
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall_timer = self.loop.call_later(STALLED_SECONDS, self.drop, "it does not read")

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_stall_timer()

    def drop(self, why: str) -> None:
        """Close the connection at once, without an answer."""
        log.info("dropped", extra={"why": why})
        self._release()
        self.transport.abort()

    def _release(self) -> None:
        """Give back what the connection holds, once."""
        self._stop_stall_timer()
        self._unset_keepalive_if_required()
        if self._is_counted:
            self._is_counted = False
            self.limits.release(self)

    def _stop_stall_timer(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()

    def _refuse(
        self, status: HTTPStatus, line: str, cause: str = "", delay_seconds: float | None = None
    ) -> None:
        """Answer with one line after a delay, and close; the cause is for the log."""
        log.info("refused", extra={"status": status.value, "why": line})
        note_refusal(status, status.phrase, "-", cause or line)
        self._unset_keepalive_if_required()
        self._is_refused = True
        delay = REFUSAL_SECONDS if delay_seconds is None else delay_seconds
        self.loop.call_later(delay, self._send_refusal, status, f"{line}\n")

    def _send_refusal(self, status: HTTPStatus, text: str) -> None:
        if self.transport.is_closing():
            return
        kind = "content-type: text/plain; charset=utf-8\r\nconnection: close"
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\n{kind}\r\ncontent-length: {len(text)}"
        self.transport.write(f"{head}\r\n\r\n{text}".encode())
        # A client that still sends when the connection is closed would hear nothing.
        self.transport.write_eof()
        self.loop.call_later(REFUSAL_SECONDS, self.transport.abort)
