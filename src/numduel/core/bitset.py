"""Sets of numbers as bits of words in arrays: one set, or a million at once.

A set is a tuple of arrays of one shape, its words. Bit i of all the words together says whether
the number i is in the set. `Bitsets` works with every array library that has NumPy's names.
`NumpyBitsets` overrides what NumPy can do faster in another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from struct import unpack
from typing import Any

Array = Any
Bitset = tuple[Array, ...]


def union(one: Bitset, two: Bitset) -> Bitset:
    """Return the numbers that are in either set.

    >>> union((0b0110,), (0b0011,))
    (7,)
    """
    return tuple(a | b for a, b in zip(one, two, strict=True))


def intersection(one: Bitset, two: Bitset) -> Bitset:
    """Return the numbers that are in both sets.

    >>> intersection((0b0110,), (0b0011,))
    (2,)
    """
    return tuple(a & b for a, b in zip(one, two, strict=True))


def difference(one: Bitset, two: Bitset) -> Bitset:
    """Return the numbers that are in the first set only.

    >>> difference((0b0110,), (0b0011,))
    (4,)
    """
    return tuple(a & ~b for a, b in zip(one, two, strict=True))


def nonempty(words: Bitset) -> Array:
    """Return whether the set has any members.

    >>> nonempty((0, 1)), nonempty((0, 0))
    (True, False)
    """
    return reduce(or_, words) != 0


class Bitsets:
    """Sets of the numbers 0 to `count` - 1, in words of 32 bits, as arrays of the library `xp`.

    >>> import numpy
    >>> sets = Bitsets(numpy, 40)
    >>> evens = sets.constant(range(0, 40, 2))
    >>> int(sets.size(evens)), sets.members(difference(evens, sets.constant(range(36))))
    (20, [36, 38])
    """

    word_bits = 32

    def __init__(self, xp: Any, count: int) -> None:
        self.xp = xp
        self.count = count
        self.words = max(1, -(-count // self.word_bits))
        self.word_type = getattr(xp, f"uint{self.word_bits}")

    # Making sets.

    def constant(self, numbers: Iterable[int], shape: tuple[int, ...] = ()) -> Bitset:
        """Return arrays of the given shape that hold this set at every index."""
        return tuple(self.xp.full(shape, word, self.word_type) for word in self._packed(numbers))

    def table(self, sets: Iterable[Iterable[int]]) -> Bitset:
        """Return a table of these sets, for `look_up`."""
        rows = zip(*map(self._packed, sets), strict=True)
        return tuple(self.xp.asarray(row, self.word_type) for row in rows)

    def look_up(self, table: Bitset, index: Array) -> Bitset:
        """Return the set that the table has at each index."""
        return tuple(self.xp.take(words, index, mode="clip") for words in table)

    def single(self, number: Array) -> Bitset:
        """Return the sets that have these numbers as their only members."""
        xp, bits = self.xp, self.word_bits
        one = xp.asarray(1, self.word_type)
        if self.words == 1:
            return (one << number.astype(self.word_type),)
        one = one << (number & bits - 1).astype(self.word_type)
        word = number >> bits.bit_length() - 1
        return tuple(self.masked((one,), word == k)[0] for k in range(self.words))

    def where(self, condition: Array, one: Bitset, two: Bitset) -> Bitset:
        """Return the first set if the condition holds, else the second."""
        return tuple(self.select(condition, a, b) for a, b in zip(one, two, strict=True))

    def masked(self, words: Bitset, condition: Array) -> Bitset:
        """Return the set if the condition holds, else the empty set."""
        return tuple(self.xp.where(condition, word, 0) for word in words)

    def select(self, condition: Array, one: Array, two: Array) -> Array:
        """Return the first whole number if the condition holds, else the second."""
        return self.xp.where(condition, one, two)

    def _packed(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """Return the words of a set."""
        letter, size = {8: "B", 16: "H", 32: "I", 64: "Q"}[self.word_bits], self.word_bits // 8
        bits = 0
        for number in numbers:
            bits |= 1 << number
        return unpack(f"<{self.words}{letter}", bits.to_bytes(self.words * size, "little"))

    # Reading sets.

    def size(self, words: Bitset) -> Array:
        """Return the number of members of the set."""
        first, *others = self._counts(words)
        return sum(others, first)

    def members(self, words: Bitset) -> list[int]:
        """Return the members of a single set in ascending order."""
        bits = self.word_bits
        return [
            bits * k + i
            for k, word in enumerate(map(int, words))
            for i in range(word.bit_length())
            if word >> i & 1
        ]

    def flags(self, words: Bitset, offset: int = 0) -> Array:
        """Return whether each number is in the set, along an additional last axis.

        The flags come after `offset` times False. Each number has its bit in exactly one word, so
        no word needs to be shifted or selected.
        """
        xp, found = self.xp, self.xp.asarray(0, self.word_type)
        rows = zip(*(self._packed([number]) for number in range(self.count)), strict=True)
        for word, row in zip(words, rows, strict=True):
            found = found | word[..., None] & xp.asarray([0] * offset + list(row), self.word_type)
        return found != 0

    def vectors(
        self, dtype: Any, first: Sequence[Array], ones: Bitset, twos: Bitset | Array
    ) -> Array:
        """Return vectors along an additional last axis: the `first` values, then a cell a number.

        The cell is the sum of 1 if the number is in `ones` and 2 if it is in `twos`. `twos` is a
        set, or an array of the only members of sets.
        """
        xp, offset, length = self.xp, len(first), len(first) + self.count
        if isinstance(twos, tuple):
            in_twos = self.flags(twos, offset)
        else:
            narrow = xp.int8 if length <= 1 << 7 else xp.int16  # more values fit into a register
            column = xp.arange(length, dtype=narrow)
            in_twos = column == (twos + offset).astype(narrow)[..., None]
        cells = self.flags(ones, offset).astype(dtype) + xp.where(in_twos, 2, 0).astype(dtype)
        column = xp.arange(length, dtype=xp.int32)
        for index, value in enumerate(first):
            cells = xp.where(column == index, value[..., None].astype(dtype), cells)
        return cells

    def _counts(self, words: Bitset) -> list[Array]:
        return [self.xp.bitwise_count(word).astype(self.xp.uint32) for word in words]

    def pick(self, words: Bitset, chance: Array) -> Array:
        """Return a random member of each set, given 32 random bits for each.

        All members of a set are equally likely. The method is rank and select.
        """
        xp, bits = self.xp, self.word_bits
        counts = self._counts(words)
        total = sum(counts[1:], counts[0])
        rank = ((chance >> 16) * total + ((chance & 0xFFFF) * total >> 16)) >> 16  # below the total
        word, held, place = words[0], counts[0], xp.zeros_like(rank)
        for k in range(1, len(words)):
            later = rank >= held
            rank = rank - xp.where(later, held, 0)
            word, held = xp.where(later, words[k], word), xp.where(later, counts[k], held)
            place = xp.where(later, bits * k, place)
        half = bits // 2
        while half:
            held = xp.bitwise_count(word & ((1 << half) - 1)).astype(xp.uint32)
            later = rank >= held
            rank = rank - xp.where(later, held, 0)
            word = xp.where(later, word >> half, word)
            place = place + xp.where(later, half, 0)
            half //= 2
        return place.astype(xp.int32)


class NumpyBitsets(Bitsets):
    """Sets as arrays of NumPy, in the narrowest words that hold a set, of 8 to 64 bits.

    >>> import numpy
    >>> NumpyBitsets(numpy, 12).word_bits, NumpyBitsets(numpy, 40).word_bits
    (16, 64)
    """

    def __init__(self, xp: Any, count: int) -> None:
        self.word_bits = next((bits for bits in (8, 16, 32) if count <= bits), 64)
        super().__init__(xp, count)

    # NumPy's `where` branches for each number, which is slower than this arithmetic.

    def select(self, condition: Array, one: Array, two: Array) -> Array:
        if isinstance(one, int) and isinstance(two, int):
            condition = condition.view("int8")  # otherwise the results would have 64 bits
        return two + (one - two) * condition

    def masked(self, words: Bitset, condition: Array) -> Bitset:
        return tuple(word * condition for word in words)

    def flags(self, words: Bitset, offset: int = 0) -> Array:
        rows = self._bits(words, offset)
        return self._trimmed(rows, words[0].shape, offset + self.count).view(bool)

    def vectors(
        self, dtype: Any, first: Sequence[Array], ones: Bitset, twos: Bitset | Array
    ) -> Array:
        offset, length, shape = len(first), len(first) + self.count, ones[0].shape
        cells = self._bits(ones, offset)
        if isinstance(twos, tuple):
            doubled = self._bits(twos, offset)
            doubled += doubled
            cells += doubled
        cells = self._trimmed(cells, shape, length)
        if not isinstance(twos, tuple):
            rows = self.xp.arange(0, cells.size, length).reshape(shape)
            cells.reshape(-1)[rows + twos + offset] += 2
        for index, value in enumerate(first):
            cells[..., index] = value
        return cells.astype(dtype, copy=False)

    def _bits(self, words: Bitset, offset: int) -> Array:
        """Return rows of bytes: `offset` zeros, then the bits. The rows may be too long."""
        xp, width = self.xp, self.word_bits
        if offset:
            shifted = [word << offset for word in words]
            if offset + self.count > width * len(words):
                shifted.append(words[-1] >> width - offset)
            for k in range(1, len(words)):
                shifted[k] |= words[k - 1] >> width - offset
            words = tuple(shifted)
        if len(words) == 1:
            packed = xp.ascontiguousarray(words[0]).reshape(-1)
            return xp.unpackbits(packed.view("uint8"), bitorder="little").reshape(-1, width)
        packed = xp.stack(words, axis=-1).reshape(-1, len(words)).view("uint8")
        return xp.unpackbits(packed, axis=1, count=offset + self.count, bitorder="little")

    def _trimmed(self, rows: Array, shape: tuple[int, ...], length: int) -> Array:
        """Return rows of this length. Copying each row as one item is quicker than as bytes."""
        items = self.xp.ndarray(len(rows), f"V{length}", rows, 0, rows.strides[:1])
        if rows.shape[1] > length:
            items = items.copy()
        return items.view("uint8").reshape(*shape, length)
