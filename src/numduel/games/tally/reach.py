"""Which numbers play can come to, and go on from."""

from __future__ import annotations

from collections.abc import Sequence

from numduel.games.tally.operations import Operation


def reached_numbers(start: int, operations: Sequence[Operation], goal: int, top: int) -> bytearray:
    """For each number up to `top` whether play comes to it and goes on, for any menu."""
    found = bytearray(top + 1)
    found[start] = 1
    waiting = [start]
    while waiting:
        number = waiting.pop()
        for operation in operations:
            result = operation.step(number)
            if 1 <= result <= top and result % goal and not found[result]:
                found[result] = 1
                waiting.append(result)
    return found


def comes_to(number: int, start: int, goal: int) -> bool:
    """Whether adding one and doubling lead from `start` to a number, past no multiple of `goal`.

    Window k holds the numbers between k * goal and (k + 1) * goal. From its lowest number that
    can be reached, adding one reaches all of the window above. It is entered by doubling, from
    window k // 2. So the lowest of a window follows from that of the window of half its number.
    """
    if number == start:
        return True
    window = number // goal
    first = start // goal
    if window < first or number % goal == 0:
        return False
    windows = []
    while window > first:
        windows.append(window)
        window //= 2
    if window < first:
        return False  # doubling jumps over the window that the start is in
    lowest = start if start % goal else start + 1
    for window in reversed(windows):
        lowest = 2 * max(lowest, window * goal // 2 + 1)
        if lowest >= (window + 1) * goal:
            return False
    return number >= lowest
