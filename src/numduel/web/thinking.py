"""Thinking that may take long: in processes of its own, with a limit, so that nobody else waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.record import Record
from numduel.core.verdict import Verdict
from numduel.play import coach
from numduel.play.analysis import Analysis, analyze
from numduel.play.event import Event, Move, Swap
from numduel.players import Turn, check_fit, player
from numduel.solver import evaluate, solve
from numduel.web.problems import Busy
from numduel.web.visitor import visitor

T = TypeVar("T")

MOVE_SECONDS = 2.0
"""How long a computer player may take for an answer."""

_STOPPING = "The server is stopping."
_INTERRUPTED = "That was interrupted: please try again."


class Thinker:
    """Processes that think for us: for each visitor one thing after the other."""

    def __init__(self, seconds: float, most_waiting: int, processes: int = 1) -> None:
        self.seconds = seconds
        self.most_waiting = most_waiting  # of one visitor; of all of them four times as many
        self._waiting: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Lock] = {}
        self._asked: set[Future[Any]] = set()
        # A pool for each process: one that is killed takes no other with it.
        self._pools = [_new_pool() for _ in range(processes)]
        self._loads = [0] * processes
        self._closed = False

    async def ask(self, about: Callable[..., T], *arguments: object) -> T:
        """The answer; TooLarge where it takes too long, Busy where too many wait."""
        whom = visitor.get()
        if (
            self._waiting[whom] >= self.most_waiting
            or self._waiting.total() >= 4 * self.most_waiting
        ):
            raise Busy("Too much is being computed just now: please try again in a moment.")
        self._waiting[whom] += 1
        try:
            async with self._turns.setdefault(whom, asyncio.Lock()):
                answer: T = await self._answer(about, arguments)
                return answer
        except TimeoutError:
            raise TooLarge(
                f"it takes more than the {self.seconds:g} seconds allowed here"
            ) from None
        except MemoryError:
            raise TooLarge("it takes more memory than there is here") from None
        except (ProcessExpired, BrokenExecutor):  # somebody killed it
            raise Busy(_STOPPING if self._closed else _INTERRUPTED) from None
        finally:
            self._waiting[whom] -= 1
            if not self._waiting[whom]:
                del self._waiting[whom], self._turns[whom]

    async def _answer(self, about: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
        at = self._loads.index(min(self._loads))
        self._loads[at] += 1
        try:
            pool = self._working_pool(at)
            future = pool.schedule(about, args=list(arguments), timeout=self.seconds)
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


def _prepare() -> None:
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


# What there is to think about. Each is asked in the process of a Thinker.


@lru_cache(maxsize=32)
def _known(game: Game[Any]) -> Game[Any]:
    """The same game, with what was found out about it before."""
    return game


def decide(who: str, turn: Turn, swap: bool) -> Event:
    """What a computer player decides: a move, or whether it takes over the first one."""
    computer = player(who)
    assert computer is not None
    turn = turn._replace(game=_known(turn.game), seconds=MOVE_SECONDS)
    return Swap(computer.swaps(turn)) if swap else Move(computer.choose(turn))


def fits(players: tuple[str, str], game: Game[Any]) -> None:
    """Raise where one of the players cannot play this game."""
    for who in players:
        check_fit(who, _known(game))


def advise(turn: Turn, swap_open: bool) -> str:
    """What the coach says to the player who is to decide."""
    turn = turn._replace(game=_known(turn.game), seconds=MOVE_SECONDS)
    return coach.advice(turn, swap_open)


def comment(game: Game[Any], before: Any, move: int) -> str:
    """What the coach says of a move that was made."""
    return coach.comment(_known(game), before, move)


def comment_swap(game: Game[Any], position: Any, taken: bool) -> str:
    """What the coach says of taking over the first move, or of leaving it."""
    return coach.comment_swap(_known(game), position, taken)


def verdicts(game: Game[Any], position: Any) -> tuple[Verdict, dict[int, Verdict]]:
    """The verdict of a position, and that of each legal move."""
    game = _known(game)
    return solve(game, position), evaluate(game, position)


def analysis(game: Game[Any], record: Record) -> Analysis:
    """A finished game looked back on."""
    return analyze(_known(game), record)
