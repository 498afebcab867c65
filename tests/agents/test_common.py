"""Which games adapters support, and which they refuse."""

import pytest
from take_away import TakeAway

import numduel
from numduel.agents.common import MAX_ACTIONS, MAX_ENCODING_LENGTH, game_for_vectors, shared_game
from numduel.core.game import Encoding


def test_a_game_with_the_maximum_number_of_actions_is_supported_and_a_larger_one_is_refused():
    game = game_for_vectors("multiplicity", {"size": MAX_ACTIONS})
    assert len(game.actions) == MAX_ACTIONS < game.encoding.length
    with pytest.raises(numduel.SettingsError, match="it has 10,001 actions, at most 10,000"):
        game_for_vectors("multiplicity", {"size": MAX_ACTIONS + 1})


def test_longer_vectors_are_refused():
    class Long(TakeAway):
        encoding = Encoding(MAX_ENCODING_LENGTH + 1, 0, 1)

    with pytest.raises(numduel.SettingsError, match="vectors have 20,001 entries, at most 20,000"):
        shared_game(Long())
