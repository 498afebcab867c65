"""One fault while people play: nothing acknowledged is lost, and all goes on without a hand."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.siege.disorder import FAULTS, Fault, Field, mount, unmount
from benchmarks.siege.players import Game
from benchmarks.siege.server import Postgres, Server, scheduled
from benchmarks.siege.wire import Host

RECOVERS = 120.0  # seconds in which all must go on again
LATE = 15.0  # seconds after which an answer of /readyz is no longer waited for
KNOWS = 1.0  # seconds in which it must answer, and after which it must know that it is not ready
DISK = 16  # MB

HEADER = (
    "| fault | acknowledged | failures | goes on after s | lost | readyz meanwhile | in the log |\n"
    + "|---" * 7
    + "|"
)


class Outcome(NamedTuple):
    """What a fault came to."""

    name: str
    acknowledged: int
    failed: list[str]
    recovery: float | None  # seconds until every game went on; None: not all did
    lost: list[str]
    ready: Counter[int]  # the statuses of /readyz while it was broken
    untrue: list[str]  # what was wrong with that
    ready_again: bool
    logged: list[str]  # the warnings and errors

    @property
    def broken(self) -> list[str]:
        """What must not be."""
        cause = FAULTS[self.name].cause
        found = [
            (self.recovery is None, "it does not go on"),
            (bool(self.lost), str(self.lost[:3])),
            (not self.ready_again, "/readyz does not say that it is ready again"),
            (not self._says(cause), f"no cause in the log like {cause!r}"),
        ]
        return [*(words for wrong, words in found if wrong), *self.untrue]

    def _says(self, cause: str) -> bool:
        """Whether the log has such a cause, where there must be one."""
        return not cause or any(re.search(cause, one) for one in self.caused)

    @property
    def caused(self) -> list[str]:
        """The causes that the log has, each once."""
        fields = (json.loads(line) for line in self.logged if line.startswith("{"))
        return [*dict.fromkeys(str(line["cause"]) for line in fields if "cause" in line)]

    def row(self) -> str:
        """A line of the table."""
        failed = ", ".join(f"{n} × {what}" for what, n in Counter(self.failed).most_common(3))
        cells = [
            f"{self.name:16}",
            f"{self.acknowledged:4}",
            failed or "none",
            "never" if self.recovery is None else f"{self.recovery:5.1f}",
            f"{len(self.lost)} ({self.lost[0]})" if self.lost else "none",
            str(dict(self.ready)),
            f"{len(self.logged)} lines: {'; '.join(self.caused)[:150]}",
        ]
        return "| " + " | ".join(cells) + " |"


@contextmanager
def field_of(kind: str, short: bool) -> Iterator[Field]:
    """A server that is to break."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="siege-")))
        data = folder / "data"
        data.mkdir()
        if is_small := kind == "sqlite" and mount(data, DISK):
            stack.callback(unmount, data)
        postgres = None
        if kind == "postgresql":
            postgres = Postgres(Path(stack.enter_context(TemporaryDirectory(prefix="siege-"))))
            stack.callback(postgres.stop)
            postgres.start()
        url = f"sqlite:///{data}/games.sqlite" if postgres is None else postgres.url
        server = Server(folder, url, 1 if postgres is None else 2)
        stack.callback(server.kill)
        server.start()
        yield Field(server, postgres, data, is_small, short)


async def _look_after(server: Server) -> None:
    """Start the server again when it has ended, as a service manager does."""
    while True:
        await asyncio.sleep(0.5)
        if server.process is not None and server.process.poll() is not None:
            with suppress(RuntimeError, TimeoutError):
                await asyncio.to_thread(server.start)


def strike(name: str, field: Field, players: int) -> Outcome:
    """Let people play, break something, and see whether all goes on."""
    if FAULTS[name].disk and not field.is_small:
        raise PermissionError("no small disk can be made here (mount was tried)")
    return asyncio.run(_struck(name, field, players))


async def _struck(name: str, field: Field, players: int) -> Outcome:
    server, chance = field.server, Random(7)
    games = []
    for number in range(players // 2):
        hosts = [Host(server.port, f"127.2.0.{2 * number + seat}") for seat in (1, 2)]
        games.append(await Game.open(hosts, chance))
    playing = [asyncio.create_task(game.play()) for game in games]
    keeper = asyncio.create_task(_look_after(server))
    if await _recovered(games) is None:
        raise RuntimeError("nobody could play before anything broke")
    written = server.log.stat().st_size
    ready: list[Ready] = []
    probing = asyncio.create_task(_ask_ready(server, ready))
    await FAULTS[name].deed(field)
    statuses = Counter(one.status for one in ready)
    recovery = await _recovered(games)
    again = await _ready_again(ready)
    probing.cancel()
    for game in games:
        game.stop()
    await asyncio.gather(*playing)
    lost = [one for game in games for one in await game.lost(Host(server.port, "127.5.0.1"))]
    keeper.cancel()
    with server.log.open("rb") as log:
        log.seek(written)
        lines = log.read().decode("utf-8", "replace").splitlines()
    grave = [line for line in lines if '"level": "info"' not in line]
    return Outcome(
        name,
        sum(len(game.acknowledged) for game in games),
        [one for game in games for one in game.lived.failed],
        recovery,
        lost,
        statuses,
        untrue(FAULTS[name], ready, field),
        again,
        grave,
    )


class Ready(NamedTuple):
    """What /readyz said, and when."""

    asked: float
    answered: float
    status: int  # 0: it said nothing
    waited: float = 0.0  # seconds of these in which others had the processors

    def in_time(self, seconds: float) -> bool:
        """Whether it has answered in time, as far as it was the server that took it."""
        return self.status > 0 and self.answered - self.asked - self.waited <= seconds


def untrue(fault: Fault, answers: list[Ready], field: Field) -> list[str]:
    """What was wrong with the answers of /readyz while it was broken, the server living on."""
    since, until, most = field.since, field.until, LATE if field.short else KNOWS
    lies = [
        one
        for one in answers
        if fault.breaks and one.status == 200
        if since + KNOWS < one.asked and one.answered < until
    ]
    late = [one for one in answers if since < one.asked < until - KNOWS and not one.in_time(most)]
    found = [
        (lies, f"/readyz said {len(lies)} times that it was ready, and it was not"),
        (late, f"/readyz did not answer within {most:g} s, {len(late)} times"),
    ]
    return [words for wrong, words in found if wrong]


async def _ask_ready(server: Server, answers: list[Ready]) -> None:
    """Ask whether the server is ready; it has a second to say so."""
    host, both = Host(server.port, "127.3.0.1"), [os.getpid(), *(one.pid for one in server.serving)]
    while True:
        asked, before = time.monotonic(), _waited(both)
        answer = await host.get("/readyz", LATE)
        waited = max(0.0, _waited(both) - before)
        answers.append(Ready(asked, time.monotonic(), answer.status, waited))
        await asyncio.sleep(0.2)


def _waited(processes: list[int]) -> float:
    """Seconds in which these could have run so far, and others did."""
    waited = 0.0
    for one in processes:
        with suppress(OSError):  # which may have ended
            waited += scheduled(Path(f"/proc/{one}"))[1]
    return waited


async def _ready_again(answers: list[Ready]) -> bool:
    """Whether the server comes to say that it is ready."""
    known, end = len(answers), time.monotonic() + RECOVERS
    while not any(one.status == 200 for one in answers[known:]):
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)
    return True


async def _recovered(games: list[Game]) -> float | None:
    """Seconds until every game has had two more moves; None where one has not."""
    begun = time.monotonic()
    goals = [len(game.acknowledged) + 2 for game in games]
    while time.monotonic() < begun + RECOVERS:
        if all(len(game.acknowledged) >= goal for game, goal in zip(games, goals, strict=True)):
            return time.monotonic() - begun
        await asyncio.sleep(0.05)
    return None
