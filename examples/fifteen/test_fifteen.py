"""Fifteen passes the conformance suite, and is a draw, like its form in a magic square."""

import pytest
from fifteen import Fifteen, Hands

import numduel
from numduel import conformance

GAME = Fifteen()


def position_after(*moves):
    position = GAME.start()
    for move in moves:
        position = GAME.play(position, move)
    return position


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_fifteen_conforms(check):
    check(GAME)


def test_the_best_play_of_both_is_a_draw_with_every_opening():
    assert numduel.solve(GAME, GAME.start()) == ("draw", 9)
    assert set(numduel.evaluate(GAME, GAME.start()).values()) == {("draw", 9)}


def test_three_numbers_that_add_up_to_fifteen_win():
    position = position_after(2, 1, 4, 3, 9)
    outcome = GAME.outcome(position)
    assert outcome == (1, "fifteen")
    assert GAME.words.result(position, outcome) == "2 + 4 + 9 = 15"
    assert GAME.words.scene(position).sentence == "Player 1 wins"


def test_nobody_wins_if_all_numbers_are_taken():
    position = position_after(5, 2, 1, 9, 4, 6, 7, 3, 8)
    outcome = GAME.outcome(position)
    assert outcome == (None, "all taken")
    assert GAME.words.closing(position, outcome) == ["Nobody wins (all nine numbers are taken)."]


def test_a_refusal_says_why():
    with pytest.raises(numduel.IllegalMove, match="5 is taken"):
        GAME.play(position_after(5), 5)
    with pytest.raises(numduel.IllegalMove, match="10 is not one of the numbers from 1 to 9"):
        GAME.play(position_after(5), 10)


def test_a_position_that_play_cannot_reach_has_no_verdict():
    with pytest.raises(numduel.PositionError):
        numduel.solve(GAME, Hands(frozenset({1, 2}), frozenset(), 1))
