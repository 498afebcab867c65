"""The rules over arrays equal the plain rules: in moves, winners, vectors and verdicts."""

import sys
from random import Random

import numpy as np
import pytest
from fifteen import Fifteen
from hypothesis import given
from hypothesis import strategies as st
from take_away import TakeAway

import numduel
from numduel.core.array_rules import (
    NOBODY,
    NOT_LEGAL,
    UNKNOWN,
    ArrayRules,
    put_rows,
    smallest_integer,
    take_rows,
)
from numduel.core.bitset import Bitsets, NumpyBitsets
from numduel.core.errors import TooLarge
from numduel.core.game import Encoding
from numduel.games import OUR_GAMES
from numduel.games.multiplicity import bulk
from numduel.solver import table_rules, theory_of
from numduel.solver.table_rules import TableRules, array_rules_of

WORD_BITS = (32, 64)

SMALL = [
    ("divisor-duel", {"divisor": 13, "ceiling": 100}),
    ("divisor-duel", {"divisor": 3, "start": 6, "ceiling": 40}),
    ("divisor-duel", {"divisor": 10**50, "ceiling": 300}),
    ("divisor-duel", {"divisor": 1, "ceiling": 3}),
    ("operation-duel", {"operations": "+1,-3,x2", "target": 50, "start": 9}),
    ("operation-duel", {"operations": "-4,-7,x3", "target": 90, "start": 5}),
    ("operation-duel", {"operations": "-3,-2", "target": 9, "start": 4}),
    ("operation-duel", {"operations": f"-{10**40},+1,+2,+3,+4,+5,+6,+7,x2", "target": 60}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 42}),
    ("divisor-line", {"size": 6}),
    ("multiplicity", {"size": 1}),
    ("multiplicity", {"size": 12}),
    ("multiplicity", {"size": 10, "start_open": True, "start": 6}),
    ("multiplicity", {"size": 10, "opening": "even", "start_open": True, "start": 3}),
    ("take-away", {}),
]
LARGE = [
    ("operation-duel", {"target": 30_000, "operations": "+1,x30"}),
    ("double-or-add", {"target": 1_000_000, "start": 499_990}),
    ("divisor-line", {}),
    ("divisor-line", {"size": 31}),
    ("divisor-line", {"size": 64}),
    ("divisor-line", {"size": 150}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("divisor-line", {"size": 70, "goal": "chain"}),
    ("multiplicity", {"size": 33, "opening": "even", "start_open": True, "start": 3}),
    ("multiplicity", {"size": 64, "opening": "even"}),
    ("multiplicity", {"size": 200, "start": 7}),
    ("fifteen", {}),
]


def rules_of(key, settings, word_bits):
    if key not in OUR_GAMES:
        return TableRules({"take-away": TakeAway, "fifteen": Fifteen}[key](), np, word_bits)
    return numduel.new(key, **settings).array_rules(np, word_bits)


def reachable_states(rules, most):
    """Yield the reachable positions after 0, 1, 2 ... moves, and their states.

    If there are more than `most` after some number of moves, yield a sample of that size.
    """
    game, rng = rules.game, Random(1)
    state = rules.begin(np.array([1, 2], np.int8))
    positions = [game.start(1), game.start(2)]
    seen = set(positions)
    while positions:
        yield state, positions
        rows, actions = rules.legal(state).nonzero()
        following = [
            game.play(positions[row], game.actions[action])
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
        ]
        new = {position: i for i, position in enumerate(following) if position not in seen}
        positions = rng.sample(list(new), min(most, len(new)))
        seen.update(positions)
        chosen = np.array([new[position] for position in positions], int)
        state = rules.after(take_rows(state, rows[chosen]), actions[chosen])


def assert_same(rules, state, positions):
    game, legal, vectors = rules.game, rules.legal(state), rules.encode(state)
    assert vectors.dtype == smallest_integer(game.encoding)
    for row, position in enumerate(positions):
        outcome = game.outcome(position)
        assert rules.position(take_rows(state, row)) == position
        assert state.mover[row] == position.mover
        assert state.winner[row] == (0 if outcome is None else outcome.winner or NOBODY)
        assert tuple(legal[row].tolist()) == game.mask(position)
        assert tuple(vectors[row].tolist()) == game.encode(position)


def assert_same_verdicts(rules, state, positions):
    """Compare the verdicts that are known within a step of JAX."""
    theory, actions = theory_of(rules.game), rules.game.actions
    rules.prepare_verdicts()
    verdict, verdicts = rules.verdict(state), rules.verdicts(state)
    assert verdict.signs.dtype == verdicts.signs.dtype == np.int8
    for row, position in enumerate(positions):
        assert (verdict.signs[row], verdict.distances[row]) == signed(theory.solve(position))
        known = theory.evaluate(position)
        found = zip(verdicts.signs[row].tolist(), verdicts.distances[row].tolist(), strict=True)
        expected = [
            signed(known[move]) if move in known else (NOT_LEGAL, UNKNOWN) for move in actions
        ]
        assert list(found) == expected


def signed(verdict):
    return 2 * verdict.score - 1, UNKNOWN if verdict.distance is None else verdict.distance


@pytest.mark.parametrize("word_bits", WORD_BITS)
@pytest.mark.parametrize(("key", "settings"), SMALL, ids=str)
def test_every_position_of_small_games_is_the_same(key, settings, word_bits, monkeypatch):
    monkeypatch.setattr(bulk, "MIN_PLAIN_SECONDS", 0)
    rules = rules_of(key, settings, word_bits)
    theory, actions = theory_of(rules.game), rules.game.actions
    for state, positions in reachable_states(rules, 10**6):
        assert_same(rules, state, positions)
        if key != "multiplicity":
            assert_same_verdicts(rules, state, positions)
        if key in OUR_GAMES:
            truth = rules.truth(state)
            for row, position in enumerate(positions):
                assert truth.verdicts(row, actions) == theory.evaluate(position)


def test_a_set_may_fill_its_words():
    for word_bits in WORD_BITS:
        rules = rules_of("multiplicity", {"size": 2 * word_bits}, word_bits)
        for state, positions in reachable_states(rules, 2):
            assert_same(rules, state, positions)


def test_states_are_written_into_rows_of_others():
    rules = rules_of("multiplicity", {"size": 70}, 64)
    state, other = (rules.begin(np.array([seat] * 3, np.int8)) for seat in (1, 2))
    put_rows(state, [0, 2], take_rows(other, [0, 2]))
    starts = [rules.game.start(seat) for seat in (2, 1, 2)]
    assert [rules.position(take_rows(state, row)) for row in range(3)] == starts


@pytest.mark.no_cover
@pytest.mark.parametrize("word_bits", WORD_BITS)
@pytest.mark.parametrize(("key", "settings"), LARGE, ids=str)
def test_random_positions_of_large_games_are_the_same(key, settings, word_bits, many):
    rules = rules_of(key, settings, word_bits)
    for turn, (state, positions) in enumerate(reachable_states(rules, many(4, 60))):
        assert_same(rules, state, positions)
        if key != "multiplicity" and settings.get("goal") != "chain":
            assert_same_verdicts(rules, take_rows(state, slice(2)), positions[:2])
        if turn == many(40, 300):
            break


@pytest.mark.parametrize("key", OUR_GAMES)
@given(data=st.data())
def test_random_games_at_random_settings_are_the_same(key, data, random_games):
    game, first, moves, positions = data.draw(random_games(key))
    for word_bits in WORD_BITS:
        try:
            rules = game.array_rules(np, word_bits)
        except TooLarge:  # no bound, or more than the words hold
            continue
        state = rules.begin(np.array([3 - first, first], np.int8))
        for position, move in zip(positions, [*moves, None], strict=True):
            assert_same(rules, take_rows(state, [1]), [position])
            if move is not None:
                state = rules.after(state, np.array([game.actions.index(move)] * 2))


def test_the_verdict_of_every_number_of_a_race_is_that_of_the_theory(many):
    for target in range(2, many(70, 700)):
        game = numduel.new("double-or-add", target=target)
        rules = game.array_rules(np, 64)
        state = rules.begin(np.ones(target - 1, np.int8))
        state = state._replace(number=np.arange(1, target, dtype=state.number.dtype))
        found = zip(*rules.verdict(state), strict=True)
        known = [game.theory.verdict(number) for number in range(1, target)]
        assert list(found) == list(map(signed, known))


@pytest.mark.parametrize(
    ("key", "settings", "why"),
    [
        ("divisor-duel", {}, "no bound"),
        ("double-or-add", {"target": 2**31}, "numbers go up to"),
        ("divisor-line", {"size": 2000}, "2,000 actions"),
        ("multiplicity", {"size": 1025}, "1,025 actions"),
    ],
)
def test_games_that_are_too_large_are_refused(key, settings, why):
    with pytest.raises(TooLarge, match=why):
        numduel.new(key, **settings).array_rules(np)


@pytest.mark.parametrize(
    ("key", "settings", "why"),
    [
        ("divisor-duel", {"ceiling": 20_000_000}, "looked up"),
        ("divisor-line", {"goal": "chain"}, "no short rule"),
        ("multiplicity", {}, "no short rule"),
    ],
)
def test_if_arrays_give_no_verdicts_the_theory_does(key, settings, why):
    rules = numduel.new(key, **settings).array_rules(np)
    assert rules.truth(rules.begin(np.array([1, 2], np.int8))) is None
    with pytest.raises(TooLarge, match=why):
        rules.prepare_verdicts()


@pytest.mark.no_cover
def test_a_value_of_0_is_a_draw_if_its_distance_is_known():
    rules = TableRules(Fifteen(), np)
    truth = ArrayRules.truth(rules, rules.begin(np.array([1], np.int8)))
    assert truth.verdicts(0, rules.game.actions) == numduel.evaluate(rules.game, Fifteen().start())


def test_a_table_that_needs_numba_is_not_looked_up_without(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    rules = numduel.new("divisor-duel", ceiling=200_000).array_rules(np)
    assert rules.truth(rules.begin(np.array([1], np.int8))) is None


def test_a_game_has_tables_unless_it_gives_its_own_rules(monkeypatch):
    assert TakeAway().array_rules(np) is None
    rules = array_rules_of(TakeAway(), np)
    assert isinstance(rules, TableRules)
    assert rules.truth(rules.begin(np.array([1], np.int8))) is None  # the theory gives the verdicts
    monkeypatch.setattr(table_rules, "MAX_ENTRIES", 50)
    with pytest.raises(TooLarge, match="entries"):
        array_rules_of(TakeAway(), np)


@pytest.mark.parametrize(
    ("high", "kind"),
    [(127, "int8"), (128, "int16"), (2**31 - 1, "int32"), (2**31, "int64"), (2**63, None)],
)
def test_vectors_have_the_smallest_type_that_holds_them(high, kind):
    class Wide(TakeAway):
        encoding = Encoding(1, -1 - high, high)

    assert smallest_integer(Wide.encoding) == kind
    if kind in ("int64", None):
        with pytest.raises(TooLarge, match="do not fit 32 bits"):
            TableRules(Wide(), np)
    else:
        assert np.dtype(TableRules(Wide(), np).encoded) == kind


def test_picks_are_fair():
    for places, count in (([0], 1), ([1, 5, 31], 32), ([0, 31, 32, 40, 63, 64, 99], 100)):
        for sets in (Bitsets(np, count), NumpyBitsets(np, count)):
            words = sets.constant(places, (len(places) * 1000,))
            chance = np.linspace(0, 2**32 - 1, len(places) * 1000).astype(np.uint32)
            found, times = np.unique(sets.pick(words, chance), return_counts=True)
            assert found.tolist() == places
            assert abs(times - 1000).max() <= 1
