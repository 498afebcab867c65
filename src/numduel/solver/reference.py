"""The reference solver: short enough to check by eye, for any game, for small ones only.

Retrograde analysis: gather every position that can be reached, then work back from the ends. A
position is won as soon as one move leads to a position lost for the opponent, and lost once every
move leads to a position won for the opponent. Positions are settled in order of their distance,
so the first winning move found is the quickest, and the last losing move found the slowest.

Positions that are never settled are undecided: the mover has a move to another undecided position,
and every other move loses. An undecided position is a draw if each player can force the game to
end; the others are endless. docs/theory.md has the proof.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set
from functools import cached_property

from numduel.core.errors import TooLarge
from numduel.core.explore import MAX_EXPLORED_POSITIONS, reachable
from numduel.core.game import Game, P
from numduel.core.theory import CHEAP, Cost, Theory
from numduel.core.verdict import Verdict, ended_verdict

MAX_COUNTED_POSITIONS = 5_000
"""Maximum number of positions that are counted to estimate the cost of solving them."""


Ranks = dict[P, int]
"""The positions in which a seat can force a draw, and in which round."""


def retrograde(game: Game[P], start: P, most: int = MAX_EXPLORED_POSITIONS) -> dict[P, Verdict]:
    """Return the verdict of every position that can be reached from `start`."""
    return analyse(game, start, most)[0]


def analyse(
    game: Game[P], start: P, most: int = MAX_EXPLORED_POSITIONS
) -> tuple[dict[P, Verdict], Ranks[P], Ranks[P]]:
    """Return the verdict of every position that can be reached, and the ranks of each seat."""
    children = reachable(game, [start], most)
    parents = _turned_round(children)
    verdicts = {
        position: ended_verdict(outcome, position.mover)
        for position in children
        if (outcome := game.outcome(position)) is not None
    }
    drawn = [position for position, verdict in verdicts.items() if verdict.value == "draw"]
    for position in drawn:
        del verdicts[position]  # nobody wins there, so they count as undecided at first
    _settle(verdicts, children, parents)
    undecided = {
        position: [child for child in following if child not in verdicts]
        for position, following in children.items()
        if position not in verdicts
    }
    before = _turned_round(undecided)
    first, second = (_forced(seat, drawn, undecided, before) for seat in (1, 2))
    verdicts |= dict.fromkeys(undecided, Verdict("endless"))
    verdicts |= _draws(drawn, first.keys() & second.keys(), before)
    return verdicts, first, second


def _turned_round(children: Mapping[P, Iterable[P]]) -> dict[P, list[P]]:
    parents: dict[P, list[P]] = {position: [] for position in children}
    for position, following in children.items():
        for child in following:
            parents[child].append(position)
    return parents


def _settle(
    verdicts: dict[P, Verdict], children: Mapping[P, list[P]], parents: Mapping[P, list[P]]
) -> None:
    """Add the verdicts of all won or lost positions, working back from those that are over."""
    unsettled = {position: len(following) for position, following in children.items()}
    settled = deque(verdicts)
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


def _draws(drawn: list[P], either: Set[P], parents: Mapping[P, list[P]]) -> dict[P, Verdict]:
    """Return the verdicts of the drawn positions. For the distance, both aim for the draw."""
    found = {position: Verdict("draw", 0) for position in drawn}
    waiting = deque(drawn)
    while waiting:
        child = waiting.popleft()
        for position in parents[child]:
            if position in either and position not in found:
                found[position] = found[child].before(child.mover == position.mover)
                waiting.append(position)
    return found


def _forced(
    seat: int, drawn: list[P], children: Mapping[P, list[P]], parents: Mapping[P, list[P]]
) -> Ranks[P]:
    """Return where a seat can force the game to end in a draw, and in which round."""
    found = dict.fromkeys(drawn, 0)
    left = {position: len(following) for position, following in children.items()}
    waiting = deque(drawn)
    while waiting:
        child = waiting.popleft()
        for position in parents[child]:
            left[position] -= 1
            if position not in found and (position.mover == seat or left[position] == 0):
                found[position] = found[child] + 1
                waiting.append(position)
    return found


class Reference(Theory[P]):
    """The theory of a game that has none of its own."""

    @cached_property
    def _known(self) -> dict[P, Verdict]:
        return {}

    def solve(self, position: P) -> Verdict:
        if position not in self._known:
            found = retrograde(self.game, position)
            if len(self._known) + len(found) > MAX_EXPLORED_POSITIONS:
                self._known.clear()  # keeps the memory bounded
            self._known.update(found)
        return self._known[position]

    def cost(self, position: P) -> Cost:
        count = self._small or self._count(position)
        return CHEAP._replace(once=2e-5 * count)

    @cached_property
    def _small(self) -> int | None:
        """The number of positions of the whole game, if they are few."""
        count = self._count(self.game.begin(1))
        return count if count <= MAX_COUNTED_POSITIONS else None

    def _count(self, position: P) -> int:
        try:
            return len(reachable(self.game, [position], MAX_COUNTED_POSITIONS))
        except TooLarge:
            return MAX_EXPLORED_POSITIONS
