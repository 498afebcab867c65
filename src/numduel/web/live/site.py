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

import sqlalchemy as sa
from markupsafe import Markup
from starlette.requests import Request

from numduel.core.game import Game
from numduel.core.record import Record
from numduel.picture.painting import painted
from numduel.play.analysis import Analysis
from numduel.play.event import Move
from numduel.play.table import Table
from numduel.web import metrics
from numduel.web.bounds import Rates
from numduel.web.data import database
from numduel.web.data.calendar import today
from numduel.web.data.clearing import Keep, clear
from numduel.web.data.hosted import shared
from numduel.web.data.ready import Readiness
from numduel.web.data.store import Store
from numduel.web.kept import Kept
from numduel.web.live.desk import Desk
from numduel.web.live.news import News
from numduel.web.live.puzzles import Puzzles
from numduel.web.problems import Busy
from numduel.web.slices import in_slices
from numduel.web.thinking import questions
from numduel.web.thinking.thinker import Thinker

log = logging.getLogger("numduel.web")

MOST_STREAMS = 2_000
MOST_STREAMS_EACH = 300
MOST_STREAMS_SEAT = 5
"""How many open pages one process tells of news, how many of one address, and of one seat."""

WATCHING = 0.5
"""The share of both that those have who do not play."""

_PAGES_KEPT = 8 * 2**20  # bytes of pages
_MOVES_KEPT = 20_000  # of analyses, and of replays, that are remembered: about 25 MB of each
_HOUSEKEEPING = 60 * 60  # seconds between two clearings
_MEASURED = 0.5  # seconds between two looks at the loop
_QUICK, _SLOW = 5.0, 10.0  # seconds that a move, and an analysis, may take


class Config(NamedTuple):
    """How a server is set up."""

    database: str
    keep_days: int = 30  # unfinished games are cleared away after so many
    keep_finished_days: int = 365
    rates: Rates | None = Rates()
    hosts: tuple[str, ...] = ()  # names that it is known by, beside the addresses that it has


class Site:
    """The parts that the pages share."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.store = Store(database.connect(database.read_url(config.database)))
        self.ready = Readiness(self.store)
        self.news = News(self.store)
        self.quick = Thinker(_QUICK, most_waiting=100, processes=2)  # moves, the coach's words
        self.slow = Thinker(_SLOW, most_waiting=30)  # whole games, and whatever is asked by API
        self.desk = Desk(self.store, self.news, self.quick)
        self.puzzles = Puzzles(self.quick, self.slow)
        self.watched: Kept[bytes] = Kept(_PAGES_KEPT)  # pages that are the same for many
        self.tiles: Kept[tuple[int, Markup]] = Kept(_PAGES_KEPT)  # small boards, each of a version
        self._pictures: Kept[bytes] = Kept(_PAGES_KEPT)
        self._analyses: Kept[asyncio.Task[Analysis]] = Kept(_MOVES_KEPT)
        self._tables: Kept[Table[Any]] = Kept(_MOVES_KEPT)

    async def analysis(
        self, game: Game[Any], record: Record, swapped: bool | None = None
    ) -> Analysis:
        """The analysis of a record, made once for all who ask, and remembered for a while."""
        key = f"{swapped} {_moves_of(record)}"
        task = self._analyses.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self.slow.ask(questions.analysis, game, record, swapped))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._analyses.keep(key, task, _weight(record))
        return await asyncio.shield(task)

    async def replayed(self, game: Game[Any], record: Record) -> Table[Any]:
        """The table at which a record was played, at its end, and remembered for a while."""
        key = _moves_of(record)
        table = self._tables.get(key)
        if table is None:
            table = Table(shared(game), record.first, None, swap=False)
            async for move in in_slices(record.moves):
                table.apply(Move(move))
            self._tables.keep(key, table, _weight(record))
        return table

    async def picture(self, svg: str, width: int) -> bytes:
        """An SVG of ours as a PNG of so many pixels across, remembered for a while."""
        png = self._pictures.get(svg)
        if png is None:
            png = await self.slow.ask(painted, svg, width)
            self._pictures.keep(svg, png, len(svg) + len(png))
        return png

    @property
    def stopping(self) -> bool:
        """Whether the server was told to stop."""
        return self.news.closing.is_set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """From start to stop."""
        metrics.forget_the_dead()
        await self._migrate()
        tasks = [
            asyncio.create_task(work())
            for work in (self.news.gather, self._keep_house, self._measure)
        ]
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
            await self.ready.close()
            await self.store.close()

    async def _migrate(self) -> None:
        """Bring the tables to the present version; a database that is away has them, or will."""
        try:
            await database.migrate(self.store.engine)
            await self.store.do(today.note)
        except (Busy, sa.exc.SQLAlchemyError, OSError) as error:
            log.warning("not migrated", extra={"cause": database.cause(error)})

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

    async def _measure(self) -> None:
        """Note how late the loop comes to its work, and how much is open and under way."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _MEASURED
            await asyncio.sleep(_MEASURED)
            metrics.LAG.observe(max(0.0, loop.time() - due))
            metrics.STREAMS.set(self.news.waiting.total())
            metrics.THINKING.labels("quick").set(self.quick.waiting)
            metrics.THINKING.labels("slow").set(self.slow.waiting)

    async def _keep_house(self) -> None:
        keep = Keep(self.config.keep_days, self.config.keep_finished_days)
        while True:
            try:
                log.info("cleared", extra={"duels": await clear(self.store, keep)})
            except Busy as error:
                log.warning("not cleared", extra={"cause": error.cause})
            await asyncio.sleep(_HOUSEKEEPING)


def _moves_of(record: Record) -> str:
    """What tells one record from another, beside who played it and when."""
    return record._replace(players=("", ""), started="").dumps()


def _weight(record: Record) -> int:
    return 10 + len(record.moves)


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
