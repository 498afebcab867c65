"""The three checkers: Numduel's, the one that stands alone, and one in JavaScript.

With certificates that all of them accept, and truth by brute force.
"""

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache, lru_cache
from pathlib import Path

import numduel
from numduel import CertificateError, TooLarge, Verdict
from numduel.core.explore import playout
from numduel.proof import standalone
from numduel.proof.certificate import loads
from numduel.solver import theory_of
from numduel.solver.reference import retrograde

JAVASCRIPT = Path(__file__).with_name("checker.js")


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
    except standalone.NotProved as error:
        assert "\n" not in str(error)
        return None


@cache
def javascript():
    """The checker that was written from the document in another language, and a file for it."""
    process = subprocess.Popen(
        ["node", str(JAVASCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    atexit.register(process.communicate)  # which ends its input, and waits for it
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return process, Path(folder.name, "certificate")


def verified_by_javascript(data):
    """The same of that one."""
    process, file = javascript()
    file.write_bytes(data)
    process.stdin.write(f"{file}\n".encode())
    process.stdin.flush()
    answer = process.stdout.readline().decode()
    assert answer.startswith(("proved: ", "refused: ")), answer
    return answer.removeprefix("proved: ").strip() if answer.startswith("proved") else None


CHECKERS = [verified, verified_alone]
if shutil.which("node") or "CI" in os.environ:  # where a missing one is a failure
    CHECKERS.append(verified_by_javascript)


def all_say(data):
    """What all checkers say of a file: the verdict that is proved, or None."""
    first, *others = [check(data) for check in CHECKERS]
    assert others == [first] * len(others), data
    return first


def certified(game, position):
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


def verdict_by_force(game, position):
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
