"""Games made for the tests of players: any graph, and one whose theory says what it costs."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

import pytest

from numduel.core.game import Game, Outcome
from numduel.core.theory import Cost, Theory
from numduel.solver.reference import Reference


class Stand(NamedTuple):
    place: int
    mover: int


class GraphGame(Game[Stand]):
    """A walk along arrows, which may go round; some places end the game, some of them drawn."""

    key = "graph"
    title = "Graph"
    summary = rules = "Walk."

    def __init__(
        self, arrows: dict[int, tuple[int, ...]], ends: dict[int, str], again: int | None = None
    ) -> None:
        super().__init__()
        self.arrows = arrows
        self.ends = ends  # the place: whether its mover has won, lost, or nobody has
        self.again = again  # whoever leaves this place moves again

    def begin(self, first: int) -> Stand:
        return Stand(0, first)

    def moves(self, position: Stand) -> tuple[int, ...]:
        return () if position.place in self.ends else self.arrows[position.place]

    def after(self, position: Stand, move: int) -> Stand:
        stays = position.place == self.again
        return Stand(move, position.mover if stays else 3 - position.mover)

    def outcome(self, position: Stand) -> Outcome | None:
        end = self.ends.get(position.place)
        if end is None:
            return None
        winner = {"won": position.mover, "lost": 3 - position.mover, "drawn": None}[end]
        return Outcome(winner, "stuck")


def random_graph(seed: int) -> GraphGame:
    rng = Random(seed)
    size = rng.randint(4, 9)
    ends = {place: rng.choice(["won", "lost", "drawn"]) for place in range(size - 3, size)}
    arrows = {
        place: tuple(sorted(rng.sample(range(size), rng.randint(1, 3))))
        for place in range(size - 3)
    }
    return GraphGame(arrows, ends, again=rng.choice([None, 1]))


class Priced(Theory[Stand]):
    """The truth about a graph, at a declared price, with a count of what was asked."""

    price = Cost(0.0, 0.0, 0.0)

    def __init__(self, game: Game[Stand]) -> None:
        super().__init__(game)
        self.truth = Reference(game)
        self.asked: Counter[str] = Counter()

    def cost(self, position: Stand) -> Cost:
        return self.price

    def solve(self, position: Stand) -> Any:
        self.asked["solve"] += 1
        return self.truth.solve(position)

    def evaluate(self, position: Stand) -> Any:
        self.asked["evaluate"] += 1
        return self.truth.evaluate(position)

    def values(self, position: Stand) -> Any:
        self.asked["values"] += 1
        return self.truth.values(position)

    def sound_move(self, position: Stand) -> int:
        self.asked["sound_move"] += 1
        return self.truth.sound_move(position)


class PricedGame(GraphGame):
    """A graph whose theory has a price."""

    def __init__(self, *arguments: Any, price: Cost) -> None:
        super().__init__(*arguments)
        self.priced = Priced(self)
        self.priced.price = price

    @property
    def theory(self) -> Theory[Stand]:  # type: ignore[override]
        return self.priced


@pytest.fixture
def graph():
    """Make a game of a graph."""
    return GraphGame


@pytest.fixture
def any_graph():
    """Make a game of some graph, by a seed."""
    return random_graph


@pytest.fixture
def priced():
    """Make a game of a graph whose theory has a price."""
    return PricedGame
