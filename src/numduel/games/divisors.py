"""The divisors of a number, and its multiples."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from math import isqrt


@lru_cache(maxsize=16_384)
def proper_divisors(number: int) -> tuple[int, ...]:
    """Return the divisors of a number that are less than it, ascending.

    >>> proper_divisors(12)
    (1, 2, 3, 4, 6)
    """
    low = [divisor for divisor in range(1, isqrt(number) + 1) if number % divisor == 0]
    high = [number // divisor for divisor in reversed(low) if divisor * divisor != number]
    return (*low, *high)[:-1]


def divisors_among(number: int, numbers: Collection[int]) -> list[int]:
    """Return those of some numbers that are proper divisors of a number, ascending.

    >>> divisors_among(12, {3, 4, 8, 12})
    [3, 4]
    """
    if isqrt(number) < len(numbers):
        return [one for one in proper_divisors(number) if one in numbers]
    return sorted(one for one in numbers if one < number and number % one == 0)


def multiples_among(number: int, numbers: Collection[int], highest: int) -> list[int]:
    """Return the proper multiples of a number among some numbers up to `highest`, ascending.

    >>> multiples_among(4, {3, 4, 6, 8, 12}, 12)
    [8, 12]
    """
    if highest // number < len(numbers):
        return [one for one in range(2 * number, highest + 1, number) if one in numbers]
    return sorted(one for one in numbers if one > number and one % number == 0)
