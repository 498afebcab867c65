"""The loop that asks players to move, and whole games played by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.record import Record
from numduel.play.event import Event, Forfeited, Move, Swap
from numduel.play.table import TURN_LIMIT, Table
from numduel.players import Forfeit, Player, Turn, player
from numduel.players.player import Cut, Fault, Unavailable


class Failure(NamedTuple):
    """Why a player has forfeited a game."""

    seat: int
    fault: Fault | Cut
    why: str  # without a full stop


PlayedStep: TypeAlias = tuple[Any, Move | Swap | Forfeited, Failure | None]
"""The position before a decision, the decision, and why the player forfeited, if it did."""


def play_on(
    table: Table[Any],
    players: Sequence[Player | None],
    seconds: float | None = None,
    apply: Callable[[Event], None] | None = None,
    before_turn: Callable[[Turn], None] | None = None,
) -> Iterator[PlayedStep]:
    """Ask the players in turn, apply their decisions, and yield each step.

    It ends when the game is over, or when a seat without a player is to decide. A player that
    makes an illegal move, crashes or is late forfeits the game. Raises Unavailable, and leaves the
    table as it was, if a player could not be asked through no fault of its own. `apply` is called
    instead of `table.apply`. `before_turn` is called with each turn before the player is asked.
    """
    apply = apply or table.apply
    while table.outcome is None:
        before = table.position
        seat: int = before.mover
        computer = players[seat - 1]
        if computer is None:
            return
        turn = table.turn(seconds)
        if before_turn is not None:
            before_turn(turn)
        event: Move | Swap | Forfeited
        failure = None
        try:
            event = decision(computer, turn, table.swap_open)
        except Unavailable:
            raise
        except Exception as error:  # another package's player may raise anything
            event, failure = Forfeited(seat), _failure(seat, error)
        try:
            apply(event)
        except IllegalMove as error:
            event, failure = Forfeited(seat), _failure(seat, error)
            apply(event)
        yield before, event, failure


def decision(computer: Player, turn: Turn, swap_open: bool) -> Move | Swap:
    """Return what a player decides in its turn: a move, or whether to take over the first one."""
    return Swap(bool(computer.swaps(turn))) if swap_open else Move(computer.choose(turn))


def _failure(seat: int, error: Exception) -> Failure:
    if isinstance(error, Forfeit):
        return Failure(seat, error.fault, str(error))
    if isinstance(error, IllegalMove):
        return Failure(seat, "illegal", error.why)
    return Failure(seat, "crashed", f"{type(error).__name__}: {error}")


def computer_player(who: str | Player) -> Player:
    """Return the player of that name, or the player itself. Raises SettingsError for a person."""
    computer = player(who) if isinstance(who, str) else who
    if not isinstance(computer, Player):
        raise SettingsError(f"{quoted(who)} cannot play without a screen")
    return computer


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
    on_failure: Callable[[Failure], object] | None = None,
) -> Record:
    """Play a game between two players, given by name or as objects, and return its record.

    The same seed gives the same game. `started` defaults to the current time. The moves of the
    `opening` are made before any player is asked. A player that makes an illegal move, crashes or
    is late forfeits the game; `on_failure` is then called with the reason.

    Raises SettingsError if a player or an option is not allowed, IllegalMove if the opening is not
    legal, and Unavailable if a player could not be asked through no fault of its own.

    >>> import numduel
    >>> game = numduel.new("multiplicity", size=20)
    >>> record = play_game(game, ["perfect", "random"], seed=7)
    >>> record.players, record.outcome.winner
    (('perfect', 'random'), 1)
    """
    if len(players) != 2:
        raise SettingsError(f"a game has two players, not {len(players)}")
    computers = [computer_player(one) for one in players]
    limit = TURN_LIMIT if turn_limit is None else turn_limit
    if opening:  # the limit does not count it, and it leaves no first turn to take over
        limit, swap = limit + len(opening), swap and len(opening) == 1
    table = Table(game, first, limit, swap, seed=seed)
    try:
        for move in opening:
            table.apply(Move(move))
        for _, _, failure in play_on(table, computers, seconds):
            if failure is not None and on_failure is not None:
                on_failure(failure)
    finally:
        for one, computer in zip(players, computers, strict=True):
            if isinstance(one, str):
                computer.close()  # a caller closes its own players
    one, two = [one if isinstance(one, str) else one.name for one in players]
    return table.record((one, two), started or datetime.now(UTC).isoformat(timespec="seconds"))
