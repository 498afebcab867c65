"""The games of an arena played by several processes of this machine.

A process that dies or hangs is started again, and the player that did it loses its game. A worker
process is started as `python -m numduel.arena.processes MARKS CONNECTION`, two file descriptors. It
receives chunks of games and sends the lines of the log, or an error. It writes the game and the ply
of the player that it asks into the file MARKS.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from itertools import chain, islice
from multiprocessing.connection import Connection, Pipe, wait
from typing import NamedTuple

from numduel.arena.plan import plan_of
from numduel.arena.playing import NO_GAME, NONE, Begun, Known, Playing, Stop
from numduel.arena.spec import Spec
from numduel.core.errors import NumduelError
from numduel.players.player import Fault

CHUNK_SECONDS = 0.5
"""How long a worker plays before it sends the lines of its games."""

MAX_CHUNK_GAMES = 10_000
"""Maximum number of games that a worker is given at once."""

HANGING_SECONDS = 600.0
"""A player without a time limit is taken to hang after this time."""

MAX_LATE_SECONDS = 1.0
"""How late a player with a time limit may be before its process is killed."""

POLL_SECONDS = 0.2

PARENT_POLL_SECONDS = 0.5
"""How often a worker looks whether its parent process is still there."""

MAX_DEATHS = 5
"""A process that dies more often than this while no player is asked cannot play at all."""

ERROR = b"!"
"""The prefix of an error. No line of a game begins with it."""

MAX_KILL_ROUNDS, KILL_SECONDS = 100, 0.01
"""How often it is looked whether processes that were killed are gone, and how long between."""

PR_SET_CHILD_SUBREAPER = 36
"""From Linux's prctl.h."""

_MARK = struct.Struct("qq")


class AskedAt(NamedTuple):
    """The game and the ply in which a player is asked."""

    game: int = NO_GAME
    ply: int = 0


def cores() -> int:
    """Return how many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class GameQueue:
    """The queue of the games that are still to be played."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = iter(numbers)
        self._back: deque[int] = deque()
        self._pace = 1  # how many games are played in the time of a chunk

    def take(self) -> list[int]:
        """Return the next games, about as many as take a chunk's time; none if none are left."""
        taken = [self._back.popleft() for _ in range(min(self._pace, len(self._back)))]
        return list(chain(taken, islice(self._numbers, self._pace - len(taken))))

    def give_back(self, numbers: Iterable[int]) -> None:
        """Put games back, to be taken next."""
        self._back.extendleft(reversed(list(numbers)))

    def played(self, taken: list[int], count: int, seconds: float) -> None:
        """Note that the first `count` games of a chunk were played, and put back the others."""
        self._pace = min(MAX_CHUNK_GAMES, max(1, round(count * CHUNK_SECONDS / max(seconds, 1e-6))))
        self.give_back(taken[count:])


class WorkerProcess:
    """A worker process that is started again whenever it has ended.

    A player that ends the process twice at the same move, or hangs, has lost that game, which is
    then played again up to that move.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._move_seconds = (
            HANGING_SECONDS if spec.seconds is None else spec.seconds + MAX_LATE_SECONDS
        )
        self._marks = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the end
        self._known: dict[int, Begun] = {}
        self._suspect: AskedAt | None = None  # where the process died last
        self._deaths = 0  # since it last sent lines
        self._asked, self._since = AskedAt(), 0.0  # which player is asked, and since when
        self._running: tuple[subprocess.Popen[bytes], Connection] | None = None
        self._numbers: Sequence[int] = ()
        self._is_stopped = False

    @property
    def connection(self) -> Connection:
        """The connection to the process, which is started if it does not run."""
        if self._running is None:
            self._running = self._start()
        return self._running[1]

    def begin(self, numbers: Sequence[int]) -> None:
        """Give it games to play."""
        self._numbers = numbers
        with suppress(OSError):  # `result` finds out if the process has ended
            self.connection.send((list(numbers), CHUNK_SECONDS, self._known))

    def result(self, timeout: float = POLL_SECONDS) -> list[str] | None:
        """Return the lines of the first of its games, at least one; None while it is playing."""
        if self.connection.poll(timeout):
            try:
                answer = self.connection.recv_bytes()
            except (EOFError, OSError):
                self._died()
                return None
            if answer.startswith(ERROR):
                raise NumduelError(answer.removeprefix(ERROR).decode())
            self._known.clear()
            self._deaths = 0
            return answer.decode().split("\n")
        mark = self._mark()
        if mark != self._asked:
            self._asked, self._since = mark, time.monotonic()
        elif mark.game != NO_GAME and time.monotonic() - self._since > self._move_seconds:
            self._restart(mark, "late", "never answered")
        return None

    def played(self, numbers: Sequence[int], known: Known = NONE) -> list[str]:
        """Play and return the lines of the first of these games, at least one.

        It is an empty one if `stop` is called meanwhile.
        """
        self._known.update(known)
        self.begin(numbers)
        while not self._is_stopped:
            if (lines := self.result()) is not None:
                return lines
        return [""]

    def stop(self) -> None:
        """Let `played` return, in another thread."""
        self._is_stopped = True

    def close(self) -> None:
        """Kill the process."""
        if self._running is not None:
            process, connection = self._running
            self._running = None
            process.send_signal(signal.SIGSTOP)  # so that it starts nothing more
            _kill_all_below(process.pid)
            process.kill()
            process.wait()
            connection.close()

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._marks.close()

    def _start(self) -> tuple[subprocess.Popen[bytes], Connection]:
        self._marks.seek(0)
        self._marks.write(_MARK.pack(*AskedAt()))
        self._marks.flush()
        ours, theirs = Pipe()
        with theirs:
            passed = self._marks.fileno(), theirs.fileno()
            process = subprocess.Popen(
                [sys.executable, "-m", "numduel.arena.processes", *map(str, passed)],
                stdin=subprocess.DEVNULL,  # a player may read and print
                stdout=subprocess.DEVNULL,
                pass_fds=passed,
            )
        with suppress(OSError):
            ours.send(self._spec)
        return process, ours

    def _mark(self) -> AskedAt:
        self._marks.seek(0)
        return AskedAt(*_MARK.unpack(self._marks.read(_MARK.size)))

    def _died(self) -> None:
        mark = self._mark()
        again = mark == self._suspect
        self._suspect = None if mark.game == NO_GAME else mark
        self._deaths += self._suspect is None
        if self._deaths > MAX_DEATHS:
            raise NumduelError("the processes that play the games end as soon as they begin")
        self._restart(mark if again else None, "crashed", "its process has ended")

    def _restart(self, mark: AskedAt | None, fault: Fault, why: str) -> None:
        """Start the process again, with its games. The player at `mark`, if any, forfeits there."""
        if mark is not None:
            known = self._known.get(mark.game, Begun())
            self._known[mark.game] = known._replace(stop=Stop(mark.ply, fault, why))
        self.close()
        self.begin(self._numbers)


def _kill_all_below(pid: int) -> None:
    """Kill what a process has started, and what that has started."""
    import psutil  # slow to import, and not needed before

    with suppress(psutil.NoSuchProcess):  # it has ended
        for _ in range(MAX_KILL_ROUNDS):
            living = 0
            for one in psutil.Process(pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    living += one.status() != psutil.STATUS_ZOMBIE
                    one.kill()
            if not living:
                return
            time.sleep(KILL_SECONDS)


def played_here(
    spec: Spec, numbers: Iterable[int], workers: int
) -> Generator[list[str], None, None]:
    """Yield the lines of the games, some at a time, as they are played."""
    waiting = GameQueue(numbers)
    processes = [WorkerProcess(spec) for _ in range(workers)]
    given: dict[WorkerProcess, tuple[list[int], float]] = {}

    def hand_out() -> None:
        for worker in processes:
            if worker not in given and (taken := waiting.take()):
                worker.begin(taken)
                given[worker] = taken, time.monotonic()

    try:
        hand_out()
        while given:
            wait([worker.connection for worker in given], POLL_SECONDS)
            for worker in list(given):
                lines = worker.result(timeout=0)
                if lines is not None:
                    taken, begun = given.pop(worker)
                    waiting.played(taken, len(lines), time.monotonic() - begun)
                    hand_out()  # before the lines are used, so that no process is idle
                    yield lines
    finally:
        for worker in processes:
            worker.__exit__()


def _work(marks: int, connection: Connection) -> None:
    """Play games, in a worker process, until the parent closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    with suppress(AttributeError):  # on Linux, whoever leaves its parent process becomes our child
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    page = memoryview(mmap.mmap(marks, _MARK.size)).cast("q")
    playing = Playing(plan_of(connection.recv()), page)
    _end_with_parent(playing)
    try:
        while True:
            numbers, seconds, known = connection.recv()
            try:
                answer = "\n".join(playing.play(numbers, seconds, known)).encode()
            except NumduelError as error:
                answer = ERROR + str(error).encode()
            connection.send_bytes(answer)
    except (EOFError, ConnectionError):
        playing.close()


def _end_with_parent(playing: Playing) -> None:
    """End when the parent process has ended, even while a player thinks."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_POLL_SECONDS)
        with suppress(Exception):
            playing.close()
        with suppress(Exception):
            _kill_all_below(os.getpid())
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    _work(int(sys.argv[1]), Connection(int(sys.argv[2])))
