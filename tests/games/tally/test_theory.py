"""The closed forms of the tally games, against retrograde analysis."""

from itertools import product
from random import Random

import pytest

import numduel
from numduel.core.verdict import Verdict
from numduel.games.tally import theory
from numduel.games.tally.theory import (
    RaceTheory,
    ResiduesTheory,
    RetrogradeTheory,
    RunsTheory,
    as_verdict,
)
from numduel.solver import periodic_labels
from numduel.solver import retrograde as settling
from numduel.solver.reference import retrograde


def race(target, **settings):
    return numduel.new("operation-duel", target=target, **settings)


def duel(divisor, **settings):
    return numduel.new("divisor-duel", divisor=divisor, **settings)


def test_the_closed_form_of_races_at_every_position_of_every_target(many):
    for target in range(2, many(200, 801)):
        found = [0] * (target + 1)
        settling.settle_upward([1, 2], [1, 0], target, target, found)
        verdict = RaceTheory(race(target)).verdict
        assert [verdict(n) for n in range(1, target)] == [as_verdict(f) for f in found[1:target]]


def test_the_closed_form_of_divisors_at_every_remainder(many):
    for divisor in range(1, many(200, 801)):
        found = [0] * divisor
        settling.settle_residues([1, 2], [1, 0], divisor, found)
        verdict = ResiduesTheory(duel(divisor)).verdict
        assert [verdict(divisor + n) for n in range(divisor)] == [as_verdict(f) for f in found]


def test_races_equal_the_reference():
    for key, target in product(("operation-duel", "double-or-add"), range(2, 40)):
        game = numduel.new(key, target=target)
        assert isinstance(game.theory, RaceTheory)
        for position, verdict in retrograde(game, game.start()).items():
            assert numduel.solve(game, position) == verdict


def test_neither_side_can_force_an_end_with_thirteen():
    game = duel(13)
    assert numduel.solve(game, game.start()) == Verdict("endless")
    assert set(numduel.evaluate(game, game.start()).values()) == {Verdict("endless")}


def test_a_thousand_digits_get_an_exact_verdict():
    target = 2**3321  # an odd power of two
    game = race(target)
    assert numduel.solve(game, game.start()).value == "win"
    game = race(target // 2)
    assert numduel.solve(game, game.start()).value == "loss"
    game = race(10**1000 - 1)
    assert numduel.solve(game, game.start()) == Verdict("loss", 10**1000 - 2)
    game = duel(10**1000 - 1, start=10**1000 - 2)
    assert numduel.solve(game, game.start()) == Verdict("win", 1)


def test_a_start_on_a_multiple_is_an_ordinary_position():
    for settings in ({}, {"ceiling": 100}):
        game = duel(13, start=26, **settings)
        assert numduel.solve(game, game.start()) == Verdict("win", 1)


def test_large_numbers_of_positions_use_the_compiled_form(monkeypatch):
    menu = "+1,-3,x2"
    for target in (50, 333):
        slow = RetrogradeTheory(race(target, operations=menu))
        expected = [slow.verdict(n) for n in range(1, target)]
        upward = [
            RetrogradeTheory(race(target, operations="+1,x3")).verdict(n) for n in range(1, target)
        ]
        with monkeypatch.context() as patched:
            patched.setattr(theory, "MAX_PLAIN_CEILING", 10)
            fast = RetrogradeTheory(race(target, operations=menu))
            assert [fast.verdict(n) for n in range(1, target)] == expected
            fast = RetrogradeTheory(race(target, operations="+1,x3"))
            assert [fast.verdict(n) for n in range(1, target)] == upward


def test_operations_larger_than_the_target_overshoot():
    game = race(20, operations=f"+1,x{10**500},-{10**400},+{10**900}")
    found = retrograde(game, game.start())
    for position, verdict in found.items():
        assert numduel.solve(game, position) == verdict


def test_too_many_numbers_are_refused():
    game = race(10**9, operations="+1,-2,x3")
    with pytest.raises(numduel.TooLarge, match="with subtraction: at most 100,000,000"):
        numduel.solve(game, game.start())


def runs_theory(game, monkeypatch):
    """Return the theory of a game as if its ceiling were large."""
    monkeypatch.setattr(theory, "MAX_COMPILED_CEILING", 1)
    found = theory.new_theory(game)
    assert isinstance(found, RunsTheory)
    return found


@pytest.mark.parametrize("menu", ["+1,x3", "+2,+3,x2", "x2,x5,+1", "+4", "x2", f"+1,x{10**500}"])
@pytest.mark.parametrize("target", [2, 7, 60, 301])
def test_runs_equal_the_reference(menu, target, monkeypatch):
    game = race(target, operations=menu)
    found = runs_theory(game, monkeypatch)
    for position, verdict in retrograde(game, game.start()).items():
        assert found.solve(position) == verdict


@pytest.mark.parametrize("divisor", [1, 2, 8, 13, 150])
def test_runs_below_a_ceiling_equal_the_reference(divisor, monkeypatch):
    game = duel(divisor, ceiling=400)
    found = runs_theory(game, monkeypatch)
    for position, verdict in retrograde(game, game.start()).items():
        assert found.solve(position) == verdict


def test_operations_are_solved_to_a_thousand_digits_if_the_number_cannot_fall():
    game = race(10**999, operations="+1,x3")
    position = game.start()
    for _ in range(40):  # the winner keeps the win and comes nearer
        value, distance = numduel.solve(game, position)
        verdicts = numduel.evaluate(game, position).values()
        best = max(verdicts, key=lambda one: one.rank)
        assert best == Verdict(value, distance)
        position = game.play(position, 1 + position.number % 2)


def test_numbers_that_take_few_steps_cost_little_whatever_the_earlier_questions(monkeypatch):
    monkeypatch.setattr(periodic_labels, "MAX_STEPS", 20_000)
    game = race(10**9, operations="+1,x3")
    assert game.theory.cost(game.start()).once < 0.5
    game = duel(10**4, ceiling=10**9)
    far, near = game.start(), game.start()._replace(number=10**9 - 1_999)
    before = [game.theory.cost(position) for position in (far, near)]
    assert before[0].once > 1 > before[1].once
    with pytest.raises(numduel.TooLarge, match="repeat too seldom: more than 20,000 would"):
        numduel.solve(game, far)
    assert [game.theory.cost(position) for position in (far, near)] == before
    assert numduel.solve(game, near).value in ("win", "loss")


def test_random_menus_equal_the_reference():
    for seed in range(10):
        rng = Random(seed)
        parts = {f"{rng.choice('+-x')}{rng.randint(2, 9)}" for _ in range(rng.randint(1, 9))}
        game = race(rng.randint(10, 400), operations=",".join(parts))
        for position, verdict in retrograde(game, game.start()).items():
            assert numduel.solve(game, position) == verdict


def test_other_operations_without_a_ceiling_are_not_given_the_closed_form(monkeypatch):
    from numduel.games.tally.games import DivisorDuel
    from numduel.games.tally.operations import Operation

    class AddThree(DivisorDuel):
        operations = (Operation("+", 3), Operation("x", 2))

    monkeypatch.setattr(
        retrograde, "__defaults__", (1000,)
    )  # positions, so that it gives up sooner
    game = AddThree(divisor=13)
    with pytest.raises(numduel.TooLarge, match="more than 1,000 positions"):
        numduel.solve(game, game.start())
