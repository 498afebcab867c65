"""Labels in runs equal those of one pass and of the closed form."""

from itertools import product
from random import Random

import numpy
import pytest

import numduel
from numduel.games.tally.theory import RaceTheory, as_verdict
from numduel.solver import periodic_labels
from numduel.solver.compiled import compile_module
from numduel.solver.periodic_labels import Runs

FAST = compile_module("numduel.solver.retrograde")

MENUS = ["+1,x2", "+1,x3", "+2,+3,x2", "+3,+5,x7", "+1,x2,x3", "+4", "x2", "+1,+40,x2", "+9,+17,x6"]


def read(menu):
    return [(int(one[1:]), 0) if one[0] == "x" else (1, int(one[1:])) for one in menu.split(",")]


def labels_by_one_pass(operations, goal, top):
    """Return the labels of all numbers, found by one pass."""
    factors, terms = numpy.array(operations).T
    found = numpy.zeros(top + 1, numpy.int32)
    FAST.settle_upward(factors, terms, goal, top, found)
    return found[1:].tolist()


def labels(operations, goal, top):
    found = Runs(operations, goal, top)
    return [found.label(number) for number in range(1, top + 1)]


@pytest.fixture(params=[(12, 4), (2, 1), (3, 0)], ids=["as it is", "hasty", "hastier"])
def patience(request, monkeypatch):
    """Runs as they are, and as short as possible, so that they end everywhere."""
    monkeypatch.setattr(periodic_labels, "MIN_LABELS", request.param[0])
    monkeypatch.setattr(periodic_labels, "MIN_RUN_RATIO", request.param[1])


@pytest.mark.no_cover
@pytest.mark.parametrize("menu", MENUS)
def test_every_label_below_every_small_ceiling_is_that_of_one_pass(menu, patience, many):
    operations = read(menu)
    for top, goal in product(range(1, many(60, 300), many(11, 7)), (1, 2, 3, 7, 13, 24, None)):
        goal = goal or top
        assert labels(operations, goal, top) == labels_by_one_pass(operations, goal, top), (
            top,
            goal,
        )


def random_case(rng, top):
    plus = [(1, rng.randint(1, rng.choice((3, 9, 60, 3000)))) for _ in range(rng.randint(0, 4))]
    times = [(rng.randint(2, 9), 0) for _ in range(rng.randint(not plus, 2))]
    return plus + times, rng.choice((top, top, rng.randint(1, 40), rng.randint(1, top)))


@pytest.mark.no_cover
def test_labels_of_random_menus_are_those_of_one_pass(patience, many):
    for seed in range(many(2, 30)):
        rng = Random(seed)
        top = rng.randint(3_000, 30_000)
        operations, goal = random_case(rng, top)
        assert labels(operations, goal, top) == labels_by_one_pass(operations, goal, top), seed


def test_far_labels_agree_with_those_that_moves_lead_to(many):
    for seed, digits in product(range(many(4, 30)), (9, 40)):
        rng = Random(seed)
        top = rng.randint(10 ** (digits - 1), 10**digits)
        menu = rng.choice(MENUS[:4])
        operations, goal = read(menu), rng.choice((top, rng.randint(2, 40)))
        found = Runs(operations, goal, top)
        found.label(1)
        for _ in range(300):
            number = rng.randint(1, rng.choice((top, 10 ** rng.randint(1, digits - 1))))
            if rng.random() < 0.3:  # where a run begins or ends
                number = min(top, max(1, rng.choice(found._runs).end + rng.randint(-3, 3)))
            worths = []
            for factor, term in operations:
                result = factor * number + term
                after = found.label(result) if result <= top else 0
                won = result <= top and (result % goal == 0 or after < 0)
                lasts = 0 if result > top or result % goal == 0 else abs(after)
                worths.append((1 if won else -1) * (1 + lasts))
            wins = [worth for worth in worths if worth > 0]
            assert found.label(number) == (min(wins) if wins else min(worths)), (menu, goal, number)


@pytest.mark.no_cover
def test_races_of_a_thousand_digits_are_those_of_the_closed_form(many):
    for seed in range(many(2, 10)):
        rng = Random(seed)
        target = rng.choice((rng.randint(10**999, 10**1000), 4 ** rng.randint(1, 1650) * 2))
        closed = RaceTheory(numduel.new("operation-duel", target=target))
        found = Runs([(1, 1), (2, 0)], target, target)
        for _ in range(100):
            number = rng.randint(1, target - 1) >> rng.randint(0, target.bit_length())
            if number:
                assert as_verdict(found.label(number)) == closed.verdict(number)


def test_a_ceiling_far_above_costs_few_steps():
    found = Runs([(1, 1), (3, 0)], 10**100, 10**100)
    found.label(1)
    assert found.steps < 10_000


def test_labels_that_hardly_repeat_are_refused(monkeypatch):
    monkeypatch.setattr(periodic_labels, "MAX_STEPS", 20_000)
    found = Runs([(1, 1), (1, 10**6), (2, 0)], 10**10, 10**10)
    with pytest.raises(numduel.TooLarge, match="repeat too seldom"):
        found.label(1)
    assert found.lowest_within(1) == found.low > 1
