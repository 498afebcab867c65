"""How a game ended, and the sentence that says why."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from numduel.core.game import CALLED, Game, Outcome
from numduel.core.record import Record
from numduel.core.words import SEATS, YOU, Last
from numduel.play.table import Table


class Ending(NamedTuple):
    """The end of a game."""

    position: Any
    outcome: Outcome
    last: Last | None  # None where nobody moved
    turns: int

    @property
    def ruled(self) -> bool:
        """Whether the rules ended it, rather than a limit or a player."""
        return self.outcome.reason not in CALLED

    def why(self, game: Game[Any], names: tuple[str, str] = SEATS) -> str:
        """The reason, in numbers where it has any: `10 × 2 = 20`."""
        if self.ruled:
            return game.words.result(self.position, self.outcome, self.last, names)
        return game.words.called(self.outcome, self.turns, names)

    def sentence(self, game: Game[Any], names: tuple[str, str] = SEATS) -> str:
        """Who won, and why, in a sentence such as `Player 1 wins: 10 × 2 = 20`."""
        winner, why = self.outcome.winner, self.why(game, names)
        if winner is None:
            return f"Nobody wins: {why}."
        name = names[winner - 1]
        return f"You win: {why}." if name == YOU else f"{name} wins: {why}."


def table_ending(table: Table[Any], outcome: Outcome | None) -> Ending | None:
    """Return the end of the game at a table with this outcome; None if it is unfinished."""
    if outcome is None:
        return None
    turns = len(table.moves)
    last = Last(table.position_at(turns - 1), table.moves[-1]) if turns else None
    return Ending(table.position, outcome, last, turns)


def ending(game: Game[Any], record: Record) -> Ending | None:
    """Return the end of the game of a record; None if it is unfinished."""
    if record.outcome is None:
        return None
    *before, position = deque(record.positions(game), maxlen=2)
    last = Last(before[0], record.moves[-1]) if before else None
    return Ending(position, record.outcome, last, len(record.moves))
