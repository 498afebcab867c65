"""All that is left to chance in a game, drawn from its seed.

The numbers are those of the generator SplitMix64 (Steele, Lea and Flood, 2014): a counter, and a
function that mixes its bits. It begins in a microsecond, where Python's own generator takes twenty,
and every turn begins one. The functions take whole numbers, or NumPy arrays of type uint64.
"""

from __future__ import annotations

from random import Random
from typing import Any

_ALL_BITS = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15


class Chance(Random):
    """The chance of one turn."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Begin with this counter. Called once, when the object is made."""
        self._counter = a

    def getstate(self) -> Any:
        """Return the counter; with `setstate`, chance goes on in another process."""
        return self._counter

    def setstate(self, state: Any) -> None:
        """Go on from a counter."""
        self._counter = state

    def random(self) -> float:
        """Return a number from 0 to 1, without 1."""
        fraction: float = _as_fraction(self._next())
        return fraction

    def getrandbits(self, k: int, /) -> int:
        """Return so many random bits as a number."""
        found = 0
        for _ in range(-(-k // 64)):
            found = found << 64 | self._next()
        return found >> -k % 64

    def _next(self) -> int:
        self._counter = self._counter + _STEP & _ALL_BITS
        bits: int = _mixed(self._counter)
        return bits


def chance(seed: int, round_number: int, moves: int) -> Random:
    """Return the chance of the turn after so many moves of a round.

    It is the same wherever the game is played, and again after an undo or a resume.
    """
    return Chance(_counter(seed & _ALL_BITS, round_number, moves))


def first_fraction(seed: Any, round_number: Any, moves: Any) -> Any:
    """Return what `chance(...).random()` gives first, also for arrays of seeds and moves."""
    return _as_fraction(_mixed(_counter(seed, round_number, moves) + _STEP & _ALL_BITS))


def next_seed(seed: Any) -> Any:
    """Return a seed for the game after one with this seed, where none is given."""
    return _mixed((seed & _ALL_BITS) + _STEP & _ALL_BITS)


def coin(seed: Any) -> Any:
    """Return the seat that a coin decides on."""
    return 1 + seed % 2


def _counter(seed: Any, round_number: Any, moves: Any) -> Any:
    return _mixed(_mixed(_mixed(seed) + round_number & _ALL_BITS) + moves & _ALL_BITS)


def _mixed(bits: Any) -> Any:
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & _ALL_BITS
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & _ALL_BITS
    return bits ^ bits >> 31


def _as_fraction(bits: Any) -> Any:
    return (bits >> 11) * 2.0**-53
