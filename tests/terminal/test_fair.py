"""`numduel fair`: who wins, how often, and what to play instead."""

import json

import pytest

from numduel.terminal import screen


def test_it_says_plainly_that_a_game_is_lopsided_and_what_to_play(run):
    ran = run("fair", "double-or-add")
    assert ran.status == 0
    assert "Lopsided: with best play the player who does not begin always wins." in ran.out
    assert "Player 2 wins in 15 of their moves with best play." in ran.out
    assert "0 of 2 openings win for the beginner." in ran.out
    assert "  perfect  0% (0% to 11%), the other 100%; 30.0 moves on average of 30 games" in ran.out
    assert ran.err == ""


def test_it_says_plainly_that_a_game_is_endless_and_offers_a_ceiling(run):
    out = run("fair", "divisor-duel").out
    assert "Endless: between good players nobody can force an end." in out
    assert "Fairer: numduel play divisor-duel --ceiling" in out


def test_a_race_that_lasts_too_long_is_not_measured_and_it_says_so(run):
    out = run("fair", "double-or-add", "--target", 3000).out
    assert "No games were played: they can last longer than 200 moves." in out
    assert "undecided" not in out


def test_json_for_programs(run):
    data = json.loads(run("fair", "operation-duel", "--target", 12, "--json").out)
    assert data["settings"]["target"] == 12
    assert data["verdict"]["value"] in ("win", "loss")
    assert [level["level"] for level in data["levels"]][-1] == "perfect"
    for level in data["levels"]:
        low, high = level["intervals"]["first"]
        assert 0 <= low <= level["first"] <= high <= 1
    for near in data["fairer"]:
        assert near["command"].startswith("numduel play operation-duel")


def test_what_is_too_large_is_said(run, monkeypatch):
    monkeypatch.setattr("numduel.lab.fairness.MAX_GAME_TURNS", 10)
    settings = ("--target", 10**9, "--start", 10**9 - 9, "--operations", "+1,-1,x3")
    ran = run("fair", "operation-duel", *settings)
    assert ran.status == 0
    assert "Too large to solve" in ran.out


@pytest.mark.soak
def test_at_a_terminal_it_shows_how_far_it_is(spawn, monkeypatch):
    monkeypatch.setattr(screen, "PROGRESS_DELAY_SECONDS", 0.0)
    terminal = spawn("fair", "multiplicity", "--size", 40)
    terminal.shows("Playing games", "0:00", "Fair at any setting: --rounds 2")
    assert terminal.ends() == 0
    assert max(map(len, terminal.text.splitlines()[-10:])) <= 80
