"""The baselines play by the rules, better the more they may think, and a seed repeats them."""

from random import Random

import pytest
from baselines import SelfPlay, TreeSearch

import numduel
from numduel import SettingsError
from numduel.agents.problems import problems
from numduel.players import Turn

GAMES = [
    ("divisor-duel", {}),
    ("operation-duel", {"operations": "+1,+3,x2"}),
    ("divisor-line", {"size": 6}),
    ("double-or-add", {"target": 14}),
    ("multiplicity", {"size": 10}),
]


def right(player, key, settings, count):
    """How often it finds a sound move."""
    found = 0
    for one in problems(key, settings, 1, count):
        turn = Turn(one.game, one.position, 1, one.moves, Random(7))
        move = player.choose(turn)
        assert move in one.worth and move == player.choose(turn._replace(rng=Random(7)))
        found += move in one.gold
    return found


@pytest.mark.parametrize(("key", "settings"), GAMES)
def test_they_play_by_the_rules_and_repeat_themselves(key, settings):
    for player in (TreeSearch("5"), SelfPlay("20")):
        right(player, key, settings, 3)


def test_who_may_think_more_finds_more():
    key, settings = GAMES[3]
    assert right(TreeSearch("2"), key, settings, 6) < right(TreeSearch("60"), key, settings, 6)
    assert right(SelfPlay("1000"), key, settings, 6) >= 5


def test_a_parameter_is_a_number():
    for kind in (TreeSearch, SelfPlay):
        with pytest.raises(SettingsError, match="a number from 2"):
            kind("many")


def test_a_number_that_is_too_large_for_the_search_is_played_at_random():
    game = numduel.new("divisor-duel")
    position = game.read("8192/1")
    move = TreeSearch("5").choose(Turn(game, position, 1, (), Random(1)))
    assert move in game.moves(position)
