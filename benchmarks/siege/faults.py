"""Causes a fault while people play: no acknowledged move is lost, and all goes on by itself."""

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

from benchmarks.siege.disorder import FAULTS, Fault, Testbed, mount, unmount
from benchmarks.siege.players import Game
from benchmarks.siege.server import Server, running, running_postgres, scheduled_seconds
from benchmarks.siege.wire import Host

RECOVERY_TIMEOUT_SECONDS = 120.0  # all games must go on within this time
READY_TIMEOUT_SECONDS = 15.0  # how long we wait for an answer of /readyz
MAX_READY_SECONDS = 1.0  # how long /readyz may take to answer, and to notice a fault
DISK_MEGABYTES = 16

HEADER = (
    "| fault | acknowledged | failures | goes on after s | lost | readyz meanwhile | in the log |\n"
    + "|---" * 7
    + "|"
)


class Outcome(NamedTuple):
    """How the server coped with a fault."""

    name: str
    acknowledged: int  # number of moves
    failed: list[str]
    recovery: float | None  # seconds until every game went on; None: not all did
    lost: list[str]
    ready: Counter[int]  # the statuses of /readyz during the fault
    wrong_answers: list[str]  # what was wrong with these
    ready_again: bool
    logged: list[str]  # the warnings and errors

    @property
    def broken(self) -> list[str]:
        """What was wrong."""
        cause = FAULTS[self.name].cause
        found = [
            (self.recovery is None, "it does not go on"),
            (bool(self.lost), str(self.lost[:3])),
            (not self.ready_again, "/readyz does not say that it is ready again"),
            (not self._has_cause(cause), f"no cause in the log like {cause!r}"),
        ]
        return [*(words for wrong, words in found if wrong), *self.wrong_answers]

    def _has_cause(self, cause: str) -> bool:
        """Whether the log has a cause that matches this expression, or the expression is empty."""
        return not cause or any(re.search(cause, one) for one in self.logged_causes)

    @property
    def logged_causes(self) -> list[str]:
        """The causes in the log, each once."""
        fields = (json.loads(line) for line in self.logged if line.startswith("{"))
        return [*dict.fromkeys(str(line["cause"]) for line in fields if "cause" in line)]

    def row(self) -> str:
        """Return a line of the table."""
        failed = ", ".join(f"{n} × {what}" for what, n in Counter(self.failed).most_common(3))
        cells = [
            f"{self.name:16}",
            f"{self.acknowledged:4}",
            failed or "none",
            "never" if self.recovery is None else f"{self.recovery:5.1f}",
            f"{len(self.lost)} ({self.lost[0]})" if self.lost else "none",
            str(dict(self.ready)),
            f"{len(self.logged)} lines: {'; '.join(self.logged_causes)[:150]}",
        ]
        return "| " + " | ".join(cells) + " |"


@contextmanager
def running_testbed(kind: str, short: bool) -> Iterator[Testbed]:
    """Run a server to which faults happen."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="siege-")))
        data = folder / "data"
        data.mkdir()
        if is_small := kind == "sqlite" and mount(data, DISK_MEGABYTES):
            stack.callback(unmount, data)
        postgres = stack.enter_context(running_postgres()) if kind == "postgresql" else None
        url = f"sqlite:///{data}/games.sqlite" if postgres is None else postgres.url
        server = stack.enter_context(running(Server(folder, url, 1 if postgres is None else 2)))
        yield Testbed(server, postgres, data, is_small, short)


async def _restart_if_ended(server: Server) -> None:
    """Start the server again when it has ended, as a service manager does."""
    while True:
        await asyncio.sleep(0.5)
        if server.process is not None and server.process.poll() is not None:
            with suppress(RuntimeError, TimeoutError):
                await asyncio.to_thread(server.start)


def strike(name: str, testbed: Testbed, players: int) -> Outcome:
    """Let people play, cause a fault, and observe whether the games go on."""
    if FAULTS[name].needs_small_disk and not testbed.is_small:
        raise PermissionError("no small disk can be made here (mount was tried)")
    return asyncio.run(_strike(name, testbed, players))


async def _strike(name: str, testbed: Testbed, players: int) -> Outcome:
    server, chance = testbed.server, Random(7)
    games = []
    for number in range(players // 2):
        hosts = [Host(server.port, f"127.2.0.{2 * number + seat}") for seat in (1, 2)]
        games.append(await Game.open(hosts, chance))
    playing = [asyncio.create_task(game.play()) for game in games]
    keeper = asyncio.create_task(_restart_if_ended(server))
    if await _recovery_seconds(games) is None:
        raise RuntimeError("nobody could play before the fault")
    written = server.log.stat().st_size
    ready: list[Ready] = []
    probing = asyncio.create_task(_probe_readiness(server, ready))
    await FAULTS[name].act(testbed)
    statuses = Counter(one.status for one in ready)
    recovery = await _recovery_seconds(games)
    again = await _becomes_ready(ready)
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
        [one for game in games for one in game.measured.failed],
        recovery,
        lost,
        statuses,
        wrong_answers(FAULTS[name], ready, testbed),
        again,
        grave,
    )


class Ready(NamedTuple):
    """An answer of /readyz."""

    asked: float  # when
    answered: float  # when
    status: int  # 0: none
    waited: float = 0.0  # seconds in between in which other programs had the processors

    def in_time(self, seconds: float) -> bool:
        """Whether it has answered in time, not counting time that other programs took."""
        return self.status > 0 and self.answered - self.asked - self.waited <= seconds


def wrong_answers(fault: Fault, answers: list[Ready], testbed: Testbed) -> list[str]:
    """Return what was wrong with the answers of /readyz during a fault."""
    since, until, most = (
        testbed.since,
        testbed.until,
        READY_TIMEOUT_SECONDS if testbed.short else MAX_READY_SECONDS,
    )
    lies = [
        one
        for one in answers
        if fault.stops_writes and one.status == 200
        if since + MAX_READY_SECONDS < one.asked and one.answered < until
    ]
    late = [
        one
        for one in answers
        if since < one.asked < until - MAX_READY_SECONDS and not one.in_time(most)
    ]
    problems = [
        (lies, f"/readyz said {len(lies)} times that it was ready, and it was not"),
        (late, f"/readyz did not answer within {most:g} s, {len(late)} times"),
    ]
    return [text for wrong, text in problems if wrong]


async def _probe_readiness(server: Server, answers: list[Ready]) -> None:
    """Ask repeatedly whether the server is ready, and add its answers to the list."""
    host, both = Host(server.port, "127.3.0.1"), [os.getpid(), *(one.pid for one in server.serving)]
    while True:
        asked, before = time.monotonic(), _waiting_seconds(both)
        answer = await host.get("/readyz", READY_TIMEOUT_SECONDS)
        waited = max(0.0, _waiting_seconds(both) - before)
        answers.append(Ready(asked, time.monotonic(), answer.status, waited))
        await asyncio.sleep(0.2)


def _waiting_seconds(processes: list[int]) -> float:
    """Return for how many seconds these processes have waited for a processor so far."""
    waited = 0.0
    for one in processes:
        with suppress(OSError):  # it may have ended
            waited += scheduled_seconds(Path(f"/proc/{one}"))[1]
    return waited


async def _becomes_ready(answers: list[Ready]) -> bool:
    """Wait until the server says that it is ready. Return False if it never does."""
    known, end = len(answers), time.monotonic() + RECOVERY_TIMEOUT_SECONDS
    while not any(one.status == 200 for one in answers[known:]):
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)
    return True


async def _recovery_seconds(games: list[Game]) -> float | None:
    """Wait until every game has two more moves. Return the seconds, or None if one has not."""
    begun = time.monotonic()
    goals = [len(game.acknowledged) + 2 for game in games]
    while time.monotonic() < begun + RECOVERY_TIMEOUT_SECONDS:
        if all(len(game.acknowledged) >= goal for game, goal in zip(games, goals, strict=True)):
            return time.monotonic() - begun
        await asyncio.sleep(0.05)
    return None
