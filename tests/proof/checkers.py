"""The three checkers: Numduel's, the one that stands alone, and one in JavaScript."""

import atexit
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numduel
from numduel import CertificateError
from numduel.proof import standalone
from numduel.proof.certificate import loads

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
if shutil.which("node"):
    CHECKERS.append(verified_by_javascript)


def all_say(data):
    """What all checkers say of a file: the verdict that is proved, or None."""
    first, *others = [check(data) for check in CHECKERS]
    assert others == [first] * len(others), data
    return first
