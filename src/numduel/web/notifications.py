"""Notifications that a duel or a room has changed, so that open pages can be updated.

A notification is only a hint to read the version again.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from numduel.web.lru_cache import LruCache

ReadVersion = Callable[[], Awaitable[int]]

_MAX_VERSION_AGE_SECONDS = 15.0  # after which a version is read again in any case
_MAX_FOLLOWED_DUELS = 10_000  # whose changes are notified to their rooms as well


class _Topic:
    """A duel or a room for whose changes somebody waits, and its latest known version."""

    def __init__(self) -> None:
        self.players: set[asyncio.Event] = set()  # notified before the watchers
        self.watchers: set[asyncio.Event] = set()
        self.version = -1
        self._is_stale = True
        self._read_at = 0.0
        self._reading: asyncio.Task[None] | None = None

    def notify(self, version: int) -> None:
        """Wake everybody; if the version is unknown (-1), it is read again."""
        self._is_stale = self._is_stale or version < 0
        self.version = max(self.version, version)
        for changed in (*self.players, *self.watchers):
            changed.set()

    async def current_version(self, read: ReadVersion) -> int:
        """Return the present version; simultaneous callers share one reading."""
        if time.monotonic() - self._read_at > _MAX_VERSION_AGE_SECONDS:
            self._is_stale = True
        while self._is_stale or self._reading is not None:
            if self._reading is None:
                self._is_stale, self._read_at = False, time.monotonic()
                self._reading = asyncio.create_task(self._read(read))
            await asyncio.shield(self._reading)  # others still wait for it
        return self.version

    async def _read(self, read: ReadVersion) -> None:
        try:
            self.version = max(self.version, await read())
        except BaseException:
            self._is_stale = True
            raise
        finally:
            self._reading = None


class Notifications:
    """The waiting pages of this process, by topic: the name of a duel or the code of a room."""

    def __init__(self) -> None:
        self.closing = asyncio.Event()
        self._topics: defaultdict[str, _Topic] = defaultdict(_Topic)
        self._room_of: LruCache[str] = LruCache(_MAX_FOLLOWED_DUELS)

    def notify(self, *topics: str, version: int = -1) -> None:
        """Wake the pages that wait for a topic, whose version may be known."""
        for topic in topics:
            self._wake(topic, version)

    def _wake(self, topic: str, version: int = -1) -> None:
        if topic in self._topics:
            self._topics[topic].notify(version)
        if (room := self._room_of.get(topic)) is not None:
            self._wake(room)

    def wake_all(self) -> None:
        """Wake all pages, because a notification may have been missed."""
        for topic in list(self._topics):
            self._wake(topic)

    def follow(self, duel: str, room: str) -> None:
        """Let each change of a duel count as a change of its room."""
        self._room_of.put(duel, room)

    async def version(self, topic: str, read: ReadVersion) -> int:
        """Return the version of a topic for which somebody waits; `read` is called if needed."""
        return await self._topics[topic].current_version(read)

    def close(self) -> None:
        """Wake all pages, because the server stops."""
        self.closing.set()
        self.wake_all()

    @contextmanager
    def waiting_for(self, *topics: str | None, plays: bool = False) -> Iterator[asyncio.Event]:
        """Yield an event that is set at each change of one of the topics; None is ignored."""
        changed, names = asyncio.Event(), [name for name in topics if name]
        for name in names:
            about = self._topics[name]
            (about.players if plays else about.watchers).add(changed)
        try:
            yield changed
        finally:
            for name in names:
                about = self._topics[name]
                about.players.discard(changed)
                about.watchers.discard(changed)
                if not (about.players or about.watchers):
                    del self._topics[name]
