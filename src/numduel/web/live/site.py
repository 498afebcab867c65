"""A running server: the parts that its pages share, and how they start and stop."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from types import FrameType
from typing import Any, NamedTuple

from starlette.requests import Request

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.record import Record
from numduel.play.analysis import Analysis
from numduel.web.bounds import Rates
from numduel.web.data import database
from numduel.web.data.store import Store, now
from numduel.web.live.desk import Desk
from numduel.web.live.news import News
from numduel.web.live.puzzles import Puzzles
from numduel.web.thinking import questions
from numduel.web.thinking.thinker import Thinker

log = logging.getLogger("numduel.web")

MOST_STREAMS = 2_000
MOST_STREAMS_EACH = 300
"""How many open pages one process tells of news, and how many of one address."""

_DAY = 24 * 60 * 60
_ROOM_DAYS = 1  # a class room is closed when nobody has used it for so long
_ANALYSES = 100  # that are remembered
_HOUSEKEEPING = 60 * 60  # seconds between two clearings
_QUICK, _SLOW = 5.0, 10.0  # seconds that a move, and an analysis, may take


class Config(NamedTuple):
    """How a server is set up."""

    database: str
    keep_days: int = 30  # unfinished games are cleared away after so many
    rates: Rates | None = Rates()


class Site:
    """The parts that the pages share."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.store = Store(database.connect(database.read_url(config.database)))
        self.news = News(self.store)
        self.quick = Thinker(_QUICK, most_waiting=100, processes=2)  # moves, the coach's words
        self.slow = Thinker(_SLOW, most_waiting=30)  # whole games, and whatever is asked by API
        self.desk = Desk(self.store, self.news, self.quick)
        self.puzzles = Puzzles(self.quick, self.slow)
        self._analyses: dict[str, asyncio.Task[Analysis]] = {}

    async def analysis(
        self, game: Game[Any], record: Record, swapped: bool | None = None
    ) -> Analysis:
        """The analysis of a record, made once for all who ask, and remembered for a while."""
        same = record._replace(players=("", ""), started="")  # which do not matter to it
        key = f"{swapped} {same.dumps()}"
        task = self._analyses.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self.slow.ask(questions.analysis, game, record, swapped))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._analyses[key] = task
            if len(self._analyses) > _ANALYSES:
                self._analyses.pop(next(iter(self._analyses)))
        return await asyncio.shield(task)

    @property
    def stopping(self) -> bool:
        """Whether the server was told to stop."""
        return self.news.closing.is_set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """From start to stop."""
        await database.migrate(self.store.engine)
        tasks = [asyncio.create_task(work()) for work in (self.news.gather, self._keep_house)]
        try:
            with self._heeding_stops():
                yield
        finally:
            self.news.close()
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await asyncio.to_thread(self._stop_thinking)
            await self.store.engine.dispose()

    def _stop_thinking(self) -> None:
        self.quick.close()
        self.slow.close()

    @contextmanager
    def _heeding_stops(self) -> Iterator[None]:
        """Let open streams end when the server is told to stop, or it would wait for them."""
        loop, before = asyncio.get_running_loop(), {}
        with suppress(ValueError):  # not in the main thread: whoever runs us stops us otherwise
            for number in (signal.SIGINT, signal.SIGTERM):
                before[number] = signal.getsignal(number)
                signal.signal(number, self._stopper(loop, before[number]))
            threading.Thread(target=_stop_with_parent, daemon=True).start()
        try:
            yield
        finally:
            with suppress(ValueError):
                for number, handler in before.items():
                    signal.signal(number, handler)

    def _stopper(self, loop: asyncio.AbstractEventLoop, before: Any) -> Any:
        def stop(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.news.close)
            if callable(before):
                before(number, frame)

        return stop

    async def _keep_house(self) -> None:
        while True:
            with suppress(NumduelError):
                before = now() - self.config.keep_days * _DAY
                cleared = await self.store.clear(before, now() - _ROOM_DAYS * _DAY)
                log.info("cleared", extra={"unfinished": cleared})
            await asyncio.sleep(_HOUSEKEEPING)


def _stop_with_parent() -> None:
    """Stop when the process of which we are a worker was killed: it would leave us serving."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def site_of(request: Request) -> Site:
    """The site that a request has come to."""
    site: Site = request.app.state.site
    return site
