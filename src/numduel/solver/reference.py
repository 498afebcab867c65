"""The reference solver: short enough to check by eye, for any game, for small ones only.

Retrograde analysis: gather every position that can be reached, then work back from the ends. A
position is won as soon as one move leads to a position lost for the opponent, and lost once every
move leads to a position won for the opponent. Positions are settled in order of their distance,
so the first winning move found is the quickest, and the last losing move found the slowest. What
is never settled is endless.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property

from numduel.core.errors import TooLarge
from numduel.core.game import Game, P
from numduel.core.theory import Theory, Verdict, ended_verdict

MOST_POSITIONS = 200_000


def retrograde(game: Game[P], start: P, most: int = MOST_POSITIONS) -> dict[P, Verdict]:
    """The verdict of every position that can be reached from `start`."""
    children = _reachable(game, start, most)
    parents: dict[P, list[P]] = {position: [] for position in children}
    for position, following in children.items():
        for child in following:
            parents[child].append(position)

    verdicts: dict[P, Verdict] = {}
    unsettled = {position: len(following) for position, following in children.items()}
    settled: deque[P] = deque()
    for position in children:
        outcome = game.outcome(position)
        if outcome is not None and outcome.winner is not None:
            verdicts[position] = ended_verdict(outcome, position.mover)
            settled.append(position)
    while settled:
        child = settled.popleft()
        for position in parents[child]:
            verdict = verdicts[child].before(child.mover == position.mover)
            unsettled[position] -= 1
            if position in verdicts:
                continue
            if verdict.value == "win" or unsettled[position] == 0:
                verdicts[position] = verdict
                settled.append(position)
    return {position: verdicts.get(position, Verdict("endless")) for position in children}


def _reachable(game: Game[P], start: P, most: int) -> dict[P, list[P]]:
    children: dict[P, list[P]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position in children:
            continue
        if len(children) >= most:
            raise TooLarge(f"more than {most:,} positions can be reached")
        following = [game.after(position, move) for move in game.moves(position)]
        children[position] = following
        waiting += following
    return children


class Reference(Theory[P]):
    """The theory of a game that brings none: everything, from wherever it is asked."""

    @cached_property
    def _known(self) -> dict[P, Verdict]:
        return {}

    def solve(self, position: P) -> Verdict:
        if position not in self._known:
            self._known.update(retrograde(self.game, position))
        return self._known[position]
