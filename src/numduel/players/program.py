"""Any program as a player, over its standard input and output (docs/programs.md)."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
from typing import Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.players.player import Forfeit, Player, Turn

PROTOCOL = "numduel 1"
SECONDS = 10.0
"""How long a program may take for each answer."""

LONGEST_NAME = 40

MOST_OUTPUT = 64 * 1024
"""How many bytes a program may say for each answer."""


class Program(Player):
    """A program that is started when it is first asked, and again if it has gone."""

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise SettingsError(f"program:{command[:60]}: {error}") from None
        if not self._words:
            raise SettingsError("program: needs a command, as in program:./my-bot")
        self.command = quoted(command)
        self.name = _printable(f"program:{command}")  # until it has told its own
        self.seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def choose(self, turn: Turn) -> int:
        answer = self._ask(turn, f"go {turn.position.mover} {self.seconds:g}", "move")
        move = parse_whole(answer)
        if move is None or not turn.game.allows(turn.position, move):
            raise self._forfeit(f"answered {quoted(f'move {answer}')}, which is not a legal move")
        return move

    def swaps(self, turn: Turn) -> bool:
        answer = self._ask(turn, f"swap {turn.position.mover} {self.seconds:g}", "swap")
        if answer not in ("yes", "no"):
            raise self._forfeit(f"answered {quoted(f'swap {answer}')}, not yes or no")
        return answer == "yes"

    def check_fit(self, game: Game[Any]) -> None:
        if shutil.which(self._words[0]) is None:
            raise SettingsError(f"program: there is no program {quoted(self._words[0])}")

    def close(self) -> None:
        process, self._process, self._rest = self._process, None, b""
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()

    def _ask(self, turn: Turn, question: str, word: str) -> str:
        """Tell the program where the game stands, and what it answers after `word`."""
        self._start()
        self._drop_leftovers()
        moves = "".join(f" {move}" for move in turn.moves)
        settings = json.dumps(dict(turn.game.settings.values))
        self._say(f"game {turn.game.key} {settings}", f"moves {turn.first}{moves}", question)
        return self._hear(word)

    def _start(self) -> None:
        if self._process is not None:
            return
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Forfeit(f"{self.command} cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._say(PROTOCOL)
        self.name = _printable(self._hear("ready")) or self.name

    def _say(self, *lines: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        data = "".join(f"{line}\n" for line in lines).encode()
        deadline = time.monotonic() + self.seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdin, selectors.EVENT_WRITE)
            while data:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise self._forfeit("does not read what it is told")
                try:
                    data = data[os.write(self._process.stdin.fileno(), data) :]
                except OSError:
                    raise self._forfeit("has stopped") from None

    def _drop_leftovers(self) -> None:
        """Forget what the program said unasked, so that it cannot pass for an answer."""
        assert self._process is not None and self._process.stdout is not None
        self._rest = b""
        dropped = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while dropped <= MOST_OUTPUT and selector.select(0):
                chunk = os.read(self._process.stdout.fileno(), 4096)
                if not chunk:
                    raise self._forfeit("has stopped")
                dropped += len(chunk)

    def _hear(self, word: str) -> str:
        """The rest of the next line that begins with `word`; other lines are passed over."""
        assert self._process is not None and self._process.stdout is not None
        deadline = time.monotonic() + self.seconds
        heard = len(self._rest)
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while True:
                while b"\n" in self._rest:
                    line, self._rest = self._rest.split(b"\n", 1)
                    said, _, answer = line.decode(errors="replace").strip().partition(" ")
                    if said == word:
                        return answer.strip()
                if heard > MOST_OUTPUT:
                    raise self._forfeit(f"said more than {MOST_OUTPUT:,} bytes and no {word!r}")
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise self._forfeit(f"did not answer within {self.seconds:g} seconds")
                chunk = os.read(self._process.stdout.fileno(), 4096)
                if not chunk:
                    raise self._forfeit("has stopped")
                heard += len(chunk)
                self._rest += chunk

    def _forfeit(self, why: str) -> Forfeit:
        self.close()
        return Forfeit(f"{self.command} {why}")


def _printable(name: str) -> str:
    return "".join(filter(str.isprintable, name))[:LONGEST_NAME]
