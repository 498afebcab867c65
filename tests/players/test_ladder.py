"""Each opponent beats the one before it, in every game; `make bench` shows by how much."""

import pytest
from benchmarks.ladder import Rung, rungs, won

import numduel

QUICK = numduel.new("multiplicity", size=16, opening="even")
SLOW = [rung for rung in rungs() if rung.game.key == "multiplicity"]
GAMES = 200
"""The games are always the same, so that chance decides nothing."""


@pytest.mark.no_cover
@pytest.mark.soak(keep=10)
@pytest.mark.parametrize(
    "rung",
    [rung for rung in rungs() if rung not in SLOW] + [one._replace(game=QUICK) for one in SLOW],
    ids=str,
)
def test_each_opponent_beats_the_one_before_it(rung: Rung):
    assert won(rung, GAMES) > 0.53 * GAMES


@pytest.mark.soak
@pytest.mark.parametrize("rung", SLOW, ids=str)
def test_each_opponent_beats_the_one_before_it_where_that_takes_long(rung: Rung):
    assert won(rung, 60) > 0.53 * 60
