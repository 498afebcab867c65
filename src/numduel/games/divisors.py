"""Divisors and multiples, and the graph that joins each number to both."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from math import isqrt
from typing import Any


@lru_cache(maxsize=16_384)
def proper_divisors(number: int) -> tuple[int, ...]:
    """Return the divisors of a number except for itself, ascending.

    >>> proper_divisors(12)
    (1, 2, 3, 4, 6)
    """
    low = [divisor for divisor in range(1, isqrt(number) + 1) if number % divisor == 0]
    high = [number // divisor for divisor in reversed(low) if divisor * divisor != number]
    return (*low, *high)[:-1]


def divisors_among(number: int, numbers: Collection[int]) -> list[int]:
    """Return the proper divisors of `number` that are among `numbers`, ascending.

    >>> divisors_among(12, {3, 4, 8, 12})
    [3, 4]
    """
    if isqrt(number) < len(numbers):
        return [one for one in proper_divisors(number) if one in numbers]
    return sorted(one for one in numbers if one < number and number % one == 0)


def multiples_among(number: int, numbers: Collection[int], highest: int) -> list[int]:
    """Return the proper multiples of `number` that are among `numbers`, ascending.

    None of `numbers` may be above `highest`.

    >>> multiples_among(4, {3, 4, 6, 8, 12}, 12)
    [8, 12]
    """
    if highest // number < len(numbers):
        return [one for one in range(2 * number, highest + 1, number) if one in numbers]
    return sorted(one for one in numbers if one > number and one % number == 0)


# The graph, in flat arrays. For large sizes `solver.compiled` loads a compiled copy of these.


def count_neighbours(size: int, offsets: Any) -> None:
    """Fill `offsets`, of size + 2 places, so that the neighbours of v begin at offsets[v]."""
    for number in range(1, size + 1):
        for multiple in range(2 * number, size + 1, number):
            offsets[number + 1] += 1
            offsets[multiple + 1] += 1
    for number in range(1, size + 2):
        offsets[number] += offsets[number - 1]


def list_neighbours(size: int, offsets: Any, targets: Any) -> None:
    """Fill `targets` with the neighbours of each number, ascending."""
    for number in range(1, size + 1):
        for multiple in range(2 * number, size + 1, number):
            targets[offsets[multiple]] = number
            offsets[multiple] += 1
    for number in range(1, size + 1):
        at = offsets[number]
        for multiple in range(2 * number, size + 1, number):
            targets[at] = multiple
            at += 1
        offsets[number] = at
    for number in range(size + 1, 0, -1):
        offsets[number] = offsets[number - 1]
