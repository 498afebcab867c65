"""Computes on a running Dask cluster: the games of an arena, or the parts of a sweep.

Each task is a chunk of numbers for one Dask worker. Games are played in a `WorkerProcess`, which
protects the Dask worker from its players. If a Dask worker is lost, others take over its tasks. If
the scheduler is lost, we wait for it and send the unfinished numbers again.
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
from numduel.arena.spec import Spec, parse_fields
from numduel.core.errors import NumduelError, SettingsError

FIRST_TIMEOUT_SECONDS = 120.0
"""How long to wait for a scheduler that has never answered."""

RECONNECT_TIMEOUT_SECONDS = 3600.0
"""How long to wait for a scheduler that was lost."""

CLUSTER_CONNECT_SECONDS = 30.0
"""How long one attempt to connect may take."""

TASKS_PER_THREAD = 2
"""Each thread of a Dask worker has one task that it computes and one that waits."""

MAX_TASK_RETRIES = 10
"""How often a task that has failed is tried again."""

CLUSTER_POLL_SECONDS = 1.0

T = TypeVar("T")

_thread_state = threading.local()
_wait: Callable[..., Any] = untyped_wait


def play_on_worker(spec_text: str, numbers: list[int]) -> list[str]:
    """Play the first of these games on a Dask worker, at least one, and return their lines.

    The process in which they are played is kept for further games of the same spec.
    """
    held: tuple[str, WorkerProcess] | None = getattr(_thread_state, "held", None)
    if held is None or held[0] != spec_text:
        if held is not None:
            held[1].close()
        held = (spec_text, WorkerProcess(Spec(**parse_fields(spec_text))))
        _thread_state.held = held
    return held[1].play(numbers)


def play_on_cluster(
    address: str, spec: Spec, numbers: Iterable[int], **options: Any
) -> Iterator[list[str]]:
    """Play the games on the cluster, and yield their lines as they arrive."""
    return compute_on_cluster(address, partial(play_on_worker, spec.dumps()), numbers, **options)


def compute_on_cluster(
    address: str,
    work: Callable[[list[int]], list[T]],
    numbers: Iterable[int],
    on_wait: Callable[[str], object] = lambda sentence: None,
) -> Iterator[list[T]]:
    """Let the cluster do work for these numbers, and yield lists of results as they arrive.

    `work` is called with a list of numbers. It returns the results for the first of them, at least
    one; the others are given out again. `on_wait` is called with a sentence if the scheduler is
    lost.
    """
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report what matters ourselves
    queue = GameQueue(numbers)
    timeout = FIRST_TIMEOUT_SECONDS
    lost_at: float | None = None
    while True:
        try:
            for results in _compute_until_lost(address, work, queue):
                yield results
                timeout, lost_at = RECONNECT_TIMEOUT_SECONDS, None
            return
        except NumduelError:
            raise
        except Exception as error:  # distributed raises a dozen different ones
            if lost_at is None:
                lost_at = time.monotonic()
                on_wait(f"No scheduler answers at {address}: waiting for it.")
            if time.monotonic() - lost_at > timeout:
                raise SettingsError(f"no cluster answers at {address}") from error
            time.sleep(CLUSTER_POLL_SECONDS)


def _compute_until_lost(
    address: str, work: Callable[[list[int]], list[T]], queue: GameQueue
) -> Iterator[list[T]]:
    """Yield results until all is done. If the scheduler is lost, put back what was not finished."""
    tasks: dict[Future[list[T]], tuple[list[int], float]] = {}  # the chunks, and when each was sent
    client: Any = Client(address, timeout=CLUSTER_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    try:
        while True:
            max_tasks = TASKS_PER_THREAD * max(1, sum(client.nthreads().values()))
            while len(tasks) < max_tasks and (chunk := queue.take()):
                task = client.submit(work, chunk, pure=False, retries=MAX_TASK_RETRIES)
                tasks[task] = chunk, time.monotonic()
            if not tasks:
                return
            with suppress(TimeoutError):
                for task in _wait(list(tasks), CLUSTER_POLL_SECONDS, FIRST_COMPLETED).done:
                    results = _results(task)
                    chunk, sent_at = tasks.pop(task)
                    # The rest of the time it waited for the other task of its thread.
                    seconds = (time.monotonic() - sent_at) / TASKS_PER_THREAD
                    queue.finish(chunk, len(results), seconds)
                    yield results
    finally:
        for chunk, _ in tasks.values():
            queue.give_back(chunk)
        with suppress(Exception):  # closing fails if the scheduler is lost
            client.close()


def _results(task: Any) -> list[Any]:
    """Return the results of a finished task. Raises NumduelError if the task has failed."""
    if task.status != "error":
        results: list[Any] = task.result()
        return results
    error = task.exception()
    if isinstance(error, NumduelError):
        raise error
    why = f"{type(error).__name__}: {error}".splitlines()[0]
    raise NumduelError(f"the cluster cannot do this ({why})")
