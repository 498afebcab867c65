"""The coach at the prompt, the computer's levels, and programs as players."""

import json
import sys
from pathlib import Path

import pytest

BOT = Path(__file__).parents[2] / "examples" / "bot.py"

CHAIN = ("play", "divisor-line", "--goal", "chain", "--swap")
BEYOND = ("play", "operation-duel", "--target", 10**9, "--operations", "+1,-1,x3")


@pytest.mark.parametrize(
    ("command", "typed", "said"),
    [
        (BEYOND, "hint\n", "The coach cannot help here: the numbers up to 1000000000 are too many"),
        ((*BEYOND, "--coach"), "1\n", "Coach: I cannot judge this: "),
        ((*CHAIN, "--size", 10001, "--coach"), "1\nno\n", "Coach: I cannot judge this"),
        # A hint before a swap does not promise a win, unless the game ends before it.
        (CHAIN, "hint\n", "A first move that wins will be taken over, and one that loses will not"),
        (("play", "multiplicity", "--swap"), "hint\n" * 4, " leaves nothing to choose."),
        (CHAIN, "1\nhint\nyes\n", "Yes: that move wins."),
        (CHAIN, "19\nhint\nno\n", "No: that move does not win."),
        ((*CHAIN, "--coach"), "1\nyes\n", "Coach: Good: that first move wins."),
        (
            (*CHAIN, "--coach"),
            "1\nno\n",
            "Coach: That first move wins: it was better to take it over.",
        ),
    ],
)
def test_hints_and_comments_where_the_truth_is_out_of_reach_or_a_swap_is_open(
    run, command, typed, said
):
    assert said in run(*command, typed=typed).out


def test_a_hint_says_more_each_time_it_is_asked_for(run):
    game = ("play", "multiplicity", "--size", 21, "--start", 5, "--opening", "even")
    ran = run(*game, typed="hint\n" * 5 + "10\nhint\n")
    said = [line for line in ran.out.splitlines() if not line.startswith("Enter your choice")]
    play = "Play 10. 10 leaves them 1, 2 or 20: each is half of a domino, and you step on the other"
    for line in (
        "1 of your 2 moves wins.",
        "Keep the numbers in pairs: whatever they step on, you need one more step from there.",
        "It is 10 or 20.",
    ):
        assert said.count(line) == 1
    assert sum(line.startswith(play) for line in said) == 2  # the last step stays the last
    assert sum(line.startswith("Dominoes: ") for line in said) == 2
    assert (
        said.count("Type hint again to hear more.") == 4
    )  # three steps, and the next turn's first
    assert "None of your 3 moves wins if they play their best." in said


def test_the_coach_comments_on_the_moves_of_a_person(run):
    ran = run("play", "operation-duel", "--coach", "--start", 4, typed="1\n1\n1\n")
    said = [line for line in ran.out.splitlines() if line.startswith("Coach: ")]
    assert said == [
        "Coach: 5 is on your ladder to 20.",
        "Coach: From 7 they can go to 14, a good number to land on. "
        "Multiply by 2 → 12 instead of Add 1 → 7 would have won.",
    ]


def test_the_coach_is_silent_about_the_computer_and_before_a_swap(run):
    out = run("play", "operation-duel", "--coach", "--p2", "perfect", typed="1\n" * 12).out
    assert 1 <= out.count("\nCoach: ") < out.count("Player 1's Turn:")
    assert "Coach" not in run("play", "multiplicity", "--coach", "--swap", typed="5\n").out


def test_the_last_word_fits_the_result(run):
    alone = ("play", "double-or-add", "--coach", "--p2", "perfect")
    assert "Coach: You won: you landed on 31." in run(*alone, "--start", 30, typed="2\n").out
    lost = run(*alone, "--start", 29, "--first", 2, typed="1\n").out
    assert "Coach: " in lost and "Try again" not in lost  # nobody is at a terminal


@pytest.mark.parametrize("place", [{}, {"NUMDUEL_HOME": "/dev/null/numduel"}])
def test_a_lost_game_is_tried_again_from_where_it_turned(spawn, place):
    """Also where nothing can be saved."""
    game = ("double-or-add", "--coach", "--p2", "perfect", "--start", "14")
    shown = spawn("play", *game, env=place)
    shown.type("Player 1, your move: ", "1", "2")
    shown.type("Try again from there? (yes or no): ", "yse", "yes")
    shown.type("Player 1, your move: ", "2", "quit")
    assert "Coach: So close! It turned when you chose Double → 28." in shown.text
    assert "Coach: 15 is on your ladder to 31." in shown.text
    assert shown.ends() == 0
    assert " ".join(shown.text.split()).count("will not be saved.") == len(place)


def test_the_swap_question_shows_the_position(run):
    ran = run("play", "operation-duel", "--swap", typed="2\n")
    assert "Player 2's Turn:\nCurrent Number: 2\n" in ran.out
    assert ran.out.count("do you want to take over what Player 1 has played?") == 1


def test_a_game_against_the_computer_ends_with_an_offer_to_show_where_it_turned(run):
    ran = run("play", "multiplicity", "--p2", "easy", typed="29\n")
    assert ran.out.endswith("\nTo look back at it: numduel analyze 1\n")
    assert run("analyze", 1).status == 0
    assert "analyze" not in run("play", "multiplicity", typed="29\n").out  # between two people


@pytest.mark.parametrize("who", ["easy", "medium", "hard", "perfect"])
def test_a_seed_repeats_a_game_between_computers(run, who):
    options = ("play", "divisor-line", "--goal", "chain", "--p1", who, "--p2", who, "--seed", 5)
    assert run(*options).out == run(*options).out


@pytest.mark.parametrize(
    ("command", "player", "why"),
    [
        (BEYOND, "perfect", "too many"),
        (CHAIN, "program:", "program: needs a command, as in program:./my-bot\n"),
        (CHAIN, "program:no-such-program", "program: there is no program 'no-such-program'\n"),
    ],
)
def test_who_cannot_play_is_refused_before_the_game(run, home, command, player, why):
    ran = run(*command, "--p2", player)
    assert (ran.status, ran.out) == (1, "")
    assert why in ran.err and ran.err.count("\n") == 1
    assert not list(home.glob("games/*"))


def test_a_program_plays_a_match(run, tmp_path):
    players = ("--p1", f"program:{sys.executable} {BOT}", "--p2", "perfect")
    ran = run("play", "divisor-line", *players, "--rounds", 2, "--record", "game.json")
    assert ran.status == 0
    assert "Round 2 of 2" in ran.out
    record = json.loads((tmp_path / "game.json").read_text())
    assert record["players"][0].startswith("program:")


def test_a_program_that_fails_loses_each_game_and_the_match_goes_on(run):
    ran = run("play", "divisor-line", "--p1", "program:false", "--p2", "random", "--rounds", 3)
    assert ran.status == 0
    assert ran.out.count("Player 1 forfeits: 'false' has stopped.\nPlayer 2 wins.") == 3
    assert "Player 2 is the champion, 3 to 0!" in ran.out
