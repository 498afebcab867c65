"""How long walks last: against what working back from the ends says."""

from random import Random

import pytest

import numduel
from numduel import TooLarge
from numduel.games.walk import theory
from numduel.solver import lengths
from numduel.solver.claims import mask
from numduel.solver.geography import Walks
from numduel.solver.lengths import Lengths
from numduel.solver.reference import retrograde


def search(game, most=10**6):
    size = game.settings.size
    near = [0, *(mask(game.neighbours(n)) for n in range(1, size + 1))]
    return Lengths(Walks(theory.graph(size)), near, most)


def unused(game, position):
    return (2 << game.settings.size) - 2 & ~mask(position.chosen)


SMALL = [
    {"size": 11, "start": start, "opening": opening, "start_open": start_open}
    for start in (1, 2, 6)
    for opening in ("any", "even")
    for start_open in (False, True)
] + [{"size": size} for size in range(1, 14)]


@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_every_position_of_every_small_setting_equals_the_reference(settings):
    game = numduel.new("multiplicity", **settings)
    found = search(game)
    for position, expected in retrograde(game, game.start()).items():
        length = found.of(mask(game.moves(position)), unused(game, position))
        assert length == expected.distance, position


@pytest.mark.soak(keep=3)
@pytest.mark.parametrize("seed", range(30))
def test_random_larger_positions_equal_the_reference(seed):
    rng = Random(seed)
    game = numduel.new("multiplicity", size=rng.randint(25, 60), start=rng.randint(1, 20))
    while True:
        position = game.start()
        for _ in range(rng.randint(8, 30)):
            position = game.play(position, rng.choice(game.moves(position)))
            if game.outcome(position):
                break
        try:
            reference = retrograde(game, position, most=5_000)
            break
        except TooLarge:
            continue
    found = search(game)
    for one in rng.sample(list(reference), min(100, len(reference))):
        length = found.of(mask(game.moves(one)), unused(game, one))
        assert length == reference[one].distance, one


def test_what_takes_too_long_is_given_up():
    game = numduel.new("multiplicity", size=50, start=2)
    start = game.start()
    with pytest.raises(TooLarge, match="more than 100 positions to look at"):
        search(game, most=100).of(mask(game.moves(start)), unused(game, start))


def test_walks_that_last_too_long_are_not_followed(monkeypatch):
    monkeypatch.setattr(lengths, "LONGEST", 8)
    game = numduel.new("multiplicity", size=20, start=2)
    start = game.start()
    with pytest.raises(TooLarge, match="more than 8 moves to the end"):
        search(game).of(mask(game.moves(start)), unused(game, start))
