"""The puzzles that the pages pose: made once for all who ask, and remembered for a while."""

from __future__ import annotations

import asyncio
from datetime import date
from functools import lru_cache

from numduel.play.puzzle import Answer, Puzzle
from numduel.play.puzzle import daily as daily_puzzle
from numduel.web.kept import Kept
from numduel.web.thinking import questions
from numduel.web.thinking.thinker import Thinker

_REMEMBERED = 200


@lru_cache(_REMEMBERED)
def _made(day: date) -> Puzzle:
    return daily_puzzle(day)


class Puzzles:
    """The puzzles of the days, and those of the games."""

    def __init__(self, quick: Thinker, slow: Thinker) -> None:
        self._quick = quick
        self._slow = slow
        self._numbered: Kept[Puzzle] = Kept(_REMEMBERED)

    async def daily(self, day: date) -> Puzzle:
        """The puzzle of a day.

        Made here, in a thread: it is of a game of ours at a small size, and the first page, which
        shows it, is not to wait for other people's thinking.
        """
        return await asyncio.to_thread(_made, day)

    async def numbered(self, key: str, number: int, grade: int | None) -> Puzzle:
        """The puzzle of that number."""
        which = f"{key} {number} {grade}"
        found = self._numbered.get(which)
        if found is None:
            found = await self._slow.ask(questions.puzzle, key, number, grade)
            self._numbered.keep(which, found, 1)
        return found

    async def answered(self, puzzle: Puzzle, move: int) -> Answer:
        """What a legal move comes to."""
        return await self._quick.ask(questions.answered, puzzle.game, puzzle.position, move)
