"""Divisor Line over arrays: whose numbers are where as bits, and what would relate to them."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core import bits
from numduel.core.bits import Array, BitRules, Words
from numduel.games.divisors import proper_divisors
from numduel.games.line.rules import DivisorLine, Line


class LineBits(NamedTuple):
    """Both players' numbers, and what the goal asks about them; who moves, who has won."""

    mine: Words  # the mover's numbers, and
    mine_known: Words  # what `LineRules.learnt` says of them
    theirs: Words
    theirs_known: Words
    mover: Array
    winner: Array


class LineRules(BitRules):
    """What both goals share."""

    game: DivisorLine
    sets: int  # how many sets `learnt` gives

    def __init__(self, game: DivisorLine, xp: Any, valued: bool = False) -> None:
        super().__init__(game, xp, valued)
        count = self.count
        self.words = len(bits.packed((), count))
        self.every = bits.filled(xp, bits.packed(range(count), count), ())
        numbers = range(1, count + 1)
        below = [bits.packed((n - 1 for n in proper_divisors(one)), count) for one in numbers]
        above = [bits.packed(range(2 * one - 1, count, one), count) for one in numbers]
        self.below, self.above = bits.table(xp, below), bits.table(xp, above)

    def wins(self, held: Words, known: Words, action: Array) -> Array:
        """Whether adding a number wins."""
        raise NotImplementedError

    def learnt(self, held: Words, known: Words, action: Array) -> Words:
        """What is known of the numbers held, after one is added that does not win."""
        raise NotImplementedError

    def begin(self, shape: tuple[int, ...] = ()) -> LineBits:
        xp = self.xp
        none = bits.filled(xp, [0] * self.words, shape)
        return LineBits(
            none,
            none * self.sets,
            none,
            none * self.sets,
            xp.full(shape, 1, xp.int8),
            xp.zeros(shape, xp.int8),
        )

    def moves(self, state: LineBits) -> Words:
        return bits.without(self.every, bits.union(state.mine, state.theirs))

    def after(self, state: LineBits, action: Array) -> LineBits:
        mine, known, theirs, theirs_known, mover, _ = state
        won = self.wins(mine, known, action)
        learnt = self.learnt(mine, known, action)
        mine = bits.union(mine, bits.single(self.xp, action, self.words))
        winner = self.xp.where(won, mover, 0)
        return LineBits(theirs, theirs_known, mine, learnt, 3 - mover, winner)

    def encode(self, state: LineBits) -> Array:
        xp, encoded = self.xp, self.encoded
        mover, won = state.mover[..., None], (state.winner != 0)[..., None]
        mine, theirs = (
            bits.spread(xp, held, self.count, after=2).astype(encoded)
            for held in (state.mine, state.theirs)
        )
        column = xp.arange(self.count + 2, dtype=xp.int32)
        first, second = ((column == place).astype(encoded) for place in (0, 1))
        return mine * mover + theirs * (3 - mover) + first * mover + second * won.astype(encoded)

    def position(self, state: LineBits) -> Line:
        sides = (frozenset(n + 1 for n in bits.unpacked(held)) for held in (state[0], state[2]))
        mine, theirs = sides
        mover, won = int(state.mover), bool(state.winner)
        return Line(mine, theirs, 1, won) if mover == 1 else Line(theirs, mine, 2, won)


class PairRules(LineRules):
    """Three numbers, one of which divides another. Known: all that relates to a number held."""

    sets = 1

    def __init__(self, game: DivisorLine, xp: Any, valued: bool = False) -> None:
        super().__init__(game, xp, valued)
        self.near = bits.union(self.below, self.above)

    def wins(self, held: Words, known: Words, action: Array) -> Array:
        xp = self.xp
        here = bits.single(xp, action, self.words)
        related = bits.some(bits.meet(known, bits.union(held, here)))
        return related & (bits.size(xp, held) >= 2)

    def learnt(self, held: Words, known: Words, action: Array) -> Words:
        return bits.union(known, bits.look_up(self.xp, self.near, action))

    def prepare_values(self) -> None:
        """Nothing is looked up."""

    def open_value(self, state: LineBits) -> Array:
        """By what each side threatens: see `PairTheory`."""
        xp, free = self.xp, self.moves(state)
        ours = bits.some(self._threats(state.mine, state.mine_known, free))
        theirs = bits.size(xp, self._threats(state.theirs, state.theirs_known, free))
        value = xp.where(ours | (theirs < 2), 1, -1)
        held, mine = bits.size(xp, state.theirs), bits.size(xp, state.mine)
        return xp.where(held < 2, xp.where(held == mine, 1, -1), value)

    def _threats(self, held: Words, known: Words, free: Words) -> Words:
        xp = self.xp
        none = bits.filled(xp, [0] * self.words, ())
        threats = bits.chosen(xp, bits.some(bits.meet(known, held)), free, bits.meet(known, free))
        return bits.chosen(xp, bits.size(xp, held) >= 2, threats, none)


class ChainRules(LineRules):
    """Three numbers, each dividing the next.

    Known: which numbers held are multiples of another, and which are divisors of another.
    """

    sets = 2

    def wins(self, held: Words, known: Words, action: Array) -> Array:
        below, above = self._beside(held, action)
        tops, bottoms = known[: self.words], known[self.words :]
        extends = bits.some(bits.meet(below, tops)) | bits.some(bits.meet(above, bottoms))
        return extends | (bits.some(below) & bits.some(above))

    def learnt(self, held: Words, known: Words, action: Array) -> Words:
        xp = self.xp
        below, above = self._beside(held, action)
        tops, bottoms = (
            bits.union(known[: self.words], above),
            bits.union(known[self.words :], below),
        )
        here = bits.single(xp, action, self.words)
        tops = bits.chosen(xp, bits.some(below), bits.union(tops, here), tops)
        bottoms = bits.chosen(xp, bits.some(above), bits.union(bottoms, here), bottoms)
        return tops + bottoms

    def _beside(self, held: Words, action: Array) -> tuple[Words, Words]:
        """The divisors of a number among those held, and its multiples."""
        below = bits.look_up(self.xp, self.below, action)
        above = bits.look_up(self.xp, self.above, action)
        return bits.meet(held, below), bits.meet(held, above)
