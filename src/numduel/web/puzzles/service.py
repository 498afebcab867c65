"""The puzzles that the pages pose: made once for all who ask, and remembered for a while."""

from __future__ import annotations

import asyncio
from datetime import date
from functools import lru_cache

from numduel.play.puzzle import Puzzle, daily, numbered_puzzle
from numduel.web.identity import Client
from numduel.web.lru_cache import LruCache
from numduel.web.thinking import Thinking

_MAX_REMEMBERED = 200  # puzzles of days, and of games


_daily = lru_cache(_MAX_REMEMBERED)(daily)


class PuzzleService:
    """Makes the puzzles of the days and of the games."""

    def __init__(self, slow: Thinking) -> None:
        self._slow = slow
        self._numbered: LruCache[Puzzle] = LruCache(_MAX_REMEMBERED)

    async def daily(self, day: date) -> Puzzle:
        """Return the puzzle of a day.

        It is made in a thread and not in the pool: it is small, and the first page, which shows
        it, should not wait for what others have asked the pool.
        """
        return await asyncio.to_thread(_daily, day)

    async def numbered(
        self, client: Client, key: str, number: int, grade: int | None, short: bool = False
    ) -> Puzzle:
        """Return the puzzle of a game with that number; `short`: of few right moves."""
        which = f"{key} {number} {grade} {short}"
        found = self._numbered.get(which)
        if found is None:
            found = await self._slow.ask(client, numbered_puzzle, key, number, grade, short)
            self._numbered.put(which, found, 1)
        return found
