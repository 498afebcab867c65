"""Processes that think for us, with a limit, so that nobody else waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from numduel.core.errors import TooLarge
from numduel.web.bounds import MOST_THINKING
from numduel.web.problems import Busy
from numduel.web.thinking.memory import limit
from numduel.web.thinking.turns import Turns

T = TypeVar("T")

_NO_MEMORY = 9  # the exit status of a process that has used up its memory
_STOPPING = "The server is stopping."
_INTERRUPTED = "That was interrupted: please try again."


class Thinker:
    """Processes that think for us: for each visitor one thing after the other."""

    def __init__(self, seconds: float, most_waiting: int, processes: int = 1) -> None:
        self.seconds = seconds
        self._turns = Turns(most_waiting)
        self._asked: set[Future[Any]] = set()
        # A pool for each process: one that is killed takes no other with it.
        self._pools = [_new_pool() for _ in range(processes)]
        self._loads = [0] * processes
        self._closed = False

    @property
    def waiting(self) -> int:
        """How much is thought about here, or waits for it."""
        return self._turns.waiting

    async def ask(self, about: Callable[..., T], *arguments: object) -> T:
        """The answer; TooLarge where it takes too long, Busy where too many wait."""
        try:
            async with self._turns.turn():
                answer: T = await self._answer(about, arguments)
                return answer
        except TimeoutError:
            raise TooLarge(
                f"it takes more than the {self.seconds:g} seconds allowed here"
            ) from None
        except (ProcessExpired, BrokenExecutor, MemoryError) as error:
            if isinstance(error, MemoryError) or getattr(error, "exitcode", 0) == _NO_MEMORY:
                raise TooLarge("it takes more memory than is allowed here") from None
            line = _STOPPING if self._closed else _INTERRUPTED  # it was killed
            raise Busy(line, cause=f"a process that thinks has ended ({error})") from None

    async def _answer(self, about: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
        at = self._loads.index(min(self._loads))
        self._loads[at] += 1
        try:
            pool = self._working_pool(at)
            future = pool.schedule(_within_memory, args=[about, *arguments], timeout=self.seconds)
            self._asked.add(future)
            future.add_done_callback(self._asked.discard)
            return await asyncio.wrap_future(future)
        finally:
            self._loads[at] -= 1

    def _working_pool(self, at: int) -> ProcessPool:
        """The pool; a new one where its process was killed while idle, which breaks it for good."""
        if self._closed:
            raise Busy(_STOPPING)
        with _uninterrupted():
            if not self._pools[at].active:  # this starts it, the first time
                threading.Thread(target=_end, args=(self._pools[at],), daemon=True).start()
                self._pools[at] = _new_pool()
                assert self._pools[at].active
        return self._pools[at]

    def close(self) -> None:
        """Stop thinking."""
        self._closed = True
        for pool in self._pools:
            _end(pool)
        for future in tuple(self._asked):  # which the pool may have left without an answer
            with suppress(InvalidStateError):
                future.set_exception(BrokenExecutor())


def _new_pool() -> ProcessPool:
    context = multiprocessing.get_context("spawn")
    return ProcessPool(max_workers=1, initializer=_prepare, context=context)


def _end(pool: ProcessPool) -> None:
    """End what is left of a pool."""
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join(timeout=5)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let what starts within, threads and processes, start with its ears shut to Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):  # there each process gets its own Ctrl-C
        yield
        return
    resource_tracker.ensure_running()  # which starts with the first, and would open them again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _within_memory(about: Callable[..., T], *arguments: object) -> T:
    """The answer; where it takes too much memory, the process leaves, and another takes over."""
    try:
        return about(*arguments)
    except MemoryError:
        os._exit(_NO_MEMORY)


def _prepare() -> None:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each would reserve memory, and none is used
    limit(MOST_THINKING)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops us
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """Leave when the server was killed: nobody is left to think for."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
