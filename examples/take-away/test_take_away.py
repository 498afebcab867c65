"""The conformance suite that comes with numduel, run on Take Away."""

import pytest
from take_away import TakeAway

from numduel import conformance


@pytest.mark.parametrize("game", [TakeAway(), TakeAway(stones=5, most=2)], ids=repr)
@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_take_away_conforms(check, game):
    check(game)
