"""Attacks: each is a coroutine in its own process, which prepares, says so and then attacks."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from benchmarks.siege.players import percentile
from benchmarks.siege.wire import Host


class Target:
    """The server under attack."""

    def __init__(self, port: int, seconds: float, short: bool, net: int, duels: list[str]) -> None:
        self.port = port
        self.seconds = seconds
        self.short = short  # attack less, and ignore response times
        self.net = net  # the second number of the attacker's addresses
        self.duels = duels  # the duels that people are playing
        self.has_held = True  # whether all expectations have been met
        self._end = 0.0

    def expect(self, holds: bool) -> None:
        """Record whether an expectation is met. If one is not, the attack has succeeded."""
        self.has_held = self.has_held and holds

    def expect_soon(self, times: list[float]) -> None:
        """Expect that others got their answers quickly, unless response times are ignored."""
        self.expect(self.short or percentile(times, 50) <= MAX_MEDIAN_SECONDS)
        self.expect(self.short or percentile(times, 95) <= MAX_P95_SECONDS)

    def amount(self, short: int, full: int) -> int:
        """Return the number of something in a short and in a full attack."""
        return short if self.short else full

    def host(self, number: int) -> Host:
        """Return the server as seen from an address. Players share address number 0."""
        address = f"127.{self.net}.{number // 250}.{number % 250 + 1}"
        return Host(self.port, address if number else shared_address(self.net))

    def begin(self) -> None:
        """Say that the attack is prepared. Measurements begin now."""
        print("ready", flush=True)
        self._end = time.monotonic() + self.seconds

    @property
    def seconds_left(self) -> float:
        """Seconds until the end of the attack."""
        return self._end - time.monotonic()

    async def repeat(self, act: Callable[[], Awaitable[object]], pause: float = 0.0) -> int:
        """Do something repeatedly until the end. Return how often it was done."""
        count = 0
        while self.seconds_left > 0:
            await act()
            count += 1
            await asyncio.sleep(pause)
        return count

    async def rest(self) -> None:
        """Wait for the end of the attack."""
        await asyncio.sleep(max(0.0, self.seconds_left))


AttackFunction = Callable[[Target], Awaitable[str]]
"""Attacks a target and returns what was found."""


class Attack(NamedTuple):
    """An attack in the table of attacks."""

    act: AttackFunction
    files: int  # maximum number of files that the server may have open
    on: tuple[str, ...]  # the databases on which its short form is run
    net: int  # the second number of its addresses, different for each attack


ATTACKS: dict[str, Attack] = {}

SUCCEEDED = 3
"""The exit status of an attack that succeeded."""

FIRST_NET = 10

MAX_MEDIAN_SECONDS, MAX_P95_SECONDS = 0.25, 1.0
"""Upper limits of the response times for others: of the median and of the 95th percentile."""


def attack(*on: str, files: int = 8192) -> Callable[[AttackFunction], AttackFunction]:
    """Add a function to the table of attacks. Its short form is run on these databases."""

    def add(act: AttackFunction) -> AttackFunction:
        ATTACKS[act.__name__] = Attack(act, files, on, FIRST_NET + len(ATTACKS))
        return act

    return add


def shared_address(net: int) -> str:
    """Return the address that a whole school shares, including some players and the attacker."""
    return f"127.{net}.255.1"


def main(name: str, port: str, seconds: str, short: str, *duels: str) -> None:
    """Run an attack in this process."""
    os.nice(15)  # a real attacker takes no processor time from the server
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    attack = ATTACKS[name]
    target = Target(int(port), float(seconds), bool(int(short)), attack.net, [*duels])
    print(asyncio.run(attack.act(target)), flush=True)
    sys.exit(0 if target.has_held else SUCCEEDED)


def command(name: str, port: int, seconds: float, short: bool, duels: list[str]) -> list[str]:
    """Return the command line of an attack."""
    return [
        *(sys.executable, "-m", "benchmarks.siege.attacks"),
        *(name, str(port), str(seconds), str(int(short)), *duels),
    ]
