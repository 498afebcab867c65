"""The positions that play can reach, counted by hand, and random games."""

from random import Random

import pytest

import numduel
from numduel.core.explore import playout, reachable
from numduel.games.tally.rules import Tally


def test_each_position_of_a_short_race_is_found_once_with_its_successors():
    # To 3: from 1 to 2, twice; from 2 to 3, which wins, or to 4, which is too far.
    game = numduel.new("operation-duel", target=3)
    won, lost = Tally(3, 1, "reached"), Tally(4, 1, "overshot")
    assert reachable(game, [game.start()]) == {
        Tally(1, 1): [Tally(2, 2), Tally(2, 2)],
        Tally(2, 2): [won, lost],
        won: [],
        lost: [],
    }


def test_play_may_begin_in_several_places():
    game = numduel.new("operation-duel", target=3)
    assert len(reachable(game, [game.start(1), game.start(2), game.start(1)])) == 8


def test_the_maximum_number_of_positions_is_exact():
    game = numduel.new("operation-duel", target=3)
    assert len(reachable(game, [game.start()], most=4)) == 4
    with pytest.raises(numduel.TooLarge, match=r"^more than 3 positions can be reached$"):
        reachable(game, [game.start()], most=3)


def test_a_playout_is_a_game_of_legal_moves_to_its_end_or_to_a_limit():
    game = numduel.new("multiplicity", size=12)
    for seed in range(20):
        *steps, (end, none) = playout(game, Random(seed))
        assert none is None and game.outcome(end) is not None
        position = steps[0][0]
        for before, move in steps:
            assert before == position
            position = game.play(position, move)
        assert position == end
        assert [*playout(game, Random(seed), most=2)][:-1] == steps[:2]
    assert len([*playout(game, Random(1), game.start(2), most=2)]) == 3
    assert {next(playout(game, Random(seed)))[0].mover for seed in range(9)} == {1, 2}
