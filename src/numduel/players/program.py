"""Any program as a player, through its standard input and output (docs/programs.md)."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.players.player import Fault, Forfeit, Player, Turn

PROTOCOL = "numduel 1"

PROGRAM_TIMEOUT_SECONDS = 10.0
"""How long a program may take for each answer if the turn has no time limit."""

MIN_TIMEOUT_SECONDS = 1.0
"""Minimum time limit of a program, since it includes sending the question."""

MAX_OUTPUT_BYTES = 64 * 1024
"""Maximum number of bytes that a program may write for each answer."""

MAX_ERROR_BYTES = 4096
"""Maximum number of bytes of its standard error that are kept, from the end."""

LAST_ERROR_TIMEOUT_SECONDS = 1.0
"""How long to wait for the end of its standard error after the program has ended."""

CHUNK_BYTES = 4096


class Program(Player):
    """A program, which is started when it is first asked, and again if it has ended.

    Its `name` is its command until the program gives another name.
    """

    def __init__(self, command: str, seconds: float = PROGRAM_TIMEOUT_SECONDS) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise SettingsError(f"program:{command[:60]}: {error}") from None
        if not self._words:
            raise SettingsError("program: needs a command, as in program:./my-bot")
        self.command = quoted(command)
        self.name = self.command
        self.seconds = seconds
        self._running: _Running | None = None

    def choose(self, turn: Turn) -> int:
        answer = self._ask(turn, "go", "move")
        move = parse_whole(answer)
        if move is None or not turn.game.allows(turn.position, move):
            shown = quoted(f"move {answer}")
            fault: Fault = "unreadable" if move is None else "illegal"
            raise self._forfeit(f"answered {shown}, which is not a legal move", fault)
        return move

    def swaps(self, turn: Turn) -> bool:
        answer = self._ask(turn, "swap", "swap")
        if answer not in ("yes", "no"):
            shown = quoted(f"swap {answer}")
            raise self._forfeit(f"answered {shown}, not yes or no", "unreadable")
        return answer == "yes"

    def check_fit(self, game: Game[Any]) -> None:
        if shutil.which(self._words[0], path=_search_path()) is None:
            raise SettingsError(f"program: there is no program {quoted(self._words[0])}")

    def close(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.end()

    def _ask(self, turn: Turn, question: str, word: str) -> str:
        """Send the game and the question, and return the answer, which follows `word`."""
        running = self._start()
        seconds = self.seconds if turn.seconds is None else max(turn.seconds, MIN_TIMEOUT_SECONDS)
        running.output.discard()  # what it wrote before the question is no answer
        moves = "".join(f" {move}" for move in turn.moves)
        settings = json.dumps(dict(turn.game.settings.values))
        self._send(
            running,
            seconds,
            f"game {turn.game.key} {settings}",
            f"moves {turn.first}{moves}",
            f"{question} {turn.position.mover} {seconds:g}",
        )
        return self._receive(running, seconds, word)

    def _start(self) -> _Running:
        if self._running is None:
            try:
                self._running = _Running(self._words)
            except OSError as error:
                raise Forfeit(f"{self.command} cannot be started: {error.strerror}") from None
            self._send(self._running, self.seconds, PROTOCOL)
            self.name = self._receive(self._running, self.seconds, "ready")[:60] or self.command
        return self._running

    def _send(self, running: _Running, seconds: float, *lines: str) -> None:
        text = "".join(f"{line}\n" for line in lines)
        try:
            is_written = _write_within(seconds, running.stdin, text.encode())
        except OSError:
            raise self._forfeit("has stopped", "crashed") from None
        if not is_written:
            raise self._forfeit("does not read what it is told", "late")

    def _receive(self, running: _Running, seconds: float, word: str) -> str:
        """Return the rest of the next line that begins with `word`. Other lines are ignored."""
        deadline = time.monotonic() + seconds
        received_bytes = 0
        while received_bytes <= MAX_OUTPUT_BYTES:
            line = running.output.line(deadline - time.monotonic())
            if line is None:
                if running.output.full:
                    break
                if running.output.ended:
                    raise self._forfeit("has stopped", "crashed")
                raise self._forfeit(f"did not answer within {seconds:g} seconds", "late")
            received_bytes += len(line) + 1
            first_word, _, answer = line.decode(errors="replace").strip().partition(" ")
            if first_word == word:
                return answer.strip()
        raise self._forfeit(f"said more than {MAX_OUTPUT_BYTES:,} bytes and no {word!r}", "crashed")

    def _forfeit(self, why: str, fault: Fault) -> Forfeit:
        """Close the program, and return the exception to raise."""
        running = self._running
        self.close()
        error_line = running.last_error_line() if running is not None else ""
        return Forfeit(f"{self.command} {why}{error_line and f' ({error_line})'}", fault)


class _Running:
    """A running program, and the processes that it has started."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen(
            [shutil.which(words[0], path=_search_path()) or words[0], *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "PATH": _search_path()},
            start_new_session=os.name == "posix",  # its processes are killed as a group
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin = self.process.stdin
        self.output = _PipeReader(self.process.stdout, MAX_OUTPUT_BYTES)
        self._errors = _PipeReader(self.process.stderr, MAX_ERROR_BYTES, keeps_end=True)

    def end(self) -> None:
        """Kill the program and all processes that it has started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.output.stop()
        with contextlib.suppress(OSError):
            self.stdin.close()

    def last_error_line(self) -> str:
        """Return the last line of its standard error, shortened. The program has ended."""
        text = self._errors.rest(LAST_ERROR_TIMEOUT_SECONDS).decode(errors="replace").strip()
        return "".join(char for char in text.split("\n")[-1][:200] if char.isprintable())


def _search_path() -> str:
    """Return the search path for programs, which begins with the folder of our Python."""
    ours = str(Path(sys.executable).parent)
    return os.pathsep.join([ours, os.environ.get("PATH", os.defpath)])


# Threads read and write the pipes, because on some systems a pipe cannot be made non-blocking, and
# two cannot be waited for at once.


class _PipeReader:
    """Reads a pipe in the background and holds a limited number of bytes."""

    def __init__(self, stream: IO[bytes], max_bytes: int, keeps_end: bool = False) -> None:
        self.ended = False  # whether nothing more will come
        self._stream = stream
        self._max_bytes = max_bytes
        self._keeps_end = keeps_end  # drop the first bytes if it is full, instead of not reading on
        self._held = b""
        self._stopped = False
        self._change = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def full(self) -> bool:
        """Whether it has stopped reading because it holds too many bytes."""
        return len(self._held) > self._max_bytes

    def line(self, seconds: float) -> bytes | None:
        """Return the next line; None if none comes in time, or if it is full or has ended."""
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

    def discard(self) -> None:
        """Drop the bytes that were read so far."""
        with self._change:
            self._held = b""
            self._change.notify_all()

    def stop(self) -> None:
        """Stop reading, even if another process keeps the pipe open."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def rest(self, seconds: float) -> bytes:
        """Return the bytes held when the pipe ends, or after that time."""
        with self._change:
            self._change.wait_for(lambda: self.ended, seconds)
            return self._held

    def _read(self) -> None:
        with self._stream:
            while not self.ended:
                self._add(self._stream.read(CHUNK_BYTES))

    def _add(self, chunk: bytes) -> None:
        with self._change:
            self._held += chunk
            if self._keeps_end:
                self._held = self._held[-self._max_bytes :]
            self.ended = not chunk or self._stopped
            self._change.notify_all()
            self._change.wait_for(lambda: self._stopped or self._keeps_end or not self.full)


def _write_within(seconds: float, stream: IO[bytes], data: bytes) -> bool:
    """Write the data, and return whether that was done in time. Raises OSError if it is closed."""
    errors: list[OSError] = []

    def write() -> None:
        unwritten = memoryview(data)
        try:
            while unwritten:
                unwritten = unwritten[stream.write(unwritten) or 0 :]
        except (OSError, ValueError) as error:  # ValueError: it was closed in the meantime
            errors.append(error if isinstance(error, OSError) else OSError())

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    return not thread.is_alive()
