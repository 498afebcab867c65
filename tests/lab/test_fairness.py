"""How fair a game is."""

from typing import NamedTuple

import pytest

import numduel
from numduel import Game, Outcome
from numduel.lab.fairness import Series, fairness, nearby, series, share


def test_the_default_race_is_lost_for_the_beginner():
    found = fairness(numduel.new("operation-duel"), games=6)
    assert (found.verdict.value, found.openings, found.winning_openings) == ("loss", 2, 0)
    assert not found.swap_helps
    assert [one.level for one in found.series] == ["random", "easy", "medium", "hard", "perfect"]
    perfect = found.series[-1]
    assert (perfect.games, perfect.won, perfect.lost, perfect.length) == (6, 0, 6, 14)


def test_a_chain_is_worth_a_swap():
    found = fairness(numduel.new("divisor-line", goal="chain", size=16), games=2)
    assert 0 < found.winning_openings < found.openings == 16
    assert found.swap_helps


class Stand(NamedTuple):
    moved: int
    mover: int


class Drawn(Game[Stand]):
    """Two moves, and nobody has won."""

    key = "drawn"
    title = "Drawn"
    summary = rules = "For tests."

    def begin(self, first):
        return Stand(0, first)

    def moves(self, position):
        return (1,) if position.moved < 2 else ()

    def after(self, position, move):
        return Stand(position.moved + 1, 3 - position.mover)

    def outcome(self, position):
        return Outcome(None, "full") if position.moved == 2 else None


def test_draws_are_told_apart_from_what_is_undecided():
    endless = series(numduel.new("divisor-duel"), "perfect", games=2)
    assert (endless.drawn, endless.undecided, endless.lopsided) == (0, 2, 1)
    drawn = series(Drawn(), "perfect", games=2)
    assert (drawn.drawn, drawn.undecided, drawn.lopsided) == (2, 0, 1)
    assert fairness(Drawn(), games=2).verdict.value == "draw"


def test_a_long_series_is_cut_short():
    assert series(numduel.new("divisor-duel"), "perfect", games=30).games == 5


def test_what_cannot_be_solved_is_played_by_the_levels():
    game = numduel.new("operation-duel", target=10**9, start=10**9 - 9, operations="+1,-1,x3")
    found = fairness(game, games=2)
    assert found.verdict is None
    assert [one.level for one in found.series] == ["random", "easy", "medium", "hard"]


def test_a_pool_too_large_to_look_at_closely_is_still_solved_and_none_nearby_is_tried():
    found = fairness(numduel.new("multiplicity", size=150), games=1)
    assert found.verdict.value == "win"
    assert found.winning_openings is None
    assert (found.tried, found.fairer) == (0, ())


def test_a_line_too_large_to_play_out_is_only_solved():
    found = fairness(numduel.new("divisor-line", size=100_000))
    assert found.verdict.value == "win"
    assert (found.series, found.tried, found.fairer) == ((), 0, ())


def test_nearby_settings_differ_in_one_and_are_allowed():
    game = numduel.new("multiplicity", size=20)
    for near in nearby(game):
        changed = [
            name
            for name, value in near.settings.values.items()
            if value != game.settings.values[name]
        ]
        assert len(changed) == 1


def test_fairer_settings_are_fairer():
    found = fairness(numduel.new("operation-duel", target=9, operations="+1,-1"), games=12)
    now = next(one for one in found.series if one.level == "medium")
    assert found.tried == 12
    assert 0 < len(found.fairer) <= 3
    assert all(one.lopsided < now.lopsided for _, one in found.fairer)


def test_where_none_is_fairer_some_were_tried():
    found = fairness(numduel.new("operation-duel", target=2), games=3)
    assert (found.tried > 0, found.fairer) == (True, ())


def test_a_fair_series_is_not_lopsided():
    assert Series("x", 4, 2, 2, 0, 40).lopsided == 0
    assert Series("x", 4, 4, 0, 0, 40).lopsided == 1


def test_shares_have_intervals():
    # As in the tables of Wilson's interval: 5 of 10, none of 10, and all of 30.
    assert share(5, 10) == pytest.approx((0.5, 0.2366, 0.7634), abs=1e-4)
    assert share(0, 10) == pytest.approx((0.0, 0.0, 0.2775), abs=1e-4)
    assert share(30, 30) == pytest.approx((1.0, 0.8865, 1.0), abs=1e-4)
    shares = Series("x", 10, 5, 2, 1, 40).shares
    assert shares["first"] == share(5, 10)
    assert [shares[name].part for name in ("second", "drawn", "undecided")] == [0.2, 0.1, 0.2]


def test_a_swap_does_not_help_where_a_first_move_ends_the_game():
    assert not fairness(numduel.new("multiplicity", size=14), games=1).swap_helps


def test_what_would_end_every_game_is_declared_by_the_settings():
    assert fairness(numduel.new("divisor-duel", divisor=8), games=1).bounding == ["ceiling"]
    assert fairness(numduel.new("divisor-duel", ceiling=20), games=1).bounding == []
    endless = numduel.new("operation-duel", target=9, operations="+1,-1")
    assert fairness(endless, games=1).bounding == []


def test_the_work_is_told_of_as_it_is_done():
    parts = []
    fairness(numduel.new("operation-duel"), games=3, told=parts.append)
    assert parts == sorted(parts)
    assert 0 < parts[0] < 0.1
    assert parts[-1] == 1
