"""How long the loop of the server was held, in time of a processor: a busy machine adds nothing."""

from __future__ import annotations

from pathlib import Path

NOTED = 0.005  # seconds: shorter turns hold nobody up

_WATCH = f"""
import asyncio.events, os, time
_run = asyncio.events.Handle._run
def _timed(handle):
    begun = time.thread_time()
    _run(handle)
    taken = time.thread_time() - begun
    if taken > {NOTED}:
        with open(os.environ["SIEGE_HELD"], "a") as file:
            file.write(f"{{taken}}\\n")
asyncio.events.Handle._run = _timed
"""


class Turns:
    """The long turns of a server's loop, from now on, as `forget` says it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "held"
        self._file.touch()
        self._from = 0
        place = folder / "watch"
        place.mkdir()
        (place / "sitecustomize.py").write_text(_WATCH)
        self.environment = {"PYTHONPATH": str(place), "SIEGE_HELD": str(self._file)}

    def forget(self) -> None:
        """Count anew from here."""
        self._from = len(self._file.read_text().splitlines())

    @property
    def longest(self) -> float:
        """Seconds, of those that were noted; 0: all were short."""
        return max(map(float, self._file.read_text().splitlines()[self._from :]), default=0.0)
