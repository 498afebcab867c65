"""Any program as a player, over its standard input and output (docs/programs.md)."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.players.player import Fault, Forfeit, Player, Turn
from numduel.players.stream import Reader, write_within

PROTOCOL = "numduel 1"
SECONDS = 10.0
"""How long a program may take for each answer, unless it is told otherwise."""

SHORTEST = 1.0
"""A program is given no less than this: it has to be asked, and to answer."""

MOST_OUTPUT = 64 * 1024
"""How many bytes a program may say for each answer."""

LAST_WORDS = 4096
"""How many bytes are kept of what it says on its standard error."""


class Program(Player):
    """A program that is started when it is first asked, and again if it has gone.

    Its `name` is its command until it has said another one.
    """

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
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
            said = quoted(f"move {answer}")
            fault: Fault = "unreadable" if move is None else "illegal"
            raise self._forfeit(f"answered {said}, which is not a legal move", fault)
        return move

    def swaps(self, turn: Turn) -> bool:
        answer = self._ask(turn, "swap", "swap")
        if answer not in ("yes", "no"):
            said = quoted(f"swap {answer}")
            raise self._forfeit(f"answered {said}, not yes or no", "unreadable")
        return answer == "yes"

    def check_fit(self, game: Game[Any]) -> None:
        if _found(self._words[0]) is None:
            raise SettingsError(f"program: there is no program {quoted(self._words[0])}")

    def close(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.end()

    def _ask(self, turn: Turn, question: str, word: str) -> str:
        """Tell the program where the game stands, and what it answers after `word`."""
        running = self._start()
        seconds = self.seconds if turn.seconds is None else max(turn.seconds, SHORTEST)
        running.heard.forget()  # what it said unasked cannot pass for an answer
        moves = "".join(f" {move}" for move in turn.moves)
        settings = json.dumps(dict(turn.game.settings.values))
        self._say(
            running,
            seconds,
            f"game {turn.game.key} {settings}",
            f"moves {turn.first}{moves}",
            f"{question} {turn.position.mover} {seconds:g}",
        )
        return self._hear(running, seconds, word)

    def _start(self) -> _Running:
        if self._running is None:
            try:
                self._running = _Running(self._words)
            except OSError as error:
                raise Forfeit(f"{self.command} cannot be started: {error.strerror}") from None
            self._say(self._running, self.seconds, PROTOCOL)
            self.name = self._hear(self._running, self.seconds, "ready")[:60] or self.command
        return self._running

    def _say(self, running: _Running, seconds: float, *lines: str) -> None:
        text = "".join(f"{line}\n" for line in lines)
        try:
            done = write_within(seconds, running.stdin, text.encode())
        except OSError:
            raise self._stopped() from None
        if not done:
            raise self._forfeit("does not read what it is told", "late")

    def _hear(self, running: _Running, seconds: float, word: str) -> str:
        """The rest of the next line that begins with `word`; other lines are passed over."""
        deadline = time.monotonic() + seconds
        heard = 0
        while heard <= MOST_OUTPUT:
            line = running.heard.line(deadline - time.monotonic())
            if line is None:
                if running.heard.full:
                    break
                if running.heard.ended:
                    raise self._stopped()
                raise self._forfeit(f"did not answer within {seconds:g} seconds", "late")
            heard += len(line) + 1
            said, _, answer = line.decode(errors="replace").strip().partition(" ")
            if said == word:
                return answer.strip()
        raise self._forfeit(f"said more than {MOST_OUTPUT:,} bytes and no {word!r}", "crashed")

    def _stopped(self) -> Forfeit:
        return self._forfeit("has stopped", "crashed")

    def _forfeit(self, why: str, fault: Fault) -> Forfeit:
        running = self._running
        self.close()
        words = running.last_words() if running is not None else ""
        return Forfeit(f"{self.command} {why}{words and f' ({words})'}", fault)


class _Running:
    """A program that runs, with everything that it starts in turn."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen(
            [_found(words[0]) or words[0], *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "PATH": _path()},
            start_new_session=os.name == "posix",  # a process group, to be ended as one
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin = self.process.stdin
        self.heard = Reader(self.process.stdout, MOST_OUTPUT)
        self._complaints = Reader(self.process.stderr, LAST_WORDS, tail=True)

    def end(self) -> None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.heard.leave()
        with contextlib.suppress(OSError):
            self.stdin.close()

    def last_words(self) -> str:
        """The last line on its standard error, in short; the program has ended."""
        said = self._complaints.rest().decode(errors="replace").strip()
        return "".join(one for one in said.split("\n")[-1][:200] if one.isprintable())


def _found(word: str) -> str | None:
    return shutil.which(word, path=_path())


def _path() -> str:
    """Where programs are looked for: first where our own Python is, which knows our games."""
    ours = str(Path(sys.executable).parent)
    return os.pathsep.join([ours, os.environ.get("PATH", os.defpath)])
