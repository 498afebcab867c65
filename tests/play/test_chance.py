"""The random numbers are the same everywhere, and evenly distributed."""

import pickle
from itertools import product

import numpy as np

from numduel.play.chance import Chance, chance, coin, first_fraction, next_seed


def test_the_bits_are_those_of_splitmix64():
    rng = Chance(1234567)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [rng.getrandbits(64) for _ in published] == published
    assert Chance(1234567).getrandbits(128) == published[0] << 64 | published[1]
    assert Chance(1234567).getrandbits(3) == published[0] >> 61
    assert Chance(1234567).getrandbits(0) == 0
    assert Chance(1234567).random() == (published[0] >> 11) / 2**53


def test_a_generator_goes_on_in_another_process():
    rng = chance(1, 1, 0)
    rng.random()
    assert pickle.loads(pickle.dumps(rng)).random() == rng.random()


def test_each_turn_has_its_own_random_numbers():
    turns = [*product((0, 7, 2**64 + 1, 10**40), (1, 2), (0, 5))]
    drawn = [chance(*turn).random() for turn in turns]
    assert len(set(drawn)) == len(turns)
    assert drawn == [chance(*turn).random() for turn in turns]


def test_arrays_draw_what_single_turns_draw():
    seeds, moves = [0, 1, 2**63, 2**64 - 1], [0, 3, 900, 999]
    together = first_fraction(np.array(seeds, np.uint64), 1, np.array(moves, np.uint64))
    assert together.tolist() == [
        chance(seed, 1, made).random() for seed, made in zip(seeds, moves, strict=True)
    ]
    following = next_seed(np.array(seeds, np.uint64))
    assert following.tolist() == [next_seed(seed) for seed in seeds]
    assert coin(following).tolist() == [coin(next_seed(seed)) for seed in seeds]


def test_draws_are_spread_evenly():
    fractions = first_fraction(np.arange(20_000, dtype=np.uint64), 1, np.uint64(4))
    counts = np.bincount((fractions * 10).astype(int), minlength=10)
    assert abs(counts - 2000).max() < 200  # 4.7 standard deviations
    ranges = [chance(seed, 1, 0).choice(range(10)) for seed in range(5_000)]
    assert abs(np.bincount(ranges, minlength=10) - 500).max() < 100
