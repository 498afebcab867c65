"""The graph of the walk: each number joined to its proper multiples and divisors.

Plain Python over flat arrays, loaded a second time by `solver.compiled` for the large sizes.
"""

from __future__ import annotations

from typing import Any


def count_neighbours(size: int, offsets: Any) -> None:
    """Fill `offsets`, which has size + 2 places: the neighbours of v begin at offsets[v]."""
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
