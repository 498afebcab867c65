"""Which games are carried, and which are not."""

import pytest
from take_away import TakeAway

import numduel
from numduel.agents.common import MAX_ACTIONS, MAX_ENCODING_LENGTH, carried, fit
from numduel.core.game import Encoding


def test_a_game_of_as_many_actions_as_are_allowed_is_carried_and_one_of_more_is_refused():
    game = carried("multiplicity", {"size": MAX_ACTIONS})
    assert len(game.actions) == MAX_ACTIONS < game.encoding.length
    with pytest.raises(numduel.SettingsError, match="it has 10,001 actions, at most 10,000"):
        carried("multiplicity", {"size": MAX_ACTIONS + 1})


def test_longer_vectors_are_refused():
    class Long(TakeAway):
        encoding = Encoding(MAX_ENCODING_LENGTH + 1, 0, 1)

    with pytest.raises(numduel.SettingsError, match="its vectors are 20,001 long, at most 20,000"):
        fit(Long())
