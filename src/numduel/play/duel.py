"""A duel: two seats, the matches played between them, and what each person may do now.

Everything that happens is an event of one log. The version of a duel is the number of its events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Literal, Self, TypeAlias, get_args

from numduel.core.errors import NumduelError
from numduel.core.game import other
from numduel.core.record import Record
from numduel.play.event import (
    Ask,
    Away,
    Back,
    Come,
    Event,
    Leave,
    Move,
    Next,
    Presence,
    Refuse,
    Rematch,
    Resign,
    Swap,
    Undo,
)
from numduel.play.match import Match
from numduel.play.setup import MAX_SEED, Setup
from numduel.play.table import Table
from numduel.players import HUMAN

WishWord = Literal["undo", "refuse", "resign", "next", "rematch"]
Wish: TypeAlias = Move | Swap | WishWord
"""What a person can ask for: a move, the swap, or one of the words. A wish leads to an event."""

WISH_WORDS: tuple[WishWord, ...] = get_args(WishWord)


class Refused(NumduelError):
    """Raised if it is not the time for a wish, or if it was fulfilled already."""


class Watching(Refused):
    """Raised if somebody who is not a player has a wish."""


class Duel:
    """A duel in progress. Events are applied to it one by one."""

    def __init__(self, setup: Setup) -> None:
        self.match = Match(setup)
        self.version = 0
        self.changed = 0  # the version after the last event other than Away and Back
        self.asking: int | None = None  # the seat that asks to take a move back, or for a rematch
        self.away: frozenset[int] = frozenset()  # the seats whose players are away
        self.undone = False  # whether a move was taken back in this match
        self.latest: Event | None = None  # the last event
        self._earlier: list[Match] = []

    def copy(self) -> Self:
        """Return the duel as it is now, independent of what is applied to this one later."""
        same = copy(self)
        same.match, same._earlier = self.match.copy(), [*self._earlier]
        return same

    # The state.

    @property
    def table(self) -> Table[Any]:
        """The table of the current round."""
        return self.match.table

    @property
    def rounds(self) -> list[Record]:
        """The finished rounds of all matches."""
        return [record for match in (*self._earlier, self.match) for record in match.finished]

    @property
    def swaps(self) -> list[bool | None]:
        """For each finished round, whether its first move was taken over; None: not decided."""
        return [swapped for match in (*self._earlier, self.match) for swapped in match.swaps]

    @property
    def deciding(self) -> int | None:
        """The seat that must move, or decide on the swap; None if the round is over."""
        mover: int = self.table.position.mover
        return None if self.table.outcome is not None else mover

    @property
    def computer(self) -> str | None:
        """The player that must decide, if it is a computer."""
        if self.deciding is None or self.match.mover == HUMAN:
            return None
        return self.match.mover

    def must_ask(self, seats: frozenset[int]) -> bool:
        """Return whether another person must agree before a move is taken back."""
        return any(self.match.setup.players[seat - 1] == HUMAN for seat in {1, 2} - seats)

    def undo_count(self, seats: frozenset[int]) -> int:
        """Return how many moves to take back so that one of these seats can decide again, or 0."""
        if self.table.outcome is not None:
            return 0
        if not self.must_ask(seats):
            return self.match.undo_count()
        back = (n for n, seat in enumerate(reversed(self.table.movers), 1) if seat in seats)
        return next(back, 0)

    # The events.

    def event(self, seats: frozenset[int], wish: Wish) -> Event:
        """Return the event that a wish of these seats leads to. Raises Refused."""
        if not seats:
            raise Watching("You are watching: only the players can do that.")
        if wish == "next":
            return Next()
        if wish == "rematch":
            return self._rematch_event(seats)
        if self.deciding is None:
            raise Refused("This round is over.")
        if wish == "undo":
            return self._undo_event(seats)
        if wish == "refuse":
            if self.asking is None or self.asking in seats:
                raise Refused("Nobody has asked to take a move back.")
            return Refuse(self.asking)
        if wish == "resign":
            return Resign(self.deciding if self.deciding in seats else min(seats))
        if self.deciding not in seats:
            raise Refused(f"It is not your turn: Player {self.deciding} is to move.")
        return wish

    def _rematch_event(self, seats: frozenset[int]) -> Event:
        if not self.match.over or not self.must_ask(seats) or self.asking in {1, 2} - seats:
            return Rematch()
        if self.asking is not None:
            raise Refused("You have asked already: wait for the answer.")
        return Ask(min(seats))

    def _undo_event(self, seats: frozenset[int]) -> Event:
        if self.asking is not None and self.asking not in seats:
            return Undo(self.undo_count(frozenset({self.asking})))
        count = self.undo_count(seats)
        if count == 0:
            raise Refused("There is nothing to take back yet.")
        if not self.must_ask(seats):
            return Undo(count)
        if self.asking is not None:
            raise Refused("You have asked already: wait for the answer.")
        return Ask(min(seats))

    def apply(self, event: Event) -> None:
        """Apply an event. Raises IllegalMove or Refused, and then changes nothing."""
        match event:
            case Ask(seat):
                self.asking = seat
            case Refuse():
                self.asking = None
            case Come():
                pass  # it changes nothing, but increases the version
            case Away(seat):
                self.away |= {seat}
            case Back(seat):
                self.away -= {seat}
            case Next():
                if self.deciding is not None or self.match.over:
                    raise Refused("The next round has begun already.")
                self.match.begin_due_rounds()
            case Rematch():
                if not self.match.over:
                    raise Refused("The rematch has begun already.")
                self._begin_rematch()
            case Leave(seat):
                self.match.leave(seat)
                self.asking = None
            case _:
                if self.deciding is None:
                    raise Refused("This round is over.")
                self.match.apply(event)
                self.asking = None
                self.undone |= isinstance(event, Undo)
        self.latest = event
        self.version += 1
        if not isinstance(event, Presence):
            self.changed = self.version

    def recount(self, log: Sequence[Event]) -> None:
        """Set what depends on the complete log, after `without_undone(log)` was applied."""
        self.version, self.latest = len(log), log[-1] if log else None
        changed = (n for n, event in enumerate(log, 1) if not isinstance(event, Presence))
        self.changed = max(changed, default=0)
        begun = max((n for n, event in enumerate(log) if isinstance(event, Rematch)), default=0)
        self.undone = any(isinstance(event, Undo) for event in log[begun:])

    def _begin_rematch(self) -> None:
        self._earlier.append(self.match)
        setup = self.match.setup
        seed = (setup.seed + 1) % MAX_SEED
        first = setup.first if setup.keep_first else other(setup.first)
        self.match = Match(setup._replace(first=first, seed=seed, coin=False))
        self.asking, self.undone = None, False


def without_undone(log: Iterable[Event]) -> list[Event]:
    """Return the events of a log without the moves that were taken back later."""
    kept: list[Event] = []
    presence: list[Event] = []  # no undo removes these
    for event in log:
        if isinstance(event, Presence):
            presence.append(event)
        elif not isinstance(event, Undo):
            kept.append(event)
        else:
            for _ in range(event.count):
                while not isinstance(kept.pop(), Move):
                    pass
            while kept and isinstance(kept[-1], Ask | Refuse):
                kept.pop()  # the undo has answered them
    return kept + presence
