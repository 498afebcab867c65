"""The distances of walks are those of the reference solver."""

from random import Random

import pytest

import numduel
from numduel import TooLarge
from numduel.games.multiplicity.theory import divisor_graph
from numduel.solver.geography import Distances
from numduel.solver.reference import retrograde


def distance(game, position, verdict, plain, places=1024):
    distances = Distances(divisor_graph(game.settings.size, plain), 10**6, places)
    distances.set_position(position.chosen, game.moves(position))
    return distances.here(verdict.value == "loss")


SMALL = [
    {"size": 11, "start": start, "opening": opening, "start_open": start_open}
    for start in (1, 2, 6)
    for opening in ("any", "even")
    for start_open in (False, True)
] + [{"size": size} for size in range(1, 14)]


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "compiled"])
def test_positions_of_every_small_setting_equal_the_reference(plain, many):
    rng = Random(1)
    for settings in SMALL:
        game = numduel.new("multiplicity", **settings)
        reference = retrograde(game, game.start())
        for one in rng.sample(list(reference), min(many(12, 200), len(reference))):
            for places in (0, 1, 64):  # no table, a table of one place, and a large one
                length = distance(game, one, reference[one], plain, places)
                assert length == reference[one].distance, (settings, one)


def test_random_larger_positions_equal_the_reference(many):
    for seed in range(many(4, 40)):
        rng = Random(seed)
        game = numduel.new("multiplicity", size=rng.randint(25, 60), start=rng.randint(1, 20))
        while True:
            position = game.start()
            for _ in range(rng.randint(8, 30)):
                position = game.play(position, rng.choice(game.moves(position)))
                if game.outcome(position):
                    break
            try:
                reference = retrograde(game, position, most=2_000)
                break
            except TooLarge:
                continue
        for one in rng.sample(list(reference), min(20, len(reference))):
            for plain in (True, False):
                assert distance(game, one, reference[one], plain) == reference[one].distance, one


def test_a_search_that_takes_too_long_gives_up():
    game = numduel.new("multiplicity", size=50, start=2)
    for plain in (True, False):
        distances = Distances(divisor_graph(50, plain), most=100, places=64)
        distances.set_position(game.start().chosen, game.moves(game.start()))
        assert distances.here(lost=True) is None
        with pytest.raises(TooLarge, match="more than 100 positions to look at"):
            distances.ends_within(20)


@pytest.mark.no_cover
def test_the_longest_distances_that_we_know(many):
    for size, start_open, moves in ((48, False, 21), (50, True, 23))[: many(1, 2)]:
        game = numduel.new("multiplicity", size=size, opening="even", start_open=start_open)
        assert game.theory.distance(game.start()) == moves
