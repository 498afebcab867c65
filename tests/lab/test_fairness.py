"""Fairness: verdicts, series between equal players, and nearby settings."""

import pytest
from tests.toy_games import Places

import numduel
from numduel.games import game_type
from numduel.lab.fairness import Series, fairness, series, share_of
from numduel.play.friendly_settings import friendly_game, nearby_games


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


def test_draws_and_undecided_games_are_counted_separately():
    endless = series(numduel.new("divisor-duel"), "perfect", games=2)
    assert (endless.drawn, endless.undecided) == (0, 2)
    game = Places(a={1: "b"}, b={1: "drawn"})
    drawn = series(game, "perfect", games=2)
    assert (drawn.drawn, drawn.undecided) == (2, 0)
    assert fairness(game, games=2).verdict.value == "draw"


def test_a_long_series_is_cut_short():
    assert series(numduel.new("divisor-duel"), "perfect", games=30).games == 5


def test_a_game_that_cannot_be_solved_is_played_by_the_levels(monkeypatch):
    monkeypatch.setattr("numduel.lab.fairness.MAX_GAME_TURNS", 10)
    game = numduel.new("operation-duel", target=10**9, start=10**9 - 9, operations="+1,-1,x3")
    found = fairness(game, games=2)
    assert found.verdict is None
    assert [one.level for one in found.series] == ["random", "easy", "medium", "hard"]


def test_with_too_many_openings_no_nearby_settings_are_tried(monkeypatch):
    monkeypatch.setattr("numduel.lab.fairness.MAX_OPENINGS_EVALUATED", 30)
    found = fairness(numduel.new("multiplicity", size=40), games=1)
    assert found.verdict.value == "win"
    assert found.winning_openings is None
    assert (found.tried, found.fairer) == (0, ())


def test_a_line_that_is_too_long_to_play_is_only_solved():
    found = fairness(numduel.new("divisor-line", size=100_000))
    assert found.verdict.value == "win"
    assert (found.series, found.tried, found.fairer) == ((), 0, ())


def test_fairer_values_of_every_setting_are_tried():
    game = numduel.new("multiplicity")  # whoever begins can win with the first move
    found = fairness(game, games=1)
    changed = {name for near in nearby_games(game) for name in near.settings.changed()}
    assert changed == {"size", "start", "opening", "start_open"}
    assert len(found.fairer) == 3
    assert {"opening": "even"} in [near.settings.changed() for near, _ in found.fairer]
    for near, one in found.fairer:
        values = [verdict.value for verdict in numduel.evaluate(near, near.start()).values()]
        assert (one.winning, one.openings) == (values.count("win"), len(values))
        assert one.lopsided < 2 and not one.ends


def test_if_none_is_fairer_some_were_tried():
    found = fairness(friendly_game(game_type("divisor-line")), games=1)
    assert (found.tried > 0, found.fairer) == (True, ())


def test_shares_have_intervals():
    # As in the tables of Wilson's interval: 5 of 10, none of 10, and all of 30.
    assert share_of(5, 10) == pytest.approx((0.5, 0.2366, 0.7634), abs=1e-4)
    assert share_of(0, 10) == pytest.approx((0.0, 0.0, 0.2775), abs=1e-4)
    assert share_of(30, 30) == pytest.approx((1.0, 0.8865, 1.0), abs=1e-4)
    for games in range(1, 200):  # rounding does not exclude the share itself
        assert (share_of(0, games).low, share_of(games, games).high) == (0, 1)
    shares = Series("x", 10, 5, 2, 1, 40).shares
    assert shares["first"] == share_of(5, 10)
    assert [shares[name].part for name in ("second", "drawn", "undecided")] == [0.2, 0.1, 0.2]


def test_a_swap_does_not_help_if_a_first_move_ends_the_game():
    assert not fairness(numduel.new("multiplicity", size=14), games=1).swap_helps


def test_settings_that_would_end_every_game_are_named():
    assert fairness(numduel.new("divisor-duel", divisor=8), games=1).bounding == ["ceiling"]
    assert fairness(numduel.new("divisor-duel", ceiling=20), games=1).bounding == []
    endless = numduel.new("operation-duel", target=9, operations="+1,-1")
    assert fairness(endless, games=1).bounding == []


def test_progress_is_reported():
    parts = []
    fairness(numduel.new("operation-duel"), games=3, on_progress=parts.append)
    assert parts == sorted(parts)
    assert 0 < parts[0] < 0.1
    assert parts[-1] == 1
