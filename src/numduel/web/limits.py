"""All limits of the web server: sizes, rates and counts, in total and by client.

Each limit counts one thing that is scarce: requests (the time of the server), openings (what stays
in the database), seconds of thinking (processors), streams, and joins of each room.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from http import HTTPStatus
from typing import NamedTuple

from starlette.exceptions import HTTPException

from numduel.core.numerals import pluralize
from numduel.web.identity import Client
from numduel.web.lru_cache import LruCache

MAX_HEAD_BYTES = 16 * 2**10
MAX_HEAD_LINES = 100
MAX_BODY_BYTES = 64 * 2**10
"""Maximum size of a request's head, and of its body: a record of a few thousand moves."""

HEAD_SECONDS = 10
BODY_SECONDS = 10.0
"""Time until a head is complete, from the start of a connection or the end of an answer; and then
until the body is."""

REFUSAL_SECONDS = 1.0
"""The delay of a refusal: it slows down who asks over and over, and lets who still sends end."""

MAX_JSON_VALUES = 10_000
MAX_JSON_CONTAINERS = 100
"""Maximum number of values in a JSON text, and of lists and objects."""

MAX_STREAMS = 2_000
MAX_STREAMS_PER_CLIENT = 300
MAX_STREAMS_PER_PERSON = 5
"""Maximum number of event streams of players in a process; and half as many of watchers."""

MAX_CONNECTIONS = 4_096
MAX_CONNECTIONS_PER_CLIENT = 800
RESERVED_FILES = 256
"""Maximum number of connections of a process, and of open files that are kept for all else.

A client has more connections than streams, so that streams leave some to requests.
"""

MAX_WAITING_PER_CLIENT = 200
MAX_WAITING_PER_PERSON = 10
"""Maximum number of questions that wait in one lane of what computes."""

MAX_CLIENTS = 10_000
MAX_PROVEN_SEATS = 50_000
"""Maximum number of clients, and of proven seats, whose rates are remembered."""

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
    joins: Rate = Rate(240, 4)  # the page and the form of those who join, before all others
    seat: Rate = Rate(60, 2)  # the requests of one proven seat that come before all others
    reserved: float = 120  # requests that are left to seats, half of them to who may have one


THINKING = Rate(30, 0.5)
PERSON_THINKING = Rate(10, 0.1)
MAX_THINKING_PEOPLE = 100
"""Seconds of a processor: of each client and, where those are used up, of so many people behind it.
"""

JOINS = Rate(120, 2)
"""Joins by the code of a room, and as many by its link: nobody else's requests count."""


def json_fault(body: bytes) -> str | None:
    """Return what is too large about a JSON text, or None, without parsing it.

    Commas and brackets inside of strings count as well: none that we are sent has many.
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
        """Return the seconds until there are so many tokens; 0 if there are now."""
        missing = tokens - self.level(key)
        if missing <= 0:
            return 0.0
        return missing / self.rate.per_second if self.rate.per_second else math.inf

    def take(self, key: Hashable, tokens: float = 1) -> None:
        """Take tokens; the level may fall below zero, for one who waits for them."""
        self._levels.put(key, (self.level(key) - tokens, time.monotonic()))


class Purpose(NamedTuple):
    """What a request is for, as far as its cost depends on it."""

    where: str = ""  # the name of a duel, the code of a room or the ticket of one
    opens: bool = False  # whether it makes something new, or computes for long
    tries_code: bool = False  # whether it could guess the code of a room
    joins: bool = False  # whether it is on the way into a room


class RateLimits:
    """Charges each request to the token buckets of its client.

    All behind one address share its requests. A client who has shown the right secret of a seat or
    of a place in a room comes before the others with some requests to that duel or room, so that a
    flooder behind the same address does not keep them from playing. A refusal costs nothing.
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
        """Charge a request and return the seconds that it has to wait.

        Raises HTTPException if it would have to wait for too long.
        """
        prefix, own = client.prefix, self._own_key(client, purpose)
        if purpose.tries_code and own is None and (wait := self._wrong_codes.wait(prefix)):
            raise too_many("Too many wrong codes came from here", wait)
        share = 0.5 if purpose.where and client.shown else 1.0
        payers: list[tuple[TokenBuckets, Hashable]] = [(self._pace, prefix)]
        if own is not None and not self._seats.wait(own):
            share, payers = 0.0, [(self._seats, own)]
        elif purpose.joins and not self._joins.wait(prefix):
            share, payers = 0.0, [(self._joins, prefix)]
        if purpose.opens:
            payers.append((self._openings, prefix))
        payers.append((self._requests, prefix))
        longest = 0.0
        for buckets, key in payers:
            needed = 1 + share * self._reserved if buckets is self._requests else 1
            wait = buckets.wait(key, needed)
            if wait > buckets.rate.max_wait_seconds:
                raise too_many("Too many requests", wait)
            longest = max(longest, wait)
        for buckets, key in payers:
            buckets.take(key)
        return longest

    def settle(self, client: Client, purpose: Purpose, status: int) -> None:
        """Charge a wrong code and remember proven seats, once a request is answered."""
        wrong = purpose.tries_code and status == HTTPStatus.NOT_FOUND
        if wrong and self._own_key(client, purpose) is None:  # or their room has been closed
            self._wrong_codes.take(client.prefix)
        for seat in client.proven:
            self._seats.take((client.prefix, *seat), 0)

    def _own_key(self, client: Client, purpose: Purpose) -> Hashable | None:
        """Return the key of the seat that the client has proven there before."""
        keys = ((client.prefix, purpose.where, secret) for secret in client.shown)
        return next((key for key in keys if key in self._seats), None)


class Place:
    """A place that a client holds; `lost` is called if somebody else gets it."""

    def __init__(self, client: Client, lost: Callable[[], None]) -> None:
        self.prefix, self.person, self.lost = client.prefix, client.person, lost


class Places:
    """So many places, in total, for each client and for each person who is known.

    Where all are taken, one who holds fewer gets the oldest place of one who holds most: between
    clients, and between the people behind one client. A person holds the latest that they took.
    """

    def __init__(self, max_total: int, max_per_client: int, max_per_person: int) -> None:
        self.max_total = max_total
        self.max_per_client = max_per_client
        self.max_per_person = max_per_person
        self._held: dict[Place, None] = {}  # the oldest first

    def __len__(self) -> int:
        return len(self._held)

    def take(self, place: Place) -> bool:
        """Take a place, for which another one may be closed; return False if there is none."""
        own = [one for one in self._held if one.prefix == place.prefix]
        mine = [one for one in own if one.person == place.person]
        spare: Place | None = place
        if place.person and len(mine) >= self.max_per_person:
            spare = mine[0]
        elif len(own) >= self.max_per_client:
            spare = _spare(own, lambda one: one.person, len(mine))
        elif len(self._held) >= self.max_total:
            spare = _spare(self._held, lambda one: one.prefix, len(own))
        if spare is None:
            return False
        self.give_back(spare)
        if spare is not place:
            spare.lost()
        self._held[place] = None
        return True

    def __contains__(self, place: Place) -> bool:
        return place in self._held

    def is_held_by(self, person: str) -> bool:
        """Return whether a person holds a place."""
        return any(one.person == person for one in self._held)

    def give_back(self, place: Place) -> None:
        """Free a place; it may be free already."""
        self._held.pop(place, None)


def _spare(places: Iterable[Place], holder: Callable[[Place], str], fewer: int) -> Place | None:
    """Return the oldest place of whoever holds most; None if that is not more than `fewer`."""
    [(most, count)] = Counter(map(holder, places)).most_common(1)
    return next(one for one in places if holder(one) == most) if count > fewer else None


def retry_line(why: str, wait: float) -> tuple[str, int]:
    """Return a sentence that says when to try again, and in how many seconds that is."""
    seconds = math.ceil(min(wait, MAX_RETRY_AFTER_SECONDS))
    after = pluralize(seconds, "please try again in {} second.", "please try again in {} seconds.")
    return f"{why}: {after}", seconds


def too_many(why: str, wait: float) -> HTTPException:
    """Return the refusal of what may be tried again after that time."""
    line, seconds = retry_line(why, wait)
    return HTTPException(HTTPStatus.TOO_MANY_REQUESTS, line, {"retry-after": str(seconds)})
