"""One siege: players, a probe and an attacker, and the result."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.siege.attack import (
    MAX_MEDIAN_SECONDS,
    MAX_P95_SECONDS,
    Attack,
    command,
    shared_address,
)
from benchmarks.siege.players import Game, Measurements, Probe, Solo, percentile
from benchmarks.siege.server import Process, Server, running, running_postgres
from benchmarks.siege.wire import Host

PLAYERS = 20
MAX_HELD_SECONDS = 0.1  # processor time of a callback in the event loop
MAX_WAITED_SHARE = 0.2  # a server that waits longer for a processor runs on a busy machine
MAX_MEGABYTES = 512.0  # memory of a process
MAX_LOG_MB_PER_MINUTE = 1.0
MIN_LOG_SECONDS = 20.0  # the log is averaged over at least this time
WARM_UP_SECONDS = 1.0  # of play, before anything is measured
MAX_BUSY_FAILURE_SHARE = 0.05  # share of moves that may fail on a busy machine


class Result(NamedTuple):
    """The result of a siege."""

    name: str
    measured: Measurements
    near: Measurements  # by players who share the attacker's address
    health: list[float]  # response times of /healthz in seconds
    memory: float  # MB of the largest process that answers requests
    thinking: float  # MB of the largest process that computes moves
    ran: float  # share of time for which the busiest process that answers requests ran
    waited: float  # share of time for which it waited for a processor
    held: float  # processor time of the longest callback in the event loop, in seconds
    log: float  # MB a minute
    lost: list[str]
    finding: str
    succeeded: bool = False  # whether the attack has succeeded

    @property
    def broken(self) -> list[str]:
        """The limits that were exceeded, except for response times."""
        allowed = MAX_BUSY_FAILURE_SHARE * len(self.measured.moves) if self.is_busy else 0
        found = [
            (not (self.measured.moves and self.near.moves), "nobody could move"),
            (len(self.failed) > allowed, f"{len(self.failed)} failures"),
            (max(self.memory, self.thinking) > MAX_MEGABYTES, "memory"),
            (self.log > MAX_LOG_MB_PER_MINUTE, f"{self.log:.1f} MB of log a minute"),
            (bool(self.lost), f"lost: {self.lost[:3]}"),
            (self.succeeded, self.finding),
        ]
        return [words for wrong, words in found if wrong]

    @property
    def failed(self) -> list[str]:
        """All failures."""
        return self.measured.failed

    @property
    def slow(self) -> list[str]:
        """The response times that were exceeded; none on a busy machine."""
        found = [
            (
                percentile(times, which) > most and not self.is_busy,
                f"moves {where} took {percentile(times, which):.2f} s, {which} of 100",
            )
            for where, times in (("elsewhere", self.measured.moves), ("there", self.near.moves))
            for which, most in ((50, MAX_MEDIAN_SECONDS), (95, MAX_P95_SECONDS))
        ]
        found.append((self.held > MAX_HELD_SECONDS, f"the loop was held for {self.held:.2f} s"))
        return [words for wrong, words in found if wrong]

    @property
    def is_busy(self) -> bool:
        """Whether other programs used the processors so much that response times mean nothing."""
        return self.waited > MAX_WAITED_SHARE

    def row(self) -> str:
        """Return a line of the table."""
        moves, news, health = self.measured.moves, self.measured.news, self.health
        failed = ", ".join(f"{n} × {what}" for what, n in Counter(self.failed).most_common(3))
        cells = [
            f"{self.name:20}",
            f"{len(moves):4}",
            *(f"{percentile(moves, which) * 1000:6.0f}" for which in (50, 95, 99)),
            *(f"{percentile(self.near.moves, which) * 1000:6.0f}" for which in (50, 95)),
            f"{percentile(news, 99) * 1000:6.0f}",
            f"{percentile(health, 99) * 1000:6.0f}",
            f"{max(health, default=0) * 1000:6.0f}",
            f"{self.memory:5.0f}",
            f"{self.thinking:5.0f}",
            f"{self.ran:4.0%}",
            f"{self.waited:4.0%}{' (busy)' if self.is_busy else ''}",
            f"{self.held * 1000:4.0f}",
            f"{self.log:6.2f}",
            failed or "none",
            self.finding,
        ]
        return "| " + " | ".join(cells) + " |"


HEADER = (
    "| attack | moves | p50 ms | p95 | p99 | there p50 | p95 | news p99 | healthz p99 | worst | "
    "MB | thinking MB | "
    "server CPU | waited for it | loop held ms | log MB/min | failures | seen |\n"
    + "|---" * 18
    + "|"
)


@contextmanager
def serving(
    kind: str, files: int = 8192, workers: int | None = None, **environment: str
) -> Iterator[Server]:
    """Run a server: on SQLite with one worker, or on PostgreSQL with two, by default."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="siege-")))
        if kind == "sqlite":
            url, workers = f"sqlite:///{folder}/games.sqlite", workers or 1
        else:
            url, workers = stack.enter_context(running_postgres()).url, workers or 2
        server = Server(folder, url, workers, files, **environment)
        yield stack.enter_context(running(server))


async def besiege(
    name: str,
    server: Server,
    attack: Attack | None,
    seconds: float,
    players: int = PLAYERS,
    short: bool = False,
) -> Result:
    """Let people play, attack the server meanwhile, and return what they have measured."""
    chance, near = Random(7), shared_address(attack.net if attack else 1)
    games = []
    for number in range(players // 2):
        # The first two share the attacker's address. Half of the players play the computer.
        seats = [f"127.2.0.{2 * number + seat}" if number > 1 else near for seat in (1, 2)]
        kind = Solo if number % 2 else Game
        games.append(await kind.open([Host(server.port, seat) for seat in seats], chance))
    playing = [asyncio.create_task(game.play()) for game in games]
    probe = Probe(Host(server.port, "127.3.0.1"))
    await asyncio.sleep(WARM_UP_SECONDS)
    attacker = None
    if attack is not None:
        attacker = await asyncio.create_subprocess_exec(
            *command(name, server.port, seconds, short, [game.name for game in games]),
            stdout=subprocess.PIPE,
        )
        assert attacker.stdout is not None
        ready = await attacker.stdout.readline()
        assert ready.strip() == b"ready", ready
    for game in games:
        game.reset()
    begun, written = time.monotonic(), server.log.stat().st_size
    probing = asyncio.create_task(probe.run())
    server.turns.reset()
    before = {one.pid: one for one in server.serving}
    memory, thinking = await _max_memory(server, seconds)
    taken = time.monotonic() - begun
    log = (server.log.stat().st_size - written) / 2**20 / max(taken, MIN_LOG_SECONDS) * 60
    ran, waited = _busiest_shares(before, server.serving, taken)
    held = server.turns.longest
    near, measured = await _stop_games(games[:2], playing[:2]), await _stop_games(games, playing)
    probing.cancel()
    finding, succeeded = "", False
    if attacker is not None:
        out, _ = await attacker.communicate()
        finding = out.decode().strip() or "the attack was aborted"
        succeeded = attacker.returncode != 0
    lost = [one for game in games for one in await game.lost(Host(server.port, "127.5.0.1"))]
    return Result(
        *(name, measured, near, probe.times, memory, thinking, ran, waited, held, log, lost),
        *(finding, succeeded),
    )


def _busiest_shares(
    before: dict[int, Process], after: list[Process], seconds: float
) -> tuple[float, float]:
    """Return for which shares of time the busiest process ran, and waited for a processor."""
    both = [(before[one.pid], one) for one in after if one.pid in before]
    shares = [(b.ran - a.ran, b.waited - a.waited) for a, b in both]
    ran, waited = max(shares, default=(0.0, 0.0))
    return ran / seconds, waited / seconds


async def _stop_games(games: list[Game], playing: list[asyncio.Task[None]]) -> Measurements:
    measured = Measurements([], [], [])
    for game in games:
        game.stop()
    await asyncio.gather(*playing)
    for game in games:
        measured.merge(game.measured)
    return measured


async def _max_memory(server: Server, seconds: float) -> tuple[float, float]:
    """Return the maximum memory in MB of a process that serves, and of one that computes moves."""
    memory = thinking = 0.0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        memory = max([memory, *(one.memory for one in server.serving)])
        thinking = max([thinking, *(one.memory for one in server.thinking)])
        await asyncio.sleep(0.5)
    return memory, thinking
