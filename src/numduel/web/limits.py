"""All limits of the web server: sizes, rates and counts, in total and by client.

Each limit protects one scarce resource: requests (the server's time), openings (what stays in the
database), seconds of thinking (processors), event streams, and joins of each room.
"""

from __future__ import annotations

import math
import time
from asyncio import Event
from collections import Counter
from collections.abc import Hashable
from http import HTTPStatus
from typing import NamedTuple

from starlette.exceptions import HTTPException

from numduel.core.numerals import pluralize
from numduel.web.identity import Client
from numduel.web.lru_cache import LruCache

MAX_HEAD_BYTES = 16 * 2**10
MAX_HEAD_LINES = 100
MAX_HEAD_SECONDS = 10  # from the start of a connection, or from its last answer
MAX_BODY_BYTES = 64 * 2**10  # a record of a few thousand moves
MAX_BODY_SECONDS = 10.0  # from the end of the head
REFUSAL_DELAY_SECONDS = 1.0  # slows down repeated attempts, and lets a client finish sending

MAX_JSON_VALUES = 10_000
MAX_JSON_CONTAINERS = 100  # lists and objects

# Event streams of players in one process. Watchers have half as many, except for each person.
MAX_STREAMS = 2_000
MAX_STREAMS_PER_CLIENT = 300
MAX_STREAMS_PER_PERSON = 5

MAX_CONNECTIONS = 4_096
MAX_CONNECTIONS_PER_CLIENT = 800  # more than streams, so that some are left for requests
RESERVED_FILES = 256  # open files for everything other than connections

MAX_WAITING_PER_CLIENT = 200  # questions in one lane of the thinking pool
MAX_WAITING_PER_PERSON = 10
MAX_CLIENTS = 10_000  # whose rates are remembered
MAX_PROVEN_SEATS = 50_000  # whose rates are remembered
MAX_RETRY_AFTER_SECONDS = 60 * 60


class Rate(NamedTuple):
    """How often something may be done: `burst` times at once, then `per_second`."""

    burst: float
    per_second: float
    max_wait_seconds: float = 0.0  # a request that would have to wait longer is refused


class Rates(NamedTuple):
    """The rates of one client. A whole class may sit behind one address."""

    requests: Rate = Rate(600, 60, max_wait_seconds=2)  # all of them, those of seats included
    pace: Rate = Rate(50, 100, max_wait_seconds=10)  # spreads a burst of requests
    openings: Rate = Rate(120, 2, max_wait_seconds=5)  # games, rooms, rounds, analyses
    wrong_codes: Rate = Rate(40, 0.2)  # of rooms: each pupil may mistype one
    joins: Rate = Rate(240, 4)  # the page and the form for joining, served before all others
    seat: Rate = Rate(60, 2)  # the requests of one proven seat, served before all others
    reserved: float = 120  # requests kept for proven seats; half of them for unproven secrets


CLIENT_THINKING = Rate(30, 0.5)
PERSON_THINKING = Rate(10, 0.1)
MAX_THINKING_PEOPLE = 100
"""Seconds of a processor for each client and, once those are used up, for each of at most
`MAX_THINKING_PEOPLE` people behind it."""

ROOM_JOINS = Rate(120, 2)
"""Joins by the code of a room, and as many by its link, whatever happens in other rooms."""


def json_fault(body: bytes) -> str | None:
    """Return what is too large about a JSON text, or None, without parsing it.

    Commas and brackets inside strings count as well; no text that we expect has many.
    """
    if body.count(b",") + body.count(b":") > MAX_JSON_VALUES:
        return f"JSON has at most {MAX_JSON_VALUES:,} values here."
    if body.count(b"[") + body.count(b"{") > MAX_JSON_CONTAINERS:
        return f"JSON has at most {MAX_JSON_CONTAINERS} lists and objects here."
    return None


class TokenBuckets:
    """A token bucket for each key; beyond `max_keys` the least recently used are forgotten."""

    def __init__(self, rate: Rate, max_keys: int) -> None:
        self.rate = rate
        self._levels: LruCache[tuple[float, float]] = LruCache(max_keys)  # tokens, and when

    def __contains__(self, key: Hashable) -> bool:
        return self._levels.get(key) is not None

    def level(self, key: Hashable) -> float:
        """Return how many tokens there are now."""
        tokens, at = self._levels.get(key) or (self.rate.burst, 0.0)
        return min(self.rate.burst, tokens + (time.monotonic() - at) * self.rate.per_second)

    def wait(self, key: Hashable, tokens: float = 1) -> float:
        """Return the seconds until that many tokens are there; 0 if they are there now."""
        missing = tokens - self.level(key)
        if missing <= 0:
            return 0.0
        return missing / self.rate.per_second if self.rate.per_second else math.inf

    def take(self, key: Hashable, tokens: float = 1) -> None:
        """Take tokens; the level falls below zero if they are taken in advance."""
        self._levels.put(key, (self.level(key) - tokens, time.monotonic()))


class Purpose(NamedTuple):
    """What a request is for, as far as its cost depends on it."""

    where: str = ""  # the name of a duel, or the code or the ticket of a room
    opens: bool = False  # whether it makes something new, or computes for long
    tries_code: bool = False  # whether it could guess the code of a room
    joins: bool = False  # whether it is on the way into a room


class RateLimits:
    """Charges each request to the token buckets of its client.

    All people behind one address share its requests. Someone who has shown the right secret of a
    seat, or of a place in a room, has some requests to that duel or room served before all others,
    so that a flooder behind the same address cannot stop the game. A refusal costs nothing.
    """

    def __init__(self, rates: Rates) -> None:
        self._reserved = rates.reserved
        self._requests = TokenBuckets(rates.requests, MAX_CLIENTS)
        self._pace = TokenBuckets(rates.pace, MAX_CLIENTS)
        self._openings = TokenBuckets(rates.openings, MAX_CLIENTS)
        self._wrong_codes = TokenBuckets(rates.wrong_codes, MAX_CLIENTS)
        self._joins = TokenBuckets(rates.joins, MAX_CLIENTS)
        self._seats = TokenBuckets(rates.seat, MAX_PROVEN_SEATS)

    def charge(self, client: Client, purpose: Purpose) -> float:
        """Charge a request, and return the seconds that it has to wait.

        Raises HTTPException if it would have to wait too long.
        """
        prefix, seat = client.prefix, self._proven_seat(client, purpose)
        if purpose.tries_code and seat is None and (wait := self._wrong_codes.wait(prefix)):
            raise too_many("Too many wrong codes came from here", wait)
        priority: tuple[TokenBuckets, Hashable]
        if seat is not None and not self._seats.wait(seat):
            priority, reserved = (self._seats, seat), 0.0
        elif purpose.joins and not self._joins.wait(prefix):
            priority, reserved = (self._joins, prefix), 0.0
        else:
            may_have_seat = bool(purpose.where and client.shown)
            priority, reserved = (self._pace, prefix), self._reserved * (1 - may_have_seat / 2)
        charges = [priority, (self._requests, prefix)]
        if purpose.opens:
            charges.append((self._openings, prefix))
        longest = 0.0
        for buckets, key in charges:
            wait = buckets.wait(key, 1 + reserved if buckets is self._requests else 1)
            if wait > buckets.rate.max_wait_seconds:
                raise too_many("Too many requests", wait)
            longest = max(longest, wait)
        for buckets, key in charges:
            buckets.take(key)
        return longest

    def note_answer(self, client: Client, purpose: Purpose, status: int) -> None:
        """Charge a wrong code, and remember proven seats, once a request is answered."""
        is_wrong = purpose.tries_code and status == HTTPStatus.NOT_FOUND
        if is_wrong and self._proven_seat(client, purpose) is None:  # else the room was closed
            self._wrong_codes.take(client.prefix)
        for seat in client.proven:
            self._seats.take((client.prefix, *seat), 0)

    def _proven_seat(self, client: Client, purpose: Purpose) -> Hashable | None:
        """Return the key of a seat that the client has proven there in an earlier request."""
        keys = ((client.prefix, purpose.where, secret) for secret in client.shown)
        return next((key for key in keys if key in self._seats), None)


class StreamLimits:
    """Slots for event streams, limited in total, for each client and for each known person.

    A slot is an event that is set when the slot is lost. A person who is at their limit loses their
    oldest slot to the new one. If a client or the process is at its limit, the oldest slot of
    whoever holds most (among the people behind that client, or among all clients) goes to a
    newcomer who holds fewer.
    """

    def __init__(self, max_total: int, max_per_client: int, max_per_person: int) -> None:
        self.max_total = max_total
        self.max_per_client = max_per_client
        self.max_per_person = max_per_person
        self._slots: dict[Event, Client] = {}  # the oldest first

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, slot: Event) -> bool:
        return slot in self._slots

    def take(self, slot: Event, client: Client) -> bool:
        """Take a slot, perhaps from somebody else; return False if there is none."""
        clients = {one: holder.prefix for one, holder in self._slots.items()}
        people = {one: self._slots[one].person for one in clients if clients[one] == client.prefix}
        own = [one for one in people if people[one] == client.person]
        if client.person and len(own) >= self.max_per_person:
            lost: Event | None = own[0]
        elif len(people) >= self.max_per_client:
            lost = _oldest_of_most(people, fewer=len(own))
        elif len(clients) >= self.max_total:
            lost = _oldest_of_most(clients, fewer=len(people))
        else:
            self._slots[slot] = client
            return True
        if lost is not None:
            del self._slots[lost]
            lost.set()
            self._slots[slot] = client
        return lost is not None

    def has_person(self, person: str) -> bool:
        """Return whether a person holds a slot."""
        return any(client.person == person for client in self._slots.values())

    def free(self, slot: Event) -> None:
        """Free a slot; it may be free already."""
        self._slots.pop(slot, None)


def _oldest_of_most(holders: dict[Event, str], fewer: int) -> Event | None:
    """Return the oldest slot of whoever holds most; None if that is not more than `fewer`."""
    [(most, count)] = Counter(holders.values()).most_common(1)
    return next(slot for slot in holders if holders[slot] == most) if count > fewer else None


def retry_line(why: str, wait: float) -> tuple[str, int]:
    """Return a sentence that says when to try again, and in how many seconds that is."""
    seconds = math.ceil(min(wait, MAX_RETRY_AFTER_SECONDS))
    after = pluralize(seconds, "please try again in {} second.", "please try again in {} seconds.")
    return f"{why}: {after}", seconds


def too_many(why: str, wait: float) -> HTTPException:
    """Return the refusal of a request that may be repeated after `wait` seconds."""
    line, seconds = retry_line(why, wait)
    return HTTPException(HTTPStatus.TOO_MANY_REQUESTS, line, {"retry-after": str(seconds)})
