"""Divisor Duel through 20,000 doublings: a late turn compared with an early one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

TURNS = 20_000
SPAN = 1_000


def measure() -> Iterator[str]:
    """Compare the last 1,000 turns with the first 1,000, at the command line."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "numduel", "play", "divisor-duel", "--plain"]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "NUMDUEL_HOME": home},
        )
        assert process.stdin is not None and process.stdout is not None
        spans = []
        for _ in range(TURNS // SPAN):
            begun = time.perf_counter()
            process.stdin.write(b"2\n" * SPAN)
            process.stdin.flush()
            seen = 0
            while seen < SPAN:
                seen += process.stdout.readline().startswith(b"Updated N")
            spans.append(time.perf_counter() - begun)
        process.communicate()
    ratio = spans[-1] / spans[0]
    yield f"turns {TURNS - SPAN:,} to {TURNS:,}: {ratio:.1f} times as long as the first {SPAN:,}"
    yield f"a late turn: {spans[-1] / SPAN * 1000:.2f} ms, saved to disk"
