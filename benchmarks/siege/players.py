"""People who play at a normal pace, a page and its stream open each, and what they live through."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from random import Random
from statistics import quantiles
from typing import Any, NamedTuple

from benchmarks.siege.wire import Host, lines

GAME, SETTINGS = "divisor-duel", {"divisor": 10**9 + 7}  # which no play of ours reaches
THINKS = 0.3, 0.7  # seconds that a player thinks about a move
AGAIN = 0.5  # seconds until what has failed is tried again
UNTOLD = 60.0  # seconds after which a player whom the stream has told nothing looks


class Lived(NamedTuple):
    """What the players have lived through."""

    moves: list[float]  # seconds until each was answered
    news: list[float]  # seconds until the other's page was told of it
    failed: list[str]

    def merge(self, other: Lived) -> None:
        """Add what another has lived through."""
        for mine, theirs in zip(self, other, strict=True):
            mine.extend(theirs)  # type: ignore[arg-type]


def percentile(times: list[float], which: int) -> float:
    """A percentile, also of few; nothing took no time."""
    if len(times) < 2:
        return max(times, default=0.0)
    return quantiles(times, n=100, method="inclusive")[which - 1]


class Game:
    """A duel of two who sit at two machines; `acknowledged` is what the server said is played."""

    def __init__(self, hosts: list[Host], opened: Any, chance: Random) -> None:
        self.hosts = hosts
        self.name: str = opened["name"]
        self.cookies = [f"seat={opened['secrets'][seat]}" for seat in "12"]
        self.lived = Lived([], [], [])
        self.acknowledged: dict[int, int] = {}
        self._chance = chance
        self._version = 0
        self._answered: dict[int, float] = {}
        self._told = [asyncio.Event(), asyncio.Event()]
        self._stopping = False

    @classmethod
    async def open(cls, hosts: list[Host], chance: Random) -> Game:
        """A new duel."""
        return cls(hosts, await hosts[0].open_duel(GAME, SETTINGS), chance)

    async def play(self) -> None:
        """Play until told to stop; the move under way is waited for."""
        pages = [asyncio.create_task(self._watch(seat)) for seat in (0, 1)]
        try:
            while not self._stopping:
                await self._turn(self._version % 2)
        finally:
            for page in pages:
                page.cancel()
            await asyncio.gather(*pages, return_exceptions=True)

    def stop(self) -> None:
        """Let this turn be the last."""
        self._stopping = True

    def forget(self) -> None:
        """Count anew from here."""
        self.lived = Lived([], [], [])

    async def _turn(self, seat: int) -> None:
        at, move = self._version, self._chance.choice((1, 2))
        try:
            async with asyncio.timeout(UNTOLD):
                await self._told[seat].wait()
        except TimeoutError:
            self.lived.failed.append("untold")
        self._told[seat].clear()
        await asyncio.sleep(self._chance.uniform(*THINKS))
        begun = time.perf_counter()
        answer = await self.hosts[seat].post(
            f"/game/{self.name}/move", {"move": move, "at": at}, cookie=self.cookies[seat]
        )
        self.lived.moves.append(time.perf_counter() - begun)
        if answer.status == 303:
            self.acknowledged[at] = move
            self._version += 1
            self._answered[self._version] = time.perf_counter()
        else:
            self.lived.failed.append(f"move {answer.status}")
            await asyncio.sleep(AGAIN)
            await self._look(seat)
            self._told[self._version % 2].set()

    async def _look(self, seat: int) -> None:
        """See how far the game is, however often that takes: a lost answer may have been a yes."""
        path, cookie = f"/api/duels/{self.name}", self.cookies[seat]
        while (answer := await self.hosts[seat].get(path, cookie=cookie)).status != 200:
            if self._stopping:
                return
            await asyncio.sleep(AGAIN)
        self._version = answer.json()["version"]

    async def _watch(self, seat: int) -> None:
        """Follow the stream as a page does, again when it ends."""
        while True:
            status = "none"
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                headers = {"cookie": self.cookies[seat]}
                async for line in lines(self.hosts[seat], f"/game/{self.name}/events", headers):
                    if status == "none":
                        status = line
                        if status != "200":
                            break
                    elif line.startswith("data: ") and line[6:].isdigit():
                        self._hear(seat, int(line[6:]))
            self.lived.failed.append(f"stream {status if status != '200' else 'ended'}")
            await asyncio.sleep(AGAIN)

    def _hear(self, seat: int, version: int) -> None:
        if version % 2 != seat or version < self._version:
            return
        answered = self._answered.get(version)  # where it was: the stream may be the faster
        self.lived.news.append(max(0.0, time.perf_counter() - answered) if answered else 0.0)
        self._told[seat].set()

    async def lost(self, host: Host) -> list[str]:
        """What was acknowledged and is not in the server's account of the game."""
        answer = await host.get(f"/api/duels/{self.name}")
        if answer.status != 200:
            return [f"the game: {answer.status}"]
        moves = answer.json()["moves"]
        return [
            f"move {at} of {len(moves)}"
            for at, move in self.acknowledged.items()
            if at >= len(moves) or moves[at] != move
        ]


class Solo(Game):
    """One who plays against the computer, whose answer comes with that to the move."""

    @classmethod
    async def open(cls, hosts: list[Host], chance: Random) -> Solo:
        """A new duel against the computer."""
        players = ["human", "hard"]
        opened = await hosts[0].open_duel(GAME, SETTINGS, players=players)
        return cls(hosts, {**opened, "secrets": {"1": opened["secrets"]["1"], "2": ""}}, chance)

    async def play(self) -> None:
        """Play until told to stop."""
        while not self._stopping:
            await asyncio.sleep(self._chance.uniform(*THINKS))
            at, move = self._version, self._chance.choice((1, 2))
            begun = time.perf_counter()
            answer = await self.hosts[0].post(
                f"/game/{self.name}/move", {"move": move, "at": at}, cookie=self.cookies[0]
            )
            self.lived.moves.append(time.perf_counter() - begun)
            if answer.status == 303:
                self.acknowledged[at] = move
            else:
                self.lived.failed.append(f"move {answer.status}")
                await asyncio.sleep(AGAIN)
            await self._look(0)
            while self._version % 2 and not self._stopping:  # the computer still thinks
                await asyncio.sleep(AGAIN)
                await self._look(0)


class Probe:
    """Asks for /healthz from an address of its own, over and over."""

    def __init__(self, host: Host, every: float = 0.1) -> None:
        self.host = host
        self.every = every
        self.times: list[float] = []

    async def run(self) -> None:
        """Ask for ever."""
        while True:
            begun = time.perf_counter()
            await self.host.get("/healthz")
            self.times.append(time.perf_counter() - begun)
            await asyncio.sleep(self.every)
