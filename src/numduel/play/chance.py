"""The random numbers of a game, drawn from its seed.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): a counter, and a function that mixes its
bits. Every turn creates a generator, which takes a microsecond; one of Python's takes twenty. The
functions take whole numbers, or NumPy arrays of type uint64.
"""

from __future__ import annotations

from random import Random
from typing import Any

_ALL_BITS = 2**64 - 1
_INCREMENT = 0x9E3779B97F4A7C15


class Chance(Random):
    """The random generator of one turn."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Set the counter. It is called once, when the object is created."""
        self._counter = a

    def getstate(self) -> Any:
        """Return the counter, with which `setstate` goes on in another process."""
        return self._counter

    def setstate(self, state: Any) -> None:
        """Set the counter to one that `getstate` has returned."""
        self._counter = state

    def random(self) -> float:
        """Return a number of at least 0 and less than 1."""
        return float(_as_fraction(self._next()))

    def getrandbits(self, k: int, /) -> int:
        """Return a number of `k` random bits."""
        bits = 0
        for _ in range(-(-k // 64)):
            bits = bits << 64 | self._next()
        return bits >> -k % 64

    def _next(self) -> int:
        self._counter = self._counter + _INCREMENT & _ALL_BITS
        return int(_mixed(self._counter))


def chance(seed: int, round_number: int, moves: int) -> Random:
    """Return the random generator of the turn after this number of moves of a round.

    It is the same wherever the game is played, also after an undo or a resume.
    """
    return Chance(_counter(seed & _ALL_BITS, round_number, moves))


def first_fraction(seed: Any, round_number: Any, moves: Any) -> Any:
    """Return the first `chance(...).random()`, also for arrays of seeds and moves."""
    return _as_fraction(_mixed(_counter(seed, round_number, moves) + _INCREMENT & _ALL_BITS))


def next_seed(seed: Any) -> Any:
    """Return the seed of the next game after one with this seed, if none is given."""
    return _mixed((seed & _ALL_BITS) + _INCREMENT & _ALL_BITS)


def coin(seed: Any) -> Any:
    """Return the seat that a coin toss with this seed decides on."""
    return 1 + seed % 2


def _counter(seed: Any, round_number: Any, moves: Any) -> Any:
    return _mixed(_mixed(_mixed(seed) + round_number & _ALL_BITS) + moves & _ALL_BITS)


def _mixed(bits: Any) -> Any:
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & _ALL_BITS
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & _ALL_BITS
    return bits ^ bits >> 31


def _as_fraction(bits: Any) -> Any:
    return (bits >> 11) * 2.0**-53
