"""The review service replays and analyses finished games, once for everybody, and caches them."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from numduel.core.record import Record
from numduel.games import new
from numduel.play.analysis import Analysis
from numduel.play.event import Move
from numduel.play.table import Table
from numduel.web.duels.record import cooperatively, shared_game
from numduel.web.identity import Client
from numduel.web.lru_cache import LruCache
from numduel.web.thinking import Thinking, tasks

_MAX_CACHED_MOVES = 20_000  # in the analyses, and as many in the tables: about 25 MB of each


class RecordStore(Protocol):
    """A store of uploaded records, each as its text."""

    async def add(self, name: str, text: str) -> None:
        """Add a record under a new name."""

    async def load(self, name: str) -> str | None:
        """Return the record of that name; None if there is none."""


class ReviewService:
    def __init__(self, slow: Thinking) -> None:
        self._slow = slow
        self._analyses: LruCache[asyncio.Task[Analysis]] = LruCache(_MAX_CACHED_MOVES)
        self._tables: LruCache[Table[Any]] = LruCache(_MAX_CACHED_MOVES)

    async def analysis(
        self, client: Client, record: Record, swapped: bool | None = None
    ) -> Analysis:
        """Return the analysis of a record; `swapped` is whether its first move was taken over."""
        key = f"{swapped} {_key(record)}"
        task = self._analyses.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            game = new(record.game, **record.settings)
            question = self._slow.ask(client, tasks.analysis, game, record, swapped)
            task = asyncio.create_task(question)
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._analyses.put(key, task, _weight(record))
        return await asyncio.shield(task)

    async def replayed(self, record: Record) -> Table[Any]:
        """Return a table at which the moves of a record have been played."""
        key = _key(record)
        table = self._tables.get(key)
        if table is None:
            game = shared_game(new(record.game, **record.settings))
            table = Table(game, record.first, None, swap=False)
            async for move in cooperatively(record.moves):
                table.apply(Move(move))
            self._tables.put(key, table, _weight(record))
        return table


def _key(record: Record) -> str:
    """Return the text of a record without the players and the time."""
    return record._replace(players=("", ""), started="").dumps()


def _weight(record: Record) -> int:
    return 10 + len(record.moves)
