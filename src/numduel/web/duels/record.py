"""A duel as the server keeps it: with its public name and its terms."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.play.duel import Duel, Wish
from numduel.play.event import Event
from numduel.play.setup import Setup
from numduel.web.errors import NotNow
from numduel.web.keys import hashed, parted

MAX_EVENTS = 10_000
"""Maximum number of events in one duel."""


class Terms(NamedTuple):
    """What is agreed about a duel beside its matches."""

    setup: Setup  # of the first match
    seats: tuple[str | None, str | None]  # the hash of each seat's secret; None: the computer
    coach: bool = False  # whether the coach comments on moves
    room: str | None = None  # the code of the class room that it is played in


@lru_cache(maxsize=1_000)
def shared_game(game: Game[Any]) -> Game[Any]:
    """Return one object for all equal games, so that what it has cached is shared."""
    return game


class DuelRecord(Duel):
    """A duel, its public name and its terms."""

    def __init__(self, name: str, terms: Terms) -> None:
        setup = terms.setup._replace(game=shared_game(terms.setup.game))
        super().__init__(setup)
        self.name = name
        self.terms = terms._replace(setup=setup)

    def seats_of(self, secrets: str) -> frozenset[int]:
        """Return the seats that a secret opens, or the secrets of both joined."""
        hashes = {hashed(secret) for secret in parted(secrets)}
        return frozenset(seat for seat in (1, 2) if self.terms.seats[seat - 1] in hashes)

    def event(self, seats: frozenset[int], wish: Wish) -> Event:
        """Return the event that a wish leads to; raises NotNow or Refused if it cannot be."""
        event = super().event(seats, wish)
        if self.version >= MAX_EVENTS:
            raise NotNow(f"This duel has had {MAX_EVENTS:,} moves: please start a new one.")
        if wish == "rematch" and self.terms.room is not None:
            raise NotNow("In a class the next game comes with the next round.")
        return event
