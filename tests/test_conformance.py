"""The conformance suite: our games pass it, and each check can fail."""

import importlib.util
import sys
from pathlib import Path

import pytest

import numduel
from numduel import conformance
from numduel.core.game import Outcome, other
from numduel.games import game_type

EXAMPLE = Path(__file__).parents[1] / "examples" / "take-away" / "take_away.py"

SETTINGS = [
    ("divisor-duel", {}),
    ("divisor-duel", {"divisor": 1}),
    ("divisor-duel", {"divisor": 7, "start": 14, "ceiling": 100}),
    ("operation-duel", {}),
    ("operation-duel", {"target": 50, "start": 7, "operations": "-3,+1,x5"}),
    ("operation-duel", {"operations": "-1"}),
    ("divisor-line", {}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
    ("divisor-line", {"size": 500}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 10**900, "start": 10**899}),
    ("multiplicity", {}),
    ("multiplicity", {"size": 1}),
    ("multiplicity", {"size": 30, "start": 6, "opening": "even", "start_open": True}),
    ("multiplicity", {"size": 2000}),
]


def take_away():
    spec = importlib.util.spec_from_file_location("take_away", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["take_away"] = module
    spec.loader.exec_module(module)
    return module.TakeAway


TakeAway = take_away()


@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=str)
@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_our_games_conform(check, key, settings):
    check(numduel.new(key, **settings))


def test_every_known_game_is_among_those_checked():
    assert {key for key, _ in SETTINGS} == {listed.key for listed in numduel.games()}


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_the_example_conforms(check):
    check(TakeAway())
    check(TakeAway(stones=5, most=2))


class Nameless(TakeAway):
    key = "Take Away"


class Forgetful(TakeAway):
    def __init__(self, **settings):
        super().__init__(**{name: settings[name] for name in settings if name in ("stones",)})


class FirstComeFirstServed(TakeAway):
    def begin(self, first):
        return super().begin(1)


class Changing(TakeAway):
    starts = 0

    def begin(self, first):
        Changing.starts += 1
        return super().begin(first)._replace(left=20 + Changing.starts % 2)


class Descending(TakeAway):
    def moves(self, position):
        return super().moves(position)[::-1]


class Generous(TakeAway):
    def allows(self, position, move):
        return 0 <= move <= position.left


class NeverOver(TakeAway):
    def outcome(self, position):
        return None


class Unrepeatable(TakeAway):
    def outcome(self, position):
        return None if position.left else Outcome(other(position.mover), "divisible" * 1000)


class Speechless(TakeAway):
    def turn(self, position):
        return ["two\nlines"]


BROKEN = [
    (conformance.names_itself, Nameless),
    (conformance.settings_round_trip, Forgetful),
    (conformance.either_seat_begins, FirstComeFirstServed),
    (conformance.positions_are_values, Changing),
    (conformance.moves_are_ascending, Descending),
    (conformance.offered_moves_are_legal, Generous),
    (conformance.ends_once, NeverOver),
    (conformance.records_replay, Unrepeatable),
    (conformance.has_words, Speechless),
]


@pytest.mark.parametrize(("check", "broken"), BROKEN, ids=lambda one: one.__name__)
def test_each_check_catches_a_broken_game(check, broken):
    with pytest.raises((AssertionError, numduel.NumduelError)):
        check(broken())


def test_every_check_is_shown_to_fail():
    assert tuple(check for check, _ in BROKEN) == conformance.CHECKS


def test_perft_of_take_away_by_hand():
    # Of 3 stones take 1 or 2: after one move 2 or 1 are left; after two 1, 0 or 0; then 0.
    counts = conformance.perft(TakeAway(stones=3, most=2), 4)
    assert counts == [(1, 1), (2, 2), (3, 2), (1, 1), (0, 0)]


def test_games_from_elsewhere_are_found_by_their_key(monkeypatch):
    with pytest.raises(numduel.SettingsError, match="there is no game 'take-away'; the games are"):
        game_type("take-away")
