"""The thinking processes: one loads the games, and forks another one for each connection to it.

`python -m numduel.web.thinking.processes SOCKET` has no threads, so that forking is safe. The
processes that it forks share what it has loaded. It ends when its standard input is closed. On a
system without fork, each process is started by itself, without a socket, and answers on its
standard output.
"""

from __future__ import annotations

import gc
import logging
import os
import pickle
import select
import signal
import socketserver
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

log = logging.getLogger("numduel.web")

# Before a question: its niceness, the seconds that it may take, and its length in bytes.
HEAD = struct.Struct("!BdQ")
# Before an answer: the seconds of a processor that it took, and its length in bytes.
ANSWER = struct.Struct("!dQ")

OUT_OF_MEMORY = b"out of memory"

IDLE_SECONDS = 60.0  # after which a process without questions ends
MAX_PROCESS_BYTES = 640 * 2**20  # address space of a process
MAX_WALL_FACTOR = 3.0  # wall-clock time that a question may take, as a multiple of its seconds

CAN_FORK = hasattr(os, "fork")


def command(socket: str = "") -> tuple[list[str], dict[str, str]]:
    """Return the command that starts such a process, and its environment."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return [sys.executable, "-m", __name__, *([socket] if socket else [])], env


class Thinkers:
    """Starts the process that forks, and restarts it, unless `socket` is that of another one."""

    def __init__(self, socket: str = "") -> None:
        self._own = None if socket else TemporaryDirectory(prefix="numduel-")
        self.socket = socket or str(Path(self._own.name if self._own else "", "socket"))
        self._process: subprocess.Popen[bytes] | None = None

    def ensure(self) -> None:
        """Start the process if it does not run; it will listen on its socket in a moment."""
        if self._own is None or (self._process is not None and self._process.poll() is None):
            return
        if self._process is not None:
            cause = f"the process that forks has ended ({self._process.returncode})"
            log.warning("replaced", extra={"cause": cause})
            self._kill()
        arguments, env = command(self.socket)
        # In a process group of its own, which Ctrl-C does not reach.
        self._process = subprocess.Popen(arguments, env=env, stdin=subprocess.PIPE, process_group=0)

    def close(self) -> None:
        """Stop the process, if it is our own."""
        self._kill()
        if self._own is not None:
            self._own.cleanup()

    def _kill(self) -> None:
        if self._process is not None:
            with self._process:  # closes its standard input
                self._process.kill()


class _ForkedHandler(socketserver.StreamRequestHandler):
    """Answers questions, in a process that was forked."""

    timeout = IDLE_SECONDS

    def handle(self) -> None:
        assert isinstance(self.server, _ForkingServer)
        self.server.socket.close()  # or others could still connect when the server has ended
        _answer_questions(self.rfile, self.wfile)


def _answer_questions(questions: Any, answers: Any) -> None:
    """Read questions from one file, and write answers to the other, until the first ends."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads would reserve memory without use
    with suppress(
        ImportError, OSError, ValueError
    ):  # some systems have the limit and refuse to set it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_PROCESS_BYTES, MAX_PROCESS_BYTES))
    with suppress(OSError):  # idle for too long, or the client is gone
        while len(head := questions.read(HEAD.size)) == HEAD.size:
            niceness, seconds, length = HEAD.unpack(head)
            if hasattr(os, "nice"):
                os.nice(max(0, niceness - os.nice(0)))
            begun = time.process_time()
            answer = _compute_answer(questions.read(length), seconds)
            answers.write(ANSWER.pack(time.process_time() - begun, len(answer)) + answer)
            answers.flush()
            if answer == OUT_OF_MEMORY:
                return


def _compute_answer(question: bytes, seconds: float) -> bytes:
    with _time_limit(seconds):
        try:
            function, arguments = pickle.loads(question)
            return pickle.dumps((True, function(*arguments)))
        except MemoryError:
            return OUT_OF_MEMORY
        except Exception as error:
            return pickle.dumps((False, error))


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Kill this process if the context lasts longer than that, whatever it does."""
    if hasattr(signal, "setitimer"):  # nobody handles these signals
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, MAX_WALL_FACTOR * seconds)
        yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    else:
        timer = threading.Timer(MAX_WALL_FACTOR * seconds, os._exit, [1])
        timer.start()
        yield
        timer.cancel()


if CAN_FORK:

    class _ForkingServer(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
        """Forks a process for each connection."""

        max_children = 1_000  # more than all workers use
        request_queue_size = 128

        def service_actions(self) -> None:
            super().service_actions()
            if select.select([sys.stdin], [], [], 0)[0]:  # the server has ended
                os._exit(0)

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Print nothing: the client sees that the connection has ended, and logs that."""


def main(path: str = "") -> None:
    """Load what all questions need; then fork until the server ends, or without a path, answer."""
    import_module("networkx")
    import_module("numduel.web.thinking.tasks")
    games = import_module("numduel.games")
    for listed in games.games():
        _ = games.new(listed.key).theory  # loads it
    gc.freeze()  # so that forked processes share this memory
    if path:
        Path(path).unlink(missing_ok=True)
        _ForkingServer(path, _ForkedHandler).serve_forever()
    else:
        _answer_questions(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
