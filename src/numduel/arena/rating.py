"""Strength as a number: the model of Bradley and Terry, with an advantage for the better seat.

The chance that player a beats b is logistic in a's strength less b's, plus what the favoured seat
is worth at that setting, where the seats' advantage is taken out. A draw counts as half a win. A
weak prior (each strength normal, of a deviation of PRIOR) keeps who never loses from infinity. The
fit is scipy's (`optimize.minimize`), the intervals are those of the normal approximation at the
best fit. Strengths are given in the points of chess: 400 for odds of ten to one, 1500 on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from numduel.lab.fairness import Z

PRIOR = 3.0  # in the units of log odds: 95 % of all strengths lie within 1000 points of the mean
MEAN = 1500.0
POINTS = 400 / log(10)

Array = Any
"""Of numbers."""


class Results(NamedTuple):
    """Some games of two players at one setting and in the same seats."""

    one: int  # the players by their place in a list
    two: int
    setting: int
    favoured: int  # 1: the seat of `one` was the better one; -1: that of `two`
    games: int
    score: float  # of `one`, out of all of these games


class Rating(NamedTuple):
    """A strength, in points, and between what bounds it lies with a confidence of 95 %."""

    points: float
    low: float
    high: float


class Fit(NamedTuple):
    """Strengths, and what the favoured seat is worth at each setting, in units of log odds."""

    strengths: Array
    seats: Array
    covariance: Array  # of the strengths, each less their mean

    def ratings(self) -> list[Rating]:
        """Each player's strength in points; their mean is 1500."""
        centred = self.strengths - self.strengths.mean()
        return [
            _rating(strength, deviation)
            for strength, deviation in zip(centred, np.sqrt(np.diag(self.covariance)), strict=True)
        ]


def fitted(results: Sequence[Results], players: int, settings: int, seats: bool) -> Fit:
    """The strengths that explain the results best; `seats`: with the better seat's advantage."""
    width = players + (settings if seats else 0)
    design, games, scores = _designed(results, players, width, seats)

    def loss(strengths: Array) -> float:
        lead = design @ strengths
        likelihood = scores @ np.logaddexp(0, -lead) + (games - scores) @ np.logaddexp(0, lead)
        return float(likelihood + strengths @ strengths / (2 * PRIOR**2))

    def slope(strengths: Array) -> Array:
        return design.T @ (games * expit(design @ strengths) - scores) + strengths / PRIOR**2

    def bend(strengths: Array) -> Array:
        chance = expit(design @ strengths)
        weights = games * chance * (1 - chance)
        return design.T @ (design * weights[:, None]) + np.eye(width) / PRIOR**2

    best = minimize(loss, np.zeros(width), jac=slope, hess=bend, method="trust-exact").x
    covariance = np.linalg.inv(bend(best))[:players, :players]
    centre = np.eye(players) - 1 / players
    return Fit(best[:players], best[players:], centre @ covariance @ centre.T)


def newcomer(results: Sequence[Results], fit: Fit) -> Rating:
    """The rating of one more player, `one` in all results, beside those who are rated already."""
    strengths = np.array([fit.strengths[result.two] for result in results])
    seats = np.array(
        [result.favoured * fit.seats[result.setting] if len(fit.seats) else 0 for result in results]
    )
    games = np.array([result.games for result in results], float)
    scores = np.array([result.score for result in results])
    mean = fit.strengths.mean()

    def slope(strength: Array) -> Array:
        chance = expit(strength - strengths + seats)
        return np.array([games @ chance - scores.sum() + (strength[0] - mean) / PRIOR**2])

    def loss(strength: Array) -> float:
        lead = strength - strengths + seats
        likelihood = scores @ np.logaddexp(0, -lead) + (games - scores) @ np.logaddexp(0, lead)
        return float(likelihood + (strength[0] - mean) ** 2 / (2 * PRIOR**2))

    best = minimize(loss, np.array([mean]), jac=slope, method="BFGS").x[0]
    chance = expit(best - strengths + seats)
    deviation = (games @ (chance * (1 - chance)) + 1 / PRIOR**2) ** -0.5
    return _rating(best - mean, deviation)


def _designed(
    results: Sequence[Results], players: int, width: int, seats: bool
) -> tuple[Array, Array, Array]:
    design = np.zeros((len(results), width))
    for row, result in enumerate(results):
        design[row, result.one] += 1
        design[row, result.two] -= 1
        if seats:
            design[row, players + result.setting] = result.favoured
    games = np.array([result.games for result in results], float)
    return design, games, np.array([result.score for result in results], float)


def _rating(strength: float, deviation: float) -> Rating:
    points, reach = MEAN + POINTS * strength, POINTS * Z * deviation
    return Rating(*(round(float(one), 1) for one in (points, points - reach, points + reach)))
