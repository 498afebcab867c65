"""Pipes to a program that may say anything, or nothing: read and written by threads.

Threads, because the pipes of some systems can neither be waited for together nor made not to
block.
"""

from __future__ import annotations

import threading
from typing import IO

CHUNK = 4096


class Reader:
    """What comes out of a pipe, as it comes; never more than so many bytes of it are held."""

    def __init__(self, stream: IO[bytes], most: int, tail: bool = False) -> None:
        self.ended = False  # nothing more will come
        self._stream = stream
        self._most = most
        self._tail = tail  # hold the last bytes, rather than wait until the first are taken
        self._held = b""
        self._left = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def full(self) -> bool:
        """Whether it holds so much that it reads no more."""
        return len(self._held) > self._most

    def line(self, seconds: float) -> bytes | None:
        """The next line; None where none comes in time, or none can: it is full or has ended."""
        with self._change:
            self._change.wait_for(
                lambda: b"\n" in self._held or self.full or self.ended, max(0.0, seconds)
            )
            line, newline, rest = self._held.partition(b"\n")
            if not newline:
                return None
            self._held = rest
            self._change.notify_all()
            return line

    def forget(self) -> None:
        """Let go of what has come so far."""
        with self._change:
            self._held = b""
            self._change.notify_all()

    def leave(self) -> None:
        """Let go of the pipe, whoever still holds its other end."""
        with self._change:
            self._left = True
            self._change.notify_all()

    def rest(self, seconds: float = 1.0) -> bytes:
        """What is held when the pipe has ended, or after a while."""
        with self._change:
            self._change.wait_for(lambda: self.ended, seconds)
            return self._held

    def _read(self) -> None:
        with self._stream:
            while not self.ended:
                self._add(self._stream.read(CHUNK))

    def _add(self, chunk: bytes) -> None:
        with self._change:
            self._held += chunk
            if self._tail:
                self._held = self._held[-self._most :]
            self.ended = not chunk or self._left
            self._change.notify_all()
            self._change.wait_for(lambda: self._left or self._tail or not self.full)


def write_within(seconds: float, stream: IO[bytes], data: bytes) -> bool:
    """Write it all, and whether that was done in time; OSError where nobody reads any more."""
    failed: list[OSError] = []

    def write() -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[stream.write(left) or 0 :]
        except (OSError, ValueError) as error:  # a ValueError: it was closed meanwhile
            failed.append(error if isinstance(error, OSError) else OSError())

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    return not thread.is_alive()
