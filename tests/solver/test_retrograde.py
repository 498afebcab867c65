"""Plain and compiled retrograde analysis agree with the reference solver."""

from random import Random

import numpy
import pytest
from tests.toy_games import GraphGame, Stand

import numduel
from numduel.core.verdict import Verdict
from numduel.games.tally.theory import RetrogradeTheory, as_verdict
from numduel.solver import reference, retrograde
from numduel.solver.compiled import compile_module

FAST = compile_module("numduel.solver.retrograde")

MENUS = [
    "+1,x2",
    "x2,+1",
    "+1,-3,x2",
    "-1",
    "-2,-3",
    "+2,-1",
    "x3,-2,+5,-7",
    "x2",
    "+3,+5",
    "-1,+1",
]


def plain(menu, goal, top):
    factors, terms = menu
    found, unsettled, queue = ([0] * (top + 1) for _ in range(3))
    retrograde.settle(factors, terms, goal, top, found, unsettled, queue)
    return found


def fast(menu, goal, top):
    factors, terms = (numpy.array(values) for values in menu)
    found, queue = (numpy.zeros(top + 1, numpy.int32) for _ in range(2))
    FAST.settle(factors, terms, goal, top, found, numpy.zeros(top + 1, numpy.int8), queue)
    return found.tolist()


def upward(solver, menu, goal, top, room):
    found = room(top + 1)
    factors, terms = menu
    solver.settle_upward(factors, terms, goal, top, found)
    return list(found)


@pytest.mark.parametrize("menu", MENUS)
@pytest.mark.parametrize("target", [2, 3, 7, 12, 20, 31])
def test_every_position_of_a_race_equals_the_reference(menu, target):
    for start in range(1, target):
        game = numduel.new("operation-duel", target=target, operations=menu, start=start)
        theory = RetrogradeTheory(game)
        for position, verdict in reference.retrograde(game, game.start()).items():
            assert theory.solve(position) == verdict, (menu, target, position)


@pytest.mark.parametrize("divisor", [1, 2, 3, 4, 5, 7, 8, 13])
@pytest.mark.parametrize("ceiling", [14, 33, 100])
def test_every_position_below_a_ceiling_equals_the_reference(divisor, ceiling):
    for start in range(1, 14):
        game = numduel.new("divisor-duel", divisor=divisor, ceiling=ceiling, start=start)
        theory = RetrogradeTheory(game)
        for position, verdict in reference.retrograde(game, game.start()).items():
            assert theory.solve(position) == verdict, position


def random_menu(rng, signs):
    size = rng.randint(1, 5)
    factors = [rng.choice((1, 1, 2, 3)) for _ in range(size)]
    terms = [0 if factor > 1 else rng.choice(signs) * rng.randint(1, 9) for factor in factors]
    return factors, terms


def test_compiled_equals_plain_for_any_operations(many):
    for seed in range(many(6, 30)):
        rng = Random(seed)
        menu, top = random_menu(rng, (1, -1)), rng.randint(1, 3000)
        goal = rng.choice((top, rng.randint(1, top)))
        assert fast(menu, goal, top) == plain(menu, goal, top)


def test_one_pass_equals_the_general_method_where_numbers_only_grow(many):
    for seed in range(many(6, 30)):
        rng = Random(seed)
        menu, top = random_menu(rng, (1,)), rng.randint(1, 2000)
        goal = rng.choice((top, rng.randint(1, top)))
        expected = plain(menu, goal, top)
        assert upward(retrograde, menu, goal, top, lambda count: [0] * count) == expected
        arrays = tuple(numpy.array(values) for values in menu)
        found = upward(FAST, arrays, goal, top, lambda count: numpy.zeros(count, numpy.int32))
        assert found == expected


def test_residues_settle_by_hand_for_eight():
    # 7, 4 and 0 win at once. From 6 both moves lead to 7 or 4. From 5 and 3 a move leads to 6. From
    # 2 both moves lead to 3 or 4. From 1 the only move leads to 2.
    found = [0] * 8
    retrograde.settle_residues([1, 2], [1, 0], 8, found)
    assert found == [1, 5, -4, 3, 1, 3, -2, 1]


OVER = -1


def test_residues_equal_the_reference_on_a_game_of_remainders():
    for divisor in range(1, 40):
        found = [0] * divisor
        retrograde.settle_residues([1, 2], [1, 0], divisor, found)
        after = {r: (r + 1, 2 * r) for r in range(divisor)}
        arrows = {r: tuple(to % divisor or OVER for to in tos) for r, tos in after.items()}
        game = GraphGame(arrows, {OVER: "lost"})
        for residue in range(divisor):
            position = Stand(residue, 1)
            verdict = reference.retrograde(game, position)[position]
            assert as_verdict(found[residue]) == verdict, (divisor, residue)


def test_a_stuck_player_has_lost():
    assert as_verdict(retrograde.STUCK) == Verdict("loss", 0)
    assert plain(([1], [-2]), 50, 4) == [0, retrograde.STUCK, retrograde.STUCK, 1, 1]
