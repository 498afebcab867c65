"""A worker as seen by who started it: what becomes of its games when it dies or never answers."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from select import select
from typing import Any

from numduel.arena.asked import Asked
from numduel.arena.playing import NOBODY, Stop
from numduel.arena.worker import ERROR, MARK, receive, send
from numduel.core.errors import NumduelError

CHUNK = 0.5
"""Seconds that a worker plays before it tells of its games."""

LONGEST_MOVE = 600.0
"""Seconds after which a player that was given no time is taken to hang."""

GRACE = 1.0
"""Seconds that a player with a time may be late before its process is ended."""

POLL = 0.2

MOST_DEATHS = 5
"""A process that dies so often while no player is asked cannot play at all."""


class Guard:
    """A worker process that is started again whenever it has gone.

    A player that takes the process with it twice at the same move, or hangs, has lost that game,
    which is then played once more up to there.
    """

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._patience = LONGEST_MOVE if asked.seconds is None else asked.seconds + GRACE
        self._marks = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the end
        self._marks.write(bytes(MARK.size))
        self._marks.flush()
        self._stops: dict[int, Stop] = {}
        self._suspect: tuple[int, int] | None = None  # the game and ply of the last death
        self._deaths = 0  # since it last told of games
        self._asked_now, self._since = (NOBODY, 0), 0.0  # who is asked, and since when it is seen
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers: Sequence[int] = ()

    @property
    def busy(self) -> bool:
        """Whether it was given games that it has not told of."""
        return bool(self._numbers)

    def fileno(self) -> int:
        """What can be waited for, so that `result` has something to look at."""
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout.fileno()

    def begin(self, numbers: Sequence[int]) -> None:
        """Give it games to play."""
        self._numbers = numbers
        self._hand()

    def result(self, wait: float = POLL) -> list[str] | None:
        """The lines of the first of its games, at least one; None where it is still playing."""
        if select([self], [], [], wait)[0]:
            assert self._process is not None and self._process.stdout is not None
            try:
                answer = receive(self._process.stdout)
            except EOFError:
                self._died()
                return None
            if answer.startswith(ERROR):
                raise NumduelError(answer.removeprefix(ERROR))
            self._numbers = ()
            self._stops.clear()
            self._deaths = 0
            return answer.split("\n")
        number, ply = mark = self._mark()
        if mark != self._asked_now:
            self._asked_now, self._since = mark, time.monotonic()
        elif number != NOBODY and time.monotonic() - self._since > self._patience:
            self._stop(number, ply, "late", "never answered")
            self._restart()
        return None

    def played(self, numbers: Sequence[int]) -> list[str]:
        """The lines of the first of these games, at least one."""
        self.begin(numbers)
        while (lines := self.result()) is None:
            pass
        return lines

    def close(self) -> None:
        """End the process, whatever it is at."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            assert process.stdin is not None and process.stdout is not None
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what was still to be written to who has gone
                    pipe.close()

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._marks.close()

    def _hand(self) -> None:
        process = self._started()
        assert process.stdin is not None
        stops = {str(number): tuple(stop) for number, stop in self._stops.items()}
        task = {"numbers": list(self._numbers), "seconds": CHUNK, "stops": stops}
        with suppress(OSError):  # if it has died, that is heard where its answer is waited for
            send(process.stdin, json.dumps(task))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._marks.seek(0)
            self._marks.write(MARK.pack(NOBODY, 0))
            self._marks.flush()
            marks = self._marks.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "numduel.arena.worker", str(marks)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=(marks,),
            )
            assert self._process.stdin is not None
            with suppress(OSError):
                send(self._process.stdin, json.dumps({"asked": self._asked.dumps()}))
        return self._process

    def _mark(self) -> tuple[int, int]:
        self._marks.seek(0)
        number, ply = MARK.unpack(self._marks.read(MARK.size))
        return number, ply

    def _died(self) -> None:
        number, ply = self._mark()
        here = None if number == NOBODY else (number, ply)
        if here is not None and here == self._suspect:
            self._stop(number, ply, "crashed", "its process has ended")
        self._suspect = here
        self._deaths += here is None
        if self._deaths > MOST_DEATHS:
            raise NumduelError("the processes that play the games end as soon as they begin")
        self._restart()

    def _stop(self, number: int, ply: int, fault: Any, why: str) -> None:
        self._stops[number] = Stop(ply, fault, why)

    def _restart(self) -> None:
        self.close()
        self._hand()
