"""A long day at the server: many play game after game, and what it takes is written down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import numduel
from benchmarks.siege.players import Lived, percentile
from benchmarks.siege.server import Process, Server
from benchmarks.siege.wire import Host, lines

THINKS = 2.0, 6.0  # seconds that a player thinks about a move
EVERY = 60.0  # seconds between two rows

HEADER = (
    "| minute | games | moves | p50 ms | p99 | failures | MB of each worker | thinking MB | "
    "files of each worker | database MB |\n" + "|---" * 10 + "|"
)


class Pair:
    """Two who play one game after the other, a page open each."""

    def __init__(self, hosts: list[Host], chance: Random) -> None:
        self.hosts = hosts
        self.lived = Lived([], [], [])
        self.played = 0
        self._chance = chance

    async def play(self) -> None:
        """Play for ever."""
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
        """One game, by moves at random."""
        path = f"/api/duels/{opened['name']}"
        state = (await self.hosts[0].get(path)).json()
        game = numduel.new(state["game"])
        position = game.start(state["first"])
        while game.outcome(position) is None:
            await asyncio.sleep(self._chance.uniform(*THINKS))
            move = self._chance.choice([*game.moves(position)])
            bearer = f"Bearer {opened['secrets'][str(position.mover)]}"
            begun = time.perf_counter()
            answer = await self.hosts[position.mover - 1].post_json(
                f"{path}/move", {"move": move}, authorization=bearer
            )
            self.lived.moves.append(time.perf_counter() - begun)
            if answer.status != 200:
                self.lived.failed.append(f"move {answer.status}")
                return
            position = game.play(position, move)

    async def _watch(self, seat: int, opened: dict[str, str]) -> None:
        """Follow the page as long as the game lasts."""
        cookie = {"cookie": f"seat={opened['secrets'][str(seat + 1)]}"}
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async for _ in lines(self.hosts[seat], f"/game/{opened['name']}/events", cookie):
                pass
        self.lived.failed.append("stream ended")


async def last(server: Server, seconds: float, players: int) -> int:
    """Let them play so long; how many failures there were."""
    chance = Random(7)
    pairs = []
    for number in range(players // 2):
        seats = [Host(server.port, f"127.2.{number // 100}.{number % 100 * 2 + s}") for s in (1, 2)]
        pairs.append(Pair(seats, chance))
    playing = [asyncio.create_task(pair.play()) for pair in pairs]
    begun, failures = time.monotonic(), 0
    while time.monotonic() < begun + seconds:
        await asyncio.sleep(EVERY)
        for task in playing:
            if task.done():
                task.result()  # which says what went wrong with our own player
        minute = Lived([], [], [])
        for pair in pairs:
            minute.merge(pair.lived)
            pair.lived = Lived([], [], [])
        failures += len(minute.failed)
        games = sum(pair.played for pair in pairs)
        print(_row((time.monotonic() - begun) / 60, games, minute, server), flush=True)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return failures


def _row(minutes: float, games: int, minute: Lived, server: Server) -> str:
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
        ", ".join(str(_files(one)) for one in serving),
        f"{sum(_database(server)) / 2**20:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _files(process: Process) -> int:
    """How many files and connections a process has open."""
    with suppress(OSError):
        return len([*Path(f"/proc/{process.pid}/fd").iterdir()])
    return 0


def _database(server: Server) -> Iterator[int]:
    """The sizes of the database's files, where it is made of files of our own."""
    _, _, name = server.database.partition("sqlite:///")
    for file in Path(name).parent.glob(f"{Path(name).name}*") if name else ():
        yield file.stat().st_size
