"""The processes that compute: one loads the games, and forks another for each connection to it.

`python -m numduel.web.thinking.processes SOCKET` has no threads, so that forking is safe, and what
it has loaded is shared by all that it forks. It ends when its standard input does. On a system that
cannot fork, each process is started by itself, without a socket, and asked at its standard input.
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

HEAD = struct.Struct("!BdQ")
"""What comes before a question: how nice to be, how many seconds it may take, and its length."""

ANSWER = struct.Struct("!dQ")
"""What comes before an answer: how many seconds of a processor it took, and its length."""

OUT_OF_MEMORY = b"out of memory"

IDLE_SECONDS = 60.0
"""After which a process that was asked nothing ends."""

MAX_PROCESS_BYTES = 640 * 2**20
"""Maximum address space of a process that computes."""

MAX_WALL_FACTOR = 3.0
"""How many times its seconds a question may take on a machine that has no processor to spare."""


CAN_FORK = hasattr(os, "fork")


def command(socket: str = "") -> tuple[list[str], dict[str, str]]:
    """Return how such a process is started, and its environment."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return [sys.executable, "-m", __name__, *([socket] if socket else [])], env


class Thinkers:
    """Starts the process that forks, if it is our own, and again when it has died."""

    def __init__(self, socket: str = "") -> None:
        self._own = None if socket else TemporaryDirectory(prefix="numduel-")
        self.socket = socket or str(Path(self._own.name if self._own else "", "socket"))
        self._process: subprocess.Popen[bytes] | None = None

    def ensure(self) -> None:
        """Let it run; on its socket it listens in a moment."""
        if self._own is None or (self._process is not None and self._process.poll() is None):
            return
        if self._process is not None:
            cause = f"what forks processes has ended ({self._process.returncode})"
            log.warning("replaced", extra={"cause": cause})
            self._end()
        typed, env = command(self.socket)
        # In a group of its own, which Ctrl-C does not reach.
        self._process = subprocess.Popen(typed, env=env, stdin=subprocess.PIPE, process_group=0)

    def close(self) -> None:
        """Stop it if it is our own."""
        self._end()
        if self._own is not None:
            self._own.cleanup()

    def _end(self) -> None:
        if self._process is not None:
            with self._process:  # closes its standard input
                self._process.kill()


class _Answering(socketserver.StreamRequestHandler):
    """In a process that was forked: answers one question after the other."""

    timeout = IDLE_SECONDS

    def handle(self) -> None:
        assert isinstance(self.server, _Forking)
        self.server.socket.close()  # else one could connect to it when nobody accepts any more
        _answer(self.rfile, self.wfile)


def _answer(questions: Any, answers: Any) -> None:
    """Answer what is read from one file into the other, until that ends."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each would reserve memory, and none is used
    with suppress(ImportError, OSError, ValueError):  # some systems have the limit and refuse it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_PROCESS_BYTES, MAX_PROCESS_BYTES))
    with suppress(OSError):  # idle, or whoever asked is gone
        while len(head := questions.read(HEAD.size)) == HEAD.size:
            niceness, seconds, length = HEAD.unpack(head)
            if hasattr(os, "nice"):
                os.nice(max(0, niceness - os.nice(0)))
            begun = time.process_time()
            answer = _computed(questions.read(length), seconds)
            answers.write(ANSWER.pack(time.process_time() - begun, len(answer)) + answer)
            answers.flush()
            if answer == OUT_OF_MEMORY:
                return


def _computed(question: bytes, seconds: float) -> bytes:
    with _limited(seconds):
        try:
            about, arguments = pickle.loads(question)
            return pickle.dumps((True, about(*arguments)))
        except MemoryError:
            return OUT_OF_MEMORY
        except Exception as error:
            return pickle.dumps((False, error))


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """End this process if what is within takes longer, whatever it does."""
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

    class _Forking(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
        """In the process that forks."""

        max_children = 1_000  # workers bound how many they use
        request_queue_size = 128

        def service_actions(self) -> None:
            super().service_actions()
            if select.select([sys.stdin], [], [], 0)[0]:  # the server has ended
                os._exit(0)

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Print nothing: whoever asked sees that the connection has ended, and logs that."""


def main(path: str = "") -> None:
    """Load what all questions need, and fork until the server has ended, or answer ourselves."""
    import_module("networkx")
    import_module("numduel.web.thinking.tasks")
    games = import_module("numduel.games")
    for listed in games.games():
        _ = games.new(listed.key).theory  # which is loaded by this, where there is one
    gc.freeze()  # so that it stays shared
    if path:
        Path(path).unlink(missing_ok=True)
        _Forking(path, _Answering).serve_forever()
    else:
        _answer(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
