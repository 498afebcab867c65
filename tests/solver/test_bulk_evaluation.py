"""Many positions of any game give the same verdicts as one after another."""

import pytest
from fifteen import Fifteen

import numduel


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("divisor-duel", {}),
        ("operation-duel", {"operations": "+1,-2,x3"}),
        ("double-or-add", {}),
        ("divisor-line", {"goal": "chain", "size": 16}),
    ],
)
def test_each_verdict_is_that_of_evaluate(key, settings):
    game = numduel.new(key, **settings)
    first = [game.play(game.start(), move) for move in game.moves(game.start())]
    positions = [game.start(), *first]
    expected = [numduel.evaluate(game, position) for position in positions]
    assert numduel.evaluate_many(game, iter(positions)) == expected
    assert numduel.evaluate_many(game, []) == []


def test_many_positions_of_a_game_of_another_package():
    game = Fifteen()
    position = game.start()
    for move in (5, 2, 8):
        position = game.play(position, move)
    assert numduel.evaluate_many(game, [position]) == [numduel.evaluate(game, position)]


def test_errors_name_a_bad_position_and_refuse_large_games():
    game = numduel.new("divisor-line", size=2001, goal="chain")
    with pytest.raises(numduel.TooLarge):
        numduel.evaluate_many(game, [game.start()])
    with pytest.raises(numduel.PositionError, match=r"^position 1: play cannot reach \(1, 2\)"):
        numduel.evaluate_many(game, [game.start(), (1, 2)])
