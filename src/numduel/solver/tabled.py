"""Any game that is small enough to look at whole, over arrays: each position is a number."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core import bits
from numduel.core.arrays import NOBODY
from numduel.core.bits import Array, BitRules, Words
from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.solver import theory_of

MOST_ENTRIES = 20_000_000
"""A table of more entries, a place for each action at each position, is not made."""


def bits_of(game: Game[Any], xp: Any, valued: bool = False) -> BitRules:
    """The game's own rules over arrays, or tables; TooLarge where it can have neither."""
    return game.bits(xp, valued) or TabledRules(game, xp, valued)


class Numbered(NamedTuple):
    """The number that the position has in `game.reached`, who moves, and who has won."""

    number: Array
    mover: Array
    winner: Array


class TabledRules(BitRules):
    """The rules as tables of what follows each position."""

    def __init__(self, game: Game[Any], xp: Any, valued: bool = False) -> None:
        entries = len(game.reached) * len(game.actions)
        if entries > MOST_ENTRIES:
            raise TooLarge(f"its table has {entries:,} entries, over {MOST_ENTRIES:,}")
        super().__init__(game, xp, valued)
        first = game.actions[0] if self.count else 0
        legal, following, movers, winners = [], [], [], []
        for position in game.reached:
            moves = game.moves(position)
            legal.append(bits.packed((move - first for move in moves), self.count))
            row = [0] * self.count
            for move in moves:
                row[move - first] = game.reached[game.after(position, move)]
            following.extend(row)
            outcome = game.outcome(position)
            movers.append(position.mover)
            winners.append(0 if outcome is None else outcome.winner or NOBODY)
        self.legal = bits.table(xp, legal)
        self.following = xp.asarray(following, xp.int32)
        self.movers = xp.asarray(movers, xp.int8)
        self.winners = xp.asarray(winners, xp.int8)
        self.vectors = xp.asarray(
            [game.encode(position) for position in game.reached], self.encoded
        )

    def begin(self, shape: tuple[int, ...] = ()) -> Numbered:
        return self._at(self.xp.full(shape, self.game.reached[self.game.begin(1)], self.xp.int32))

    def _at(self, number: Array) -> Numbered:
        look = self.xp.take
        return Numbered(
            number,
            look(self.movers, number, mode="clip"),
            look(self.winners, number, mode="clip"),
        )

    def moves(self, state: Numbered) -> Words:
        return bits.look_up(self.xp, self.legal, state.number)

    def after(self, state: Numbered, action: Array) -> Numbered:
        place = state.number * self.count + action
        return self._at(self.xp.take(self.following, place, mode="clip"))

    def encode(self, state: Numbered) -> Array:
        return self.xp.take(self.vectors, state.number, axis=0, mode="clip")

    def position(self, state: Numbered) -> Any:
        return list(self.game.reached)[int(state.number)]

    def prepare_values(self) -> None:
        theory = theory_of(self.game)
        signs = {"win": 1, "draw": 0, "endless": 0, "loss": -1}
        found = [signs[theory.solve(position).value] for position in self.game.reached]
        self.table = self.xp.asarray(found, self.xp.int8)

    def open_value(self, state: Numbered) -> Array:
        return self.xp.take(self.table, state.number, mode="clip")
