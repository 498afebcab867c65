"""The baselines make legal moves, improve with more computation, and are repeated by a seed."""

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


def count_sound_moves(player, key, settings, count):
    """Return how often a player finds a sound move."""
    found = 0
    for one in problems(key, settings, 1, count):
        turn = Turn(one.game, one.position, 1, one.moves, Random(7))
        move = player.choose(turn)
        assert move in one.worth and move == player.choose(turn._replace(rng=Random(7)))
        found += move in one.gold
    return found


@pytest.mark.parametrize(("key", "settings"), GAMES)
def test_the_baselines_make_legal_moves_and_repeat_them(key, settings):
    for player in (TreeSearch("5"), SelfPlay("20")):
        count_sound_moves(player, key, settings, 3)


def test_more_computation_finds_more_sound_moves():
    key, settings = GAMES[3]
    assert count_sound_moves(TreeSearch("2"), key, settings, 6) < count_sound_moves(
        TreeSearch("60"), key, settings, 6
    )
    assert count_sound_moves(SelfPlay("1000"), key, settings, 6) >= 5


def test_a_parameter_is_a_number():
    for kind in (TreeSearch, SelfPlay):
        with pytest.raises(SettingsError, match="a number from 2"):
            kind("many")


def test_a_position_above_the_ceiling_of_the_search_gets_a_random_move():
    game = numduel.new("divisor-duel")
    position = game.read("8192/1")
    move = TreeSearch("5").choose(Turn(game, position, 1, (), Random(1)))
    assert move in game.moves(position)
