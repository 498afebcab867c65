"""A duel as it is played here: under a name, and with seats that open by secrets."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.play.duel import Duel, Wish
from numduel.play.event import Event
from numduel.play.setup import Setup
from numduel.web.keys import hashed, parted
from numduel.web.problems import NotNow
from numduel.web.visitor import prove

MOST_EVENTS = 10_000
"""A duel takes no more events than this."""


class Terms(NamedTuple):
    """What is agreed about a duel beside its matches."""

    setup: Setup  # of the first match
    seats: tuple[str | None, str | None]  # the hash of each seat's secret; None: the computer
    coach: bool = False
    room: str | None = None  # the code of the class room that it is played in


@lru_cache(maxsize=1_000)
def shared(game: Game[Any]) -> Game[Any]:
    """The same game for all who play it at these settings, with what was worked out about it."""
    return game


class Hosted(Duel):
    """A duel, its public name and its terms."""

    def __init__(self, name: str, terms: Terms) -> None:
        setup = terms.setup._replace(game=shared(terms.setup.game))
        terms = terms._replace(setup=setup)
        super().__init__(setup)
        self.name = name
        self.terms = terms

    def held(self, secrets: str) -> frozenset[int]:
        """The seats that belong to whoever has the secret, or the secrets of both."""
        hashes = {hashed(secret) for secret in parted(secrets)}
        prove(self.name, *hashes.intersection(filter(None, self.terms.seats)))
        return frozenset(seat for seat in (1, 2) if self.terms.seats[seat - 1] in hashes)

    def event(self, seats: frozenset[int], wish: Wish) -> Event:
        """What a wish comes to, within the bounds of this server; NotNow or Refused."""
        event = super().event(seats, wish)
        if self.version >= MOST_EVENTS:
            raise NotNow(f"This duel has had {MOST_EVENTS:,} moves: please start a new one.")
        if wish == "rematch" and self.terms.room is not None:
            raise NotNow("In a class the next game comes with the next round.")
        return event
