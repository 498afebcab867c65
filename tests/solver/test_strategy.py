"""Strategies ask the search only about the moves that are left."""

from itertools import product

import numduel
from numduel.games.multiplicity.theory import _DistanceSearch
from numduel.solver.strategy import Strategies


class StrictSearch(_DistanceSearch):
    """A search that fails if it is asked about more moves than are left."""

    def __init__(self, game, within):
        super().__init__(game, game.theory._graph)
        self.most = {game.start().chosen: within}

    def after(self, position, move):
        after = super().after(position, move)
        self.most[after.chosen] = self.most[position.chosen] - 1
        return after

    def wins(self, position, within):
        assert within <= self.most[position.chosen]
        return super().wins(position, within)

    def loses(self, position, within):
        assert within <= self.most[position.chosen]
        return super().loses(position, within)


def test_a_strategy_is_asked_only_about_the_moves_that_are_left():
    written = 0
    for size, start in product((12, 16, 20), range(1, 13)):
        game = numduel.new("multiplicity", size=size, start=start)
        value, distance = numduel.solve(game, game.start())
        if distance is not None and distance > 1:
            strategies = Strategies(StrictSearch(game, distance))
            strategies.wins(game.start(), distance, mover=value == "win")
            strategies.holds(game.start(), distance - 1, mover=value == "loss")
            written += 1
    assert written > 10
