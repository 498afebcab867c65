"""The rules over arrays are the rules: the same moves, ends, winners, vectors and verdicts."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy
import pytest
from fifteen import Fifteen
from take_away import TakeAway

import numduel
from numduel.core import bits
from numduel.core.arrays import NOBODY
from numduel.core.errors import TooLarge
from numduel.core.game import Encoding
from numduel.core.verdict import SCORES
from numduel.solver import tabled, theory_of
from numduel.solver.tabled import bits_of

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("divisor-duel", {"divisor": 13, "ceiling": 100}),
    ("divisor-duel", {"divisor": 3, "start": 6, "ceiling": 40}),
    ("divisor-duel", {"divisor": 10**50, "ceiling": 300}),
    ("divisor-duel", {"divisor": 1, "ceiling": 3}),
    ("operation-duel", {}),
    ("operation-duel", {"operations": "+1,-3,x2", "target": 50, "start": 9}),
    ("operation-duel", {"operations": "-4,-7,x3", "target": 90, "start": 5}),
    ("operation-duel", {"operations": f"-{10**40},+1,+2,+3,+4,+5,+6,+7,x2", "target": 60}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 40}),
    ("double-or-add", {"target": 1_000_000, "start": 499_990}),
    ("divisor-line", {}),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 7}),
    ("divisor-line", {"size": 70}),
    ("divisor-line", {"goal": "chain"}),
    ("divisor-line", {"goal": "chain", "size": 40}),
    ("multiplicity", {}),
    ("multiplicity", {"size": 12, "start_open": True, "start": 6}),
    ("multiplicity", {"size": 40, "opening": "even"}),
    ("multiplicity", {"size": 33, "opening": "even", "start_open": True, "start": 3}),
    ("multiplicity", {"size": 100, "start": 7}),
    ("take-away", {}),
    ("fifteen", {}),
]
TURNS = 1000


def positions_beside(game: Any, rules: Any, count: int) -> Iterator[tuple[Any, Any]]:
    """Random games over arrays, with each position that they come to beside them."""
    rng = numpy.random.default_rng(1)
    state = rules.begin((count,))
    positions = [game.start() for _ in range(count)]
    for _ in range(TURNS):
        yield state, positions
        if not len(positions):
            return
        chance = rng.integers(0, 1 << 32, len(positions), numpy.uint32)
        action = bits.pick(numpy, rules.moves(state), chance)
        state = rules.after(state, action)
        first = game.actions[0]
        positions = [game.play(p, first + int(a)) for p, a in zip(positions, action, strict=True)]
        ended = numpy.array([game.outcome(position) is not None for position in positions])
        assert ((state.winner != 0) == ended).all()
        for i in numpy.flatnonzero(ended):
            assert_same(game, rules, at(state, i), positions[i])
        state = at(state, ~ended)
        positions = [p for p, over in zip(positions, ended, strict=True) if not over]


def at(state: Any, which: Any) -> Any:
    return type(state)._make(
        tuple(numpy.asarray(word[which]) for word in field)
        if isinstance(field, tuple)
        else numpy.asarray(field[which])
        for field in state
    )


def assert_same(game: Any, rules: Any, state: Any, position: Any) -> None:
    outcome = game.outcome(position)
    winner = 0 if outcome is None else outcome.winner or NOBODY
    assert (int(state.mover), int(state.winner)) == (position.mover, winner)
    assert rules.position(state) == position
    assert tuple(rules.encode(state).tolist()) == game.encode(position)


@pytest.fixture(params=SETTINGS, ids=lambda case: "-".join(map(str, (case[0], *case[1].values()))))
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    key, settings = request.param
    if key in ("take-away", "fifteen"):
        return {"take-away": TakeAway, "fifteen": Fifteen}[key]()
    return numduel.new(key, **settings)


def test_random_games_are_those_of_the_rules(game: Any, many: Any) -> None:
    rules = bits_of(game, numpy)
    for state, positions in positions_beside(game, rules, many(20, 10_000)):
        mask = bits.spread(numpy, rules.moves(state), len(game.actions))
        codes = rules.encode(state)
        assert codes.dtype == rules.encoded
        assert (state.winner == 0).all()
        for i, position in enumerate(positions):
            assert tuple(mask[i].tolist()) == game.mask(position)
            assert tuple(codes[i].tolist()) == game.encode(position)
            if i < 3:
                assert_same(game, rules, at(state, i), position)


def test_values_are_the_verdicts(game: Any, many: Any) -> None:
    try:
        rules = bits_of(game, numpy, valued=True)
    except TooLarge as error:
        assert "verdicts" in str(error) or "no short rule" in str(error)
        assert game.key == "multiplicity" or game.settings.goal == "chain"
        return
    theory = theory_of(game)
    rng = Random(1)
    for state, positions in positions_beside(game, rules, many(10, 300)):
        value, values = rules.value(state), rules.values(state)
        assert value.dtype == values.dtype == numpy.int8
        for i in rng.sample(range(len(positions)), min(len(positions), many(3, 30))):
            position = positions[i]
            assert value[i] == as_value(theory.solve(position).value)
            of_moves = theory.values(position)
            known = [as_value(of_moves[m]) if m in of_moves else -2 for m in game.actions]
            assert values[i].tolist() == known


def as_value(value: Any) -> float:
    return 2 * SCORES[value] - 1


def test_an_ended_game_has_the_value_of_its_end() -> None:
    rules = bits_of(numduel.new("double-or-add", target=3, start=2), numpy, valued=True)
    ended = rules.after(rules.begin((2,)), numpy.array([0, 1]))  # to 4, past 3; to 3
    assert ended.winner.tolist() == [2, 1]
    assert rules.value(ended).tolist() == [1, -1]
    assert rules.values(ended).tolist() == [[bits.NOT_LEGAL] * 2] * 2


@pytest.mark.parametrize(
    ("key", "settings", "why"),
    [
        ("double-or-add", {"target": 2**31}, "numbers go up to"),
        ("divisor-line", {"size": 2000}, "2,000 actions"),
        ("multiplicity", {"size": 1025}, "1,025 actions"),
    ],
)
def test_what_is_too_large_is_refused(key: str, settings: dict[str, int], why: str) -> None:
    with pytest.raises(TooLarge, match=why):
        numduel.new(key, **settings).bits(numpy)


@pytest.mark.parametrize(("low", "kept"), [(-128, "int8"), (-129, "int16"), (-(2**31), "int32")])
def test_vectors_are_kept_in_what_holds_them(low: int, kept: str) -> None:
    class Below(TakeAway):
        encoding = Encoding(1, low, 0)

    assert numpy.dtype(bits_of(Below(), numpy).encoded) == kept


@pytest.mark.parametrize(("low", "high"), [(-(2**31) - 1, 0), (0, 2**31), (0, 2**63)])
def test_vectors_that_32_bits_do_not_hold_are_refused(low: int, high: int) -> None:
    class Wide(TakeAway):
        encoding = Encoding(1, low, high)

    with pytest.raises(TooLarge, match="do not fit 32 bits"):
        bits_of(Wide(), numpy)


def test_a_table_of_values_has_a_bound() -> None:
    game = numduel.new("divisor-duel", ceiling=2_000_000)
    assert game.bits(numpy) is not None
    with pytest.raises(TooLarge, match="looked up"):
        game.bits(numpy, valued=True)


def test_a_table_of_positions_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabled, "MOST_ENTRIES", 50)
    with pytest.raises(TooLarge, match="entries"):
        bits_of(TakeAway(), numpy)


def test_picks_are_fair() -> None:
    for places, count in (([0], 1), ([1, 5, 31], 32), ([0, 31, 32, 40, 63, 64, 99], 100)):
        words = bits.filled(numpy, bits.packed(places, count), (len(places) * 1000,))
        chance = numpy.linspace(0, 2**32 - 1, len(places) * 1000).astype(numpy.uint32)
        found, times = numpy.unique(bits.pick(numpy, words, chance), return_counts=True)
        assert found.tolist() == places
        assert abs(times - 1000).max() <= 1
