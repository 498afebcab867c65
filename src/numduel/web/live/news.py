"""News between servers: which duel or room has changed, so that open pages can be told.

News is only ever a hint to look again. Between the servers of a PostgreSQL it travels by LISTEN
and NOTIFY; beside an SQLite file each server looks whether another has written.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa

from numduel.web.data.database import cause
from numduel.web.data.store import Store
from numduel.web.problems import Busy
from numduel.web.visitor import visitor

log = logging.getLogger("numduel.web")

_LOOK = 0.2  # seconds between two looks at an SQLite file
_RETRY = 0.5  # seconds until a lost connection is tried again


class News:
    """Who waits for which news."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.closing = asyncio.Event()
        self.waiting: Counter[str] = Counter()  # how many wait, by visitor
        self._bells: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    def tell(self, topic: str) -> None:
        """Wake whoever waits for this topic here."""
        for bell in self._bells.get(topic, ()):
            bell.set()

    def tell_all(self) -> None:
        """Wake everybody: something may have been missed."""
        for topic in list(self._bells):
            self.tell(topic)

    def close(self) -> None:
        """Let everybody go: the server stops."""
        self.closing.set()
        self.tell_all()

    @contextmanager
    def waiting_for(self, topic: str) -> Iterator[asyncio.Event]:
        """A bell that rings with each news of the topic."""
        bell, whom = asyncio.Event(), visitor.get()
        self._bells[topic].add(bell)
        self.waiting[whom] += 1
        try:
            yield bell
        finally:
            self.waiting[whom] -= 1
            if not self.waiting[whom]:
                del self.waiting[whom]
            self._bells[topic].discard(bell)
            if not self._bells[topic]:
                del self._bells[topic]

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
                seen = await self.store.versions(list(self._bells))
                for topic in list(self._bells):
                    if topic not in seen or seen[topic] != before.get(topic):
                        yield topic
            await asyncio.sleep(_LOOK)
