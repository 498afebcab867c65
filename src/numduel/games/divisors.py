"""The divisors of a number."""

from __future__ import annotations

from math import isqrt


def proper_divisors(number: int) -> list[int]:
    """The divisors of a number that are less than it, ascending.

    >>> proper_divisors(12)
    [1, 2, 3, 4, 6]
    """
    low = [divisor for divisor in range(1, isqrt(number) + 1) if number % divisor == 0]
    high = [number // divisor for divisor in reversed(low) if divisor * divisor != number]
    return [*low, *high][:-1]
