"""The exact solution of Multiplicity. The proofs are in docs/theory.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from numduel.core.errors import TooLarge
from numduel.core.proof import Proof
from numduel.core.theory import Cost, Theory
from numduel.core.verdict import Value, Verdict
from numduel.games.walk import divisor_graph
from numduel.games.walk.proof import WALKER
from numduel.games.walk.rules import Multiplicity, Walk
from numduel.solver.claims import mask
from numduel.solver.compiled import arrays, compiled
from numduel.solver.forest import Graph
from numduel.solver.geography import Walks
from numduel.solver.lengths import Lengths
from numduel.solver.strategy import Strategies

MOST_PLAIN = 20_000
"""Above this size the compiled solvers serve."""

MOST_LOOKS = 300
"""Positions looked at to find a distance before it counts as not known."""

MOST_LOOKS_FOR_STRATEGY = 20_000
"""Those looked at to write down how a distance comes about."""

LARGEST_FOR_DISTANCE = 300

LARGEST_FOR_LONG_SEARCH = 1_000
"""Up to this size a distance is searched for longer when it is asked for."""

MOST_LOOKS_BY_SIZE = 1_000_000
"""The positions looked at then, times the size: a few seconds."""

LARGEST_CANONICAL = 100_000
"""Up to this size the winning move is the smallest, whatever was asked before."""

LOOKS_FOR_DEAD_ENDS = 30
"""How many moves are tried for a win at once before the matching is asked."""


class MultiplicityTheory(Theory[Walk]):
    """A number is worth stepping to if some maximum matching of the unchosen numbers misses it."""

    game: Multiplicity

    @cached_property
    def _walks(self) -> Walks:
        return Walks(graph(self.game.settings.size))

    def cost(self, position: Walk) -> Cost:
        size = self.game.settings.size
        if size <= MOST_PLAIN:
            values, once = 1e-5 * size, 3e-5 * size
        else:
            values, once = 1e-6 * size, 4 + 1e-5 * size  # numba loads, and may compile
        if size > LARGEST_FOR_DISTANCE:
            return Cost(values, values, values, once)
        distance = 5e-5 * size
        moves = len(self.game.moves(position))
        return Cost(values + distance, values, values + distance * moves, once)

    def solve(self, position: Walk) -> Verdict:
        if self.game.outcome(position) is not None:
            return Verdict("loss", 0)
        value: Value = "win" if self._winning_step(position) else "loss"
        return Verdict(value, self._distance(position, value))

    def distance(self, position: Walk) -> int | None:
        known = self.solve(position).distance
        if known is not None:
            return known
        size = self.game.settings.size
        if size > LARGEST_FOR_LONG_SEARCH:
            raise TooLarge(
                f"distances are searched for up to a size of {LARGEST_FOR_LONG_SEARCH:,}, "
                f"not {size:,}"
            )
        lengths = Lengths(self._walks, self._near, MOST_LOOKS_BY_SIZE // size)
        return lengths.of(mask(self.game.moves(position)), self._open_numbers(position))

    def values(self, position: Walk) -> dict[int, Value]:
        moves = self.game.moves(position)
        winning = self._walks.winning_steps(position.chosen, moves)
        return {move: "win" if move in winning else "loss" for move in moves}

    def evaluate(self, position: Walk) -> dict[int, Verdict]:
        found = {}
        for move, value in self.values(position).items():
            after = self.game.after(position, move)
            distance = self._distance(after, "loss" if value == "win" else "win")
            found[move] = Verdict(value, None if distance is None else distance + 1)
        return found

    def evaluate_many(self, positions: Sequence[Walk]) -> list[dict[int, Verdict]]:
        from numduel.games.walk.bulk import bulk_for

        bulk = bulk_for(self.game, len(positions))
        return super().evaluate_many(positions) if bulk is None else bulk.evaluate(positions)

    def sound_move(self, position: Walk) -> int:
        return self._winning_move(position) or self._late_loss(position, self.game.moves(position))

    def _winning_move(self, position: Walk) -> int:
        """A move that wins, one that ends the game before all; 0 where there is none."""
        for move in islice(self.game.largest_moves(position), LOOKS_FOR_DEAD_ENDS):
            if self._ends(position, move):
                return move  # such numbers are large
        if self.game.settings.size <= LARGEST_CANONICAL:
            moves = self.game.moves(position)
            return min(self._walks.winning_steps(position.chosen, moves), default=0)
        return self._winning_step(position)

    def _late_loss(self, position: Walk, moves: tuple[int, ...]) -> int:
        """Of moves that all lose, one that does not lose at once, if there is one."""
        for move in moves[:LOOKS_FOR_DEAD_ENDS]:
            after = self.game.after(position, move)
            replies = islice(self.game.largest_moves(after), LOOKS_FOR_DEAD_ENDS)
            if not any(self._ends(after, reply) for reply in replies):
                return move
        return moves[0]

    def _ends(self, position: Walk, move: int) -> bool:
        return self.game.outcome(self.game.after(position, move)) is not None

    def _winning_step(self, position: Walk) -> int:
        """Some step that wins, or 0; which one depends on what was asked before."""
        if position.number in position.chosen and not self.game.opens_even(position):
            return self._walks.reply(position.chosen, position.number)
        return self._walks.winning_step(position.chosen, self.game.moves(position))

    def reason(self, position: Walk, move: int) -> str:
        after = self.game.after(position, move)
        if self.game.outcome(after) is not None:
            return f"{move} leaves nothing to choose"
        reply = self._winning_move(after)
        if reply:
            if self._ends(after, reply):
                return f"{move} lets them choose {reply}, which leaves you nothing"
            return f"{move} lets them choose {reply}, its partner: they can answer whatever follows"
        return (
            f"the unchosen numbers pair up without {move}: to whatever they choose next, "
            "you answer with its partner, so you never run out first"
        )

    def pairs(self, position: Walk, move: int) -> tuple[tuple[int, int], ...]:
        after = self.game.after(position, move)
        return self._walks.partners(after.chosen, self.game.moves(after))

    def proofs(self, position: Walk) -> tuple[Proof, ...]:
        moves = self.game.moves(position)
        walker, pairs, apart, parts = self._walks.evidence(position.chosen, moves)
        if walker:
            pairs.append([WALKER, walker])
        found = {"pairs": pairs, "apart": apart, "parts": [p if p[1:] else p[0] for p in parts]}
        value: Value = "win" if walker else "loss"
        matched = Proof("matching", found, distance=False)
        distance = self._distance(position, value)
        if distance is None:
            return (matched,)
        strategies = Strategies(_Ways(self._near))
        state = mask(moves), self._open_numbers(position)
        try:
            wins = strategies.wins(state, distance, mover=walker > 0)
            holds = strategies.holds(state, distance - 1, mover=walker == 0)
        except (_OutOfSight, TooLarge):
            return (matched,)
        return matched, Proof("strategy", {"wins": wins, "holds": holds}, distance=True)

    # Distances, by search where the position is small.

    @cached_property
    def _near(self) -> list[int]:
        return [0, *(mask(self.game.neighbours(n)) for n in range(1, self.game.settings.size + 1))]

    def _distance(self, position: Walk, value: str) -> int | None:
        if self.game.settings.size > LARGEST_FOR_DISTANCE:
            return None
        first = mask(self.game.moves(position))
        return _Distance(self._near).of(first, self._open_numbers(position), value)

    def _open_numbers(self, position: Walk) -> int:
        return (2 << self.game.settings.size) - 2 & ~mask(position.chosen)


def graph(size: int, plain: bool | None = None) -> Graph:
    """The graph of the walk: in lists, or in numpy's arrays where it is large."""
    if size <= MOST_PLAIN if plain is None else plain:
        builder: Any = divisor_graph
        offsets: Any = [0] * (size + 2)
        builder.count_neighbours(size, offsets)
        targets: Any = [0] * offsets[size + 1]
    else:
        numpy, builder = arrays(), compiled(divisor_graph.__name__)
        offsets = numpy.zeros(size + 2, numpy.int64)
        builder.count_neighbours(size, offsets)
        targets = numpy.zeros(offsets[size + 1], numpy.int32)
    builder.list_neighbours(size, offsets, targets)
    return Graph(offsets, targets)


class _OutOfSight(Exception):
    """More positions than we look at."""


class _Distance:
    """How soon a walk can be ended; sets of numbers are bit masks."""

    def __init__(self, near: list[int], most: int = MOST_LOOKS) -> None:
        self.near = near
        self.looks = 0
        self.most = most

    def of(self, steps: int, unused: int, value: str) -> int | None:
        """Moves to the end for a mover with these steps, whose verdict is known."""
        distance = 1 if value == "win" else 0
        try:
            while not (
                self.wins(steps, unused, distance)
                if value == "win"
                else self.loses(steps, unused, distance)
            ):
                distance += 2
        except _OutOfSight:
            return None
        return distance

    def wins(self, steps: int, unused: int, within: int) -> bool:
        """Whether some step leads to a position lost within one move less."""
        while steps:
            step = steps & -steps
            steps ^= step
            rest = unused & ~step
            if self.loses(self.near[step.bit_length() - 1] & rest, rest, within - 1):
                return True
        return False

    def loses(self, steps: int, unused: int, within: int) -> bool:
        """Whether every step leads to a position won within one move less."""
        if not steps:
            return True
        if within < 2:
            return False
        self.looks += 1
        if self.looks > self.most:
            raise _OutOfSight
        while steps:
            step = steps & -steps
            steps ^= step
            rest = unused & ~step
            if not self.wins(self.near[step.bit_length() - 1] & rest, rest, within - 1):
                return False
        return True


_State = tuple[int, int]
"""The steps that the mover can make, and the numbers that are not chosen."""


class _Ways:
    """The same search, as strategies are made from it."""

    def __init__(self, near: list[int]) -> None:
        self._distance = _Distance(near, MOST_LOOKS_FOR_STRATEGY)

    def moves(self, state: _State) -> Iterator[int]:
        steps = state[0]
        while steps:
            yield (steps & -steps).bit_length() - 1
            steps &= steps - 1

    def after(self, state: _State, move: int) -> _State:
        rest = state[1] & ~(1 << move)
        return self._distance.near[move] & rest, rest

    def wins(self, state: _State, within: int) -> bool:
        return within > 0 and self._distance.wins(*state, within)

    def loses(self, state: _State, within: int) -> bool:
        return self._distance.loses(*state, within)
