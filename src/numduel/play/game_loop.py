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
    """Why a player lost a game other than by its rules; the record says that it forfeited."""

    seat: int
    fault: Fault | Cut
    why: str  # without full stop


PlayedStep: TypeAlias = tuple[Any, Move | Swap | Forfeited, Failure | None]
"""The position in which a player was asked, what then happened, and why, if it forfeited."""


def play_on(
    table: Table[Any],
    players: Sequence[Player | None],
    seconds: float | None = None,
    apply: Callable[[Event], None] | None = None,
    ahead: Callable[[Turn], None] | None = None,
) -> Iterator[PlayedStep]:
    """Ask the players in turn, apply what they decide, and yield each step.

    It ends when the game is over, or when a seat without a player is to decide. A player that
    makes an illegal move, crashes or is late forfeits. Raises Unavailable, with the table as it
    was, where a player could not be asked, through no fault of its own. `apply` is called instead
    of `table.apply`, and `ahead` with each turn before a player is asked about it.
    """
    apply = apply or table.apply
    while table.outcome is None:
        before = table.position
        seat: int = before.mover
        asked = players[seat - 1]
        if asked is None:
            return
        turn = table.turn(seconds)
        if ahead is not None:
            ahead(turn)
        event: Move | Swap | Forfeited
        failure = None
        try:
            event = decision(asked, turn, table.swap_open)
        except Unavailable:
            raise
        except Exception as error:  # whatever somebody else's player raises
            event, failure = Forfeited(seat), _failure(seat, error)
        try:
            apply(event)
        except IllegalMove as error:
            event, failure = Forfeited(seat), _failure(seat, error)
            apply(event)
        yield before, event, failure


def decision(asked: Player, turn: Turn, swap_open: bool) -> Move | Swap:
    """Return what a player decides in its turn: a move, or whether it takes over the first one."""
    return Swap(bool(asked.swaps(turn))) if swap_open else Move(asked.choose(turn))


def _failure(seat: int, error: Exception) -> Failure:
    if isinstance(error, Forfeit):
        return Failure(seat, error.fault, str(error))
    if isinstance(error, IllegalMove):
        return Failure(seat, "illegal", error.why)
    return Failure(seat, "crashed", f"{type(error).__name__}: {error}")


def seated(one: str | Player) -> Player:
    """Return the player, given by name or as an object; SettingsError if it is a person."""
    found = player(one) if isinstance(one, str) else one
    if not isinstance(found, Player):
        raise SettingsError(f"{quoted(one)} cannot play without a screen")
    return found


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
    """Play a game between two players, by name or as objects, and return its record.

    The same seed gives the same game; `started` is now if no time is given. The moves of the
    `opening` are made before anybody is asked. A player who makes an illegal move, crashes or is
    late has forfeited the game: `told`, if given, is called with the reason.

    Raises SettingsError if a player or an option is not allowed, IllegalMove if the opening is not
    legal, and Unavailable if a player could not be asked, through no fault of its own.

    >>> import numduel
    >>> game = numduel.new("multiplicity", size=20)
    >>> record = play_game(game, ["perfect", "random"], seed=7)
    >>> record.players, record.outcome.winner
    (('perfect', 'random'), 1)
    """
    if len(players) != 2:
        raise SettingsError(f"a game has two players, not {len(players)}")
    seats = [seated(one) for one in players]
    limit = TURN_LIMIT if turn_limit is None else turn_limit
    if opening:  # which does not count, and leaves no first move to be taken over
        limit, swap = limit + len(opening), swap and len(opening) == 1
    table = Table(game, first, limit, swap, seed=seed)
    try:
        for move in opening:
            table.apply(Move(move))
        for _, _, failure in play_on(table, seats, seconds):
            if failure is not None and told is not None:
                told(failure)
    finally:
        for one, chooser in zip(players, seats, strict=True):
            if isinstance(one, str):
                chooser.close()  # others close what they brought
    one, two = [one if isinstance(one, str) else one.name for one in players]
    return table.record((one, two), started or datetime.now(UTC).isoformat(timespec="seconds"))
