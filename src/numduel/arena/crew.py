"""The games of an arena played by several processes of this machine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterable
from itertools import chain, islice
from select import select

from numduel.arena.asked import Asked
from numduel.arena.guard import POLL, Guard

A_CHUNK = 4096
"""Games that a worker is given at most; of how many it tells is a matter of time."""


def cores() -> int:
    """How many processes can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Waiting:
    """The games that wait to be played, in order; some may come back."""

    def __init__(self, numbers: Iterable[int], a_chunk: int = A_CHUNK) -> None:
        self._numbers = iter(numbers)
        self._a_chunk = a_chunk
        self._back: deque[int] = deque()

    def take(self) -> list[int]:
        """The next ones; none where all are taken."""
        taken = [self._back.popleft() for _ in range(min(self._a_chunk, len(self._back)))]
        return list(chain(taken, islice(self._numbers, self._a_chunk - len(taken))))

    def give_back(self, numbers: Iterable[int]) -> None:
        """Let these be taken next."""
        self._back.extendleft(reversed(list(numbers)))


def played_here(
    asked: Asked, numbers: Iterable[int], workers: int
) -> Generator[list[str], None, None]:
    """The lines of the games, some at a time, as they are played."""
    waiting = Waiting(numbers)
    guards = [Guard(asked) for _ in range(workers)]
    given: dict[Guard, list[int]] = {}
    try:
        while True:
            for guard in guards:
                if guard not in given and (taken := waiting.take()):
                    guard.begin(taken)
                    given[guard] = taken
            if not given:
                return
            select(list(given), [], [], POLL)
            for guard in list(given):
                lines = guard.result(wait=0)
                if lines is not None:
                    waiting.give_back(given.pop(guard)[len(lines) :])
                    yield lines
    finally:
        for guard in guards:
            guard.__exit__()
