"""A running server: its database, its thinking processes, how they start, and graceful shutdown.

The database has been migrated by `numduel serve`.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import multiprocessing
import os
import select
import signal
import socket
import struct
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cached_property
from typing import NamedTuple

import uvicorn
from uvicorn.supervisors.multiprocess import Process

from numduel.play.event import event_word
from numduel.web import metrics
from numduel.web.connections import MAX_BACKLOG
from numduel.web.database.database import Database, read_url
from numduel.web.database.notifications import DatabaseNotifications
from numduel.web.database.readiness import Readiness
from numduel.web.database.retention import Retention, delete_expired
from numduel.web.duels.store import SqlDuelStore
from numduel.web.errors import Busy
from numduel.web.identity import SERVER
from numduel.web.limits import Rates
from numduel.web.reviews.store import SqlRecordStore
from numduel.web.rooms.service import RoomService
from numduel.web.rooms.store import SqlRoomStore
from numduel.web.services import MAX_ANALYSIS_SECONDS, MAX_MOVE_SECONDS, Services
from numduel.web.thinking.pool import ThinkingPool

log = logging.getLogger("numduel.web")

_RETENTION_INTERVAL_SECONDS = 60 * 60
_METRICS_INTERVAL_SECONDS = 0.5
_HANDSHAKE_SECONDS = 0.1  # within which a TCP handshake that has begun is completed
_SO_ATTACH_FILTER = 26  # Linux


class Config(NamedTuple):
    """The settings of a server."""

    database: str
    keep_days: int = 30  # for unfinished games that nobody touches
    keep_finished_days: int = 365
    rates: Rates | None = Rates()
    hosts: tuple[str, ...] = ()  # names of the server, beside its addresses
    direct_database: str = ""  # PostgreSQL's own address, if `database` is a pooler's
    thinkers: str = ""  # the socket of the thinking processes; if empty, they are started


class Server(Services):
    """The services of a running server, with their stores in the database."""

    quick: ThinkingPool
    slow: ThinkingPool
    notifications: DatabaseNotifications

    def __init__(self, config: Config) -> None:
        self.config = config
        direct = read_url(config.direct_database) if config.direct_database else None
        self.database = Database(read_url(config.database), direct)
        quick = ThinkingPool(MAX_MOVE_SECONDS, config.thinkers)
        super().__init__(
            SqlDuelStore(self.database),
            SqlRecordStore(self.database),
            DatabaseNotifications(self.database),
            quick=quick,
            slow=quick.allowing(MAX_ANALYSIS_SECONDS),
            count=lambda event: metrics.EVENTS.labels(event_word(event)).inc(),
        )
        self.ready = Readiness(
            self.database,
            ping=lambda: self.quick.ask(SERVER, int),
            answered=lambda: self.quick.queues[0].ended,
        )
        self.rooms = RoomService(SqlRoomStore(self.database, self.notifications.notify), quick)

    @property
    def is_stopping(self) -> bool:
        """Whether the server has begun to stop."""
        return self.notifications.closing.is_set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start all parts, and stop them in the end."""
        metrics.forget_dead_processes()
        notifications = self.notifications
        tasks = [
            asyncio.create_task(work())
            for work in (
                notifications.listen,
                notifications.send,
                self._apply_retention,
                self._measure,
            )
        ]
        threading.Thread(target=_stop_with_parent, daemon=True).start()
        try:
            yield
        finally:
            notifications.close()
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await asyncio.to_thread(self.quick.close)
            await self.ready.close()
            await self.database.close()

    async def _measure(self) -> None:
        """Measure the lag of the event loop, open streams and questions, for the metrics."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _METRICS_INTERVAL_SECONDS
            await asyncio.sleep(_METRICS_INTERVAL_SECONDS)
            metrics.LOOP_LAG.observe(max(0.0, loop.time() - due))
            metrics.STREAMS.set(len(self.players) + len(self.watchers))
            for queue in self.quick.queues:
                metrics.THINKING_QUESTIONS.labels(queue.lane.name).set(len(queue))

    async def _apply_retention(self) -> None:
        keep = Retention(self.config.keep_days, self.config.keep_finished_days)
        while True:
            try:
                log.info("cleared", extra={"duels": await delete_expired(self.database, keep)})
            except Busy as error:
                log.warning("not cleared", extra={"cause": error.cause})
            await asyncio.sleep(_RETENTION_INTERVAL_SECONDS)


def _stop_with_parent() -> None:
    """Stop this worker when the process that started it is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


# Graceful shutdown.


def drop_handshakes(listening: socket.socket) -> None:
    """Let Linux drop the first packet of every new connection; those already made are answered.

    Clients retry until the socket is closed, and are then refused.
    """
    # Load the flags of TCP. If SYN is set, keep no byte of the packet; otherwise keep all.
    program = [(0x30, 0, 0, 13), (0x45, 0, 1, 0x02), (0x06, 0, 0, 0), (0x06, 0, 0, 0x40000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in program))
    with suppress(OSError):  # not on Linux
        pointer = struct.pack("HP", len(program), ctypes.addressof(code))
        listening.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, pointer)


class GracefulServer(uvicorn.Server):
    """A server that resets no connection when it stops."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.lifespan.state["stop"]()  # ends the event streams
        for listening in sockets if sockets and self.config.workers == 1 else ():
            drop_handshakes(listening)
        await asyncio.sleep(_HANDSHAKE_SECONDS)
        for _ in range(MAX_BACKLOG):
            if select.select(sockets or [], [], [], 0)[0]:
                await asyncio.sleep(0)  # accepts what waits, which closing would reset
        await super().shutdown(sockets)


class Worker(Process):
    """One of several processes, which runs a GracefulServer."""

    @cached_property
    def server(self) -> GracefulServer:
        return GracefulServer(self.config)
