"""The costs that the theories declare for their answers."""

from itertools import product

import pytest

import numduel

LARGEST = 10**1000 - 1

EXTREMES = [
    *(
        ("divisor-duel", {"divisor": divisor, "start": start, "ceiling": ceiling})
        for divisor, start, ceiling in product((1, LARGEST), (1, LARGEST - 1), (None, LARGEST))
    ),
    ("divisor-duel", {"start": 1, "ceiling": 2}),
    ("operation-duel", {"target": 2}),
    ("operation-duel", {"target": LARGEST, "start": LARGEST - 1}),
    ("operation-duel", {"target": 2, "operations": "-1"}),
    ("operation-duel", {"target": LARGEST, "operations": "+1,+2,+3,+4,+5,+6,+7,+8,-9"}),
    ("double-or-add", {"target": 2}),
    ("double-or-add", {"target": LARGEST}),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 1_000_000}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("divisor-line", {"size": 1_000_000, "goal": "chain"}),
    ("multiplicity", {"size": 1}),
    ("multiplicity", {"size": 1_000_000}),
    ("multiplicity", {"size": 1_000_000, "start": 999_983, "start_open": True}),
]


@pytest.mark.parametrize(("key", "settings"), EXTREMES, ids=lambda one: str(one)[:60])
def test_every_cost_is_positive_and_finite(key, settings):
    game = numduel.new(key, **settings)
    cost = game.theory.cost(game.start())
    assert all(0 < seconds < 1000 * 3600 for seconds in cost[:3])
    assert 0 <= cost.once < 3600
    assert cost.values <= cost.evaluate
    assert 0 <= cost.bytes <= 400_000_000


@pytest.mark.parametrize(
    ("target", "megabytes"), [(100_000, 0), (1_000_000, 4), (100_000_000, 400), (100_000_001, 0)]
)
def test_the_cost_of_a_table_of_all_numbers_includes_its_memory(target, megabytes):
    game = numduel.new("operation-duel", operations="+1,+2,x2", target=target)
    assert game.theory.cost(game.start()).bytes == megabytes * 1_000_000
