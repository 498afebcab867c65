"""Simulated people who play at a normal pace, each with an open stream, and what they measure."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from random import Random
from statistics import quantiles
from typing import Any, NamedTuple

from benchmarks.siege.wire import Host, stream_lines

GAME, SETTINGS = "divisor-duel", {"divisor": 10**9 + 7}  # which our moves never reach
THINKING_SECONDS = 0.3, 0.7  # how long a player thinks about a move: from, to
RETRY_SECONDS = 0.5  # before a failed request is repeated
NEWS_TIMEOUT_SECONDS = 60.0  # a player who gets no news for this time moves all the same


class Measurements(NamedTuple):
    """What players have measured."""

    moves: list[float]  # seconds until each move was answered
    news: list[float]  # seconds from that answer until the opponent's stream had the move
    failed: list[str]

    def merge(self, other: Measurements) -> None:
        """Add what others have measured."""
        for mine, theirs in zip(self, other, strict=True):
            mine.extend(theirs)  # type: ignore[arg-type]


def percentile(times: list[float], which: int) -> float:
    """Return a percentile. A single time is its own, and it is 0 if there are no times."""
    if len(times) < 2:
        return max(times, default=0.0)
    return quantiles(times, n=100, method="inclusive")[which - 1]


class Game:
    """A duel between two people at two machines. `acknowledged` has the accepted moves."""

    def __init__(self, hosts: list[Host], opened: Any, chance: Random) -> None:
        self.hosts = hosts
        self.name: str = opened["name"]
        self.cookies = [f"seat={opened['secrets'][seat]}" for seat in "12"]
        self.measured = Measurements([], [], [])
        self.acknowledged: dict[int, int] = {}
        self._chance = chance
        self._version = 0
        self._answered: dict[int, float] = {}
        self._has_news = [asyncio.Event(), asyncio.Event()]
        self._stopping = False

    @classmethod
    async def open(cls, hosts: list[Host], chance: Random) -> Game:
        """Open a new duel."""
        return cls(hosts, await hosts[0].open_duel(GAME, SETTINGS), chance)

    async def play(self) -> None:
        """Play until `stop` is called. The present turn is finished."""
        pages = [asyncio.create_task(self._watch(seat)) for seat in (0, 1)]
        try:
            while not self._stopping:
                await self._turn(self._version % 2)
        finally:
            for page in pages:
                page.cancel()
            await asyncio.gather(*pages, return_exceptions=True)

    def stop(self) -> None:
        """Let `play` return after the present turn."""
        self._stopping = True

    def reset(self) -> None:
        """Forget the measurements so far."""
        self.measured = Measurements([], [], [])

    async def _turn(self, seat: int) -> None:
        at, move = self._version, self._chance.choice((1, 2))
        try:
            async with asyncio.timeout(NEWS_TIMEOUT_SECONDS):
                await self._has_news[seat].wait()
        except TimeoutError:
            self.measured.failed.append("no news")
        self._has_news[seat].clear()
        await asyncio.sleep(self._chance.uniform(*THINKING_SECONDS))
        begun = time.perf_counter()
        answer = await self.hosts[seat].post(
            f"/game/{self.name}/move", {"move": move, "at": at}, cookie=self.cookies[seat]
        )
        self.measured.moves.append(time.perf_counter() - begun)
        if answer.status == 303:
            self.acknowledged[at] = move
            self._version += 1
            self._answered[self._version] = time.perf_counter()
        else:
            self.measured.failed.append(f"move {answer.status}")
            await asyncio.sleep(RETRY_SECONDS)
            await self._look_up_version(seat)
            self._has_news[self._version % 2].set()

    async def _look_up_version(self, seat: int) -> None:
        """Ask how many moves were played until the server answers: a lost move may have counted."""
        path, cookie = f"/api/duels/{self.name}", self.cookies[seat]
        while (answer := await self.hosts[seat].get(path, cookie=cookie)).status != 200:
            if self._stopping:
                return
            await asyncio.sleep(RETRY_SECONDS)
        self._version = answer.json()["version"]

    async def _watch(self, seat: int) -> None:
        """Follow the stream, and open it again when it ends, as a page does."""
        while True:
            status = "none"
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                headers = {"cookie": self.cookies[seat]}
                async for line in stream_lines(
                    self.hosts[seat], f"/game/{self.name}/events", headers
                ):
                    if status == "none":
                        status = line
                        if status != "200":
                            break
                    elif line.startswith("data: ") and line[6:].isdigit():
                        self._receive_version(seat, int(line[6:]))
            self.measured.failed.append(f"stream {status if status != '200' else 'ended'}")
            await asyncio.sleep(RETRY_SECONDS)

    def _receive_version(self, seat: int, version: int) -> None:
        if version % 2 != seat or version < self._version:
            return
        answered = self._answered.get(version)  # None if the stream was faster than the answer
        self.measured.news.append(max(0.0, time.perf_counter() - answered) if answered else 0.0)
        self._has_news[seat].set()

    async def lost(self, host: Host) -> list[str]:
        """Return the acknowledged moves that the server no longer has."""
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
    """A person who plays against the computer, whose reply comes with the answer to a move."""

    @classmethod
    async def open(cls, hosts: list[Host], chance: Random) -> Solo:
        """Open a new duel against the computer."""
        players = ["human", "hard"]
        opened = await hosts[0].open_duel(GAME, SETTINGS, players=players)
        return cls(hosts, {**opened, "secrets": {"1": opened["secrets"]["1"], "2": ""}}, chance)

    async def play(self) -> None:
        """Play until `stop` is called."""
        while not self._stopping:
            await asyncio.sleep(self._chance.uniform(*THINKING_SECONDS))
            at, move = self._version, self._chance.choice((1, 2))
            begun = time.perf_counter()
            answer = await self.hosts[0].post(
                f"/game/{self.name}/move", {"move": move, "at": at}, cookie=self.cookies[0]
            )
            self.measured.moves.append(time.perf_counter() - begun)
            if answer.status == 303:
                self.acknowledged[at] = move
            else:
                self.measured.failed.append(f"move {answer.status}")
                await asyncio.sleep(RETRY_SECONDS)
            await self._look_up_version(0)
            while self._version % 2 and not self._stopping:  # the computer is still thinking
                await asyncio.sleep(RETRY_SECONDS)
                await self._look_up_version(0)


class Probe:
    """Requests /healthz repeatedly from an address of its own."""

    def __init__(self, host: Host, every: float = 0.1) -> None:
        self.host = host
        self.every = every
        self.times: list[float] = []

    async def run(self) -> None:
        """Ask forever."""
        while True:
            begun = time.perf_counter()
            await self.host.get("/healthz")
            self.times.append(time.perf_counter() - begun)
            await asyncio.sleep(self.every)
