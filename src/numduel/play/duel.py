"""A duel: two seats, the matches played between them, and what each person may do now.

Everything that happens is one event of one log. The number of events is the duel's version.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, Literal, Self, TypeAlias, get_args

from numduel.core.errors import NumduelError
from numduel.core.game import other
from numduel.core.record import Record
from numduel.play.event import (
    Ask,
    Come,
    Event,
    Leave,
    Move,
    Next,
    Refuse,
    Rematch,
    Resign,
    Swap,
    Undo,
)
from numduel.play.match import Match
from numduel.play.setup import LARGEST_SEED, Setup
from numduel.play.table import Table
from numduel.players import HUMAN

Word = Literal["undo", "refuse", "resign", "next", "rematch"]
Wish: TypeAlias = Move | Swap | Word
"""What a person can ask for: a move, the swap, or what a word says, whatever event it comes to."""

WORDS: tuple[Word, ...] = get_args(Word)


class Refused(NumduelError):
    """It is not the turn for that, or it has happened already."""


class Watching(Refused):
    """Only the players can do that."""


class Duel:
    """A duel as far as it was played."""

    def __init__(self, setup: Setup) -> None:
        self.match = Match(setup)
        self.version = 0
        self.asking: int | None = None  # the seat that asks to take its last move back
        self.latest: Event | None = None  # what has happened last
        self._earlier: list[Match] = []

    def copy(self) -> Self:
        """The duel as it is now, whatever is applied to this one later."""
        same = copy(self)
        same.match, same._earlier = self.match.copy(), [*self._earlier]
        return same

    # What is so.

    @property
    def table(self) -> Table[Any]:
        """Where the current round is played."""
        return self.match.table

    @property
    def rounds(self) -> list[Record]:
        """The finished rounds, of every match."""
        return [record for match in (*self._earlier, self.match) for record in match.finished]

    @property
    def swaps(self) -> list[bool | None]:
        """Of each finished round, whether its first move was taken over; None: not decided."""
        return [swapped for match in (*self._earlier, self.match) for swapped in match.swaps]

    @property
    def deciding(self) -> int | None:
        """The seat that must move, or decide on the swap; None when the round is over."""
        mover: int = self.table.position.mover
        return None if self.table.outcome is not None else mover

    @property
    def computer(self) -> str | None:
        """The computer player that is to decide, if it is one."""
        if self.deciding is None or self.match.mover == HUMAN:
            return None
        return self.match.mover

    def must_ask(self, seats: frozenset[int]) -> bool:
        """Whether another person has a say when a move is taken back."""
        return any(self.match.setup.players[seat - 1] == HUMAN for seat in {1, 2} - seats)

    def undo_count(self, seats: frozenset[int]) -> int:
        """How many moves those seats would take back, to decide again; 0: none."""
        if self.table.outcome is not None:
            return 0
        if not self.must_ask(seats):
            return self.match.undo_count()
        back = (n for n, seat in enumerate(reversed(self.table.movers), 1) if seat in seats)
        return next(back, 0)

    # What happens.

    def event(self, seats: frozenset[int], wish: Wish) -> Event:
        """What the wish of whoever holds those seats comes to; Refused where it cannot be."""
        if not seats:
            raise Watching("You are watching: only the players can do that.")
        if wish == "next":
            return Next()
        if wish == "rematch":
            return Rematch()
        if self.deciding is None:
            raise Refused("This round is over.")
        if wish == "undo":
            return self._undo(seats)
        if wish == "refuse":
            if self.asking is None or self.asking in seats:
                raise Refused("Nobody asks you to take a move back.")
            return Refuse(self.asking)
        if wish == "resign":
            return Resign(self.deciding if self.deciding in seats else min(seats))
        if self.deciding not in seats:
            raise Refused(f"It is not your turn: Player {self.deciding} is to move.")
        return wish

    def _undo(self, seats: frozenset[int]) -> Event:
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
        """Let an event happen; IllegalMove or Refused, with nothing changed, where it cannot."""
        match event:
            case Ask(seat):
                self.asking = seat
            case Refuse():
                self.asking = None
            case Come():
                pass  # which only those at the table are told of
            case Next():
                if self.deciding is not None or self.match.over:
                    raise Refused("The next round has begun already.")
                self.match.settle()
            case Rematch():
                if not self.match.over:
                    raise Refused("The rematch has begun already.")
                self._rematch()
            case Leave(seat):
                self.match.leave(seat)
                self.asking = None
            case _:
                if self.deciding is None:
                    raise Refused("This round is over.")
                self.match.apply(event)
                self.asking = None
        self.latest = event
        self.version += 1

    def _rematch(self) -> None:
        self._earlier.append(self.match)
        setup = self.match.setup
        seed = (setup.seed + 1) % LARGEST_SEED
        self.match = Match(setup._replace(first=other(setup.first), seed=seed, coin=False))


def without_undone(log: Iterable[Event]) -> list[Event]:
    """What still stands of a log: without the moves that were taken back later."""
    standing: list[Event] = []
    for event in log:
        if not isinstance(event, Undo):
            standing.append(event)
            continue
        for _ in range(event.count):
            while not isinstance(standing.pop(), Move):
                pass
        while standing and isinstance(standing[-1], Ask | Refuse):
            standing.pop()  # which the undo has settled
    return standing
