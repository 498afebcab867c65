"""Our rules against the rules told again in the plainest Python, on random play."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel

KEYS = [listed.key for listed in numduel.games()]


@pytest.mark.parametrize("key", KEYS)
@given(data=st.data())
def test_our_rules_are_the_documents_rules(key, restated, judged, played, data):
    game, first, moves, positions = data.draw(played(key))
    for count, position in enumerate(positions):
        expected = restated[key](first, moves[:count], **game.settings.values)
        assert judged(game, position) == expected
