"""The rules over arrays: move by move the same as the rules."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel.core.arrays import NOBODY, kept_in
from numduel.core.game import Encoding
from numduel.games import OURS
from numduel.games.line.arrays import LineArrays
from numduel.games.tally.arrays import TallyArrays
from numduel.games.walk import bulk
from numduel.games.walk.arrays import WalkArrays

ARRAYS = {"divisor-line": LineArrays, "multiplicity": WalkArrays}


@pytest.mark.parametrize("key", OURS)
@given(data=st.data())
def test_random_games_are_the_same_in_arrays(key, data, played):
    game, first, moves, positions = data.draw(played(key))
    rules = game.arrays(np)
    if rules is None:
        with pytest.raises((AssertionError, numduel.TooLarge)):  # no bound, or beyond 64 bits
            assert kept_in(game.encoding) is not None
        return
    assert type(rules) is ARRAYS.get(key, TallyArrays)
    state = rules.start(np.array([3 - first, first]))
    for position, move in zip(positions, [*moves, None], strict=True):
        same_as(game, rules, state, 1, position)
        if move is not None:
            actions = np.array([game.actions.index(move)] * 2)
            before, state = state, rules.after(state, actions)
            for array in state:
                assert not any(np.shares_memory(array, other) for other in (*before, actions))


def same_as(game, rules, state, row, position):
    outcome = game.outcome(position)
    assert rules.position(state, row) == position
    assert state.mover[row] == position.mover
    assert state.winner[row] == (0 if outcome is None else outcome.winner)
    assert tuple(state.legal[row].tolist()) == game.mask(position)
    vectors = rules.encode(state)
    assert vectors.dtype == kept_in(game.encoding)
    assert tuple(vectors[row].tolist()) == game.encode(position)


def walked(game, rules, count, turns, rng):
    """States of games of random moves; those that are over go nowhere."""
    state = rules.start(rng.integers(1, 3, count))
    for _ in range(turns):
        yield state
        chance = rng.random(state.legal.shape) * state.legal
        over = state.winner != 0
        after = rules.after(state, chance.argmax(axis=1))
        for new, old in zip(after, state, strict=True):
            new[over] = old[over]
        state = after


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("divisor-duel", {"divisor": 4, "ceiling": 40}),
        ("divisor-duel", {"divisor": 50, "ceiling": 40}),
        ("operation-duel", {"target": 30, "operations": "+1,-3,x2,-70"}),
        ("operation-duel", {"target": 9, "start": 4, "operations": "-3,-2"}),
        ("double-or-add", {}),
        ("divisor-line", {"size": 6}),
        ("divisor-line", {"size": 21}),
        ("divisor-line", {"size": 70}),
        ("multiplicity", {"size": 14}),
    ],
)
def test_the_verdicts_in_arrays_are_those_of_the_theory(key, settings, many, monkeypatch):
    monkeypatch.setattr(bulk, "WORTH", 0)
    game = numduel.new(key, **settings)
    rules = game.arrays(np)
    rng = np.random.default_rng(3)
    for state in walked(game, rules, many(32, 400), many(8, 40), rng):
        truth = rules.truth(state)
        for row in range(len(state.mover)):
            position = rules.position(state, row)
            assert truth.verdicts(row, game.actions) == game.theory.evaluate(position)


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("double-or-add", {"target": 10**9}),
        ("divisor-line", {"goal": "chain"}),
        ("multiplicity", {}),
    ],
)
def test_where_arrays_give_no_verdicts_the_theory_is_left_to(key, settings):
    rules = numduel.new(key, **settings).arrays(np)
    assert rules.truth(rules.start(np.array([1, 2]))) is None


def test_a_table_that_needs_numba_is_not_looked_up_without(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    rules = numduel.new("double-or-add", target=200_000).arrays(np)
    assert rules.truth(rules.start(np.array([1]))) is None


def test_a_game_has_no_arrays_unless_it_says_so():
    from take_away import TakeAway

    assert TakeAway().arrays(np) is None


@pytest.mark.parametrize(
    ("high", "kind"),
    [(127, "int8"), (128, "int16"), (2**31 - 1, "int32"), (2**31, "int64"), (2**63, None)],
)
def test_an_encoding_is_kept_in_the_smallest_type_that_holds_it(high, kind):
    assert kept_in(Encoding(1, 0, high)) == kind
    assert kept_in(Encoding(1, -1 - high, 0)) == kind


def test_nobody_is_no_seat():
    assert NOBODY not in (0, 1, 2)
