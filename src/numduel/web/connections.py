"""The connections: who may hold one, how long a head may take, and how long it may be.

uvicorn waits for the end of a head for as long as it takes, from as many as come. Here a head has
a time and a length before anything is parsed; a body says how long it is; and when an address, or
the whole server, has as many connections as it may, the one that has waited longest without a
request goes.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import resource
from collections import defaultdict
from http import HTTPStatus
from typing import Any, ClassVar, NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger("numduel.web")

FILES = 8_192
"""How many files a process would like to have open; half of those it may are connections."""

_HEAD_ENDS = re.compile(rb"\n\r?\n")
_CHUNKED = re.compile(rb"\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_LONGEST_END = 3  # bytes by which the end of a head may reach back into what came before


class Limits(NamedTuple):
    """What a connection may be."""

    seconds: float = 10.0  # from its beginning, or from the end of an answer, to the end of a head
    head: int = 16 * 2**10  # bytes
    lines: int = 100  # of a head
    stalled: float = 30.0  # seconds in which nothing of an answer is taken
    each: int = 400  # connections of one address: a class may sit behind a single one


class Crowd:
    """Who is connected, and who of them waits: has no request that is being answered."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self._waiting: dict[Connection, None] = {}  # the longest first
        self._waiting_at: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._held: defaultdict[str, int] = defaultdict(int)
        self._all = 0

    def admit(self, one: Connection, bounded: bool) -> bool:
        """Let one in; for that, one that waits may have to go. False where none does."""
        full = self._all >= self.most
        if bounded and self._held[one.address] >= self.most_each:
            full, waiting = True, self._waiting_at[one.address]
        else:
            waiting = self._waiting
        if full:
            longest = next(iter(waiting), None)
            if longest is None:
                return False
            longest.drop("others came")
        self._all += 1
        self._held[one.address] += 1
        self.wait(one)
        return True

    def wait(self, one: Connection) -> None:
        """It waits, from now on."""
        self._waiting[one] = self._waiting_at[one.address][one] = None

    def ask(self, one: Connection) -> None:
        """It has asked for something."""
        self._waiting.pop(one, None)
        self._waiting_at[one.address].pop(one, None)

    def leave(self, one: Connection) -> None:
        """It is gone."""
        self.ask(one)
        self._all -= 1
        self._held[one.address] -= 1
        if not self._held[one.address]:
            del self._held[one.address], self._waiting_at[one.address]


def may_open() -> int:
    """How many files this process may have open, after it has asked for enough of them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES:
        soft = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return FILES if soft == resource.RLIM_INFINITY else min(soft, FILES)


def backlog() -> int:
    """How many may arrive at once: the loop takes them all in before one of them can be dropped."""
    return may_open() // 4


class Connection(H11Protocol):
    """uvicorn's, behind a door."""

    limits: ClassVar[Limits] = Limits()
    _crowd: ClassVar[Crowd | None] = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.address = ""
        self._admitted = False
        self._head: bytearray | None = bytearray()  # what has come of it; None: it is complete
        self._body = 0  # bytes of it that are still to come
        self._timer: asyncio.TimerHandle | None = None  # for the head
        self._stalling: asyncio.TimerHandle | None = None  # for an answer that is not taken

    @classmethod
    def crowd(cls) -> Crowd:
        """Everybody who is connected to this process."""
        if cls._crowd is None:
            cls._crowd = Crowd(may_open() // 2, cls.limits.each)
        return cls._crowd

    # What happens to a connection.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.address = household(host)
        proxies = getattr(self.config.loaded_app, "trusted_hosts", ())
        # Whoever comes through a proxy has the proxy's address: the proxy counts them.
        self._admitted = self.crowd().admit(self, bounded=host not in proxies)
        if self._admitted:
            self._expect()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many are connected just now.")

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._head is None:
            self._take_body(data)
            return
        self._unset_keepalive_if_required()
        searched = max(0, len(self._head) - _LONGEST_END)
        self._head += data
        end = _HEAD_ENDS.search(self._head, searched)
        if len(self._head) > self.limits.head and (end is None or end.end() > self.limits.head):
            limit = f"The head of a request has at most {self.limits.head:,} bytes here."
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, limit)
        elif end is not None:
            self._take_head(bytes(self._head[: end.end()]), bytes(self._head[end.end() :]))
        elif self._head[0] <= ord(" "):  # as where somebody speaks TLS
            self._refuse(HTTPStatus.BAD_REQUEST, "That is no request.")

    def _take_head(self, head: bytes, rest: bytes) -> None:
        if head.count(b"\n") > self.limits.lines:
            limit = f"The head of a request has at most {self.limits.lines} lines here."
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, limit)
            return
        if _CHUNKED.search(head):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "A request says how long it is here.")
            return
        self._stop_timer()
        self._head = None
        self.crowd().ask(self)
        self.headers = []
        super().data_received(head)
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        self._body = int(length)  # h11 has checked it
        if rest and not self.transport.is_closing():
            self._take_body(rest)

    def _take_body(self, data: bytes) -> None:
        """Hand on what belongs to this request; one that comes before its answer is cut off."""
        belongs, beyond = data[: self._body], data[self._body :]
        self._body -= len(belongs)
        if belongs:
            super().data_received(belongs)
        if beyond and self.cycle is not None:
            self.cycle.keep_alive = False

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            return
        if self._body:  # it was answered before it had come: nothing good follows
            self.transport.close()
            return
        self._head = bytearray()
        self.crowd().wait(self)
        self._expect()

    def pause_writing(self) -> None:
        super().pause_writing()
        late = self.limits.stalled
        self._stalling = self.loop.call_later(late, self.drop, "it does not read")

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_stalling()

    # The time that a head has.

    def _expect(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self.limits.seconds, self._late)

    def _late(self) -> None:
        if self._head:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The head of that request took too long.")
        else:
            self.drop("nothing came")

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_stalling(self) -> None:
        if self._stalling is not None:
            self._stalling.cancel()
            self._stalling = None

    # How one ends.

    def drop(self, why: str) -> None:
        """Cut it off, without a word."""
        log.info("dropped", extra={"why": why})
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        self._stop_timer()
        self._stop_stalling()
        if self._admitted:
            self._admitted = False
            self.crowd().leave(self)

    def _refuse(self, status: HTTPStatus, line: str) -> None:
        """Say why in one line, and close."""
        log.info("refused", extra={"status": status.value, "why": line})
        text = f"{line}\n"
        head = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            "content-type: text/plain; charset=utf-8",
            f"content-length: {len(text)}",
            "connection: close",
        ]
        self._stop_timer()
        self.transport.write("\r\n".join([*head, "", text]).encode())
        self.transport.close()


def household(host: str) -> str:
    """Whose address it is: its own, or a home's where they come by the million."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host
