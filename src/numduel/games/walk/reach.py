"""Whether some walk leads through just the chosen numbers to where the game stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numduel.games.walk.rules import Multiplicity, Walk

MOST_STEPS = 20_000
"""Steps tried before a walk is taken to exist: to be sure can take for ever."""


def walk_exists(game: Multiplicity, position: Walk) -> bool:
    """Whether the chosen numbers can have been chosen one after the other, the current one last.

    A search with backing up, into the number with the fewest ways on first. It refuses only what
    cannot be; a set so large that the search does not end in time is let pass.
    """
    start = game.begin(position.mover)
    goal = position.number
    steps = 0
    unused = set(position.chosen) - start.chosen

    def ways(number: int) -> list[int]:
        near = [n for n in game.neighbours(number) if n in unused]
        if game.opens_even(start) and len(unused) == count:
            near = [n for n in near if n % 2 == 0]
        near = [n for n in near if n != goal or len(unused) == 1]
        return sorted(near, key=lambda n: -sum(m in unused for m in game.neighbours(n)))

    count = len(unused)
    walked = [start.number]
    waiting = [ways(start.number)]
    while waiting:
        if not unused:
            return True
        steps += 1
        if steps > MOST_STEPS:
            return True
        if waiting[-1]:
            step = waiting[-1].pop()
            unused.remove(step)
            walked.append(step)
            waiting.append(ways(step))
        else:
            waiting.pop()
            back = walked.pop()
            if walked:
                unused.add(back)
    return False
