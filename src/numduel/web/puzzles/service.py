"""The puzzles that pages show: each is made once for everybody, and then cached."""

from __future__ import annotations

import asyncio
from datetime import date
from functools import lru_cache

from numduel.play.puzzle import Puzzle, daily, numbered_puzzle
from numduel.web.identity import Client
from numduel.web.lru_cache import LruCache
from numduel.web.thinking import Thinking

_MAX_CACHED_PUZZLES = 200  # of days, and as many of games

_daily = lru_cache(_MAX_CACHED_PUZZLES)(daily)


class PuzzleService:
    def __init__(self, slow: Thinking) -> None:
        self._slow = slow
        self._numbered: LruCache[Puzzle] = LruCache(_MAX_CACHED_PUZZLES)

    async def of_day(self, day: date) -> Puzzle:
        """Return the puzzle of a day.

        It is made in a thread and not in the pool: it is small, and the first page, which shows
        it, should not wait for other people's requests to the pool.
        """
        return await asyncio.to_thread(_daily, day)

    async def of_game(
        self, client: Client, key: str, number: int, grade: int | None, short: bool = False
    ) -> Puzzle:
        """Return the puzzle of a game with that number; `short`: with few right moves."""
        name = f"{key} {number} {grade} {short}"
        puzzle = self._numbered.get(name)
        if puzzle is None:
            puzzle = await self._slow.ask(client, numbered_puzzle, key, number, grade, short)
            self._numbered.put(name, puzzle, 1)
        return puzzle
