"""Sets of numbers in arrays, one row a set: as bits of 64 at a time, the lowest for 1, or spread.

The bits of a set of numbers up to 64 are one word, so that a rule is one operation on it.
"""

from __future__ import annotations

from typing import Any


def packed(xp: Any, spread: Any) -> Any:
    """The bits of sets that are given spread: of each number whether it is in."""
    count, size = spread.shape
    room = xp.zeros((count, -(-size // 64) * 64), bool)
    room[:, :size] = spread
    return xp.packbits(room, axis=1, bitorder="little").view("uint64")


def spread(xp: Any, bits: Any, size: int) -> Any:
    """Of each number up to `size` whether it is in, as 0 or 1 in a byte."""
    return xp.unpackbits(bits.view("uint8"), axis=1, count=size, bitorder="little")


def some(bits: Any) -> Any:
    """Of each set whether anything is in it."""
    return bits[:, 0] != 0 if bits.shape[1] == 1 else bits.any(axis=1)


def listed(xp: Any, bits: Any, size: int) -> frozenset[int]:
    """The numbers of one set."""
    return frozenset((xp.flatnonzero(spread(xp, bits[None], size)) + 1).tolist())


def multiples(xp: Any, size: int) -> Any:
    """Of each number, the set of its proper multiples, spread."""
    found = xp.zeros((size, size), bool)
    for number in range(1, size + 1):
        found[number - 1, 2 * number - 1 :: number] = True
    return found
