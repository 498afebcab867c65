"""The reference solver, which solves any small game and is short enough to check by eye.

This is retrograde analysis: collect every position that play can reach, then work backward from the
positions in which the game is over. A position is won if some move leads to a position that is lost
for the opponent, and lost if every move leads to a position that is won for the opponent. Positions
are settled in order of their distance, so the first winning move found is the quickest one, and the
last losing move found is the slowest one.

In a position that is never settled, the mover has a move to another such position, and every other
move loses. Such an undecided position is a draw if each player can force the game to end, and
otherwise it is endless. docs/theory.md has the proof.
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
"""The positions in which a seat can force a draw, each with the round in which it was found."""


def retrograde(game: Game[P], start: P, most: int = MAX_EXPLORED_POSITIONS) -> dict[P, Verdict]:
    """Return the verdict of every position that play can reach. Raises `TooLarge` above `most`."""
    return analyse(game, start, most)[0]


def analyse(
    game: Game[P], start: P, most: int = MAX_EXPLORED_POSITIONS
) -> tuple[dict[P, Verdict], Ranks[P], Ranks[P]]:
    """Return the verdict of every position that play can reach, and the ranks of each seat."""
    children = reachable(game, [start], most)
    parents = _parents(children)
    verdicts = {
        position: ended_verdict(outcome, position.mover)
        for position in children
        if (outcome := game.outcome(position)) is not None
    }
    drawn = [position for position, verdict in verdicts.items() if verdict.value == "draw"]
    for position in drawn:
        del verdicts[position]  # nobody wins there, so the position is undecided at first
    _settle(verdicts, children, parents)
    undecided = {
        position: [child for child in following if child not in verdicts]
        for position, following in children.items()
        if position not in verdicts
    }
    undecided_parents = _parents(undecided)
    first, second = (_forced_draws(seat, drawn, undecided, undecided_parents) for seat in (1, 2))
    verdicts |= dict.fromkeys(undecided, Verdict("endless"))
    verdicts |= _draws(drawn, first.keys() & second.keys(), undecided_parents)
    return verdicts, first, second


def _parents(children: Mapping[P, Iterable[P]]) -> dict[P, list[P]]:
    parents: dict[P, list[P]] = {position: [] for position in children}
    for position, following in children.items():
        for child in following:
            parents[child].append(position)
    return parents


def _settle(
    verdicts: dict[P, Verdict], children: Mapping[P, list[P]], parents: Mapping[P, list[P]]
) -> None:
    """Add the verdicts of all won and lost positions, working backward from `verdicts`."""
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


def _draws(drawn: list[P], forced: Set[P], parents: Mapping[P, list[P]]) -> dict[P, Verdict]:
    """Return the verdicts of draws. The distance is that of play in which both aim for the end."""
    found = {position: Verdict("draw", 0) for position in drawn}
    waiting = deque(drawn)
    while waiting:
        child = waiting.popleft()
        for position in parents[child]:
            if position in forced and position not in found:
                found[position] = found[child].before(child.mover == position.mover)
                waiting.append(position)
    return found


def _forced_draws(
    seat: int, drawn: list[P], children: Mapping[P, list[P]], parents: Mapping[P, list[P]]
) -> Ranks[P]:
    """Return the positions in which a seat can force the game to end in a draw."""
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
    """The theory of a game that has no theory of its own."""

    @cached_property
    def _known(self) -> dict[P, Verdict]:
        return {}

    def solve(self, position: P) -> Verdict:
        if position not in self._known:
            found = retrograde(self.game, position)
            if len(self._known) + len(found) > MAX_EXPLORED_POSITIONS:
                self._known.clear()  # to bound the memory
            self._known.update(found)
        return self._known[position]

    def cost(self, position: P) -> Cost:
        count = self._game_size or self._count_from(position)
        return CHEAP._replace(once=2e-5 * count)

    @cached_property
    def _game_size(self) -> int | None:
        """The number of positions of the game; None if there are too many to count."""
        count = self._count_from(self.game.begin(1))
        return count if count <= MAX_COUNTED_POSITIONS else None

    def _count_from(self, position: P) -> int:
        """Return the number of positions after this one, or a large number if there are many."""
        try:
            return len(reachable(self.game, [position], MAX_COUNTED_POSITIONS))
        except TooLarge:
            return MAX_EXPLORED_POSITIONS
