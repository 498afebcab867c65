"""News between servers: which duel or room has changed, so that open pages can be told.

News is only ever a hint to look again. Between the servers of a PostgreSQL it travels by LISTEN
and NOTIFY; beside an SQLite file each server looks whether another has written.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa

from numduel.web.data.database import cause
from numduel.web.data.store import Store
from numduel.web.kept import Kept
from numduel.web.problems import Busy
from numduel.web.visitor import seat, visitor

log = logging.getLogger("numduel.web")

Look = Callable[[], Awaitable[int]]

_LOOK = 0.2  # seconds between two looks at an SQLite file
_TRUSTED = 15.0  # seconds for which a version is believed to be the latest unless told otherwise
_MOST_FOLLOWED = 10_000  # duels of which class rooms hear
_RETRY = 0.5  # seconds until a lost connection is tried again


class _Topic:
    """A duel or a room that somebody waits for news of, and its latest version."""

    def __init__(self) -> None:
        self.players: set[asyncio.Event] = set()  # who are woken first
        self.watchers: set[asyncio.Event] = set()
        self.version = -1
        self._stale = True  # whether there may be a later one
        self._looked = 0.0
        self._looking: asyncio.Task[None] | None = None

    def tell(self, version: int | None) -> None:
        """Wake everybody; the version, where it is known."""
        if version is None:
            self._stale = True
        else:
            self.version = max(self.version, version)
        for bell in (*self.players, *self.watchers):
            bell.set()

    async def current(self, look: Look) -> int:
        """The version now; it is looked up once for all who ask."""
        if time.monotonic() - self._looked > _TRUSTED:
            self._stale = True
        while self._stale or self._looking is not None:
            if self._looking is None:
                self._stale, self._looked = False, time.monotonic()
                self._looking = asyncio.create_task(self._look_up(look))
            await asyncio.shield(self._looking)  # whoever leaves now breaks no query off
        return self.version

    async def _look_up(self, look: Look) -> None:
        try:
            self.version = max(self.version, await look())
        except BaseException:
            self._stale = True
            raise
        finally:
            self._looking = None


class News:
    """Who waits for which news."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.closing = asyncio.Event()
        self.waiting: Counter[str] = Counter()  # how many wait, by visitor
        self.watching: Counter[str] = Counter()  # those among them who do not play
        self.playing: Counter[str] = Counter()  # and who do, by seat
        self.refused = 0  # how many wait for room among these
        self._topics: defaultdict[str, _Topic] = defaultdict(_Topic)
        self._rooms: Kept[str] = Kept(_MOST_FOLLOWED)

    def tell(self, topic: str, version: int | None = None) -> None:
        """Wake whoever waits for this topic here; its version, where it is known."""
        if topic in self._topics:
            self._topics[topic].tell(version)
        if (room := self._rooms.get(topic)) is not None:
            self.tell(room)

    def follow(self, duel: str, room: str) -> None:
        """Let news of a duel be news of its class room as well."""
        self._rooms.keep(duel, room, 1)

    async def version(self, topic: str, look: Look) -> int:
        """The version of a topic that is waited for; `look` finds it out."""
        return await self._topics[topic].current(look)

    def tell_all(self) -> None:
        """Wake everybody: something may have been missed."""
        for topic in list(self._topics):
            self.tell(topic)

    def close(self) -> None:
        """Let everybody go: the server stops."""
        self.closing.set()
        self.tell_all()

    @contextmanager
    def waiting_for(self, topic: str, plays: bool = False) -> Iterator[asyncio.Event]:
        """A bell that rings with each news of the topic."""
        bell, about = asyncio.Event(), self._topics[topic]
        bells = about.players if plays else about.watchers
        counts = [(self.waiting, visitor.get())]
        counts.append((self.playing, seat()) if plays else (self.watching, visitor.get()))
        bells.add(bell)
        for count, whom in counts:
            count[whom] += 1
        try:
            yield bell
        finally:
            for count, whom in counts:
                count[whom] -= 1
                if not count[whom]:
                    del count[whom]
            bells.discard(bell)
            if not (about.players or about.watchers):
                del self._topics[topic]

    async def gather(self) -> None:
        """Gather the news of other servers, for ever."""
        around = self._listen if self.store.shared else self._look
        while True:
            try:
                async for topic in around():
                    self.tell(topic) if topic else self.tell_all()
            except (Busy, sa.exc.SQLAlchemyError, psycopg.Error, OSError) as error:
                log.warning(
                    "news",
                    extra={"cause": cause(error)},
                )
            await asyncio.sleep(_RETRY)

    async def _listen(self) -> AsyncIterator[str]:
        url = self.store.engine.url.set(drivername="postgresql")
        connection = await psycopg.AsyncConnection.connect(
            url.render_as_string(hide_password=False), autocommit=True
        )
        async with connection:
            await connection.execute("LISTEN numduel")
            yield ""  # what was told before we listened is lost
            async for notice in connection.notifies():
                yield notice.payload

    async def _look(self) -> AsyncIterator[str]:
        written: int | None = None
        seen: dict[str, int] = {}
        while True:
            await self.store.mend()
            # It changes when another connection has written; this process writes by one.
            async with self.store.engine.connect() as connection:
                now = await connection.scalar(sa.text("PRAGMA data_version"))
            if now != written:
                written, before = now, seen
                seen = await self.store.versions(list(self._topics))
                for topic in list(self._topics):
                    if topic not in seen or seen[topic] != before.get(topic):
                        yield topic
            await asyncio.sleep(_LOOK)
