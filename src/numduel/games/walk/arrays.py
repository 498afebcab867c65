"""Multiplicity over arrays: many walks at once."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.arrays import ArrayRules
from numduel.games.walk.rules import Multiplicity, Walk


class Walks(NamedTuple):
    place: Any  # of the current number: 0 is 1
    chosen: Any  # of each number whether it is used up
    mover: Any
    winner: Any
    legal: Any


class WalkArrays(ArrayRules[Walk, Walks]):
    def __init__(self, game: Multiplicity, xp: Any) -> None:
        self.game, self.xp = game, xp
        numbers = xp.arange(1, game.settings.size + 1)
        divides = numbers % numbers[:, None] == 0
        self.own = numbers == numbers[:, None]
        self.near = (divides | divides.T) & ~self.own
        begun = game.begin(1)
        self.first_legal = xp.asarray(game.mask(begun), bool)
        self.first_chosen = self.own[begun.number - 1] & bool(begun.chosen)

    def start(self, first: Any) -> Walks:
        xp = self.xp
        mover = xp.asarray(first, "int8")
        place = xp.full(mover.shape, self.game.settings.start - 1, "int32")
        chosen, legal = (
            xp.tile(one, (len(mover), 1)) for one in (self.first_chosen, self.first_legal)
        )
        return Walks(place, chosen, mover, (3 - mover) * ~legal.any(axis=1), legal)

    def after(self, state: Walks, actions: Any) -> Walks:
        chosen = state.chosen | self.own[actions]
        legal = self.near[actions] & ~chosen
        winner = state.mover * ~legal.any(axis=1)  # who has left the other nothing
        return Walks(actions.astype("int32"), chosen, 3 - state.mover, winner, legal)

    def encode(self, state: Walks) -> Any:
        marks = state.chosen + 2 * self.own[state.place].astype("int8")
        return self.xp.concatenate([state.mover[:, None], marks], axis=1)

    def position(self, state: Walks, row: int) -> Walk:
        chosen = frozenset((self.xp.nonzero(state.chosen[row])[0] + 1).tolist())
        return Walk(int(state.place[row]) + 1, chosen, int(state.mover[row]))
