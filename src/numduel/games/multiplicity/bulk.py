"""Many positions of Multiplicity at once, by compiled code on all cores, and many sizes at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any, TypeVar

from numduel.core.array_rules import LOSS, UNKNOWN, WIN, Truth
from numduel.core.theory import FirstMoves
from numduel.core.verdict import Verdict
from numduel.games.multiplicity.reachability import MAX_SEEN_NEIGHBOURS
from numduel.games.multiplicity.rules import Multiplicity, Walk
from numduel.games.multiplicity.theory import (
    MAX_LOOKS_FOR_DISTANCE,
    MAX_PLAIN_SIZE_UNCOMPILED,
    MAX_SIZE_FOR_DISTANCE,
    divisor_graph,
)
from numduel.solver import distance, hamiltonian_path, matching
from numduel.solver.compiled import compile_module, is_installed, require_numpy, thread_count
from numduel.solver.flat_arrays import Graph, PathSearch, new_forest, new_search
from numduel.solver.geography import GrowingWalks

T = TypeVar("T")

MIN_PLAIN_SECONDS = 1.0
"""Time that the plain theory must take before it is worth loading numba."""

ROWS_PER_TASK = 64
"""Number of positions in one task of the thread pool."""


def bulk_for(game: Multiplicity, count: int) -> Bulk | None:
    """Return the solver for `count` positions, or None if the plain theory should solve them."""
    plain_seconds = count * game.theory.cost(game.begin(1)).solve
    if plain_seconds < MIN_PLAIN_SECONDS or game.settings.size > MAX_PLAIN_SIZE_UNCOMPILED:
        return None
    return game.bulk


class Bulk:
    """The solver of many positions of a game. Raises TooLarge if numba is not installed."""

    def __init__(self, game: Multiplicity, load: Callable[[str], Any] = compile_module) -> None:
        self.numpy = require_numpy()
        self.game, self.size = game, game.settings.size
        self.graph = divisor_graph(self.size, plain=False)
        solvers = (matching, distance, hamiltonian_path)
        self.matching, self.distance, self.paths = (load(each.__name__) for each in solvers)

    def evaluate(self, positions: Sequence[Walk]) -> list[dict[int, Verdict]]:
        """Return the verdicts of the moves of each position, like `evaluate`."""

        def work(piece: slice) -> list[dict[int, Verdict]]:
            part = positions[piece]
            used = self._flags([position.chosen for position in part])
            truth = self._truth(used, self._flags([self.game.moves(position) for position in part]))
            return [truth.verdicts(row, self.game.actions) for row in range(len(part))]

        return [verdicts for part in self._share(work, len(positions)) for verdicts in part]

    def truth(self, chosen: Any, legal: Any) -> Truth:
        """Return the verdict of each move. The arrays have a row a position and a flag a number."""

        def work(piece: slice) -> Truth:
            return self._truth(self._padded(chosen[piece]), self._padded(legal[piece]))

        parts = self._share(work, len(chosen))
        return Truth(*(self.numpy.concatenate(each) for each in zip(*parts, strict=True)))

    def can_reach(self, positions: Sequence[Walk]) -> list[bool]:
        known = [self.game.quick_can_reach(position) for position in positions]
        open_cases = [place for place, answer in enumerate(known) if answer is None]

        def work(piece: slice) -> list[bool]:
            return self._walk_exists([positions[place] for place in open_cases[piece]])

        answers = (answer for part in self._share(work, len(open_cases)) for answer in part)
        return [next(answers) if answer is None else answer for answer in known]

    # One task of the thread pool.

    def _truth(self, used: Any, legal: Any) -> Truth:
        """Return the verdict of each legal move, by a maximum matching of the unused numbers."""
        labels = self.numpy.zeros(used.shape, "int8")
        forest = new_forest(False, self.size + 2)
        self.matching.match_and_label_each(self.graph, used, forest, labels)
        distances = self.numpy.full(used.shape, UNKNOWN, "int32")
        if self.size <= MAX_SIZE_FOR_DISTANCE:
            search = new_search(self.graph)
            self.distance.distance_each(
                self.graph, used, legal, labels, search, MAX_LOOKS_FOR_DISTANCE, distances
            )
        values = self.numpy.where(labels == matching.OUTER, WIN, LOSS)
        values = self.numpy.where(legal, values, UNKNOWN).astype("int8")
        return Truth(values[:, 1:-1], distances[:, 1:-1])

    def _walk_exists(self, positions: Sequence[Walk]) -> list[bool]:
        start = self.game.begin(1)
        members = self._flags([position.chosen - start.chosen for position in positions])
        first = self._flags([self.game.moves(start)])[0]
        lasts = self.numpy.array([position.number for position in positions], "int32")
        edges = len(self.graph.targets)
        part = Graph(self._places("int64"), self._places(more=edges))
        used, ways, walked, begins = (self._places() for _ in range(4))
        search = PathSearch(used, ways, walked, begins, self._places(more=edges))
        found = self.numpy.zeros(len(positions), bool)
        self.paths.path_exists_each(
            self.graph,
            members,
            first,
            lasts,
            MAX_SEEN_NEIGHBOURS,
            part,
            self._places(),
            self._places(),
            search,
            found,
        )
        answers: list[bool] = found.tolist()
        return answers

    # The arrays: each has a place for every number, one place before them and one after.

    def _places(self, kind: str = "int32", more: int = 0) -> Any:
        return self.numpy.zeros(self.size + 2 + more, kind)

    def _flags(self, sets: Sequence[Any]) -> Any:
        flags = self.numpy.zeros((len(sets), self.size + 2), "uint8")
        for row, numbers in zip(flags, sets, strict=True):
            row[list(numbers)] = 1
        return flags

    def _padded(self, flags: Any) -> Any:
        padded = self.numpy.zeros((len(flags), self.size + 2), "uint8")
        padded[:, 1:-1] = flags
        return padded

    def _share(self, work: Callable[[slice], T], count: int) -> list[T]:
        """Return the results of all tasks, in threads on all cores: compiled code frees the GIL."""
        pieces = [slice(row, row + ROWS_PER_TASK) for row in range(0, count, ROWS_PER_TASK)]
        with ThreadPoolExecutor(thread_count()) as pool:
            return list(pool.map(work, pieces))


# Many sizes: one graph grows, and its matching is repaired after each step.


def first_moves_each(games: Sequence[Multiplicity]) -> Iterator[FirstMoves]:
    """Yield `first_moves` of each game. Consecutive sizes in ascending order are quickest."""
    for (is_small, *_), group in groupby(games, _group_key):
        if is_small:
            yield from (game.theory.first_moves() for game in group)
        else:
            yield from _first_moves_of_large_games([*group])


def _group_key(game: Multiplicity) -> tuple[Any, ...]:
    """Return whether the game is small enough for distances, and all settings but its size."""
    size, *others = game.settings.values.values()
    return size <= MAX_SIZE_FOR_DISTANCE, *others


def _first_moves_of_large_games(games: Sequence[Multiplicity]) -> Iterator[FirstMoves]:
    """Yield `first_moves`, without distances, of games that differ only in size."""
    largest = max(games, key=lambda game: game.settings.size)
    start = largest.start()
    graph = divisor_graph(largest.settings.size, plain=False if is_installed() else None)
    walks = GrowingWalks(graph, start.chosen, largest.moves(start))
    for game in games:
        winning, count = walks.winning_steps(game.settings.size), walks.steps(game.settings.size)
        verdict = Verdict("win") if len(winning) else Verdict("loss", None if count else 0)
        yield FirstMoves(verdict, winning, count)
