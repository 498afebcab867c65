"""Measures how long callbacks hold the event loop, in processor time, whatever else is running."""

from __future__ import annotations

from pathlib import Path

MIN_RECORDED_SECONDS = 0.005  # shorter callbacks delay nobody

_SITE_CUSTOMIZE = f"""
import asyncio.events, os, time
_run = asyncio.events.Handle._run
def _timed(handle):
    begun = time.thread_time()
    _run(handle)
    taken = time.thread_time() - begun
    if taken > {MIN_RECORDED_SECONDS}:
        with open(os.environ["SIEGE_HELD"], "a") as file:
            file.write(f"{{taken}}\\n")
asyncio.events.Handle._run = _timed
"""


class LongTurns:
    """The long callbacks in a server's event loop since the last `reset`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "held"
        self._file.touch()
        self._skipped = 0
        hooks = folder / "watch"
        hooks.mkdir()
        (hooks / "sitecustomize.py").write_text(_SITE_CUSTOMIZE)
        self.environment = {"PYTHONPATH": str(hooks), "SIEGE_HELD": str(self._file)}

    def reset(self) -> None:
        """Forget the callbacks so far."""
        self._skipped = len(self._file.read_text().splitlines())

    @property
    def longest(self) -> float:
        """The longest callback in seconds; 0 if all were short."""
        return max(map(float, self._file.read_text().splitlines()[self._skipped :]), default=0.0)
