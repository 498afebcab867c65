"""`numduel solve`: the verdict, each move with its own, and why."""

import json
import re
import shutil
import threading
from pathlib import Path

import pytest

import numduel
from numduel.play.coach import hint
from numduel.terminal import screen


def test_the_verdict_and_each_move_with_its_sign_and_reason(run):
    ran = run("solve", "operation-duel", "--after", "2,1,2,2")
    assert ran.status == 0
    assert ran.out.splitlines() == [
        "Operation Duel (target 20, start 1, operations +1,x2)",
        "number 12, Player 1 to move",
        "- Player 2 wins in 4 of their moves with best play.",
        "+ wins, = draws, ~ is endless, - loses: with best play, for whoever makes the move.",
        "",
        "- Add 1 → 13: loses in 4 of their moves. "
        "From 13 they can go to 14, a good number to land on.",
        "- Multiply by 2 → 24: 24 is past 20: that loses at once.",
    ]


def test_endless_moves_have_a_sign_of_their_own(run):
    lines = run("solve", "divisor-duel", "--start", 6).out.splitlines()
    assert lines[2] == "~ Neither player can force an end."
    assert [line[:2] for line in lines[5:]] == ["~ ", "- "]


def test_many_moves_are_summed_up_by_their_verdict(run):
    out = run("solve", "multiplicity").out
    assert "+ 43 of 49 moves: 2, 3, 4, 6," in out
    assert "- 6 of 49 moves: 5, 7, 34, 38, 46, 50" in out
    assert re.search(r"\nPlay (\d+)\. \1 leaves nothing to choose\.\n", out)


def test_a_game_that_is_over_says_so(run):
    out = run("solve", "multiplicity", "--after", "29").out
    assert "The game is over." in out
    assert "Player 1 wins. Player 2 cannot move: no multiple or divisor of 29 is left." in out


def test_json_holds_what_the_library_says(run):
    ran = run("solve", "multiplicity", "--size", 20, "--after", "7 14", "--json")
    data = json.loads(ran.out)
    game = numduel.new("multiplicity", size=20)
    position = game.play(game.play(game.start(), 7), 14)
    assert data["mover"] == 1
    assert data["verdict"] == numduel.solve(game, position)._asdict()
    expected = numduel.evaluate(game, position)
    for move, verdict in expected.items():
        pairs = [list(pair) for pair in game.theory.explanation(position, move).pairs]
        assert data["moves"].pop(str(move)) == {**verdict._asdict(), "pairs": pairs}
    assert data["moves"] == {}
    assert data["best"] == 2
    assert data["reason"]
    assert data["pairs"] == [list(pair) for pair in hint(game, position).explanation.pairs]


def test_the_pairs_of_a_winning_move_are_shown(run):
    after = ("solve", "multiplicity", "--size", 20, "--after", "7 14")
    assert re.search(r"\+ 2: .* Dominoes: \d+-\d+.*\.", run(*after).out)
    opened = run("solve", "multiplicity", "--size", 100, "--opening", "even").out
    assert re.search(r"\nPlay \d+\. .*\n+Dominoes: \d+-\d+", opened)


def test_json_of_a_finished_game_has_no_best_move(run):
    data = json.loads(run("solve", "multiplicity", "--after", "29", "--json").out)
    assert (data["moves"], data["best"], data["reason"]) == ({}, None, None)


def test_wrong_moves_are_named(run):
    ran = run("solve", "multiplicity", "--size", 20, "--after", "7,13")
    assert ran.status == 1
    assert ran.err.startswith("numduel: move 2: 13 is neither a multiple nor a divisor of 7")
    ran = run("solve", "multiplicity", "--after", "7,x")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "numduel: after: moves are numbers like 7,14,2, not 'x'\n"


def test_what_is_too_large_is_refused_in_a_line(run):
    ran = run("solve", "operation-duel", "--target", 10**12, "--operations", "+1,-1,x3")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "at most 100,000,000" in ran.err


def test_where_not_each_move_can_be_judged_the_verdict_and_a_move_are_given(run):
    line = ("solve", "divisor-line", "--goal", "chain", "--size", 5000)
    ran = run(*line)
    assert ran.status == 0
    assert "+ Player 1 wins in 3 of their moves with best play.\nPlay 1. " in ran.out
    assert "Not every move could be judged: chains are solved move by move up to" in ran.out
    data = json.loads(run(*line, "--json").out)
    assert (data["moves"], data["best"]) == (None, 1)
    assert data["verdict"] == {"value": "win", "distance": 5}


def test_the_distance_is_searched_for_when_it_is_asked_for(run):
    walk = ("solve", "multiplicity", "--size", 46, "--start", 2)
    assert "Player 1 wins with best play." in run(*walk).out
    assert "Player 1 wins in 10 of their moves with best play." in run(*walk, "--distance").out
    ran = run("solve", "multiplicity", "--size", 1001, "--start", 2, "--distance")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "numduel: distances are searched for up to a size of 1,000, not 1,001\n"
    assert "wins in 7 of their moves" in run("solve", "operation-duel", "--distance").out


def test_colour_comes_with_the_sign(spawn):
    terminal = spawn("solve", "operation-duel", "--start", 11)
    assert terminal.ends() == 0
    assert "+ Add 1 → 12: wins in 5 of your moves" in terminal.text
    assert "\x1b[32m+ " in terminal.raw
    assert "\x1b[31m- " in terminal.raw


def test_a_position_can_be_given_and_is_told_to_programs(run):
    asked = ("solve", "multiplicity", "--size", 20)
    told = json.loads(run(*asked, "--after", "7,14", "--json").out)
    same = json.loads(run(*asked, "--position", told["position"], "--json").out)
    assert same == {**told, "after": []}
    later = json.loads(run(*asked, "--position", told["position"], "--after", 2, "--json").out)
    assert later["verdict"] == json.loads(run(*asked, "--after", "7,14,2", "--json").out)["verdict"]
    ran = run(*asked, "--position", "nonsense")
    assert (ran.status, ran.out) == (1, "")
    assert "a position of Multiplicity is written like" in ran.err


SLOW = """
import os, time
from functools import cached_property
from pathlib import Path

import pytest
from numduel.core.theory import Cost
from numduel.solver.reference import Reference
from take_away import TakeAway

class Waiting(Reference):
    def cost(self, position):
        return Cost(60, 60, 60)

    def solve(self, position):
        while not Path(os.environ["GO"]).exists():
            time.sleep(0.02)
        return super().solve(position)

class Slow(TakeAway):
    key = "slow"

    @cached_property
    def theory(self):
        return Waiting(self)
"""


@pytest.fixture
def go(package, environment, tmp_path):
    """A file: until it is there, the game `slow` is not solved."""
    folder = Path(environment["PYTHONPATH"])
    shutil.copy(Path(__file__).parents[2] / "examples/take-away/take_away.py", folder)
    package("slow_game", SLOW, slow="Slow")
    environment["GO"] = str(tmp_path / "go")
    return tmp_path / "go"


def test_progress_is_shown_at_a_terminal_after_a_second(spawn, go):
    terminal = spawn("solve", "slow")
    terminal.shows("Solving", "s so far (about 120 s expected)")
    go.touch()
    terminal.shows("wins in ")
    assert terminal.ends() == 0


def test_through_a_pipe_no_progress_is_shown(monkeypatch, capsys):
    monkeypatch.setattr(screen, "PROGRESS_DELAY_SECONDS", 0)
    begun = threading.active_count()
    with screen.progress("Solving", 60):
        assert threading.active_count() == begun  # nothing that would speak later
    assert capsys.readouterr() == ("", "")
