"""Every position that play can reach, counted by hand."""

import pytest

import numduel
from numduel.core.explore import reachable
from numduel.games.tally.rules import Tally


def test_each_position_of_a_short_race_is_found_once_with_what_follows_it():
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


def test_just_as_many_positions_as_allowed_are_found_and_one_more_is_too_many():
    game = numduel.new("operation-duel", target=3)
    assert len(reachable(game, [game.start()], most=4)) == 4
    with pytest.raises(numduel.TooLarge, match=r"^more than 3 positions can be reached$"):
        reachable(game, [game.start()], most=3)
