"""The games of an arena played by several processes of this machine."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Generator, Iterable
from itertools import chain, islice
from select import select

from numduel.arena.asked import Asked
from numduel.arena.guard import CHUNK, POLL, Guard

MOST = 10_000
"""Games that are handed out at once."""


def cores() -> int:
    """How many processes can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Waiting:
    """The games that wait to be played, in order; some may come back."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = iter(numbers)
        self._back: deque[int] = deque()
        self._pace = 1  # games that are played in the time of a chunk

    def take(self) -> list[int]:
        """The next ones, about as many as fill the time of a chunk; none where all are taken."""
        taken = [self._back.popleft() for _ in range(min(self._pace, len(self._back)))]
        return list(chain(taken, islice(self._numbers, self._pace - len(taken))))

    def give_back(self, numbers: Iterable[int]) -> None:
        """Let these be taken next."""
        self._back.extendleft(reversed(list(numbers)))

    def played(self, taken: list[int], count: int, seconds: float) -> None:
        """So many of those that were taken were played, in so many seconds; the others wait."""
        self._pace = min(MOST, max(1, round(count * CHUNK / max(seconds, 1e-6))))
        self.give_back(taken[count:])


def played_here(
    asked: Asked, numbers: Iterable[int], workers: int
) -> Generator[list[str], None, None]:
    """The lines of the games, some at a time, as they are played."""
    waiting = Waiting(numbers)
    guards = [Guard(asked) for _ in range(workers)]
    given: dict[Guard, tuple[list[int], float]] = {}

    def hand_out() -> None:
        for guard in guards:
            if guard not in given and (taken := waiting.take()):
                guard.begin(taken)
                given[guard] = taken, time.monotonic()

    try:
        hand_out()
        while given:
            select(list(given), [], [], POLL)
            for guard in list(given):
                lines = guard.result(wait=0)
                if lines is not None:
                    taken, begun = given.pop(guard)
                    waiting.played(taken, len(lines), time.monotonic() - begun)
                    hand_out()  # before the lines are looked at, so that nobody is idle
                    yield lines
    finally:
        for guard in guards:
            guard.__exit__()
