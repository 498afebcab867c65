"""The connections: how long a head may take, how long it may be, and how many there may be.

uvicorn waits for the end of a head for as long as it takes, from as many as come. Here a head has
a time and a length before anything is parsed, and a body says how long it is.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import socket
from http import HTTPStatus
from typing import Any, ClassVar, NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol

from numduel.web.crowd import Crowd, household, may_connect
from numduel.web.measured import note

log = logging.getLogger("numduel.web")

_HEAD_ENDS = re.compile(rb"\n\r?\n")
_CHUNKED = re.compile(rb"\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_LONGEST_END = 3  # bytes by which the end of a head may reach back into what came before


AT_ONCE = 32
LINE = 2048
"""How many are taken in before others are answered again, and how many may stand in line before."""


RARELY = 100
"""For so many collections of young garbage there is one of all, which takes longest."""


class Loop(asyncio.SelectorEventLoop):
    """asyncio's, which takes in few at a time and yet lets many stand in line.

    It knows one number for both; and whom the line does not hold tries again only after a second.
    """

    async def create_server(self, *arguments: Any, **named: Any) -> asyncio.Server:
        """A server that listens, with a line as long as ours."""
        server = await super().create_server(*arguments, **named)
        for listening in server.sockets:
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(LINE)
        _keep_what_is_loaded()
        return server


def _keep_what_is_loaded() -> None:
    """Let nobody look through it for garbage again: that holds the loop for a tenth of a second."""
    gc.collect()
    gc.freeze()
    young, old, _ = gc.get_threshold()
    gc.set_threshold(young, old, RARELY)


class Limits(NamedTuple):
    """What a connection may be."""

    seconds: float = 10.0  # from its beginning, or from the end of an answer, to the end of a head
    head: int = 16 * 2**10  # bytes
    lines: int = 100  # of a head
    stalled: float = 30.0  # seconds in which nothing of an answer is taken
    pause: float = 1.0  # seconds before a refusal: who asks over and over is slowed down
    ending: float = 1.0  # seconds for whoever was refused to hear it
    each: int = 400  # connections of one address: a class may sit behind a single one


class Connection(H11Protocol):
    """uvicorn's, behind a door."""

    limits: ClassVar[Limits] = Limits()
    _crowd: ClassVar[Crowd | None] = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.address = ""
        self._admitted = False
        self._refused = False
        self._head: bytearray | None = bytearray()  # what has come of it; None: it is complete
        self._body = 0  # bytes of it that are still to come
        self._timer: asyncio.TimerHandle | None = None  # for the head
        self._stalling: asyncio.TimerHandle | None = None  # for an answer that is not taken

    @classmethod
    def crowd(cls) -> Crowd:
        """Everybody who is connected to this process."""
        if cls._crowd is None:
            cls._crowd = Crowd(may_connect(), cls.limits.each)
        return cls._crowd

    # What happens to a connection.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.address = household(host)
        proxies = getattr(self.config.loaded_app, "trusted_hosts", ())
        # Whoever comes through a proxy has the proxy's address: the proxy counts them.
        full = self.crowd().admit(self, bounded=host not in proxies)
        self._admitted = full is None
        if full is None:
            self._expect()
        else:
            line = "Too many are connected just now."
            # At once: they hold a file each.
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, line, full, pause=0)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused or self.transport.is_closing():
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
        else:
            self.crowd().begin(self)

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

    def _refuse(
        self, status: HTTPStatus, line: str, cause: str = "", pause: float | None = None
    ) -> None:
        """Say why in one line, after a pause, and close; the cause is for the log."""
        log.info("refused", extra={"status": status.value, "why": line})
        note(status, status.phrase, "-", cause or line)
        self._stop_timer()
        self._refused = True
        late = self.limits.pause if pause is None else pause
        self._timer = self.loop.call_later(late, self._say, status, line)

    def _say(self, status: HTTPStatus, line: str) -> None:
        text = f"{line}\n"
        head = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            "content-type: text/plain; charset=utf-8",
            f"content-length: {len(text)}",
            "connection: close",
        ]
        self.transport.write("\r\n".join([*head, "", text]).encode())
        # Whoever still sends hears nothing from a connection that is closed: let them end first.
        self.transport.write_eof()
        self._timer = self.loop.call_later(self.limits.ending, self.transport.abort)
