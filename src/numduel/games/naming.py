"""Other names for the numbers of a board, drawn by a seed, so that nothing gives them away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from random import Random

from numduel.core.errors import TooLarge
from numduel.core.telling import P, Telling

LARGEST = 200
"""A board of more numbers is not disguised: who can go where would be too long to read."""

_CODES = [a + b for a, b in product("BCDFGHJKLMNPQRSTVWXZ", repeat=2)]
_CARDS = [str(number) for number in range(100, 1000)]
_WORDS = [a + b + c + d for a, b, c, d in product("bdfgklmnprstvz", "aeiou", "dklmnrst", "aiou")]


def codes(count: int, rng: Random) -> list[str]:
    """Two letters each."""
    return _drawn(_CODES, count, rng)


def cards(count: int, rng: Random) -> list[str]:
    """Three digits each, which say nothing."""
    return _drawn(_CARDS, count, rng)


def words(count: int, rng: Random) -> list[str]:
    """Words that mean nothing."""
    return _drawn(_WORDS, count, rng)


Naming = Callable[[int, Random], list[str]]


def _drawn(names: list[str], count: int, rng: Random) -> list[str]:
    if count > LARGEST:
        raise TooLarge(f"a board of {count:,} numbers is not disguised, only up to {LARGEST:,}")
    return rng.sample(names, count)


class NamedTelling(Telling[P]):
    """A board whose numbers have other names; `names[0]` is that of the number 1."""

    names: list[str]

    def name(self, number: int) -> str:
        """What a number is called."""
        return self.names[number - 1]

    def listed(self, numbers: Iterable[int]) -> str:
        """Some of them, in the order of their names; `none` for none."""
        return ", ".join(sorted(map(self.name, numbers))) or "none"

    def pairs(self, related: Mapping[int, Iterable[int]]) -> str:
        """Each of them with those it is related to, a line each."""
        lines = (f"{self.name(one)}: {self.listed(others)}" for one, others in related.items())
        return "\n".join(sorted(lines))

    def label(self, position: P, move: int) -> str:
        return self.name(move)

    def read(self, position: P, text: str) -> int | None:
        known = {name.casefold(): number for number, name in enumerate(self.names, 1)}
        return known.get(text.strip().casefold())
