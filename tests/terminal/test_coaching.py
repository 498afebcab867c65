"""The coach at the prompt, the computer's levels, and programs as players."""

import json
import re
import sys
from pathlib import Path

import pytest

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def test_a_hint_gives_the_best_move_and_why_and_asks_again(run):
    ran = run("play", "multiplicity", typed="hint\n29\n")
    assert re.search(r"Play (\d+): \1 leaves nothing to choose\.\nEnter your choice: 29", ran.out)


def test_a_hint_beyond_reach_says_so(run):
    settings = ("--target", 10**9, "--operations", "+1,-1,x3")
    ran = run("play", "operation-duel", *settings, typed="hint\n")
    assert "This is beyond the coach: the numbers up to 1000000000 are too many" in ran.out


def test_a_hint_about_the_swap(run):
    ran = run("play", "divisor-line", "--goal", "chain", "--swap", typed="1\nhint\nyes\n")
    assert "Yes: that move wins." in ran.out
    ran = run("play", "divisor-line", "--goal", "chain", "--swap", typed="19\nhint\nno\n")
    assert "No: that move does not win." in ran.out


def test_the_coach_comments_on_each_move_of_a_person(run):
    ran = run("play", "operation-duel", "--coach", "--start", 15, typed="1\n1\n2\n")
    assert ran.out.count("Coach: ") == 3
    assert "Coach: Good: that keeps the win." in ran.out
    assert "Coach: Nothing could be done: every move loses against best play." in ran.out
    assert "Coach: That gave the win away. Add 1 → 18 would have kept it:" in ran.out


def test_the_coach_is_silent_about_the_computer_and_before_a_swap(run):
    ran = run("play", "operation-duel", "--coach", "--p2", "perfect", typed="1\n" * 12)
    comments = [line for line in ran.out.splitlines() if line.startswith("Coach: ")]
    asked = ran.out.count("Player 1's Turn:")
    assert len(comments) == asked
    ran = run("play", "multiplicity", "--coach", "--swap", typed="5\n")
    assert "Coach" not in ran.out


def test_the_coach_says_where_a_game_is_beyond_it(run):
    settings = ("--target", 10**9, "--operations", "+1,-1,x3", "--coach")
    assert "Coach: This is beyond me: " in run("play", "operation-duel", *settings, typed="1\n").out


def test_a_game_against_the_computer_ends_with_an_offer_to_show_where_it_turned(run):
    ran = run("play", "multiplicity", "--p2", "easy", typed="29\n")
    assert ran.out.endswith("\nTo see where it turned: numduel analyze 1\n")
    assert run("analyze", 1).status == 0


def test_two_people_are_not_offered_it(run):
    assert "analyze" not in run("play", "multiplicity", typed="29\n").out


@pytest.mark.parametrize("who", ["easy", "medium", "hard", "perfect"])
def test_a_seed_repeats_a_game_between_computers(run, who):
    options = ("play", "divisor-line", "--goal", "chain", "--p1", who, "--p2", who, "--seed", 5)
    assert run(*options).out == run(*options).out


def test_a_perfect_player_is_refused_where_it_could_only_guess(run, home):
    settings = ("--target", 10**9, "--operations", "+1,-1,x3")
    ran = run("play", "operation-duel", *settings, "--p2", "perfect")
    assert ran.status == 1
    assert "too many" in ran.err
    assert not list(home.glob("games/*"))


def test_a_program_plays_a_match(run, tmp_path):
    file = tmp_path / "game.json"
    ran = run(
        "play",
        "divisor-line",
        "--p1",
        f"program:{sys.executable} {BOT}",
        "--p2",
        "perfect",
        "--rounds",
        2,
        "--record",
        file,
    )
    assert ran.status == 0
    assert "Round 2 of 2" in ran.out
    assert json.loads(file.read_text())["players"][0].startswith("program:")


def test_a_program_that_fails_loses_each_game_and_the_match_goes_on(run):
    ran = run("play", "divisor-line", "--p1", "program:false", "--p2", "random", "--rounds", 3)
    assert ran.status == 0
    assert ran.out.count("Player 1 forfeits: 'false' has stopped.\nPlayer 2 wins.") == 3
    assert "Player 2 is the champion, 3 to 0!" in ran.out


def test_a_program_without_a_command_is_refused_before_the_game(run, home):
    ran = run("play", "divisor-line", "--p2", "program:")
    assert ran.status == 1
    assert ran.err == "numduel: program: needs a command, as in program:./my-bot\n"
    assert not list(home.glob("games/*"))


def test_a_hint_before_a_swap_does_not_promise_a_win(run):
    ran = run("play", "divisor-line", "--goal", "chain", "--swap", typed="hint\n")
    assert "A first move that wins will be taken over, and one that loses will not" in ran.out
    ran = run("play", "multiplicity", "--swap", typed="hint\n")
    assert " leaves nothing to choose." in ran.out  # it ends the game: no swap follows


def test_the_coach_judges_the_answer_to_the_swap(run):
    options = ("play", "divisor-line", "--goal", "chain", "--swap", "--coach")
    assert "Coach: Good: that first move wins." in run(*options, typed="1\nyes\n").out
    assert (
        "Coach: That first move wins: it was better to take it over."
        in run(*options, typed="1\nno\n").out
    )
    beyond = ("play", "divisor-line", "--size", 10001, "--goal", "chain", "--swap", "--coach")
    assert "Coach: This is beyond me" in run(*beyond, typed="1\nno\n").out


def test_the_swap_question_shows_the_position(run):
    ran = run("play", "operation-duel", "--swap", typed="2\n")
    assert "Player 2's Turn:\nCurrent Number: 2\n" in ran.out
    assert ran.out.count("do you take over the first move?") == 1


def test_a_program_that_is_not_there_is_refused_before_the_game(run, home):
    ran = run("play", "divisor-line", "--p2", "program:no-such-program")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "numduel: program: there is no program 'no-such-program'\n"
    assert not list(home.glob("games/*"))


def test_a_hint_claims_the_longest_only_where_every_distance_is_known(run):
    ran = run("play", "multiplicity", "--size", 60, "--start", 30, typed="hint\n")
    assert "holds out longest" not in ran.out
