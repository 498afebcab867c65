"""The games of an arena played on a Dask cluster that already runs.

Each task is a chunk of games for one worker, which plays them in a process of its own (`Guard`),
so that a player can bring down no more than that. A worker that is lost costs the games it was
playing: Dask asks another. A scheduler that is lost is waited for, and what it had is asked again.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from distributed import Client, Future
from distributed import wait as untyped_wait
from distributed.client import FIRST_COMPLETED
from distributed.comm.core import CommClosedError

from numduel.arena.asked import Asked, loads
from numduel.arena.crew import Waiting
from numduel.arena.guard import Guard
from numduel.core.errors import NumduelError, SettingsError

PATIENCE = 120.0
"""Seconds that a scheduler which was lost is waited for."""

CONNECT = 10.0

A_WORKER = 2
"""Tasks for each thread of a worker: one that it plays, and one that waits."""

A_TASK = 256
"""Games that a task is given at most; of how many it tells is a matter of time."""

POLL = 1.0

LOST = (OSError, TimeoutError, CommClosedError, asyncio.CancelledError)
"""What is raised where the scheduler has gone."""

_mine = threading.local()
_wait: Callable[..., Any] = untyped_wait


def played_there(text: str, numbers: list[int]) -> list[str]:
    """On a worker: the lines of the first of these games. Its process stays for the next ones."""
    held: tuple[str, Guard] | None = getattr(_mine, "held", None)
    if held is None or held[0] != text:
        if held is not None:
            held[1].close()
        held = _mine.held = (text, Guard(Asked(**loads(text))))
    return held[1].played(numbers)


def played_on(address: str, asked: Asked, numbers: Iterable[int]) -> Iterator[list[str]]:
    """The lines of the games, some at a time, as the cluster plays them."""
    waiting = Waiting(numbers, A_TASK)
    given: dict[Future[list[str]], list[int]] = {}
    lost_at: float | None = None
    while True:
        try:
            with Client(address, timeout=CONNECT) as client:  # type: ignore[no-untyped-call]
                lost_at = None
                yield from _played(client, asked, waiting, given)
                return
        except NumduelError:
            raise
        except LOST as error:
            for held in given.values():
                waiting.give_back(held)
            given.clear()
            if lost_at is None:
                lost_at = time.monotonic()
            if time.monotonic() - lost_at > PATIENCE:
                raise SettingsError(f"no cluster answers at {address}") from error
            time.sleep(POLL)


def _played(
    client: Any, asked: Asked, waiting: Waiting, given: dict[Future[list[str]], list[int]]
) -> Iterator[list[str]]:
    text = asked.dumps()
    while True:
        room = A_WORKER * max(1, sum(client.nthreads().values())) - len(given)
        for _ in range(room):
            if not (numbers := waiting.take()):
                break
            task = client.submit(played_there, text, numbers, pure=False, retries=10)
            given[task] = numbers
        if not given:
            return
        try:
            done = _wait(list(given), timeout=POLL, return_when=FIRST_COMPLETED).done
        except TimeoutError:
            if client.status != "running":
                raise CommClosedError from None
            continue
        for task in done:
            if task.status in ("cancelled", "lost"):
                raise CommClosedError
            lines: list[str] = task.result()
            waiting.give_back(given.pop(task)[len(lines) :])
            yield lines
