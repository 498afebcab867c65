"""The coach: hints that win, and comments that are true."""

from random import Random

import pytest

import numduel
from numduel.core.theory import Verdict
from numduel.play.coach import hint, judge, outlook


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


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("size", [30, 400, 5000])
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


def comment(key, move, **settings):
    game = numduel.new(key, **settings)
    position = game.start()
    return judge(game, position, move).line(only=len(game.moves(position)) == 1)


def test_the_comment_on_a_move_that_keeps_the_win():
    assert comment("operation-duel", 1, start=11) == "Good: that keeps the win."


def test_the_comment_on_a_move_that_gives_the_win_away():
    assert comment("multiplicity", 5) == (
        "That gave the win away. 29 would have kept it: 29 leaves nothing to choose."
    )


def test_the_comment_where_nothing_could_be_done():
    assert comment("operation-duel", 1) == (
        "Nothing could be done: every move loses against best play."
    )


def test_the_comments_in_endless_play():
    assert comment("divisor-duel", 1, start=6) == "Sound: nobody can force an end."
    assert comment("divisor-duel", 2, start=6).startswith("That loses. 1 would have held: 7 leaves")


def test_the_comment_on_the_only_move():
    assert comment("multiplicity", 14, size=14, start=7, opening="even") == "It was the only move."


def test_the_outlook_names_the_player():
    assert outlook(Verdict("win", 1), 2) == "Player 2 wins in 1 move with best play."
    assert outlook(Verdict("loss", 14), 2) == "Player 1 wins in 14 moves with best play."
    assert outlook(Verdict("loss"), 1) == "Player 2 wins with best play."
    assert outlook(Verdict("endless"), 1) == "Neither player can force an end."
