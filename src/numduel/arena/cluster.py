"""The games of an arena played on a Dask cluster that already runs.

Each task is a chunk of games for one worker, which plays them in a process of its own (`Guard`),
so that a player can bring down no more than that. A worker that is lost costs the games it was
playing: Dask asks another. A scheduler that is lost is waited for, and what it had is asked again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from distributed import Client, Future
from distributed import wait as untyped_wait
from distributed.client import FIRST_COMPLETED

from numduel.arena.asked import Asked, loads
from numduel.arena.crew import Waiting
from numduel.arena.guard import Guard
from numduel.core.errors import NumduelError, SettingsError

FIRST_PATIENCE = 120.0
"""Seconds until an address at which no scheduler ever answered is taken to be wrong."""

PATIENCE = 3600.0
"""Seconds that a scheduler which was lost is waited for."""

CONNECT = 30.0
"""Seconds of one attempt to reach it."""

A_WORKER = 2
"""Tasks for each thread of a worker: one that it plays, and one that waits."""

POLL = 1.0

_mine = threading.local()
_wait: Callable[..., Any] = untyped_wait

Told = Callable[[str], object]
"""Is told in a sentence that the scheduler is waited for."""


def played_there(text: str, numbers: list[int]) -> list[str]:
    """On a worker: the lines of the first of these games. Its process stays for the next ones."""
    held: tuple[str, Guard] | None = getattr(_mine, "held", None)
    if held is None or held[0] != text:
        if held is not None:
            held[1].close()
        held = _mine.held = (text, Guard(Asked(**loads(text))))
    return held[1].played(numbers)


def played_on(
    address: str, asked: Asked, numbers: Iterable[int], told: Told = lambda text: None
) -> Iterator[list[str]]:
    """The lines of the games, some at a time, as the cluster plays them."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what there is to say, we say
    waiting = Waiting(numbers)
    patience = FIRST_PATIENCE
    lost_at: float | None = None
    while True:
        try:
            for lines in _played(address, asked, waiting):
                yield lines
                patience, lost_at = PATIENCE, None
            return
        except NumduelError:
            raise
        except Exception as error:  # by any of a dozen of its own: there is no scheduler any more
            if lost_at is None:
                lost_at = time.monotonic()
                told(f"No scheduler answers at {address}: waiting for it.")
            if time.monotonic() - lost_at > patience:
                raise SettingsError(f"no cluster answers at {address}") from error
            time.sleep(POLL)


def _played(address: str, asked: Asked, waiting: Waiting) -> Iterator[list[str]]:
    """The same, until the scheduler is lost; the games that it had then wait again."""
    text = asked.dumps()
    given: dict[Future[list[str]], tuple[list[int], float]] = {}
    client: Any = Client(address, timeout=CONNECT)  # type: ignore[no-untyped-call]
    try:
        while True:
            room = A_WORKER * max(1, sum(client.nthreads().values())) - len(given)
            for _ in range(room):
                if not (numbers := waiting.take()):
                    break
                task = client.submit(played_there, text, numbers, pure=False, retries=10)
                given[task] = numbers, time.monotonic()
            if not given:
                return
            with suppress(TimeoutError):
                for task in _wait(list(given), POLL, FIRST_COMPLETED).done:
                    lines = _lines(task)
                    numbers, begun = given.pop(task)
                    took = (time.monotonic() - begun) / A_WORKER  # the rest of it, it waited
                    waiting.played(numbers, len(lines), took)
                    yield lines
    finally:
        for numbers, _ in given.values():
            waiting.give_back(numbers)
        with suppress(Exception):  # of who cannot take leave of a scheduler that has gone
            client.close()


def _lines(task: Any) -> list[str]:
    """What a task that is done has found; NumduelError where it cannot be done anywhere."""
    if task.status != "error":
        lines: list[str] = task.result()
        return lines
    error = task.exception()
    if isinstance(error, NumduelError):
        raise error
    why = f"{type(error).__name__}: {error}".splitlines()[0]
    raise NumduelError(f"the cluster cannot play these games ({why})")
