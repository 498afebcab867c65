"""A match: one or more rounds of a game between two players."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from numduel.core.game import other
from numduel.core.record import Record
from numduel.core.words import SEATS, YOU
from numduel.play.event import Event, Move, Resign
from numduel.play.setup import Setup, check_setup
from numduel.play.table import TURN_LIMIT, Table
from numduel.players import HUMAN


class Match:
    """A match in progress. Events are applied to it one by one."""

    def __init__(self, setup: Setup) -> None:
        self.setup = check_setup(setup)
        self.round = 0
        self.finished: list[Record] = []
        self.swaps: list[
            bool | None
        ] = []  # whether the first move of each finished round was taken
        self.wins = {1: 0, 2: 0}
        self.left: int | None = None  # the seat that has left for good
        self.next_round()

    def next_round(self) -> None:
        """Begin the next round, in which the other seat moves first."""
        setup = self.setup
        self.round += 1
        begins = setup.first if self.round % 2 else other(setup.first)
        limit = setup.turn_limit
        if limit is None and HUMAN not in setup.players:
            limit = TURN_LIMIT
        self.table: Table[Any] = Table(
            setup.game, begins, limit, setup.swap, seed=setup.seed, round_number=self.round
        )
        for move in self.preset_moves:
            self.table.apply(Move(move))
        self._close_round()

    @property
    def preset_moves(self) -> tuple[int, ...]:
        """The moves made at the beginning of this round, which cannot be taken back."""
        return self.setup.moves if self.round == 1 else ()

    def apply(self, event: Event) -> None:
        """Apply Move, Swap, Undo or Resign to the current round. Raises IllegalMove."""
        self.begin_due_rounds()
        self.table.apply(event)
        self._close_round()

    def leave(self, seat: int) -> None:
        """Let a seat leave for good. It loses the match, unless that is over already."""
        if self.over:
            return
        if self.table.outcome is None:
            self.apply(Resign(seat))
        self.left = seat

    def copy(self) -> Match:
        """Return the match as it is now, independent of what is applied to this one later."""
        same = copy(self)
        same.table, same.wins = self.table.copy(), {**self.wins}
        same.finished, same.swaps = [*self.finished], [*self.swaps]
        return same

    def begin_due_rounds(self) -> None:
        """Begin the next round as long as the current one is over and the match is not."""
        while self.table.outcome is not None and not self.over:
            self.next_round()

    @property
    def over(self) -> bool:
        """Whether the last round is finished, the match is decided, or somebody has left."""
        rounds_left = self.setup.rounds - len(self.finished)
        lead = abs(self.wins[1] - self.wins[2])
        is_decided = self.setup.best_of and lead > rounds_left
        return rounds_left == 0 or is_decided or self.left is not None

    @property
    def played(self) -> bool:
        """Whether somebody has moved, or a round is over."""
        return bool(self.table.moves or self.finished)

    @property
    def champion(self) -> int | None:
        """The seat that is ahead, or that did not leave; None if the score is level."""
        if self.left is not None:
            return other(self.left)
        if self.wins[1] == self.wins[2]:
            return None
        return 1 if self.wins[1] > self.wins[2] else 2

    @property
    def mover(self) -> str:
        """The player to move, such as `human`."""
        return self.setup.players[self.table.position.mover - 1]

    def undo_count(self) -> int:
        """Return how many moves to take back so that the last person can decide again, or 0."""
        table, players = self.table, self.setup.players
        for count, seat in enumerate(reversed(table.movers[len(self.preset_moves) :]), 1):
            if players[seat - 1] == HUMAN:
                return count
        # A person made the first move, and it was taken over; or a person decided on that.
        swap_by_person = table.swapped is not None and HUMAN in players
        return len(table.movers) if swap_by_person else 0

    def record(self) -> Record:
        """Return the record of the current round."""
        return self.table.record(self.setup.player_names, self.setup.started)

    def round_line(self) -> str:
        """Return the number of the round, and of all rounds."""
        if self.setup.best_of:
            return f"Round {self.round}, best of {self.setup.rounds}"
        return f"Round {self.round} of {self.setup.rounds}"

    def result_line(self, names: tuple[str, str] = SEATS) -> str:
        """Return who won the match."""
        low, high = sorted(self.wins.values())
        if self.champion is None:
            return f"The match is tied, {high} to {low}."
        champion = names[self.champion - 1]
        if self.left is not None:
            other_name = names[self.left - 1]
            if champion == YOU:
                return f"You are the champion: {other_name} has left."
            return f"{champion} is the champion: {other_name} has left."
        if champion == YOU:
            return f"You are the champion, {high} to {low}!"
        return f"{champion} is the champion, {high} to {low}!"

    def _close_round(self) -> None:
        outcome = self.table.outcome
        if outcome is not None:
            self.finished.append(self.record())
            self.swaps.append(self.table.swapped)
            if outcome.winner is not None:
                self.wins[outcome.winner] += 1


def score_line(wins: Mapping[int, int], names: tuple[str, str] = SEATS) -> str:
    """Return the number of rounds that each seat has won, with the names of the seats."""
    return f"Score: {names[0]}: {wins[1]}, {names[1]}: {wins[2]}"
