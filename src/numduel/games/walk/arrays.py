"""Multiplicity over arrays: many walks at once."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.arrays import ArrayRules, Truth
from numduel.games.sets import listed, multiples, packed, some, spread
from numduel.games.walk.bulk import bulk_for
from numduel.games.walk.rules import Multiplicity, Walk


class Walks(NamedTuple):
    place: Any  # of the current number: 0 is 1
    chosen: Any  # the set of the numbers used up, as bits
    mover: Any
    winner: Any
    legal: Any


class WalkArrays(ArrayRules[Walk, Walks]):
    def __init__(self, game: Multiplicity, xp: Any) -> None:
        self.game, self.xp, self.size = game, xp, game.settings.size
        above = multiples(xp, self.size)
        self.marks = xp.eye(self.size, dtype="uint8") * 2
        self.own = packed(xp, self.marks)
        self.near = packed(xp, above | above.T)
        self.begun = game.begin(1)
        self.first_legal = xp.asarray(game.mask(self.begun), bool)

    def start(self, first: Any) -> Walks:
        xp = self.xp
        mover = xp.asarray(first, "int8")
        place = xp.full(len(mover), self.begun.number - 1)
        chosen = self.own.take(place, axis=0) * bool(self.begun.chosen)
        legal = xp.tile(self.first_legal, (len(mover), 1))
        return Walks(place, chosen, mover, (3 - mover) * (not self.first_legal.any()), legal)

    def after(self, state: Walks, actions: Any) -> Walks:
        chosen = state.chosen | self.own.take(actions, axis=0)
        free = self.near.take(actions, axis=0) & ~chosen
        winner = state.mover * ~some(free)  # who has left the other nothing
        legal = spread(self.xp, free, self.size).view(bool)
        return Walks(actions.copy(), chosen, 3 - state.mover, winner, legal)

    def encode(self, state: Walks) -> Any:
        marks = spread(self.xp, state.chosen, self.size) + self.marks.take(state.place, axis=0)
        return self.xp.concatenate([state.mover[:, None], marks.view("int8")], axis=1)

    def truth(self, state: Walks) -> Truth | None:
        bulk = bulk_for(self.game, len(state.mover))
        if bulk is None:
            return None
        xp = self.xp  # many games stand in the same place, above all at the start
        stands = xp.concatenate([state.chosen, state.place[:, None].astype("uint64")], axis=1)
        _, rows, of_each = xp.unique(stands, axis=0, return_index=True, return_inverse=True)
        chosen = spread(xp, state.chosen[rows], self.size)
        found = bulk.truth(chosen, state.legal[rows])
        return Truth(found.values[of_each], found.distances[of_each])

    def position(self, state: Walks, row: int) -> Walk:
        chosen = listed(self.xp, state.chosen[row], self.size)
        return Walk(int(state.place[row]) + 1, chosen, int(state.mover[row]))
