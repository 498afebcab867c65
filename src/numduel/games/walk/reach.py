"""Whether some walk leads through just the chosen numbers to where the game stands."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING

from numduel.games.divisors import multiples_among

if TYPE_CHECKING:
    from numduel.games.walk.rules import Multiplicity, Walk

MOST_LOOKS = 10_000
"""Ways looked at before a walk is taken to exist: to be sure can take for ever."""


def walk_exists(game: Multiplicity, position: Walk) -> bool:
    """Whether the chosen numbers can have been chosen one after the other, the current one last.

    A search with backing up, to the number with the fewest ways on first. It refuses only what
    cannot be; a set so large that the search does not end in time is let pass.
    """
    start, last = game.begin(position.mover), position.number
    joined = _joined(position.chosen)
    unused = set(position.chosen - start.chosen)
    opening = {number for number in unused if game.allows(start, number)}
    beside = set() if start.chosen else opening  # the start, left open, is beside the graph
    if any(len(joined[n]) + (n in beside) < 2 for n in unused if n != last):
        return False  # each number on the way has one before it and one after it

    def ways(near: Iterable[int]) -> list[int]:
        near = [n for n in near if n in unused and (n != last or len(unused) == 1)]
        return sorted(near, key=lambda n: sum(m in unused for m in joined[n]), reverse=True)

    looks = 0
    walked: list[int] = []
    waiting = [ways(opening)]
    while unused and looks < MOST_LOOKS:
        if waiting[-1]:
            walked.append(waiting[-1].pop())
            unused.remove(walked[-1])
            looks += len(joined[walked[-1]])
            waiting.append(ways(joined[walked[-1]]))
        elif walked:
            waiting.pop()
            unused.add(walked.pop())
        else:
            return False
    return True


def _joined(numbers: Set[int]) -> dict[int, list[int]]:
    """Each number with those of the others that divide it or that it divides."""
    joined: dict[int, list[int]] = {number: [] for number in numbers}
    highest = max(numbers)
    for number in numbers:
        for multiple in multiples_among(number, numbers, highest):
            joined[number].append(multiple)
            joined[multiple].append(number)
    return joined
