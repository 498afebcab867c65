"""Ratings: players of known strength come out in order, within their intervals."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from scipy.special import expit

from numduel.arena.rating import MEAN_POINTS, POINTS_PER_LOG_ODDS, Results, fit_strengths

STRENGTHS = np.array([-1.0, 0.0, 0.6, 1.4])
SEATS = (2.0, -0.5)


def some_results(rng, games, strengths=STRENGTHS):
    """Yield results that follow the model: every pair in both seats at two settings."""
    for one, two in permutations(range(len(strengths)), 2):
        for setting, worth in enumerate(SEATS):
            likely = expit(strengths[one] - strengths[two] + worth)
            score = sum(rng.random() < likely for _ in range(games))
            yield Results(one, two, setting, 1, games, score)


def test_intervals_cover_the_true_strengths_about_as_often_as_they_say(many):
    true = MEAN_POINTS + POINTS_PER_LOG_ODDS * (STRENGTHS - STRENGTHS.mean())
    covered, times = 0, many(40, 160)
    for seed in range(times):
        fit = fit_strengths(list(some_results(Random(seed), 40)), 4, 2)
        found = fit.ratings()
        covered += sum(r.low <= t <= r.high for r, t in zip(found, true, strict=True))
    assert 0.90 <= covered / (4 * times) <= 0.99


def test_players_come_out_in_order_and_the_seats_advantage_is_found():
    results = list(some_results(Random(1), 400))
    fit = fit_strengths(results, 4, 2)
    points = [rating.points for rating in fit.ratings()]
    assert points == sorted(points) and sum(points) / 4 == pytest.approx(MEAN_POINTS, abs=0.1)
    assert fit.seats == pytest.approx(SEATS, abs=0.2)


def test_an_advantage_that_only_one_player_has_is_corrected():
    results = [Results(0, 1, 0, 1, 300, 240), Results(1, 0, 0, 1, 100, 80)]
    one, two = fit_strengths(results, 2, 1).ratings()
    assert one.points == pytest.approx(two.points, abs=5)


def test_a_player_that_never_loses_has_a_finite_rating():
    rating = fit_strengths([Results(0, 1, 0, seat, 25, 25) for seat in (1, -1)], 2, 1).ratings()[0]
    assert 1700 < rating.points < 3000 and rating.low > MEAN_POINTS
