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
    can be reached, adding one reaches all of the window above. Window 2k or 2k + 1 is entered by
    doubling in window k, and only so: the binary digits of a window say the way to it. `lowest`
    is the lowest number reached, counted from the beginning of its window.
    """
    if number == start:
        return True
    first, lowest = divmod(start, goal)
    window, place = divmod(number, goal)
    further = window.bit_length() - first.bit_length()
    if place == 0 or further < 0 or window >> further != first:
        return False  # the game ends there, or doubling jumps over the window of the start
    lowest = max(lowest, 1)
    for digit in f"{window:b}"[-further:] if further else "":
        lowest = 2 * lowest if digit == "0" else max(2 * lowest - goal, 2 - goal % 2)
        if lowest >= goal:
            return False
    return place >= lowest
