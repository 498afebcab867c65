"""Connections: how many there may be, and bounds on the head of a request.

uvicorn accepts any number of connections, bounds neither the length nor the number of lines of a
head that arrives in one piece, and waits for the first head for ever.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import socket
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from numduel.web.identity import client_prefix
from numduel.web.limits import (
    MAX_CONNECTIONS,
    MAX_CONNECTIONS_PER_CLIENT,
    MAX_HEAD_BYTES,
    MAX_HEAD_LINES,
    REFUSAL_DELAY_SECONDS,
    RESERVED_FILES,
)
from numduel.web.metrics import note_refusal

log = logging.getLogger("numduel.web")

MAX_ACCEPTED_AT_ONCE = 32  # before the event loop turns to other connections
MAX_BACKLOG = 2_048  # connections that wait to be accepted

MAX_UNREAD_SECONDS = 30.0  # during which a client may read nothing of an answer
STOP_SECONDS = 0.5  # that an idle connection has at a stop for a request on its way

_STALLED_SECONDS = 1.0  # after which a request that waits for its body or its rate has stalled
_FULL_COLLECTION_THRESHOLD = 100  # garbage collections of middle objects for each full one

_HEAD_END = re.compile(rb"\n\r?\n")
_CHUNKED = re.compile(rb"\ntransfer-encoding[ \t]*:", re.IGNORECASE)


class Loop(asyncio.SelectorEventLoop):
    """An event loop that accepts few connections at once, and yet lets many wait.

    asyncio uses one number for both. A client that finds the backlog full waits for a second.
    """

    async def create_server(self, *arguments: Any, **named: Any) -> asyncio.Server:
        server = await super().create_server(*arguments, **named)
        for listening in server.sockets:
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(MAX_BACKLOG)
        Connection.limits.max_total = max_connections()
        gc.collect()
        gc.freeze()  # a collection of everything loaded would block the loop for 0.1 seconds
        gc.set_threshold(*gc.get_threshold()[:2], _FULL_COLLECTION_THRESHOLD)
        return server


def max_connections() -> int:
    """Return how many connections this process can hold, after raising its limit of files."""
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


class ConnectionLimits:
    """The open connections of a process, in total and by client.

    A connection is idle while its request is incomplete or waits for its rate. If there is no room
    for a new connection, the one that has been idle longest is closed; stalled ones go first, so
    that a connection that was just accepted can stay.
    """

    def __init__(self, max_total: int, max_per_client: int) -> None:
        self.max_total = max_total
        self.max_per_client = max_per_client
        self.open: Counter[str] = Counter()
        self.idle: dict[Connection, None] = {}  # the longest idle first

    def admit(self, connection: Connection, is_proxy: bool) -> str:
        """Count a new connection; or return which limit is reached, if no other can be closed.

        A proxy has no limit of its own, because it limits its clients itself.
        """
        prefix, reached = connection.prefix, ""
        if not is_proxy and self.open[prefix] >= self.max_per_client:
            reached = f"all {self.max_per_client:,} connections of an address are being answered"
        elif self.open.total() >= self.max_total:
            prefix, reached = "", f"all {self.max_total:,} connections are being answered"
        if reached:
            idle = [one for one in self.idle if prefix in ("", one.prefix)]
            if not idle:
                return reached
            next((one for one in idle if one.has_stalled), idle[0]).drop("others came")
        self.open[connection.prefix] += 1
        self.idle[connection] = None
        return ""

    def release(self, connection: Connection) -> None:
        """Stop counting a connection."""
        self.idle.pop(connection, None)
        self.open[connection.prefix] -= 1
        if not self.open[connection.prefix]:
            del self.open[connection.prefix]


class Connection(H11Protocol):
    """uvicorn's connection, which is given a head only once it is complete and within bounds."""

    limits: ClassVar = ConnectionLimits(MAX_CONNECTIONS, MAX_CONNECTIONS_PER_CLIENT)

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.prefix = ""
        self._is_counted = self._is_refused = False
        self.head: bytearray | None = bytearray()  # what has arrived of it; None if complete
        self._head_at = 0.0  # when it was complete
        self._unread_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.prefix = client_prefix(host)
        proxies = getattr(self.config.loaded_app, "trusted_hosts", ())
        reached = self.limits.admit(self, is_proxy=host in proxies)
        self._is_counted = not reached
        if reached:
            line = "Too many people are connected just now."
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, line, reached)
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
            if self.conn.their_state is h11.SEND_BODY:
                self._receive(data)
            elif self.cycle is not None:  # another request before the answer: ignore it
                self.cycle.keep_alive = False
            return
        self.head += data
        found = _HEAD_END.search(self.head)
        end = len(self.head) if found is None else found.end()
        if end > MAX_HEAD_BYTES or self.head.count(b"\n", 0, end) > MAX_HEAD_LINES:
            bounds = f"{MAX_HEAD_BYTES:,} bytes and {MAX_HEAD_LINES} lines"
            line = f"The head of a request has at most {bounds} here."
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, line)
        elif self.head[0] <= ord(" "):  # such as TLS
            self._refuse(HTTPStatus.BAD_REQUEST, "That is not a request.")
        elif found is not None and _CHUNKED.search(self.head, 0, end):  # expensive to parse
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "A request must say how long it is.")
        elif found is not None:
            received = bytes(self.head)
            self.head, self._head_at = None, self.loop.time()
            self._receive(received)

    def _receive(self, data: bytes) -> None:
        """Parse data; if another request comes before the answer, close after the answer."""
        super().data_received(data)
        if self.scope is not None:
            self.scope["state"]["on_admitted"] = self._set_busy  # called by the middleware
        if self.cycle is not None and self.conn.trailing_data[0]:
            self.cycle.keep_alive = False
            self.flow.resume_reading()  # so that the end of the connection is noticed

    @property
    def has_stalled(self) -> bool:
        """Whether it has begun a request that does not get on."""
        if self.head is None:
            return self.loop.time() > self._head_at + _STALLED_SECONDS
        return bool(self.head)

    def _set_busy(self) -> None:
        """Protect the connection from being closed for others while its request is answered."""
        self.limits.idle.pop(self, None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            return
        if self.conn.their_state is not h11.IDLE:  # answered before its body had arrived
            self.transport.close()
            return
        self.head = bytearray()
        self._set_busy()
        self.limits.idle[self] = None  # as the last

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
        self._unread_timer = self.loop.call_later(MAX_UNREAD_SECONDS, self.drop, "it does not read")

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_unread_timer()

    def drop(self, why: str) -> None:
        """Close the connection at once, without an answer."""
        log.info("dropped", extra={"why": why})
        self._release()
        self.transport.abort()

    def _release(self) -> None:
        """Give back what the connection holds, once."""
        self._cancel_unread_timer()
        self._unset_keepalive_if_required()
        if self._is_counted:
            self._is_counted = False
            self.limits.release(self)

    def _cancel_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()

    def _refuse(self, status: HTTPStatus, line: str, cause: str = "") -> None:
        """Answer with one line after a delay, and close; the cause is for the log."""
        log.info("refused", extra={"status": status.value, "why": line})
        note_refusal(status, status.phrase, "-", cause or line)
        self._unset_keepalive_if_required()
        self._is_refused = True
        # One beyond the limits is answered at once, because it holds a file until then.
        delay = REFUSAL_DELAY_SECONDS if self._is_counted else 0
        self.loop.call_later(delay, self._send_refusal, status, f"{line}\n")

    def _send_refusal(self, status: HTTPStatus, text: str) -> None:
        if self.transport.is_closing():
            return
        kind = "content-type: text/plain; charset=utf-8\r\nconnection: close"
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\n{kind}\r\ncontent-length: {len(text)}"
        self.transport.write(f"{head}\r\n\r\n{text}".encode())
        # Half-close first: a client that still sends to a closed socket would not see the answer.
        self.transport.write_eof()
        self.loop.call_later(REFUSAL_DELAY_SECONDS, self.transport.abort)
