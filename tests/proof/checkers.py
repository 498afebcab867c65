"""The three checkers: that of Numduel, the standalone one, and one in JavaScript.

There are also certificates that all of them accept, and verdicts by brute force.
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


def verify_with_numduel(data):
    """Return the verdict that a file proves, such as `win in 3`, or None if it is refused."""
    try:
        value, distance = numduel.verify(loads(data))
    except CertificateError as error:
        assert "\n" not in str(error)
        return None
    return value if distance is None else f"{value} in {distance}"


def verify_standalone(data):
    try:
        return standalone.check(data)
    except standalone.NotProved as error:
        assert "\n" not in str(error)
        return None


@cache
def javascript_process():
    """Start the checker in JavaScript; return its process, and the path of the file it reads."""
    process = subprocess.Popen(
        ["node", str(JAVASCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    atexit.register(process.communicate)  # this closes its input and waits for it
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return process, Path(folder.name, "certificate")


def verify_with_javascript(data):
    process, file = javascript_process()
    file.write_bytes(data)
    process.stdin.write(f"{file}\n".encode())
    process.stdin.flush()
    answer = process.stdout.readline().decode()
    assert answer.startswith(("proved: ", "refused: ")), answer
    return answer.removeprefix("proved: ").strip() if answer.startswith("proved") else None


CHECKERS = [verify_with_numduel, verify_standalone]
if shutil.which("node") or "CI" in os.environ:  # in CI it must not be missing
    CHECKERS.append(verify_with_javascript)


def common_verdict(data):
    """Return the verdict that a file proves, or None. All checkers must agree."""
    first, *others = [check(data) for check in CHECKERS]
    assert others == [first] * len(others), data
    return first


def certify_and_check(game, position):
    """Return the certificate of a position, after all checkers have accepted it."""
    certificate = numduel.certify(game, position)
    data = certificate.dumps()
    value, distance = certificate.verdict
    proved = value if certificate.proves == "value" else f"{value} in {distance}"
    assert loads(data) == certificate
    assert common_verdict(data) == proved, certificate
    return certificate


@lru_cache(maxsize=10_000)
def _remainder_verdicts(divisor):
    """Return the verdicts of Divisor Duel without a ceiling by remainder, unless endless."""
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
    """Return the verdict of a position, reachable or not, by brute force."""
    if getattr(game, "ceiling", 0) is None and not position.ended:
        divisor = game.settings.divisor
        return _remainder_verdicts(divisor).get(position.number % divisor, Verdict("endless"))
    try:
        return retrograde(game, position, most=20_000)[position]
    except TooLarge:  # an altered size: the solver has tests of its own
        return theory_of(game).solve(position)


def random_position(game, rng, most, over=True):
    """Return a position after at most `most` random moves.

    Unless `over`, it has a legal move if any position of the game has one.
    """
    positions = [position for position, _ in playout(game, rng, most=rng.randint(0, most))]
    if not over and len(positions) > 1 and not game.moves(positions[-1]):
        return positions[-2]
    return positions[-1]
