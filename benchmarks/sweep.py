"""Multiplicity with an even opening: 10,000,000 numbers, and every size to 100,000."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from benchmarks.clock import seconds

_GAME = ("multiplicity", "--opening", "even", "--size")


def _numduel(*words: str) -> None:
    command = [sys.executable, "-m", "numduel", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def measure() -> Iterator[str]:
    """Yield the seconds of both, and the memory of the first."""
    taken = seconds(lambda: _numduel("solve", *_GAME, "10000000"))
    used = getrusage(RUSAGE_CHILDREN)
    yield (
        f"10,000,000 numbers: {taken:.0f} s (under 60), {used.ru_utime:.0f} s of processor time, "
        f"{used.ru_maxrss / 1e6:.1f} GB (under 4)"
    )
    with TemporaryDirectory(prefix="numduel-") as folder:
        taken = seconds(lambda: _numduel("sweep", *_GAME, "1..100000", "--out", folder))
        yield f"every size to 100,000, on all cores: {taken:.0f} s (under 600)"
