"""Who is connected: how many in all and of each address, and who has to go for another.

When there are as many as there may be, the one that has waited longest without a request goes.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, defaultdict
from functools import lru_cache
from typing import Protocol

MOST = 4_096
SPARE = 256
"""How many a process takes in at most, and how many files it keeps for all else."""


class Guest(Protocol):
    """A connection, as far as the crowd knows it."""

    address: str

    def drop(self, why: str) -> None:
        """Cut it off."""


@lru_cache(10_000)
def household(host: str) -> str:
    """Whose address it is: its own, or a home's where they come by the million."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


class Waiting:
    """Those who have no request that is being answered."""

    def __init__(self) -> None:
        self._silent: dict[Guest, None] = {}  # the longest first
        self._begun: dict[Guest, None] = {}  # of whose head a part has come

    def __len__(self) -> int:
        return len(self._silent) + len(self._begun)

    def longest(self) -> Guest | None:
        """Whom to drop: before those who may just have come, those who could have said all."""
        return next(iter(self._begun or self._silent), None)

    def add(self, one: Guest) -> None:
        """It waits, from now on."""
        self._silent[one] = None

    def begin(self, one: Guest) -> None:
        """A part of its head has come."""
        if self._silent.pop(one, self) is None:
            self._begun[one] = None

    def remove(self, one: Guest) -> None:
        """It waits no longer."""
        self._silent.pop(one, None)
        self._begun.pop(one, None)


class Crowd:
    """Who is connected, in all and of each address."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self.held: Counter[str] = Counter()  # connections, by address
        self._count = 0  # and in all
        self._waiting = Waiting()
        self._waiting_at: defaultdict[str, Waiting] = defaultdict(Waiting)

    def admit(self, one: Guest, bounded: bool) -> str | None:
        """Let one in; for that, one that waits may have to go. Where none does: what is full."""
        among, full = None, None
        if self._count >= self.most:
            among, full = self._waiting, f"all {self.most:,} connections ask for something"
        if bounded and self.held[one.address] >= self.most_each:
            among = self._waiting_at[one.address]
            full = f"all {self.most_each:,} connections of an address ask for something"
        if among is not None:
            longest = among.longest()
            if longest is None:
                return full
            longest.drop("others came")
        self.held[one.address] += 1
        self._count += 1
        self.wait(one)
        return None

    def wait(self, one: Guest) -> None:
        """It waits for its next request."""
        self._waiting.add(one)
        self._waiting_at[one.address].add(one)

    def begin(self, one: Guest) -> None:
        """A part of a head has come."""
        self._waiting.begin(one)
        self._waiting_at[one.address].begin(one)

    def ask(self, one: Guest) -> None:
        """It has asked for something."""
        self._waiting.remove(one)
        self._waiting_at[one.address].remove(one)

    def leave(self, one: Guest) -> None:
        """It is gone."""
        self.ask(one)
        self.held[one.address] -= 1
        self._count -= 1
        if not self.held[one.address]:
            del self.held[one.address], self._waiting_at[one.address]


def may_connect() -> int:
    """How many this process can take in, after it has asked for enough files."""
    try:
        import resource
    except ModuleNotFoundError:  # on a system that has no such limit
        return MOST
    wanted = MOST + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(MOST, max(soft - SPARE, soft // 2))
