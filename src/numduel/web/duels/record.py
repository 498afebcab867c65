"""A duel with its public name and its terms, and how stored games are replayed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from numduel.core.game import Game
from numduel.play.duel import Duel, Wish, without_undone
from numduel.play.event import Event, load
from numduel.play.setup import Setup
from numduel.web.errors import NotNow
from numduel.web.identity import hash_secret, split_secrets

MAX_EVENTS = 10_000

SLICE_SECONDS = 0.005
"""Time after which a replay lets the event loop run other tasks."""

T = TypeVar("T")


async def cooperatively(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield the items in order, and let other tasks run every few milliseconds."""
    begun = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - begun > SLICE_SECONDS:
            await asyncio.sleep(0)
            begun = time.perf_counter()


async def load_events(texts: Iterable[str]) -> list[Event]:
    """Return the events of a log, given as their stored texts."""
    return [load(text) async for text in cooperatively(texts)]


class Terms(NamedTuple):
    """What was agreed before a duel began."""

    setup: Setup  # of the first match
    seats: tuple[str | None, str | None]  # the hash of each seat's secret; None for the computer
    coach: bool = False  # whether the coach comments on moves
    room: str | None = None  # the code of the class room, if a class plays it


@lru_cache(maxsize=1_000)
def shared_game(game: Game[Any]) -> Game[Any]:
    """Return the same object for all equal games, so that they share its caches."""
    return game


class DuelRecord(Duel):
    def __init__(self, name: str, terms: Terms) -> None:
        setup = terms.setup._replace(game=shared_game(terms.setup.game))
        super().__init__(setup)
        self.name = name
        self.terms = terms._replace(setup=setup)

    @classmethod
    async def replayed(cls, name: str, terms: Terms, texts: Iterable[str]) -> DuelRecord:
        """Return the duel to which the stored texts of its log lead."""
        duel, log = cls(name, terms), await load_events(texts)
        async for event in cooperatively(without_undone(log)):
            duel.apply(event)
        duel.recount(log)
        return duel

    def seats_of(self, secrets: str) -> frozenset[int]:
        """Return the seats that a secret opens, or several secrets joined into one text."""
        hashes = {hash_secret(secret) for secret in split_secrets(secrets)}
        return frozenset(seat for seat in (1, 2) if self.terms.seats[seat - 1] in hashes)

    def event(self, seats: frozenset[int], wish: Wish) -> Event:
        """Return the event to which a wish leads; raises NotNow or Refused if it is impossible."""
        event = super().event(seats, wish)
        if self.version >= MAX_EVENTS:
            raise NotNow(f"This duel has had {MAX_EVENTS:,} moves: please start a new one.")
        if wish == "rematch" and self.terms.room is not None:
            raise NotNow("In a class the next game comes with the next round.")
        return event
