"""A long time without an attack: many people play game after game, and usage is printed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import numduel
from benchmarks.siege.players import Measurements, percentile
from benchmarks.siege.server import Process, Server
from benchmarks.siege.wire import Host, stream_lines

THINKING_SECONDS = 2.0, 6.0  # how long a player thinks about a move: from, to
ROW_SECONDS = 60.0  # between two rows of the table

HEADER = (
    "| minute | games | moves | p50 ms | p99 | failures | MB of each worker | thinking MB | "
    "files of each worker | database MB |\n" + "|---" * 10 + "|"
)


class Pair:
    """Two people who play one game after another, each with an open page."""

    def __init__(self, hosts: list[Host], chance: Random) -> None:
        self.hosts = hosts
        self.measured = Measurements([], [], [])
        self.played = 0
        self._chance = chance

    async def play(self) -> None:
        """Play forever."""
        keys = [listed.key for listed in numduel.games()]
        while True:
            opened = await self.hosts[0].open_duel(self._chance.choice(keys), {})
            pages = [asyncio.create_task(self._watch(seat, opened)) for seat in (0, 1)]
            try:
                await self._game(opened)
                self.played += 1
            finally:
                for page in pages:
                    page.cancel()
                await asyncio.gather(*pages, return_exceptions=True)

    async def _game(self, opened: dict[str, str]) -> None:
        """Play one game at random."""
        path = f"/api/duels/{opened['name']}"
        state = (await self.hosts[0].get(path)).json()
        game = numduel.new(state["game"])
        position = game.start(state["first"])
        while game.outcome(position) is None:
            await asyncio.sleep(self._chance.uniform(*THINKING_SECONDS))
            move = self._chance.choice([*game.moves(position)])
            bearer = f"Bearer {opened['secrets'][str(position.mover)]}"
            begun = time.perf_counter()
            answer = await self.hosts[position.mover - 1].post_json(
                f"{path}/move", {"move": move}, authorization=bearer
            )
            self.measured.moves.append(time.perf_counter() - begun)
            if answer.status != 200:
                self.measured.failed.append(f"move {answer.status}")
                return
            position = game.play(position, move)

    async def _watch(self, seat: int, opened: dict[str, str]) -> None:
        """Follow the stream as long as the game lasts."""
        cookie = {"cookie": f"seat={opened['secrets'][str(seat + 1)]}"}
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async for _ in stream_lines(self.hosts[seat], f"/game/{opened['name']}/events", cookie):
                pass
        self.measured.failed.append("stream ended")


async def run_hour(server: Server, seconds: float, players: int) -> int:
    """Let people play for a time, and print a row each minute. Return the number of failures."""
    chance = Random(7)
    pairs = []
    for number in range(players // 2):
        seats = [Host(server.port, f"127.2.{number // 100}.{number % 100 * 2 + s}") for s in (1, 2)]
        pairs.append(Pair(seats, chance))
    playing = [asyncio.create_task(pair.play()) for pair in pairs]
    begun, failures = time.monotonic(), 0
    while time.monotonic() < begun + seconds:
        await asyncio.sleep(ROW_SECONDS)
        for task in playing:
            if task.done():
                task.result()  # raises what went wrong in our own player
        minute = Measurements([], [], [])
        for pair in pairs:
            minute.merge(pair.measured)
            pair.measured = Measurements([], [], [])
        failures += len(minute.failed)
        games = sum(pair.played for pair in pairs)
        print(_row((time.monotonic() - begun) / 60, games, minute, server), flush=True)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return failures


def _row(minutes: float, games: int, minute: Measurements, server: Server) -> str:
    serving, thinking = server.serving, server.thinking
    cells = [
        f"{minutes:4.0f}",
        str(games),
        str(len(minute.moves)),
        f"{percentile(minute.moves, 50) * 1000:.0f}",
        f"{percentile(minute.moves, 99) * 1000:.0f}",
        str(len(minute.failed)),
        ", ".join(f"{one.memory:.0f}" for one in serving),
        ", ".join(f"{one.memory:.0f}" for one in thinking) or "none",
        ", ".join(str(_open_files(one)) for one in serving),
        f"{sum(_database_bytes(server)) / 2**20:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _open_files(process: Process) -> int:
    """Return the number of files and connections that a process has open."""
    with suppress(OSError):
        return len([*Path(f"/proc/{process.pid}/fd").iterdir()])
    return 0


def _database_bytes(server: Server) -> Iterator[int]:
    """Yield the sizes of the database's files; none for PostgreSQL."""
    _, _, name = server.database.partition("sqlite:///")
    for file in Path(name).parent.glob(f"{Path(name).name}*") if name else ():
        yield file.stat().st_size
