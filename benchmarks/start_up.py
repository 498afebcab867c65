"""How long `numduel --version` takes, compared with `python -c pass`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

MAX_RATIO = 8.0


def measure() -> Iterator[str]:
    """Yield the ratio of the fastest of several alternating runs."""
    commands = ([sys.executable, "-c", "pass"], [sys.executable, "-m", "numduel", "--version"])
    best = [float("inf")] * 2
    for _ in range(15):
        for place, command in enumerate(commands):
            begun = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            best[place] = min(best[place], time.perf_counter() - begun)
    ratio = best[1] / best[0]
    yield f"numduel --version: {ratio:.1f} times python -c pass (at most {MAX_RATIO:g})"
