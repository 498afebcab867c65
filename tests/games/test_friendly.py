"""The settings that a game declares for a first game, and for puzzles."""

from random import Random

import pytest

import numduel
from numduel.games import game_type, keys


@pytest.mark.parametrize("key", keys())
def test_nobody_wins_a_first_game_in_one_move(key):
    game = numduel.new(key, **game_type(key).friendly)
    start = game.start()
    openings = numduel.evaluate(game, start)
    assert not [move for move, verdict in openings.items() if verdict.distance == 1]
    verdict = numduel.solve(game, start)
    assert verdict.value != "endless"
    assert verdict.distance is None or verdict.distance > 2  # nor is there a first reply that does


@pytest.mark.parametrize("key", keys())
def test_puzzles_are_looked_for_at_settings_that_the_game_allows(key):
    rng = Random(1)
    games = {numduel.new(key, **game_type(key).puzzle_settings(rng)) for _ in range(100)}
    assert len(games) > 10
