"""Stepping Stones passes the conformance suite, and lets a player step twice."""

import pytest
from stepping_stones import Place, SteppingStones

import numduel
from numduel import conformance


@pytest.mark.parametrize(
    "game",
    [SteppingStones(), SteppingStones(stones=10, warm=2), SteppingStones(stones=1)],
    ids=repr,
)
@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_stepping_stones_conforms(check, game):
    check(game)


def test_whoever_comes_to_a_warm_stone_steps_again():
    game = SteppingStones()
    position = game.play(Place(3, 1), 2)
    assert position == Place(5, 1)
    assert (
        game.words.moved(Place(3, 1), 2, position, "Ann") == "Ann steps from 3 to 5 and steps again"
    )
    assert game.play(position, 2) == Place(7, 2)


def test_whoever_reaches_the_last_stone_wins_also_if_it_is_warm():
    game = SteppingStones(stones=20)
    assert game.outcome(game.play(Place(18, 2), 2)).winner == 2
    assert numduel.solve(game, Place(17, 1)).value == "win"
    # 12 → 15 → 16, from which every step of the opponent brings 20 within reach.
    assert numduel.solve(game, Place(12, 1)).value == "win"
