"""The settings that a game declares for puzzles."""

from random import Random

import pytest

import numduel
from numduel.games import game_type, keys


@pytest.mark.parametrize("key", keys())
def test_puzzles_are_looked_for_at_settings_that_the_game_allows(key):
    rng = Random(1)
    games = {numduel.new(key, **game_type(key).puzzle_settings(rng)) for _ in range(100)}
    assert len(games) > 10
