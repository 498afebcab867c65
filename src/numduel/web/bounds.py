"""How much, and how often, one address may ask; and how much is thought for it."""

from __future__ import annotations

from typing import NamedTuple

LARGEST_BODY = 64 * 2**10
LARGEST_UPLOAD = 1 * 2**20
"""The most bytes of a body; an upload is a record to be analysed."""


LARGEST_SOLUTION = 40 * 2**20
"""The most bytes that the exact solution of a game may take: about ten million numbers."""

MOST_REMEMBERED = 256 * 2**20
"""With more bytes than this a process that thinks forgets the games that it has solved."""

MOST_THINKING = 640 * 2**20
"""The most bytes of address space of a process that thinks, a good half of which it needs."""


class Rate(NamedTuple):
    """How often an address may do something: so many at once, and so many a second after that."""

    at_once: float
    a_second: float


class Rates(NamedTuple):
    """The rates of one address. A class may sit behind a single one."""

    requests: Rate = Rate(600, 60)
    openings: Rate = Rate(120, 2)  # of games, rooms and seats in rooms, and analyses
