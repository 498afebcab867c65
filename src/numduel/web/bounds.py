"""How much, and how often, one address may ask; and how much is thought for it."""

from __future__ import annotations

from typing import NamedTuple

LARGEST_BODY = 64 * 2**10
LARGEST_UPLOAD = 256 * 2**10
"""The most bytes of a body; an upload is a record to be analysed, of a few thousand moves."""

MOST_VALUES = 10_000
MOST_NESTED = 100
"""How many values JSON may hold here, and how many lists and objects."""


LARGEST_SOLUTION = 40 * 2**20
"""The most bytes that the exact solution of a game may take: about ten million numbers."""

MOST_REMEMBERED = 256 * 2**20
"""With more bytes than this a process that thinks forgets the games that it has solved."""

MOST_THINKING = 640 * 2**20
"""The most bytes of address space of a process that thinks, a good half of which it needs."""


class Rate(NamedTuple):
    """How often something may be done: so many at once, and so many a second after that."""

    at_once: float
    a_second: float
    patience: float = 0.0  # seconds that whoever comes too often waits in line before being refused


class Rates(NamedTuple):
    """The rates of one address. A class may sit behind a single one."""

    requests: Rate = Rate(600, 60, patience=2)
    pace: Rate = Rate(50, 100, patience=10)  # of the same: what comes at once is spread
    openings: Rate = Rate(120, 2, patience=5)  # of games, rooms and seats in rooms, and analyses
    codes: Rate = Rate(40, 0.2)  # that are wrong: as dear as 300 requests, but one for each pupil
    seats: Rate = Rate(60, 2, patience=2)  # requests of one who has shown a right secret
    doubts: Rate = Rate(60, 6, patience=2)  # requests with secrets that may be right


def too_much_json(body: bytes) -> str | None:
    """What is wrong with JSON before it is parsed, by its commas and brackets; None: nothing.

    Those inside of texts count as well: no text that we are sent has many.
    """
    if body.count(b",") + body.count(b":") > MOST_VALUES:
        return f"JSON has at most {MOST_VALUES:,} values here."
    if body.count(b"[") + body.count(b"{") > MOST_NESTED:
        return f"JSON has at most {MOST_NESTED} lists and objects here."
    return None
