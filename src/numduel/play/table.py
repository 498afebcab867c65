"""The table: one game in progress, with what may happen beside its moves."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Generic

from numduel.core.errors import IllegalMove
from numduel.core.game import Game, Outcome, P, other
from numduel.core.record import LONGEST_GAME
from numduel.play.event import Event, Move, Resign, Swap, Undo, verb

KEPT_EVERY = 50
"""Moves between two positions that a table keeps, from which those between are soon replayed."""


class Table(Generic[P]):
    """One game in progress. What happens at it is applied, event by event."""

    position: P
    moves: list[int]
    movers: list[int]  # the seat that made each move

    def __init__(self, game: Game[P], first: int, turn_limit: int | None, swap: bool) -> None:
        self.game = game
        self.turn_limit = LONGEST_GAME if turn_limit is None else turn_limit
        self._resigned: int | None = None
        self._begins = first  # the seat that begins while nobody has swapped
        self._swap = swap
        self.swapped: bool | None = None  # None: not decided yet
        self._begin()

    @property
    def first(self) -> int:
        """The seat that the first move belongs to."""
        return other(self._begins) if self.swapped else self._begins

    @property
    def swap_ahead(self) -> bool:
        """Whether the move to be made can be taken over."""
        return self._swap and not self.moves

    @property
    def swap_open(self) -> bool:
        """Whether the mover must now say if they take over the first move."""
        undecided = self._swap and self.swapped is None and len(self.moves) == 1
        return undecided and self.outcome is None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or otherwise; None while it goes on."""
        ruled = self.game.outcome(self.position)
        if ruled is None and self._resigned is not None:
            return Outcome(other(self._resigned), "resigned")
        if ruled is None and len(self.moves) >= self.turn_limit:
            return Outcome(None, "turn-limit")
        return ruled

    def apply(self, event: Event) -> None:
        """Let an event happen; IllegalMove, with nothing changed, where it cannot."""
        match event:
            case Move(move):
                self._move(move)
            case Swap(taken):
                self._swap_first(taken)
            case Undo(count):
                self._undo(count)
            case Resign(seat):
                self._must_go_on("resign")
                self._resigned = seat
            case _:
                raise self._refusal(verb(event), "it does not happen at a table")

    def copy(self) -> Table[P]:
        """The table as it is now, whatever is applied to this one later."""
        same = copy(self)
        same.moves, same.movers = self.moves.copy(), self.movers.copy()
        same._kept = self._kept.copy()
        return same

    def positions(self, since: int = 0) -> Iterator[P]:
        """The positions after so many moves, and after each later one."""
        kept = since // KEPT_EVERY
        position = self._kept[kept]
        for count, move in enumerate(self.moves[kept * KEPT_EVERY :], kept * KEPT_EVERY):
            if count >= since:
                yield position
            position = self.game.after(position, move)
        yield self.position

    def position_at(self, count: int) -> P:
        """The position after so many moves."""
        return next(self.positions(count))

    def _move(self, move: int) -> None:
        if self.swap_open:
            raise self._refusal(move, "the swap must be decided first")
        self._must_go_on(move)
        self._play(move)

    def _begin(self) -> None:
        self.position = self.game.start(self.first)
        self.moves, self.movers = [], []
        self._kept = [self.position]

    def _play(self, move: int) -> None:
        mover = self.position.mover
        self.position = self.game.play(self.position, move)
        self.moves.append(move)
        self.movers.append(mover)
        if len(self.moves) % KEPT_EVERY == 0:
            self._kept.append(self.position)

    def _swap_first(self, taken: bool) -> None:
        """The second player takes over the first move, or leaves it. Once a game."""
        if not self.swap_open:
            raise self._refusal("swap", "only after the first move, once, and where it was agreed")
        [move] = self.moves
        self.swapped = taken
        self._begin()
        self._play(move)

    def _undo(self, count: int) -> None:
        """Take back the last moves. With the first move goes the swap."""
        self._must_go_on("undo")
        if not 1 <= count <= len(self.moves):
            raise self._refusal("undo", f"there are {len(self.moves)} moves to take back")
        left = len(self.moves) - count
        if left == 0:
            self.swapped = None
            self._begin()
            return
        self.position = self.position_at(left)
        del self.moves[left:], self.movers[left:], self._kept[left // KEPT_EVERY + 1 :]

    def _must_go_on(self, what: object) -> None:
        if self.outcome is not None:
            raise self._refusal(what, "the game is over")

    def _refusal(self, what: object, why: str) -> IllegalMove:
        return IllegalMove(what, self.position, f"{what} is not possible: {why}")
