"""Ratings by the model of Bradley and Terry, with an advantage for the better seat.

The log odds that player a beats player b are a's strength less b's, plus or minus the advantage of
the favoured seat at that setting; so the strengths are free of that advantage. A draw counts as
half a win. A weak normal prior keeps the rating of a player that never loses finite. The intervals
are those of the normal approximation at the best fit. Ratings are in the points of chess: 400 for
odds of ten to one, and 1500 on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from numduel.lab.fairness import Z

PRIOR_DEVIATION = 3.0
"""In log odds. It places 95 % of all strengths within 1000 points of the mean."""

MEAN_POINTS = 1500.0
POINTS_PER_LOG_ODDS = 400 / log(10)

Array = Any
"""A NumPy array of numbers."""


class Results(NamedTuple):
    """The results of two players at one setting and in the same seats."""

    one: int  # the index of the player in a list
    two: int
    setting: int
    favoured: int  # 1: the seat of `one` was the better one; -1: the seat of `two`
    games: int
    score: float  # of `one`, over all of these games


class Rating(NamedTuple):
    """A strength in points, with its 95 % confidence interval."""

    points: float
    low: float
    high: float


class Fit(NamedTuple):
    """The strengths, and the advantage of the favoured seat at each setting, in log odds."""

    strengths: Array
    seats: Array
    covariance: Array  # of the differences between the strengths and their mean

    def ratings(self) -> list[Rating]:
        """Return each player's strength in points. Their mean is 1500."""
        points = MEAN_POINTS + POINTS_PER_LOG_ODDS * (self.strengths - self.strengths.mean())
        margins = POINTS_PER_LOG_ODDS * Z * np.sqrt(np.diag(self.covariance))
        columns = np.array([points, points - margins, points + margins]).round(1)
        return [Rating(*row) for row in columns.T.tolist()]


def fit_strengths(results: Sequence[Results], players: int, settings: int) -> Fit:
    """Return the strengths that fit the results best.

    `design @ parameters` are the log odds of `one` in each of the results.
    """
    games = np.array([result.games for result in results], float)
    scores = np.array([result.score for result in results], float)
    width = players + settings
    design = np.zeros((len(results), width))
    for row, result in enumerate(results):
        design[row, result.one] += 1
        design[row, result.two] -= 1
        design[row, players + result.setting] = result.favoured

    def loss(parameters: Array) -> float:
        odds = design @ parameters
        surprise = scores @ np.logaddexp(0, -odds) + (games - scores) @ np.logaddexp(0, odds)
        return float(surprise + parameters @ parameters / (2 * PRIOR_DEVIATION**2))

    def gradient(parameters: Array) -> Array:
        chance = expit(design @ parameters)
        return design.T @ (games * chance - scores) + parameters / PRIOR_DEVIATION**2

    def hessian(parameters: Array) -> Array:
        chance = expit(design @ parameters)
        weights = games * chance * (1 - chance)
        return design.T @ (design * weights[:, None]) + np.eye(width) / PRIOR_DEVIATION**2

    best = minimize(loss, np.zeros(width), jac=gradient, hess=hessian, method="trust-exact").x
    covariance = np.linalg.inv(hessian(best))[:players, :players]
    centre = np.eye(players) - 1 / players
    return Fit(best[:players], best[players:], centre @ covariance @ centre.T)
