"""Many positions at once get the same verdicts and refusals as one at a time."""

import sys
from importlib import import_module
from random import Random

import numpy as np
import pytest

import numduel
from numduel.core.explore import playout
from numduel.games.multiplicity import bulk
from numduel.games.multiplicity.bulk import Bulk, bulk_for
from numduel.games.multiplicity.rules import Walk

SETTINGS = [
    {"size": 1},
    {"size": 12},
    {"size": 12, "start": 6, "opening": "even", "start_open": True},
    {"size": 18, "start": 2, "opening": "even"},
]


@pytest.fixture(params=[True, False], ids=["plain", "compiled"])
def new_bulk(request):
    """A function that returns the solver of a game, in plain or compiled form."""
    return lambda game: Bulk(game, **({"load": import_module} if request.param else {}))


def some_positions(game, count, seed=1):
    rng, found = Random(seed), []
    while len(found) < count:
        found += (position for position, _ in playout(game, rng))
    return found[:count]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_every_position_of_small_settings(settings, new_bulk, many):
    game = numduel.new("multiplicity", **settings)
    positions = list(game.position_numbers)[:: many(40, 1)]
    bulk = new_bulk(game)
    assert bulk.evaluate(positions) == [game.theory.evaluate(one) for one in positions]
    assert all(bulk.can_reach(positions))


@pytest.mark.parametrize("size", [60, 200, 400])
def test_random_large_positions(size, many, monkeypatch):
    monkeypatch.setattr(bulk, "MIN_PLAIN_SECONDS", 0)
    game = numduel.new("multiplicity", size=size)
    positions = some_positions(game, many(40, 150))
    found = numduel.evaluate_many(game, positions)
    for place in range(1, len(positions), many(19, 1)):
        assert found[place] == numduel.evaluate(game, positions[place])


@pytest.mark.parametrize("settings", SETTINGS[1:], ids=str)
def test_reachability_is_the_same_as_for_one_position(settings, new_bulk, many):
    game, rng = numduel.new("multiplicity", **settings), Random(4)
    positions = []
    for _ in range(many(100, 3000)):
        chosen = frozenset(rng.sample(range(1, 13), rng.randint(0, 9))) | {game.settings.start}
        positions.append(Walk(rng.choice(sorted(chosen)), chosen, rng.choice([1, 2, 3])))
    answers = new_bulk(game).can_reach(positions)
    assert answers == [game.can_reach(one) for one in positions]
    assert set(answers) == {True, False}


def test_the_first_bad_position_is_named(monkeypatch):
    monkeypatch.setattr(bulk, "MIN_PLAIN_SECONDS", 0)
    game = numduel.new("multiplicity", size=20)
    positions = some_positions(game, 40)
    for bad in (Walk(5, frozenset({1, 3, 5}), 1), Walk(1, frozenset(), 1), "1:1/1", None):
        positions[35] = bad
        with pytest.raises(numduel.PositionError, match=r"^position 35: play cannot reach "):
            numduel.evaluate_many(game, positions)


@pytest.mark.no_cover
def test_arrays_get_the_same_verdicts_as_positions(new_bulk):
    game = numduel.new("multiplicity", size=20, opening="even")
    positions = some_positions(game, 70)
    chosen = np.array([[n in one.chosen for n in game.actions] for one in positions])
    legal = np.array([game.mask(one) for one in positions])
    truth = new_bulk(game).truth(chosen, legal)
    for row, position in enumerate(positions):
        assert truth.verdicts(row, game.actions) == game.theory.evaluate(position)


def test_few_positions_large_sizes_and_no_numba_are_left_to_the_theory(monkeypatch):
    assert bulk_for(numduel.new("multiplicity"), 10) is None
    assert bulk_for(numduel.new("multiplicity", size=50_001), 1000) is None
    monkeypatch.setattr(bulk, "MIN_PLAIN_SECONDS", 0)
    game = numduel.new("multiplicity", size=12)
    assert bulk_for(game, 1000) is bulk_for(game, 1000) is not None
    monkeypatch.setitem(sys.modules, "numba", None)
    game = numduel.new("multiplicity", size=12)
    positions = some_positions(game, 40)
    assert bulk_for(game, 1000) is None
    assert numduel.evaluate_many(game, positions) == [
        numduel.evaluate(game, one) for one in positions
    ]
