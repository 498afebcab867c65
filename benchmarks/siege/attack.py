"""What an attack is: a coroutine in a process of its own, which prepares, says so, and goes on."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

from benchmarks.siege.players import percentile
from benchmarks.siege.wire import Host


class Target:
    """The server as its attacker sees it."""

    def __init__(self, port: int, seconds: float, short: bool, net: int, duels: list[str]) -> None:
        self.port = port
        self.seconds = seconds
        self.short = short  # of less, and times decide nothing
        self.net = net  # the second number of its addresses
        self.duels = duels  # in which people play
        self.held = True
        self._end = 0.0

    def expect(self, holds: bool) -> None:
        """What must be so; where it is not, the attack has succeeded."""
        self.held = self.held and holds

    def expect_soon(self, times: list[float]) -> None:
        """What others wait must be short, unless times say nothing here."""
        self.expect(self.short or percentile(times, 50) <= SOON)
        self.expect(self.short or percentile(times, 95) <= LATE)

    def many(self, few: int, lots: int) -> int:
        """How many of something: few where it is to be short."""
        return few if self.short else lots

    def host(self, number: int) -> Host:
        """The server, from one of many addresses; the first is one that others share."""
        address = f"127.{self.net}.{number // 250}.{number % 250 + 1}"
        return Host(self.port, address if number else school(self.net))

    def begin(self) -> None:
        """Say that all is prepared: from now on it counts."""
        print("ready", flush=True)
        self._end = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds until the end."""
        return self._end - time.monotonic()

    async def repeat(self, deed: Callable[[], Awaitable[object]], pause: float = 0.0) -> int:
        """Do it over and over until the end; how often it was done."""
        count = 0
        while self.left > 0:
            await deed()
            count += 1
            await asyncio.sleep(pause)
        return count

    async def rest(self) -> None:
        """Wait for the end."""
        await asyncio.sleep(max(0.0, self.left))


Deed = Callable[[Target], Awaitable[str]]


class Attack(NamedTuple):
    """An attack: what it does, and what it says it has found out."""

    deed: Deed
    files: int  # that the server may have open
    on: tuple[str, ...]  # the databases on which its short form is run
    net: int  # the second number of its addresses, which no other attack has


ATTACKS: dict[str, Attack] = {}

SUCCEEDED = 3
"""The status of an attack that found what it must not."""

FIRST_NET = 10

SOON, LATE = 0.25, 1.0
"""Seconds that others wait at most, in the middle and at the 95th percentile."""


def attack(*on: str, files: int = 8192) -> Callable[[Deed], Deed]:
    """An attack of the table, whose short form is run on these databases."""

    def add(deed: Deed) -> Deed:
        ATTACKS[deed.__name__] = Attack(deed, files, on, FIRST_NET + len(ATTACKS))
        return deed

    return add


def school(net: int) -> str:
    """The address that a whole school shares, some players and the attacker among it."""
    return f"127.{net}.255.1"


def in_turn(count: int) -> Iterator[int]:
    """Numbers of addresses, one after the other, for ever."""
    while True:
        yield from range(count)


def main(name: str, port: str, seconds: str, short: str, *duels: str) -> None:
    """Attack, in this process."""
    os.nice(15)  # an attacker sits elsewhere: they take no processor from the server
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    attack = ATTACKS[name]
    target = Target(int(port), float(seconds), bool(int(short)), attack.net, [*duels])
    print(asyncio.run(attack.deed(target)), flush=True)
    sys.exit(0 if target.held else SUCCEEDED)


def command(name: str, port: int, seconds: float, short: bool, duels: list[str]) -> list[str]:
    """The command that attacks."""
    return [
        *(sys.executable, "-m", "benchmarks.siege.attacks"),
        *(name, str(port), str(seconds), str(int(short)), *duels),
    ]
