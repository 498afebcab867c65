"""What the tests of certificates share: both checkers, and truth by brute force."""

from functools import lru_cache
from random import Random

import pytest

import numduel
from numduel import CertificateError, TooLarge, Verdict
from numduel.proof import standalone
from numduel.proof.certificate import loads
from numduel.solver import theory_of
from numduel.solver.reference import retrograde


def verified(data):
    """What the checker says of a file: the verdict that is proved, in words, or None."""
    try:
        value, distance = numduel.verify(loads(data))
    except CertificateError as error:
        assert "\n" not in str(error)
        return None
    return value if distance is None else f"{value} in {distance}"


def verified_alone(data):
    """The same of the one that stands alone."""
    try:
        return standalone.check(data)
    except standalone.Refused as error:
        assert "\n" not in str(error)
        return None


def check_both(game, position):
    """The certificate of a position, which both checkers accept for what it says."""
    certificate = numduel.certify(game, position)
    data = certificate.dumps()
    value, distance = certificate.verdict
    proved = value if certificate.proves == "value" else f"{value} in {distance}"
    assert loads(data) == certificate
    assert verified(data) == proved, certificate
    assert verified_alone(data) == proved, certificate
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
    """A position after at most so many random moves; the game may be over, or not."""
    position = game.start(rng.choice((1, 2)))
    for _ in range(rng.randint(0, most)):
        moves = game.moves(position)
        if not moves:
            break
        following = game.play(position, rng.choice(moves))
        if not over and not game.moves(following):
            break
        position = following
    return position


@pytest.fixture(scope="session")
def both():
    return check_both


@pytest.fixture(scope="session")
def checkers():
    return verified, verified_alone


@pytest.fixture(scope="session")
def forced():
    return by_force


@pytest.fixture(scope="session")
def somewhere():
    return random_position


@pytest.fixture
def rng():
    return Random(13)
