"""One siege: the players, the probe, the attacker, and what came of it."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.siege.attack import LATE, SOON, Attack, command, school
from benchmarks.siege.players import Game, Lived, Probe, Solo, percentile
from benchmarks.siege.server import Postgres, Process, Server, running
from benchmarks.siege.wire import Host

PLAYERS = 20
HELD = 0.1  # seconds of a processor for a turn of the loop
WAITED = 0.2  # of the time, what a server waits for a processor on a machine that is not busy
MEMORY = 512.0  # MB of a process
LOG = 1.0  # MB a minute
LOG_SECONDS = 20.0  # in which as much may be written at once
CALM = 1.0  # seconds of play before anything counts
BUSY_FAILURES = 0.05  # of the moves that may fail where others have the processors


class Result(NamedTuple):
    """What a siege came to."""

    name: str
    lived: Lived
    near: Lived  # and those who sit where the attacker sits
    health: list[float]
    memory: float  # MB of the largest process that answers requests
    thinking: float  # and of the largest one that thinks
    ran: float  # of the time, the one that answers requests and ran most
    waited: float  # and of the time it could not, since others had the processors
    held: float  # seconds of a processor, the longest turn of its loop
    log: float  # MB a minute, over some time
    lost: list[str]
    finding: str
    succeeded: bool = False  # whether the attack found what it must not

    @property
    def broken(self) -> list[str]:
        """The bounds that did not hold, but for those of time."""
        allowed = BUSY_FAILURES * len(self.lived.moves) if self.crowded else 0
        found = [
            (not (self.lived.moves and self.near.moves), "nobody could move"),
            (len(self.failed) > allowed, f"{len(self.failed)} failures"),
            (max(self.memory, self.thinking) > MEMORY, "memory"),
            (self.log > LOG, f"{self.log:.1f} MB of log a minute"),
            (bool(self.lost), f"lost: {self.lost[:3]}"),
            (self.succeeded, self.finding),
        ]
        return [words for wrong, words in found if wrong]

    @property
    def failed(self) -> list[str]:
        """What failed for anybody."""
        return self.lived.failed

    @property
    def slow(self) -> list[str]:
        """The bounds of time that did not hold, as far as it was the server that took it."""
        found = [
            (
                percentile(times, which) > most and not self.crowded,
                f"moves {where} took {percentile(times, which):.2f} s, {which} of 100",
            )
            for where, times in (("elsewhere", self.lived.moves), ("there", self.near.moves))
            for which, most in ((50, SOON), (95, LATE))
        ]
        found += [
            (self.held > HELD, f"the loop was held for {self.held:.2f} s"),
        ]
        return [words for wrong, words in found if wrong]

    @property
    def crowded(self) -> bool:
        """Whether others had the processors for so long that a time says nothing."""
        return self.waited > WAITED

    def row(self) -> str:
        """A line of the table."""
        moves, news, health = self.lived.moves, self.lived.news, self.health
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
            f"{self.waited:4.0%}{' (busy)' if self.crowded else ''}",
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
    """A server: SQLite with one worker, or PostgreSQL with two, unless told otherwise."""
    with TemporaryDirectory(prefix="siege-") as name:
        folder = Path(name)
        if kind == "sqlite":
            server = Server(
                folder, f"sqlite:///{folder}/games.sqlite", workers or 1, files, **environment
            )
            with running(server):
                yield server
            return
        with TemporaryDirectory(prefix="siege-") as place:
            postgres = Postgres(Path(place))
            try:
                postgres.start()
                with running(
                    Server(folder, postgres.url, workers or 2, files, **environment)
                ) as server:
                    yield server
            finally:
                postgres.stop()


async def besiege(
    name: str,
    server: Server,
    attack: Attack | None,
    seconds: float,
    players: int = PLAYERS,
    short: bool = False,
) -> Result:
    """Let people play, attack the server meanwhile, and see what they lived through."""
    chance, near = Random(7), school(attack.net if attack else 1)
    games = []
    for number in range(players // 2):
        # The first two sit where the attacker sits; half of them play against the computer.
        seats = [f"127.2.0.{2 * number + seat}" if number > 1 else near for seat in (1, 2)]
        kind = Solo if number % 2 else Game
        games.append(await kind.open([Host(server.port, seat) for seat in seats], chance))
    playing = [asyncio.create_task(game.play()) for game in games]
    probe = Probe(Host(server.port, "127.3.0.1"))
    await asyncio.sleep(CALM)
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
        game.forget()
    begun, written = time.monotonic(), server.log.stat().st_size
    probing = asyncio.create_task(probe.run())
    server.turns.forget()
    before = {one.pid: one for one in server.serving}
    memory, thinking = await _measured(server, seconds)
    taken = time.monotonic() - begun
    log = (server.log.stat().st_size - written) / 2**20 / max(taken, LOG_SECONDS) * 60
    ran, waited = _share(before, server.serving, taken)
    held = server.turns.longest
    lived_near, lived = await _gathered(games[:2], playing[:2]), await _gathered(games, playing)
    probing.cancel()
    finding, succeeded = "", False
    if attacker is not None:
        out, _ = await attacker.communicate()
        finding = out.decode().strip() or "the attack broke off"
        succeeded = attacker.returncode != 0
    lost = [one for game in games for one in await game.lost(Host(server.port, "127.5.0.1"))]
    return Result(
        *(name, lived, lived_near, probe.times, memory, thinking, ran, waited, held, log, lost),
        *(finding, succeeded),
    )


def _share(before: dict[int, Process], after: list[Process], seconds: float) -> tuple[float, float]:
    """Of the time, how much the process ran that ran most, and how much it waited to."""
    both = [(before[one.pid], one) for one in after if one.pid in before]
    shares = [(b.ran - a.ran, b.waited - a.waited) for a, b in both]
    ran, waited = max(shares, default=(0.0, 0.0))
    return ran / seconds, waited / seconds


async def _gathered(games: list[Game], playing: list[asyncio.Task[None]]) -> Lived:
    lived = Lived([], [], [])
    for game in games:
        game.stop()
    await asyncio.gather(*playing)
    for game in games:
        lived.merge(game.lived)
    return lived


async def _measured(server: Server, seconds: float) -> tuple[float, float]:
    """The most memory that a process has had, of those that serve and of those that think."""
    memory = thinking = 0.0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        memory = max([memory, *(one.memory for one in server.serving)])
        thinking = max([thinking, *(one.memory for one in server.thinking)])
        await asyncio.sleep(0.5)
    return memory, thinking
