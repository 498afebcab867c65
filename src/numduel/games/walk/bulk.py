"""Many positions of Multiplicity at once: compiled, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from numduel.core.arrays import UNKNOWN, VALUES, Truth
from numduel.core.errors import TooLarge
from numduel.core.verdict import Verdict
from numduel.games.walk.reach import MOST_LOOKS as MOST_WAYS
from numduel.games.walk.rules import Multiplicity, Walk
from numduel.games.walk.theory import LARGEST_FOR_DISTANCE, MOST_LOOKS, MOST_PLAIN, graph
from numduel.solver import endings, matching, paths
from numduel.solver.compiled import arrays, compiled, cores
from numduel.solver.forest import Forest, Graph, Trail, Way

T = TypeVar("T")

WORTH = 1.0
"""Positions whose verdicts cost fewer seconds than this do not pay for the loading of numba."""

ROWS = 64
"""So many positions are one piece of work."""


def bulk_for(game: Multiplicity, count: int) -> Bulk | None:
    """What serves so many positions; None where the plain theory does."""
    plainly = count * game.theory.cost(game.begin(1)).solve
    if plainly < WORTH or game.settings.size > MOST_PLAIN:
        return None
    if "_bulk" not in vars(game):
        try:
            vars(game)["_bulk"] = Bulk(game)  # kept with the game
        except TooLarge:
            vars(game)["_bulk"] = None
    found: Bulk | None = vars(game)["_bulk"]
    return found


class Bulk:
    """What rules and theory say of one position, for many; TooLarge without numba."""

    def __init__(self, game: Multiplicity, load: Callable[[str], Any] = compiled) -> None:
        self.numpy = arrays()
        self.game, self.size = game, game.settings.size
        self.graph = graph(self.size, plain=False)
        solvers = (matching, endings, paths)
        self.matching, self.endings, self.paths = (load(each.__name__) for each in solvers)

    def evaluate(self, positions: Sequence[Walk]) -> list[dict[int, Verdict]]:
        """`evaluate` of each position."""

        def work(piece: slice) -> list[dict[int, Verdict]]:
            some = positions[piece]
            moves = [self.game.moves(position) for position in some]
            used = self._flags([position.chosen for position in some])
            labels, distances = self._solved(used, self._flags(moves))
            return [
                {
                    move: Verdict(
                        "win" if label == matching.OUTER else "loss",
                        None if distance == UNKNOWN else distance,
                    )
                    for move, label, distance in zip(
                        each, labels[row, each].tolist(), distances[row, each].tolist(), strict=True
                    )
                }
                for row, each in enumerate(moves)
            ]

        return [verdicts for part in self._share(work, len(positions)) for verdicts in part]

    def truth(self, chosen: Any, legal: Any) -> Truth:
        """The verdict of each legal step; both have a row a position, a flag a number."""
        values = self.numpy.full(chosen.shape, UNKNOWN, "int8")
        distances = self.numpy.full(chosen.shape, UNKNOWN, "int32")
        win, loss = VALUES.index("win"), VALUES.index("loss")

        def work(piece: slice) -> None:
            labels, far = self._solved(self._framed(chosen[piece]), self._framed(legal[piece]))
            won = self.numpy.where(labels[:, 1:-1] == matching.OUTER, win, loss)
            self.numpy.copyto(values[piece], won, casting="unsafe", where=legal[piece])
            self.numpy.copyto(distances[piece], far[:, 1:-1], where=legal[piece])

        self._share(work, len(chosen))
        return Truth(values, distances)

    def can_reach(self, positions: Sequence[Walk]) -> list[bool]:
        """`can_reach` of each position."""
        plainly = [self.game.plainly_reached(position) for position in positions]
        open_cases = [place for place, known in enumerate(plainly) if known is None]

        def work(piece: slice) -> list[bool]:
            return self._walk_exists([positions[place] for place in open_cases[piece]])

        answers = (answer for part in self._share(work, len(open_cases)) for answer in part)
        return [next(answers) if known is None else known for known in plainly]

    # One piece of the work.

    def _solved(self, used: Any, steps: Any) -> tuple[Any, Any]:
        """The labels of a maximum matching of what is unused, and the distance of each step."""
        labels = self.numpy.zeros(used.shape, "int8")
        places = {name: self._places() for name in Forest._fields if name != "label"}
        forest = Forest(**places, label=self._places("int8"))
        stack = self._places(more=len(self.graph.targets))
        self.matching.label_each(self.graph, used, forest, self._places(), stack, labels)
        distances = self.numpy.full(used.shape, UNKNOWN, "int32")
        if self.size <= LARGEST_FOR_DISTANCE:
            way = Way(self._places(), self._places("int64"), self._places())
            self.endings.distance_each(self.graph, used, steps, labels, MOST_LOOKS, way, distances)
        return labels, distances

    def _walk_exists(self, positions: Sequence[Walk]) -> list[bool]:
        start = self.game.begin(1)
        members = self._flags([position.chosen - start.chosen for position in positions])
        first = self._flags([self.game.moves(start)])[0]
        lasts = self.numpy.array([position.number for position in positions], "int32")
        edges = len(self.graph.targets)
        part = Graph(self._places("int64"), self._places(more=edges))
        used, ways, walked, begins = (self._places() for _ in range(4))
        trail = Trail(used, ways, walked, begins, self._places(more=edges))
        found = self.numpy.zeros(len(positions), bool)
        self.paths.path_exists_each(
            self.graph,
            members,
            first,
            lasts,
            MOST_WAYS,
            part,
            self._places(),
            self._places(),
            trail,
            found,
        )
        answers: list[bool] = found.tolist()
        return answers

    # The arrays: each has a place for every number, one before them and one after.

    def _places(self, kind: str = "int32", more: int = 0) -> Any:
        return self.numpy.zeros(self.size + 2 + more, kind)

    def _flags(self, sets: Sequence[Any]) -> Any:
        flags = self.numpy.zeros((len(sets), self.size + 2), "uint8")
        for row, numbers in zip(flags, sets, strict=True):
            row[list(numbers)] = 1
        return flags

    def _framed(self, flags: Any) -> Any:
        framed = self.numpy.zeros((len(flags), self.size + 2), "uint8")
        framed[:, 1:-1] = flags
        return framed

    def _share(self, work: Callable[[slice], T], count: int) -> list[T]:
        """The work on each piece, on all cores: what is compiled lets the others run."""
        pieces = [slice(begin, begin + ROWS) for begin in range(0, count, ROWS)]
        with ThreadPoolExecutor(cores()) as pool:
            return list(pool.map(work, pieces))
