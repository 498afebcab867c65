"""The coach: hints that win, and comments that are true."""

from random import Random

import pytest

import numduel
from numduel.core.verdict import Verdict
from numduel.play.coach import advice, comment, comment_swap, hint, judge, outlook
from numduel.players import Turn


def test_a_hint_wins_and_says_why():
    game = numduel.new("operation-duel", start=11)
    found = hint(game, game.start())
    assert found.line == (
        "Play 1: 12 leaves them an even number above half the target: whatever they do, "
        "you reach 20 first."
    )


def test_a_hint_in_a_lost_position_holds_out_longest():
    game = numduel.new("operation-duel", start=12)
    assert hint(game, game.start()).line == (
        "Every move loses against best play. 1 holds out longest: "
        "13 lets them go to 14, from which you lose."
    )


def test_a_hint_in_an_endless_position_is_safe():
    game = numduel.new("divisor-duel", start=6)
    found = hint(game, game.start())
    assert found.move == 1
    assert found.line.startswith("Nothing wins by force. 1 is safe: 7 leaves the remainder 7")


@pytest.mark.parametrize("size", [30, 5000])
def test_hints_keep_the_win_at_any_size(size):
    game = numduel.new("multiplicity", size=size, start=2)
    rng = Random(1)
    position = game.start()
    while game.moves(position):
        found = hint(game, position)
        assert found.verdict.value == numduel.solve(game, position).value
        if found.verdict.value == "win":
            assert numduel.evaluate(game, position)[found.move].value == "win"
        position = game.play(position, rng.choice(game.moves(position)))


def said(key, move, **settings):
    game = numduel.new(key, **settings)
    position = game.start()
    assert judge(game, position, move).verdict == numduel.evaluate(game, position)[move]
    return comment(game, position, move)


def test_the_comment_on_a_move_that_keeps_the_win():
    assert said("operation-duel", 1, start=11) == "Good: that keeps the win."


def test_the_comment_on_a_move_that_gives_the_win_away():
    assert said("multiplicity", 5) == (
        "That gave the win away. 29 would have kept it: 29 leaves nothing to choose."
    )


def test_the_comment_where_nothing_could_be_done():
    assert said("operation-duel", 1) == (
        "Nothing could be done: every move loses against best play."
    )


def test_the_comments_in_endless_play():
    assert said("divisor-duel", 1, start=6) == "Sound: nobody can force an end."
    assert said("divisor-duel", 2, start=6).startswith("That loses. 1 would have held: 7 leaves")


def test_the_comment_on_the_only_move():
    assert said("multiplicity", 14, size=14, start=7, opening="even") == "It was the only move."


def test_the_outlook_names_the_player():
    assert outlook(Verdict("win", 1), 2) == "Player 2 wins in 1 move with best play."
    assert outlook(Verdict("loss", 14), 2) == "Player 1 wins in 14 moves with best play."
    assert outlook(Verdict("loss"), 1) == "Player 2 wins with best play."
    assert outlook(Verdict("endless"), 1) == "Neither player can force an end."


BEYOND = numduel.new("operation-duel", target=10**9, operations="+1,x3")


def asked(game, *moves, swap_ahead=False):
    position = game.start()
    for move in moves:
        position = game.play(position, move)
    return Turn(game, position, 1, moves, Random(1), swap_ahead)


def test_the_advice_to_the_mover_is_the_hint():
    game = numduel.new("operation-duel", start=11)
    assert advice(asked(game), swap_open=False) == hint(game, game.start()).line


def test_the_advice_on_a_swap_is_whether_the_move_wins():
    game = numduel.new("divisor-line", goal="chain")
    assert advice(asked(game, 1), swap_open=True) == "Yes: that move wins."
    assert advice(asked(game, 19), swap_open=True) == "No: that move does not win."


def test_the_advice_before_a_swap_is_to_be_hard_to_judge_unless_the_game_can_end():
    game = numduel.new("multiplicity", start=2)
    line = "A first move that wins will be taken over, and one that loses will not: "
    assert advice(asked(game, swap_ahead=True), swap_open=False).startswith(line)
    quick = numduel.new("double-or-add", target=2)
    assert advice(asked(quick, swap_ahead=True), swap_open=False).startswith("Play 1: ")


def test_the_comment_on_a_swap_is_whether_it_was_right():
    game = numduel.new("divisor-line", goal="chain")
    for move, right in ((1, True), (19, False)):
        position = game.play(game.start(), move)
        assert comment_swap(game, position, right) == "Good."
        assert comment_swap(game, position, not right) == "The other answer was better."


def test_where_nobody_can_force_an_end_either_answer_to_the_swap_is_right():
    game = numduel.new("divisor-duel", start=6)
    position = game.play(game.start(), 1)
    assert numduel.solve(game, position).value == "endless"
    assert comment_swap(game, position, True) == comment_swap(game, position, False) == "Good."


def test_what_is_beyond_the_coach_is_said_to_be():
    start, after = BEYOND.start(), BEYOND.play(BEYOND.start(), 1)
    assert advice(asked(BEYOND), swap_open=False).startswith("This is beyond the coach: the num")
    assert advice(asked(BEYOND, 1), swap_open=True).startswith("This is beyond the coach: the num")
    assert comment(BEYOND, start, 1).startswith("this is beyond me: the numbers up to")
    assert comment_swap(BEYOND, after, True).startswith("this is beyond me: the numbers up to")
