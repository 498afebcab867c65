"""What the tests of certificates share: certificates that all accept, and truth by brute force."""

from functools import lru_cache
from random import Random

import pytest
from tests.proof.checkers import all_say

import numduel
from numduel import TooLarge, Verdict
from numduel.core.explore import playout
from numduel.proof.certificate import loads
from numduel.solver import theory_of
from numduel.solver.reference import retrograde


def check_all(game, position):
    """The certificate of a position, which all checkers accept for what it says."""
    certificate = numduel.certify(game, position)
    data = certificate.dumps()
    value, distance = certificate.verdict
    proved = value if certificate.proves == "value" else f"{value} in {distance}"
    assert loads(data) == certificate
    assert all_say(data) == proved, certificate
    return certificate


@lru_cache(maxsize=10_000)
def _remainders(divisor):
    """Divisor Duel without a ceiling, round by round."""
    found = {}
    for distance in range(1, divisor + 2):
        for r in set(range(divisor)) - found.keys():
            after = [(r + 1) % divisor, 2 * r % divisor]
            seen = [Verdict("loss", 0) if to == 0 else found.get(to) for to in after]
            losses = [
                one for one in seen if one and one.value == "loss" and one.distance < distance
            ]
            wins = [one for one in seen if one and one.value == "win" and one.distance < distance]
            if losses:
                found[r] = Verdict("win", distance)
            elif len(wins) == 2:
                found[r] = Verdict("loss", distance)
    return found


def by_force(game, position):
    """The verdict of a position, reachable or not, by looking at everything."""
    if getattr(game, "ceiling", 0) is None and not position.ended:
        divisor = game.settings.divisor
        return _remainders(divisor).get(position.number % divisor, Verdict("endless"))
    try:
        return retrograde(game, position, most=20_000)[position]
    except TooLarge:  # a size that was changed: there others have made sure of the solver
        return theory_of(game).solve(position)


def random_position(game, rng, most, over=True):
    """A position after at most so many random moves; unless `over`, one with a move, if any has."""
    positions = [position for position, _ in playout(game, rng, most=rng.randint(0, most))]
    if not over and len(positions) > 1 and not game.moves(positions[-1]):
        return positions[-2]
    return positions[-1]


@pytest.fixture(scope="session")
def certified():
    return check_all


@pytest.fixture(scope="session")
def forced():
    return by_force


@pytest.fixture(scope="session")
def somewhere():
    return random_position


@pytest.fixture
def rng():
    return Random(13)
