"""Plays the games of an arena in several processes of this machine.

A process that dies or hangs is started again, and the player that caused it loses its game. A
worker process is started as `python -m numduel.arena.processes TURN_FILE CONNECTION`, where both
arguments are file descriptors. It receives numbers of games, and sends the lines of these games or
an error. Whenever it asks a player, it writes the game and the ply into TURN_FILE.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from multiprocessing.connection import Connection, Pipe, wait
from typing import NamedTuple

from numduel.arena.plan import make_plan
from numduel.arena.playing import NO_GAME, GameRunner, KnownForfeit, StartedGame
from numduel.arena.spec import Spec
from numduel.core.errors import NumduelError
from numduel.players.player import Fault

CHUNK_SECONDS = 0.5
"""How long a worker process plays before it sends the lines of its games."""

MAX_CHUNK_GAMES = 10_000

MAX_MOVE_SECONDS = 600.0
"""A player without a time limit is assumed to hang after this time."""

MAX_LATE_SECONDS = 1.0
"""How late a player with a time limit may be before its process is killed."""

POLL_SECONDS = 0.2

PARENT_POLL_SECONDS = 0.5
"""How often a worker process checks that its parent process still exists."""

MAX_DEATHS = 5
"""How often a process may die in a row while no player is being asked."""

ERROR_PREFIX = b"!"
"""Marks an answer as an error. No line of a game begins with it."""

MAX_KILL_ROUNDS, KILL_POLL_SECONDS = 100, 0.01
"""How often we check that killed processes are gone, and how long we wait between two checks."""

PR_SET_CHILD_SUBREAPER = 36
"""A constant of Linux's prctl.h."""

TURN_BYTES = 16
"""The size of a `CurrentTurn` in memory."""


class TurnPlace(NamedTuple):
    """The game and the ply in which a player is being asked."""

    game: int = NO_GAME
    ply: int = 0


def cores() -> int:
    """Return the number of processor cores that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class GameQueue:
    """The numbers of the games that are still to be played, in chunks."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = iter(numbers)
        self._returned: deque[int] = deque()
        self._chunk_games = 1  # number of games that take about CHUNK_SECONDS

    def take(self) -> list[int]:
        """Return the next chunk: games for about CHUNK_SECONDS, or none if none are left."""
        chunk: list[int] = []
        while self._returned and len(chunk) < self._chunk_games:
            chunk.append(self._returned.popleft())
        return [*chunk, *islice(self._numbers, self._chunk_games - len(chunk))]

    def give_back(self, numbers: Iterable[int]) -> None:
        """Put games back at the head of the queue."""
        self._returned.extendleft(reversed(list(numbers)))

    def finish(self, chunk: list[int], count: int, seconds: float) -> None:
        """Record that the first `count` games of a chunk took so long, and put back the others."""
        fitting = round(count * CHUNK_SECONDS / max(seconds, 1e-6))
        self._chunk_games = min(MAX_CHUNK_GAMES, max(1, fitting))
        self.give_back(chunk[count:])


class WorkerProcess:
    """A worker process, which is started again whenever it ends.

    A player that hangs, or that ends the process twice at the same move, loses that game. The game
    is then played again up to that move.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._move_seconds = (
            MAX_MOVE_SECONDS if spec.seconds is None else spec.seconds + MAX_LATE_SECONDS
        )
        self._turn_file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # see __exit__
        self._turn_file.write(bytes(TURN_BYTES))
        self._current_turn = _map_turn(self._turn_file.fileno())
        self._started: dict[int, StartedGame] = {}
        self._suspect: TurnPlace | None = None  # the turn in which the process died last
        self._deaths = 0  # while no player was being asked, since it last sent lines
        self._turn, self._turn_since = TurnPlace(), 0.0  # the turn last read, and since when
        self._running: tuple[subprocess.Popen[bytes], Connection] | None = None
        self._numbers: Sequence[int] = ()
        self._is_stopped = False

    @property
    def connection(self) -> Connection:
        """The connection to the process, which is started if it is not running."""
        if self._running is None:
            self._running = self._start()
        return self._running[1]

    def send(self, numbers: Sequence[int]) -> None:
        """Let the process play these games."""
        self._numbers = numbers
        with suppress(OSError):  # `receive` notices if the process has ended
            self.connection.send((list(numbers), CHUNK_SECONDS, self._started))

    def receive(self, timeout: float = POLL_SECONDS) -> list[str] | None:
        """Return the lines of the first of its games, at least one; None if it is still playing."""
        if self.connection.poll(timeout):
            try:
                answer = self.connection.recv_bytes()
            except (EOFError, OSError):
                self._handle_death()
                return None
            if answer.startswith(ERROR_PREFIX):
                raise NumduelError(answer.removeprefix(ERROR_PREFIX).decode())
            self._started.clear()
            self._deaths = 0
            return answer.decode().split("\n")
        turn = TurnPlace(*self._current_turn)
        if turn != self._turn:
            self._turn, self._turn_since = turn, time.monotonic()
        elif turn.game != NO_GAME and time.monotonic() - self._turn_since > self._move_seconds:
            self._restart(turn, "late", "never answered")
        return None

    def play(self, numbers: Sequence[int], started: Mapping[int, StartedGame] = {}) -> list[str]:
        """Play the first of these games, at least one, and return their lines.

        Returns one empty line if `stop` is called meanwhile.
        """
        self._started.update(started)
        self.send(numbers)
        while not self._is_stopped:
            if (lines := self.receive()) is not None:
                return lines
        return [""]

    def stop(self) -> None:
        """Let `play`, which runs in another thread, return."""
        self._is_stopped = True

    def close(self) -> None:
        """Kill the process."""
        if self._running is not None:
            process, connection = self._running
            self._running = None
            process.send_signal(signal.SIGSTOP)  # it must not start further processes
            _kill_descendants(process.pid)
            process.kill()
            process.wait()
            connection.close()

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._turn_file.close()

    def _start(self) -> tuple[subprocess.Popen[bytes], Connection]:
        self._current_turn[0], self._current_turn[1] = TurnPlace()
        ours, theirs = Pipe()
        with theirs:
            descriptors = self._turn_file.fileno(), theirs.fileno()
            process = subprocess.Popen(
                [sys.executable, "-m", "numduel.arena.processes", *map(str, descriptors)],
                stdin=subprocess.DEVNULL,  # a player may read and print
                stdout=subprocess.DEVNULL,
                pass_fds=descriptors,
            )
        with suppress(OSError):
            ours.send(self._spec)
        return process, ours

    def _handle_death(self) -> None:
        turn = TurnPlace(*self._current_turn)
        again = turn == self._suspect
        self._suspect = None if turn.game == NO_GAME else turn
        self._deaths += self._suspect is None
        if self._deaths > MAX_DEATHS:
            raise NumduelError("the processes that play the games end as soon as they begin")
        self._restart(turn if again else None, "crashed", "its process has ended")

    def _restart(self, turn: TurnPlace | None, fault: Fault, why: str) -> None:
        """Start the process again with its games. If a turn is given, its player forfeits it."""
        if turn is not None:
            started = self._started.get(turn.game, StartedGame())
            forfeit = KnownForfeit(turn.ply, fault, why)
            self._started[turn.game] = started._replace(forfeit=forfeit)
        self.close()
        self.send(self._numbers)


def _map_turn(file: int) -> memoryview[int]:
    """Return the current turn in a file, which is shared with other processes."""
    return memoryview(mmap.mmap(file, TURN_BYTES)).cast("q")


def _kill_descendants(pid: int) -> None:
    """Kill the children of a process, their children, and so on."""
    import psutil  # slow to import, and not needed before

    for _ in range(MAX_KILL_ROUNDS):
        try:
            descendants = psutil.Process(pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return
        living = 0
        for process in descendants:
            with suppress(psutil.NoSuchProcess):
                living += process.status() != psutil.STATUS_ZOMBIE
                process.kill()
        if not living:
            return
        time.sleep(KILL_POLL_SECONDS)


def play_locally(
    spec: Spec, numbers: Iterable[int], workers: int
) -> Generator[list[str], None, None]:
    """Play the games in worker processes, and yield their lines as they arrive."""
    queue = GameQueue(numbers)
    processes = [WorkerProcess(spec) for _ in range(workers)]
    chunks: dict[WorkerProcess, tuple[list[int], float]] = {}  # and when each was sent

    def send_chunks() -> None:
        for worker in processes:
            if worker not in chunks and (chunk := queue.take()):
                worker.send(chunk)
                chunks[worker] = chunk, time.monotonic()

    with ExitStack() as stack:
        for worker in processes:
            stack.enter_context(worker)
        send_chunks()
        while chunks:
            wait([worker.connection for worker in chunks], POLL_SECONDS)
            for worker in list(chunks):
                lines = worker.receive(timeout=0)
                if lines is not None:
                    chunk, sent_at = chunks.pop(worker)
                    queue.finish(chunk, len(lines), time.monotonic() - sent_at)
                    send_chunks()  # before the lines are used: no process has to wait for that
                    yield lines


def _run_worker(turn_file: int, connection: Connection) -> None:
    """Play games, in a worker process, until the parent process closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    with suppress(AttributeError):  # on Linux we adopt processes that have left their parents
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    runner = GameRunner(make_plan(connection.recv()), _map_turn(turn_file))
    _exit_with_parent(runner)
    try:
        while True:
            numbers, seconds, started = connection.recv()
            try:
                answer = "\n".join(runner.play(numbers, seconds, started)).encode()
            except NumduelError as error:
                answer = ERROR_PREFIX + str(error).encode()
            connection.send_bytes(answer)
    except (EOFError, ConnectionError):
        runner.close()


def _exit_with_parent(runner: GameRunner) -> None:
    """Watch the parent process, and exit when it has ended, even while a player thinks."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_POLL_SECONDS)
        with suppress(Exception):
            runner.close()
        with suppress(Exception):
            _kill_descendants(os.getpid())
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    _run_worker(int(sys.argv[1]), Connection(int(sys.argv[2])))
