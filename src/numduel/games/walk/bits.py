"""Multiplicity over arrays: the chosen numbers as bits."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core import bits
from numduel.core.bits import Array, BitRules, Words
from numduel.games.walk.rules import Multiplicity, Walk


class WalkBits(NamedTuple):
    """The current number, what is used up, who moves, and who has won."""

    number: Array
    chosen: Words
    mover: Array
    winner: Array


class WalkRules(BitRules):
    """The rules of Multiplicity."""

    game: Multiplicity

    def __init__(self, game: Multiplicity, xp: Any, valued: bool = False) -> None:
        super().__init__(game, xp, valued)
        count = self.count
        self.words = len(bits.packed((), count))
        near = ((n - 1 for n in game.neighbours(number)) for number in range(1, count + 1))
        self.near = bits.table(xp, [bits.packed(places, count) for places in near])
        self.before = bits.packed((n - 1 for n in game.begin(1).chosen), count)
        self.evens = bits.filled(xp, bits.packed(range(1, count, 2), count), ())

    def begin(self, shape: tuple[int, ...] = ()) -> WalkBits:
        xp = self.xp
        return WalkBits(
            xp.full(shape, self.game.settings.start, xp.int32),
            bits.filled(xp, self.before, shape),
            xp.full(shape, 1, xp.int8),
            xp.zeros(shape, xp.int8),
        )

    def moves(self, state: WalkBits) -> Words:
        return self._moves(state.number - 1, state.chosen)

    def _moves(self, place: Array, chosen: Words) -> Words:
        legal = bits.without(bits.look_up(self.xp, self.near, place), chosen)
        if self.game.settings.opening == "any":
            return legal
        xp = self.xp
        before = bits.filled(xp, self.before, ())
        opened = bits.some(tuple(a ^ b for a, b in zip(chosen, before, strict=True)))
        return bits.chosen(xp, opened, legal, bits.meet(legal, self.evens))

    def after(self, state: WalkBits, action: Array) -> WalkBits:
        xp = self.xp
        chosen = bits.union(state.chosen, bits.single(xp, action, self.words))
        stuck = ~bits.some(self._moves(action, chosen))
        winner = xp.where(stuck, state.mover, 0)
        return WalkBits(action + 1, chosen, 3 - state.mover, winner)

    def encode(self, state: WalkBits) -> Array:
        xp, encoded = self.xp, self.encoded
        narrow = xp.int8 if self.count < 1 << 7 else xp.int16  # so that many fit into a register
        column = xp.arange(self.count + 1, dtype=narrow)
        here = column == state.number.astype(narrow)[..., None]
        chosen = bits.spread(xp, state.chosen, self.count, after=1).astype(encoded)
        cell = chosen + xp.where(here, 2, 0).astype(encoded)
        return xp.where(column == 0, state.mover[..., None], cell)

    def position(self, state: WalkBits) -> Walk:
        numbers = frozenset(place + 1 for place in bits.unpacked(state.chosen))
        return Walk(int(state.number), numbers, int(state.mover))
