"""Work done on a Dask cluster that already runs: the games of an arena, or the parts of a sweep.

Each task is a chunk of numbers for one Dask worker. Games are played in a `WorkerProcess`, so that
a player can kill no more than that. What a lost worker was given is done by another. If the
scheduler is lost, we wait for it, and send it the same numbers again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from distributed import Client, Future
from distributed import wait as untyped_wait
from distributed.client import FIRST_COMPLETED

from numduel.arena.processes import GameQueue, WorkerProcess
from numduel.arena.spec import Spec, loads
from numduel.core.errors import NumduelError, SettingsError

FIRST_TIMEOUT_SECONDS = 120.0
"""How long to wait for a scheduler that has never answered."""

RECONNECT_TIMEOUT_SECONDS = 3600.0
"""How long to wait for a scheduler that was lost."""

CLUSTER_CONNECT_SECONDS = 30.0
"""How long one attempt to connect may take."""

TASKS_PER_THREAD = 2
"""One task that a thread of a worker does, and one that waits."""

CLUSTER_POLL_SECONDS = 1.0

T = TypeVar("T")

_mine = threading.local()
_wait: Callable[..., Any] = untyped_wait

Told = Callable[[str], object]
"""Called with a sentence when it begins to wait for the scheduler."""


def played_there(text: str, numbers: list[int]) -> list[str]:
    """On a worker: return the lines of the first of these games. Its process is kept."""
    held: tuple[str, WorkerProcess] | None = getattr(_mine, "held", None)
    if held is None or held[0] != text:
        if held is not None:
            held[1].close()
        held = _mine.held = (text, WorkerProcess(Spec(**loads(text))))
    return held[1].played(numbers)


def played_on(
    address: str, spec: Spec, numbers: Iterable[int], told: Told = lambda text: None
) -> Iterator[list[str]]:
    """Yield the lines of the games, some at a time, as the cluster plays them."""
    return computed_on(address, partial(played_there, spec.dumps()), numbers, told)


def computed_on(
    address: str,
    work: Callable[[list[int]], list[T]],
    numbers: Iterable[int],
    told: Told = lambda text: None,
) -> Iterator[list[T]]:
    """Yield what the cluster computes for the numbers, in chunks, as it does so.

    `work` returns the results of the first of the numbers that it is given, at least one.
    """
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report what is needed ourselves
    waiting = GameQueue(numbers)
    timeout = FIRST_TIMEOUT_SECONDS
    lost_at: float | None = None
    while True:
        try:
            for results in _computed(address, work, waiting):
                yield results
                timeout, lost_at = RECONNECT_TIMEOUT_SECONDS, None
            return
        except NumduelError:
            raise
        except Exception as error:  # distributed has a dozen for a lost scheduler
            if lost_at is None:
                lost_at = time.monotonic()
                told(f"No scheduler answers at {address}: waiting for it.")
            if time.monotonic() - lost_at > timeout:
                raise SettingsError(f"no cluster answers at {address}") from error
            time.sleep(CLUSTER_POLL_SECONDS)


def _computed(
    address: str, work: Callable[[list[int]], list[T]], waiting: GameQueue
) -> Iterator[list[T]]:
    """Yield results until the scheduler is lost; its numbers are then put back into the queue."""
    given: dict[Future[list[T]], tuple[list[int], float]] = {}
    client: Any = Client(address, timeout=CLUSTER_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    try:
        while True:
            room = TASKS_PER_THREAD * max(1, sum(client.nthreads().values())) - len(given)
            for _ in range(room):
                if not (numbers := waiting.take()):
                    break
                task = client.submit(work, numbers, pure=False, retries=10)
                given[task] = numbers, time.monotonic()
            if not given:
                return
            with suppress(TimeoutError):
                for task in _wait(list(given), CLUSTER_POLL_SECONDS, FIRST_COMPLETED).done:
                    results = _results(task)
                    numbers, begun = given.pop(task)
                    took = (time.monotonic() - begun) / TASKS_PER_THREAD  # it waited the rest
                    waiting.played(numbers, len(results), took)
                    yield results
    finally:
        for numbers, _ in given.values():
            waiting.give_back(numbers)
        with suppress(Exception):  # closing fails if the scheduler is lost
            client.close()


def _results(task: Any) -> list[Any]:
    """Return the results of a finished task; NumduelError if it can be done nowhere."""
    if task.status != "error":
        results: list[Any] = task.result()
        return results
    error = task.exception()
    if isinstance(error, NumduelError):
        raise error
    why = f"{type(error).__name__}: {error}".splitlines()[0]
    raise NumduelError(f"the cluster cannot do this ({why})")
