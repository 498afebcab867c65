"""The rules over arrays of any small game, by tables in which each position is a number."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.array_rules import NOBODY, UNKNOWN, ArrayRules, Signs
from numduel.core.bitset import Array, Bitset
from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.solver import theory_of

MAX_ENTRIES = 20_000_000
"""Maximum number of entries of a table, which has one for each action in each position."""


def array_rules_of(game: Game[Any], xp: Any) -> ArrayRules:
    """Return the game's own rules over arrays, or tables. Raises `TooLarge` if neither fits."""
    return game.array_rules(xp) or TableRules(game, xp)


class TableState(NamedTuple):
    """The state of games that are played by `TableRules`."""

    number: Array  # of the position, in `game.position_numbers`
    mover: Array
    winner: Array


class TableRules(ArrayRules):
    """The rules of a game as a table of the positions after each position."""

    known: Signs | None = None  # the verdict of each position

    def __init__(self, game: Game[Any], xp: Any, word_bits: int = 32) -> None:
        entries = len(game.position_numbers) * len(game.actions)
        if entries > MAX_ENTRIES:
            raise TooLarge(f"its table has {entries:,} entries, over {MAX_ENTRIES:,}")
        super().__init__(game, xp, word_bits)
        first, numbers = game.actions.start, game.position_numbers
        moves = [game.moves(position) for position in numbers]
        following = []
        for position, legal in zip(numbers, moves, strict=True):
            row = [0] * self.count
            for move in legal:
                row[move - first] = numbers[game.after(position, move)]
            following.extend(row)
        outcomes = map(game.outcome, numbers)
        winners = [0 if one is None else one.winner or NOBODY for one in outcomes]
        self.legal_sets = self.sets.table([move - first for move in legal] for legal in moves)
        self.following = xp.asarray(following, xp.int32)
        self.movers = xp.asarray([position.mover for position in numbers], xp.int8)
        self.winners = xp.asarray(winners, xp.int8)
        self.vectors = xp.asarray([*map(game.encode, numbers)], self.encoded)

    def begin(self, first: Array) -> TableState:
        one, two = (self.game.position_numbers[self.game.begin(seat)] for seat in (1, 2))
        return self._state(self.xp.where(first == 1, one, two).astype(self.xp.int32))

    def _state(self, number: Array) -> TableState:
        mover, winner = (
            self.xp.take(table, number, mode="clip") for table in (self.movers, self.winners)
        )
        return TableState(number, mover, winner)

    def moves(self, state: TableState) -> Bitset:
        return self.sets.look_up(self.legal_sets, state.number)

    def after(self, state: TableState, action: Array) -> TableState:
        entry = state.number * self.count + action
        return self._state(self.xp.take(self.following, entry, mode="clip"))

    def encode(self, state: TableState) -> Array:
        return self.xp.take(self.vectors, state.number, axis=0, mode="clip")

    def position(self, state: TableState) -> Any:
        return list(self.game.position_numbers)[int(state.number)]

    def prepare_verdicts(self) -> None:
        if self.known is not None:
            return
        theory = theory_of(self.game)
        found = [theory.solve(position) for position in self.game.position_numbers]
        signs = [round(2 * verdict.score - 1) for verdict in found]
        distances = [UNKNOWN if one.distance is None else one.distance for one in found]
        self.known = Signs(
            self.xp.asarray(signs, self.xp.int8), self.xp.asarray(distances, self.xp.int32)
        )

    def ongoing_verdict(self, state: TableState) -> Signs:
        assert self.known is not None, "prepare_verdicts comes first"
        return Signs(*(self.xp.take(each, state.number, mode="clip") for each in self.known))

    def truth(self, state: TableState) -> None:
        """Return None: signs do not distinguish a draw of unknown distance from an endless game."""
