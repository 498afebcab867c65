"""The referee: plays a game between players to its record, whatever they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.game import Game, Outcome, other
from numduel.core.numerals import quoted
from numduel.core.record import Record
from numduel.play.match import LIMIT_WITHOUT_PEOPLE
from numduel.players import Forfeit, Player, Turn, player
from numduel.players.player import Fault


class Failure(NamedTuple):
    """Why a player lost a game otherwise than by its rules: the record says that it resigned."""

    seat: int
    fault: Fault
    why: str  # without full stop


def play_game(
    game: Game[Any],
    players: Sequence[str | Player],
    first: int = 1,
    seed: int = 0,
    turn_limit: int | None = None,
    *,
    swap: bool = False,
    seconds: float | None = None,
    started: str = "",
    opening: Sequence[int] = (),
    told: Callable[[Failure], object] | None = None,
) -> Record:
    """Play a game between two players, by name or as objects, to its record.

    The same seed gives the same game; `started` is now where no time is given. The moves of the
    `opening` are made before anybody is asked. A player who makes an illegal move, crashes or is
    late has resigned: `told`, if given, is called with the reason.
    """
    if len(players) != 2:
        raise SettingsError(f"a game has two players, not {len(players)}")
    seats = [_seated(one) for one in players]
    table = _Game(game, seats, first, seed, seconds, swap)
    try:
        for move in opening:
            table.make(move)
        outcome = table.play(LIMIT_WITHOUT_PEOPLE if turn_limit is None else turn_limit)
    finally:
        for one, chooser in zip(players, seats, strict=True):
            if isinstance(one, str):
                chooser.close()  # others close what they brought
    if table.failure is not None and told is not None:
        told(table.failure)
    names = [one if isinstance(one, str) else one.name for one in players]
    return Record(
        game=game.key,
        settings=dict(game.settings.values),
        players=(names[0], names[1]),
        first=table.first,
        moves=table.moves,
        outcome=outcome,
        started=started or datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _seated(one: str | Player) -> Player:
    chooser = player(one) if isinstance(one, str) else one
    if chooser is None:
        raise SettingsError(f"{quoted(one)} cannot play without a screen")
    return chooser


class _Game:
    """A game between two players, in progress."""

    def __init__(
        self,
        game: Game[Any],
        seats: list[Player],
        first: int,
        seed: int,
        seconds: float | None,
        swap: bool,
    ) -> None:
        self.game = game
        self.seats = seats
        self.first = first
        self.seed = seed
        self.seconds = seconds
        self.swap = swap
        self.position = game.start(first)
        self.moves: tuple[int, ...] = ()
        self.failure: Failure | None = None

    def play(self, limit: int) -> Outcome:
        while (outcome := self.game.outcome(self.position)) is None:
            if len(self.moves) >= limit:
                return Outcome(None, "turn-limit")
            seat = self.position.mover
            try:
                if self.swap and len(self.moves) == 1:
                    self._decide_swap()
                else:
                    self._move()
            except Forfeit as error:
                self.failure = Failure(seat, error.fault, str(error))
            except IllegalMove as error:
                self.failure = Failure(seat, "illegal", error.why)
            except Exception as error:  # whatever somebody else's player raises
                self.failure = Failure(seat, "crashed", f"{type(error).__name__}: {error}")
            if self.failure is not None:
                return Outcome(other(seat), "resigned")
        return outcome

    def _move(self) -> None:
        self.make(self._mover.choose(self._turn()))

    def make(self, move: int) -> None:
        """Make a move, whoever chose it; IllegalMove."""
        self.position = self.game.play(self.position, move)
        self.moves += (move,)

    def _decide_swap(self) -> None:
        self.swap = False
        if self._mover.swaps(self._turn()):
            self.first = other(self.first)
            self.position = self.game.play(self.game.start(self.first), self.moves[0])

    @property
    def _mover(self) -> Player:
        seat: int = self.position.mover
        return self.seats[seat - 1]

    def _turn(self) -> Turn:
        rng = Random(f"{self.seed} 1 {len(self.moves)}")  # as in the first round of a match
        ahead = self.swap and not self.moves
        return Turn(
            self.game, self.position, self.first, self.moves, rng, ahead, seconds=self.seconds
        )
