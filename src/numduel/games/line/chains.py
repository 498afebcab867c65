"""Chains of three on a line, for the search; sets of numbers are bit masks."""

from __future__ import annotations

from functools import cache

from numduel.games.divisors import proper_divisors
from numduel.solver.claims import bits, mask


class Chains:
    """What makes a chain on a line of so many numbers."""

    def __init__(self, size: int) -> None:
        self.board = (2 << size) - 2
        self._size = size
        self._below = cache(self._divisors)
        self._above = cache(self._multiples)

    def made(self, held: int, claim: int) -> int:
        """What completes a chain with a number claimed and one held."""
        number = claim.bit_length() - 1
        below, above = self._below(number), self._above(number)
        found = 0
        for one in bits(held & below):
            other = one.bit_length() - 1
            found |= self._below(other) | self._above(other) & below | above
        for one in bits(held & above):
            other = one.bit_length() - 1
            found |= self._above(other) | self._below(other) & above | below
        return found

    def near(self, claim: int) -> int:
        """The numbers that are related to one."""
        number = claim.bit_length() - 1
        return self._below(number) | self._above(number)

    def matters(self, claim: int, mine: int, theirs: int) -> bool:
        """Whether some chain with that number does not hold numbers of both sides."""
        number = claim.bit_length() - 1
        return self._in_chain(number, ~mine) or self._in_chain(number, ~theirs)

    def _in_chain(self, number: int, among: int) -> bool:
        """Whether some chain with that number has its others among these."""
        below, above = self._below(number) & among, self._above(number) & among
        if below and above:
            return True
        return any(self._below(one.bit_length() - 1) & among for one in bits(below)) or any(
            self._above(one.bit_length() - 1) & among for one in bits(above)
        )

    def _divisors(self, number: int) -> int:
        return mask(proper_divisors(number))

    def _multiples(self, number: int) -> int:
        found, step = 1 << number, number
        while step <= self._size:
            found |= found << step
            step *= 2
        return found & self.board & ~(1 << number)
