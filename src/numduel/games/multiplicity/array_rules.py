"""The rules of Multiplicity over arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.array_rules import ArrayRules, Truth, take_rows
from numduel.core.bitset import Array, Bitset, difference, intersection, nonempty, union
from numduel.games.multiplicity.bulk import bulk_for
from numduel.games.multiplicity.rules import Multiplicity, Walk


class WalkState(NamedTuple):
    number: Array  # the current number
    chosen: Bitset  # the places of the chosen numbers
    mover: Array
    winner: Array


class WalkRules(ArrayRules):
    """The rules of Multiplicity. Number n has place n - 1."""

    game: Multiplicity

    def __init__(self, game: Multiplicity, xp: Any, word_bits: int = 32) -> None:
        super().__init__(game, xp, word_bits)
        sets, numbers = self.sets, range(1, self.count + 1)
        self.near = sets.table([n - 1 for n in game.neighbours(number)] for number in numbers)
        self.before = [number - 1 for number in game.begin(1).chosen]
        self.even = sets.constant(range(1, self.count, 2))

    def begin(self, first: Array) -> WalkState:
        xp, shape = self.xp, first.shape
        number = xp.full(shape, self.game.settings.start, xp.int32)
        chosen = self.sets.constant(self.before, shape)
        return WalkState(number, chosen, first, self.winner_at_start(first))

    def moves(self, state: WalkState) -> Bitset:
        legal = self._unused_near(state.number - 1, state.chosen)
        if self.game.settings.opening == "any":
            return legal
        before = self.sets.constant(self.before)
        opened = nonempty(difference(state.chosen, before))
        return self.sets.where(opened, legal, intersection(legal, self.even))

    def _unused_near(self, place: Array, chosen: Bitset) -> Bitset:
        return difference(self.sets.look_up(self.near, place), chosen)

    def after(self, state: WalkState, action: Array) -> WalkState:
        chosen = union(state.chosen, self.sets.single(action))
        stuck = ~nonempty(self._unused_near(action, chosen))
        winner = state.mover * stuck
        return WalkState(action + 1, chosen, 3 - state.mover, winner)

    def encode(self, state: WalkState) -> Array:
        here = state.number - 1
        return self.sets.vectors(self.encoded, [state.mover], state.chosen, here)

    def truth(self, state: WalkState) -> Truth | None:
        bulk = bulk_for(self.game, len(state.mover))
        if bulk is None:
            return None
        xp = self.xp  # many games are at the same position, above all at the start
        positions = xp.stack([*state.chosen, state.number.astype(xp.uint64)], axis=1)
        _, rows, row_of = xp.unique(positions, axis=0, return_index=True, return_inverse=True)
        different = take_rows(state, rows)
        truth = bulk.truth(self.sets.flags(different.chosen), self.legal(different))
        return Truth(truth.values[row_of], truth.distances[row_of])

    def position(self, state: WalkState) -> Walk:
        chosen = frozenset(place + 1 for place in self.sets.members(state.chosen))
        return Walk(int(state.number), chosen, int(state.mover))


new_rules = WalkRules
