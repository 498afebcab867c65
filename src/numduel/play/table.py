"""The table: one game in progress, with the swap, undo and resigning; and how a game ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from copy import copy
from typing import Any, Generic, NamedTuple

from numduel.core.errors import IllegalMove
from numduel.core.game import OUTSIDE_REASONS, Game, Outcome, P, other
from numduel.core.record import MAX_GAME_MOVES, Record
from numduel.core.words import SEATS, YOU, Last
from numduel.play.chance import chance
from numduel.play.event import Event, Forfeited, Move, Resign, Swap, Undo, event_word
from numduel.players import Turn

TURN_LIMIT = 1000
"""Maximum number of moves of a game between computers, unless another limit is given."""

CHECKPOINT_MOVES = 50
"""Number of moves between two stored positions. Those in between are replayed from them."""


class Table(Generic[P]):
    """One game in progress. Events are applied to it one by one."""

    position: P
    outcome: Outcome | None  # how the game ended, by its rules or otherwise
    first: int  # the seat that the first move belongs to, after the swap
    moves: list[int]
    movers: list[int]  # the seat that made each move
    swap_open: bool  # whether the mover must now decide on taking over the first turn

    def __init__(
        self,
        game: Game[P],
        first: int,
        turn_limit: int | None,
        swap: bool,
        *,
        seed: int = 0,
        round_number: int = 1,
        start: P | None = None,
    ) -> None:
        """Begin a game, from the position `start` if it is given, otherwise from its own start."""
        self.game = game
        self.turn_limit = MAX_GAME_MOVES if turn_limit is None else turn_limit
        self.seed = seed
        self.round_number = round_number
        self.swapped: bool | None = None  # None: not decided yet
        self._first_before_swap = first
        self._swap = swap
        self._start = start
        self._reset()

    @property
    def swap_undecided(self) -> bool:
        """Whether the first turn can still be taken over, now or when it is finished."""
        return self._swap and self.swapped is None and self.outcome is None

    @property
    def first_turn_moves(self) -> int:
        """The number of moves of the first turn so far."""
        turn_ends = (count for count, seat in enumerate(self.movers) if seat != self.movers[0])
        return next(turn_ends, len(self.movers))

    def turn(self, seconds: float | None = None) -> Turn:
        """Return the turn of the player to move. Its random numbers depend on the seed alone."""
        moves = tuple(self.moves)
        rng = chance(self.seed, self.round_number, len(moves))
        ahead = self.swap_undecided and not self.swap_open
        return Turn(self.game, self.position, self.first, moves, rng, ahead, seconds)

    def record(self, players: tuple[str, str], started: str) -> Record:
        """Return the game as a record."""
        return Record(
            game=self.game.key,
            settings=dict(self.game.settings.values),
            players=players,
            first=self.first,
            moves=tuple(self.moves),
            outcome=self.outcome,
            started=started,
        )

    def apply(self, event: Event) -> None:
        """Apply an event. Raises IllegalMove, and changes nothing, if it is not possible."""
        if type(event) is Move:  # the usual case is first, and has to be fast
            if self.swap_open:
                raise self._refusal(event.move, "the swap must be decided first")
            if self.outcome is not None:
                raise self._refusal(event.move, "the game is over")
            game, before, moves = self.game, self.position, self.moves
            self.position = after = game.play(before, event.move)
            self.outcome = game.outcome(after)
            self.movers.append(before.mover)
            moves.append(event.move)
            if self._swap or len(moves) >= self._update_due:
                self._update()
            return
        match event:
            case Swap(taken):
                if not self.swap_open:
                    why = "only after the first turn, once, and where it was agreed"
                    raise self._refusal("swap", why)
                self._replay(self.moves, taken)
            case Undo(count):
                self._undo(count)
            case Resign(seat) | Forfeited(seat):
                self._check_not_over(event_word(event))
                reason = "resigned" if isinstance(event, Resign) else "forfeited"
                self.outcome, self.swap_open = Outcome(other(seat), reason), False
            case _:
                raise self._refusal(event_word(event), "it does not happen at a table")

    def copy(self) -> Table[P]:
        """Return the table as it is now, independent of what is applied to this one later."""
        same = copy(self)
        same.moves, same.movers = self.moves.copy(), self.movers.copy()
        same._checkpoints = self._checkpoints.copy()
        return same

    def positions(self, since: int = 0) -> Iterator[P]:
        """Yield the position after `since` moves, and after each later one."""
        checkpoint = since // CHECKPOINT_MOVES
        position = self._checkpoints[checkpoint]
        replayed_from = checkpoint * CHECKPOINT_MOVES
        for count, move in enumerate(self.moves[replayed_from:], replayed_from):
            if count >= since:
                yield position
            position = self.game.after(position, move)
        yield self.position

    def position_at(self, count: int) -> P:
        """Return the position after that number of moves."""
        return next(self.positions(count))

    def past(self, since: int = 0) -> list[Last]:
        """Return the moves, without the first `since`, each with the position before it."""
        moves = self.moves[since:]
        return [Last(*pair) for pair in zip(self.positions(since), moves, strict=False)]

    def _reset(self) -> None:
        self.first = other(self._first_before_swap) if self.swapped else self._first_before_swap
        self.moves, self.movers = [], []
        self.position = self.game.start(self.first) if self._start is None else self._start
        self.outcome = self.game.outcome(self.position)
        self._checkpoints = [self.position]
        self._update()

    def _update(self) -> None:
        """Apply the limit of turns, open or close the swap, and store the position if it is due."""
        turns = len(self.moves)
        if self.outcome is None and turns >= self.turn_limit:
            self.outcome = Outcome(None, "turn-limit")
        moved_on = turns > 0 and self.position.mover != self.movers[0]
        self.swap_open = self.swap_undecided and moved_on
        if turns == len(self._checkpoints) * CHECKPOINT_MOVES:
            self._checkpoints.append(self.position)
        self._update_due = min(self.turn_limit, len(self._checkpoints) * CHECKPOINT_MOVES)

    def _replay(self, moves: list[int], swapped: bool | None) -> None:
        """Reset the table, set the decision on the swap, and make these moves."""
        self.swapped = swapped
        self._reset()
        for move in moves:
            self.apply(Move(move))

    def _undo(self, count: int) -> None:
        """Take back the last moves, and the decision on the swap with a move of the first turn."""
        self._check_not_over("undo")
        if not 1 <= count <= len(self.moves):
            raise self._refusal("undo", f"there are {len(self.moves)} moves to take back")
        remaining = len(self.moves) - count
        if remaining < self.first_turn_moves:
            self._replay(self.moves[:remaining], None)
            return
        self.position = self.position_at(remaining)
        self.outcome = self.game.outcome(self.position)
        del self.moves[remaining:], self.movers[remaining:]
        del self._checkpoints[remaining // CHECKPOINT_MOVES + 1 :]
        self._update()

    def _check_not_over(self, what: object) -> None:
        if self.outcome is not None:
            raise self._refusal(what, "the game is over")

    def _refusal(self, what: object, why: str) -> IllegalMove:
        return IllegalMove(what, self.position, f"{what} is not possible: {why}")


class Ending(NamedTuple):
    """The end of a game."""

    position: Any
    outcome: Outcome
    last: Last | None  # None if nobody has moved
    turns: int

    @property
    def ruled(self) -> bool:
        """Whether the rules of the game ended it, and not a limit or a player."""
        return self.outcome.reason not in OUTSIDE_REASONS

    def why(self, game: Game[Any], names: tuple[str, str] = SEATS) -> str:
        """The reason, with its numbers if it has any: `10 × 2 = 20`."""
        if self.ruled:
            return game.words.result(self.position, self.outcome, self.last, names)
        return game.words.outside_result(self.outcome, self.turns, names)

    def sentence(self, game: Game[Any], names: tuple[str, str] = SEATS) -> str:
        """Return a sentence on who won, and why, such as `Player 1 wins: 10 × 2 = 20.`."""
        name = "Nobody" if self.outcome.winner is None else names[self.outcome.winner - 1]
        result = "You win" if name == YOU else f"{name} wins"
        return f"{with_reason(result, self.why(game, names))}."


def with_reason(result: str, why: str) -> str:
    """Return a result and its reason, as two sentences if the reason itself has a colon."""
    return f"{result}{'.' if ': ' in why else ':'} {why}"


def table_ending(table: Table[Any], outcome: Outcome | None) -> Ending | None:
    """Return the end of the game at a table with this outcome; None if it is unfinished."""
    if outcome is None:
        return None
    turns = len(table.moves)
    last = Last(table.position_at(turns - 1), table.moves[-1]) if turns else None
    return Ending(table.position, outcome, last, turns)


def record_ending(game: Game[Any], record: Record) -> Ending | None:
    """Return the end of a recorded game; None if it is unfinished."""
    if record.outcome is None:
        return None
    *before, position = deque(record.positions(game), maxlen=2)
    last = Last(before[0], record.moves[-1]) if before else None
    return Ending(position, record.outcome, last, len(record.moves))
