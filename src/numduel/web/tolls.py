"""What a request costs, and who pays.

All behind one address share a purse. Whoever has shown the right secret of a seat or of a room has
a small one beside it, for that game or room alone, so that a flooder next to them does not keep
them from playing. A secret is known to be right only after the game or the room has said so:
an invented one gets no purse. What is refused costs nothing.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from http import HTTPStatus
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Scope

from numduel.web.bounds import Rates
from numduel.web.keys import hashed, parted
from numduel.web.purses import Purses, Seats
from numduel.web.reading import Refused, our_cookies

MOST_ADDRESSES = 10_000
MOST_WITH_SEATS = 1_000
MOST_SEATS = 200
"""How many addresses have purses; how many with seats beside them, and how many seats each."""

LONGEST_WAIT = 60 * 60
"""No longer than this is anybody told to stay away."""

SAFE = ("GET", "HEAD", "OPTIONS")
_SECRETS = ("seat", "pupil", "teacher")
_BEARER = "bearer "


Payer = tuple[Purses, Hashable]
"""Whose purse, among which."""


class Asking(NamedTuple):
    """What the price of a request depends on."""

    address: str
    where: str  # the name of a game, the code of a room
    secrets: tuple[str, ...]  # the hashes of those that are shown
    opens: bool
    tries_code: bool


def asking(scope: Scope, address: str) -> Asking:
    """What is asked, by a request's head."""
    parts = scope["path"].strip("/").split("/")
    unsafe = scope["method"] not in SAFE
    where = _where(parts)
    return Asking(
        address,
        where,
        secrets=_shown(Headers(scope=scope)) if where else (),
        opens=unsafe and _opens(parts),
        tries_code=parts[0] == "room" or (unsafe and parts == ["join"]),
    )


def _where(parts: list[str]) -> str:
    if parts[:2] == ["api", "duels"]:
        return "".join(parts[2:3])
    return "".join(parts[1:2]) if parts[0] in ("game", "room") else ""


def _opens(parts: list[str]) -> bool:
    """Whether a post to that path makes something new, or computes for long."""
    return (
        parts[0] in ("play", "rooms", "join", "analyze")
        or parts in (["api", "duels"], ["api", "analyze"], ["api", "solve"])
        or (parts[0] == "room" and parts[2:] == ["round"])
    )


def _shown(headers: Headers) -> tuple[str, ...]:
    """The hashes of the secrets that a request shows; a few at most."""
    given = headers.get("authorization", "")
    texts = [given[len(_BEARER) :]] if given[: len(_BEARER)].lower() == _BEARER else []
    for pair in our_cookies(headers.get("cookie", "").encode("latin-1")).decode().split("; "):
        name, _, value = pair.partition("=")
        if name in _SECRETS:
            texts.append(value)
    return tuple(hashed(secret) for text in texts[: len(_SECRETS)] for secret in parted(text))


class Tolls:
    """Who pays, from which purse."""

    def __init__(self, rates: Rates) -> None:
        self.rates = rates
        self._requests = Purses(rates.requests, MOST_ADDRESSES)
        self._pace = Purses(rates.pace, MOST_ADDRESSES)
        self._doubts = Purses(rates.doubts, MOST_ADDRESSES)
        self._openings = Purses(rates.openings, MOST_ADDRESSES)
        self._codes = Purses(rates.codes, MOST_ADDRESSES)
        self._seats: OrderedDict[str, Seats] = OrderedDict()  # by address

    def pay(self, asked: Asking) -> float:
        """Take the price; seconds until it is their turn, Refused where that is too long."""
        own = self._own(asked)
        if asked.tries_code and own is None and (wait := self._codes.wait(asked.address)):
            raise _come_again("Too many wrong codes came from here", wait)
        payers: list[Payer] = [self._payer(asked, own)]
        if own not in payers:
            payers.append((self._pace, asked.address))
        if asked.opens:
            payers.append((self._openings, asked.address))
        for purses, whose in payers:
            if (wait := purses.wait(whose)) > purses.rate.patience:
                raise _come_again("Too many requests", wait)
        wait = max(purses.wait(whose) for purses, whose in payers)
        for purses, whose in payers:
            purses.spend(whose)
        return wait

    def _own(self, asked: Asking) -> Payer | None:
        """The purse of whoever has shown a right secret there before."""
        seats = self._seats.get(asked.address, ())
        for secret in asked.secrets:
            if (asked.where, secret) in seats:
                return self._seats[asked.address], (asked.where, secret)
        return None

    def _payer(self, asked: Asking, own: Payer | None) -> Payer:
        """The first purse in which there is something, or will be soonest."""
        purses: list[Payer] = [(self._requests, asked.address)]
        if own is not None:
            purses.insert(0, own)
        elif asked.secrets:  # which may be right: a few are heard even where others flood
            purses.append((self._doubts, asked.address))
        return min(purses, key=lambda one: one[0].wait(one[1]))

    def settle(self, asked: Asking, proven: Iterable[tuple[str, str]], status: int) -> None:
        """What the answer has shown: secrets that are right, and where; or a wrong code."""
        wrong = asked.tries_code and status == HTTPStatus.NOT_FOUND
        if wrong and self._own(asked) is None:  # whose room was there, and is closed
            self._codes.spend(asked.address)
        for one in proven:
            seats = self._seats.setdefault(asked.address, Seats(self.rates.seats, MOST_SEATS))
            seats.spend(one, 0)  # so that it is there
            self._seats.move_to_end(asked.address)
            if len(self._seats) > MOST_WITH_SEATS:
                self._seats.popitem(last=False)


def _come_again(why: str, wait: float) -> Refused:
    seconds = math.ceil(min(wait, LONGEST_WAIT))
    line = f"{why}: please try again in {seconds} second{'s' * (seconds > 1)}."
    return Refused(HTTPStatus.TOO_MANY_REQUESTS, line, seconds)
