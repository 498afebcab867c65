"""A process that plays games for an arena: it may be killed by its players, and nobody minds.

It is started as `python -m numduel.arena.worker FD`: FD is a file in which it marks whom it asks.
Messages are text behind its length: JSON for it, and from it the lines of games, or an error.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
from typing import IO

from numduel.arena.asked import Asked, loads
from numduel.arena.plan import Plan
from numduel.arena.playing import Playing, Stop
from numduel.core.errors import NumduelError

MARK = struct.Struct("qq")
"""The game and the ply in which a player is asked."""

ERROR = "!"
"""What no line of a game begins with."""

_LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], message: str) -> None:
    """Write a message, which the other end is waiting for."""
    text = message.encode()
    stream.write(_LENGTH.pack(len(text)) + text)
    stream.flush()


def receive(stream: IO[bytes]) -> str:
    """The next message; EOFError where there is none."""
    head = stream.read(_LENGTH.size)
    length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else 0
    text = stream.read(length)
    if len(text) < max(length, 1):
        raise EOFError
    return text.decode()


def _main(marks: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    tasks, results = _own_streams()
    page = memoryview(mmap.mmap(marks, MARK.size)).cast("q")
    playing: Playing | None = None
    try:
        while True:
            task = json.loads(receive(tasks))
            if "asked" in task:
                playing = Playing(Plan(Asked(**loads(task["asked"]))), page)
                _end_with_parent(playing)
                continue
            assert playing is not None
            stops = {int(number): Stop(*stop) for number, stop in task["stops"].items()}
            try:
                lines = playing.play(task["numbers"], task["seconds"], stops)
            except NumduelError as error:
                send(results, f"{ERROR}{error}")
            else:
                send(results, "\n".join(lines))
    except EOFError:
        if playing is not None:
            playing.close()


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to who started us, kept from players that read, or that print what they think."""
    tasks, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    return tasks, results


def _end_with_parent(playing: Playing) -> None:
    """End when who started us has gone, even while a player thinks."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        with contextlib.suppress(Exception):
            playing.close()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    _main(int(sys.argv[1]))
