"""A duel: two seats, the matches played between them, and what each person may do now.

Everything that happens is one event of one log, such as {"move": 7}. The number of events is the
duel's version. No input or output here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from numduel.core.game import other
from numduel.core.record import Record
from numduel.play.journal import VERBS, Event, load_event
from numduel.play.match import LARGEST_SEED, Match, Setup
from numduel.play.table import Table
from numduel.players import HUMAN
from numduel.web.keys import hashed, parted
from numduel.web.problems import NotNow, NotYours

MOST_EVENTS = 10_000
"""A duel takes no more events than this."""

WISHES = ("move", "swap", "undo", "refuse", "resign", "next", "rematch")
"""What a person at the table can ask for."""

_VERBS = {**VERBS, "ask": int, "refuse": int, "next": bool, "rematch": bool}

MOVED_ON = "The game has moved on since that page was shown."


class Terms(NamedTuple):
    """What is agreed about a duel beside its matches."""

    setup: Setup  # of the first match
    seats: tuple[str | None, str | None]  # the hash of each seat's secret; None: the computer
    coach: bool = False
    names: tuple[str | None, str | None] = (None, None)
    room: str | None = None  # the code of the class room that it is played in


class Duel:
    """A duel as far as it was played."""

    def __init__(self, name: str, terms: Terms) -> None:
        self.name = name
        self.terms = terms
        self.match = Match(terms.setup)
        self.version = 0
        self.asking: int | None = None  # the seat that asks to take its last move back
        self._earlier: list[Record] = []

    # What is so.

    @property
    def table(self) -> Table[Any]:
        """Where the current round is played."""
        return self.match.table

    @property
    def rounds(self) -> list[Record]:
        """The finished rounds, of every match."""
        return [*self._earlier, *self.match.finished]

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

    def held(self, secrets: str) -> frozenset[int]:
        """The seats that belong to whoever has the secret, or the secrets of both."""
        hashes = {hashed(secret) for secret in parted(secrets)}
        return frozenset(seat for seat in (1, 2) if self.terms.seats[seat - 1] in hashes)

    def must_ask(self, seats: frozenset[int]) -> bool:
        """Whether another person has a say when a move is taken back."""
        return any(self.terms.seats[seat - 1] is not None for seat in {1, 2} - seats)

    def undo_count(self, seats: frozenset[int]) -> int:
        """How many moves those seats would take back, to decide again; 0: none."""
        if self.table.outcome is not None:
            return 0
        if not self.must_ask(seats):
            return self.match.undo_count()
        back = (n for n, seat in enumerate(reversed(self.table.movers), 1) if seat in seats)
        return next(back, 0)

    # What happens.

    def event(self, seats: frozenset[int], wish: str, value: int | bool) -> Event:
        """What a person's wish comes to; NotYours or NotNow where it cannot be."""
        if not seats:
            raise NotYours("You are watching: only the players can do that.")
        if self.version >= MOST_EVENTS:
            raise NotNow(f"This duel has had {MOST_EVENTS:,} moves: please start a new one.")
        if wish == "rematch" and self.terms.room is not None:
            raise NotNow("In a class the next game comes with the next round.")
        if wish in ("next", "rematch"):
            return wish, True
        if self.deciding is None:
            raise NotNow("This round is over.")
        if wish == "undo":
            return self._undo(seats)
        if wish == "refuse":
            if self.asking is None or self.asking in seats:
                raise NotNow("Nobody asks you to take a move back.")
            return wish, self.asking
        if wish == "resign":
            return wish, self.deciding if self.deciding in seats else min(seats)
        if self.deciding not in seats:
            raise NotNow(f"It is not your turn: Player {self.deciding} is to move.")
        return wish, value

    def _undo(self, seats: frozenset[int]) -> Event:
        if self.asking is not None and self.asking not in seats:
            return "undo", self.undo_count(frozenset({self.asking}))
        count = self.undo_count(seats)
        if count == 0:
            raise NotNow("There is nothing to take back yet.")
        if not self.must_ask(seats):
            return "undo", count
        if self.asking is not None:
            raise NotNow("You have asked already: wait for the answer.")
        return "ask", min(seats)

    def apply(self, verb: str, value: int | bool) -> None:
        """Let an event happen; IllegalMove or NotNow, with nothing changed, where it cannot."""
        if verb == "ask":
            self.asking = int(value)
        elif verb == "refuse":
            self.asking = None
        elif verb == "next":
            if self.deciding is not None or self.match.over:
                raise NotNow("The next round has begun already.")
            self.match.settle()
        elif verb == "rematch":
            if not self.match.over:
                raise NotNow("The rematch has begun already.")
            self._rematch()
        else:
            if self.deciding is None:
                raise NotNow("This round is over.")
            self.match.apply(verb, value)
            self.asking = None
        self.version += 1

    def _rematch(self) -> None:
        self._earlier += self.match.finished
        setup = self.match.setup
        seed = (setup.seed + 1) % LARGEST_SEED
        self.match = Match(setup._replace(first=other(setup.first), seed=seed))


def without_undone(log: Iterable[Event]) -> list[Event]:
    """What still stands of a log: without the moves that were taken back later."""
    standing: list[Event] = []
    for verb, value in log:
        if verb != "undo":
            standing.append((verb, value))
            continue
        for _ in range(value):
            while standing.pop()[0] != "move":
                pass
        while standing and standing[-1][0] in ("ask", "refuse"):
            standing.pop()  # which the undo has settled
    return standing


def load(text: str) -> Event:
    """The event that a line of the log tells of."""
    return load_event(text, _VERBS)
