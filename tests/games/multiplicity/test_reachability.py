"""Whether some walk leads through exactly the chosen numbers."""

from itertools import islice
from random import Random

import pytest

import numduel
from numduel.core.explore import playout
from numduel.games.multiplicity import reachability
from numduel.games.multiplicity.reachability import walk_exists
from numduel.games.multiplicity.rules import Walk


def exists(number, chosen, **settings):
    game = numduel.new("multiplicity", **settings)
    return walk_exists(game, Walk(number, frozenset(chosen), 1))


@pytest.mark.parametrize(
    ("number", "chosen", "can_be"),
    [
        (2, {1, 2}, True),
        (16, {1, 7, 14, 2, 4, 8, 16}, True),
        (7, {1, 7, 14, 2, 4, 8, 16}, True),  # the same backwards, 1 apart
        (14, {1, 7, 14, 2, 4, 8, 16}, False),  # 7 comes right before 14, so right after 1
        (5, {1, 3, 5}, False),  # from 1 to one of them, and then on to 1 again
        (4, {1, 2, 3, 4, 9}, False),  # both 3 and 9 have only each other and 1
        (7, {1, 11, 13, 7}, False),
    ],
)
def test_small_walks(number, chosen, can_be):
    assert exists(number, chosen, size=20) is can_be


def test_the_search_goes_on_if_the_first_steps_lead_nowhere():
    # 1 3 6 2 4 12: the first steps tried lead elsewhere.
    assert exists(12, {1, 2, 3, 4, 6, 12}, size=12)
    assert exists(3, {1, 2, 3, 4, 6, 12}, size=12)


def test_the_start_left_open_may_come_later_in_the_walk():
    assert exists(1, {1, 5}, size=6, start_open=True)
    assert exists(5, {5}, size=6, start_open=True)
    assert not exists(1, {1}, size=6, start_open=True)
    assert not exists(5, {1, 5}, size=6, start_open=True)


def test_a_walk_obeys_an_even_opening():
    assert exists(6, {1, 3, 6}, size=6)
    assert not exists(6, {1, 3, 6}, size=6, opening="even")
    assert exists(3, {1, 3, 6}, size=6, opening="even")


def test_every_position_of_a_random_game_is_reachable(many):
    for seed in range(many(8, 60)):
        rng = Random(seed)
        game = numduel.new("multiplicity", size=rng.randint(1, 400))
        walked = (position for position, _ in islice(playout(game, rng), 1, None))
        assert all(walk_exists(game, position) for position in walked)


def test_a_search_that_takes_too_long_accepts_the_position(monkeypatch):
    far = {1, 7, 14, 2, 4, 8, 16}
    assert not exists(14, far, size=20)
    monkeypatch.setattr(reachability, "MAX_SEEN_NEIGHBOURS", 1)
    assert exists(14, far, size=20)
