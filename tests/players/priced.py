"""A game for the tests of players, whose theory says what it costs."""

from collections import Counter
from typing import Any

from tests.toy_games import GraphGame, Stand

from numduel.core.game import Game
from numduel.core.theory import Cost, Theory
from numduel.solver.reference import Reference


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
