"""A log that cannot be flooded: of what repeats, a few lines, and then how many were left out."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

_MOST_KINDS = 1_000
_DETAILS = ("method", "route", "status", "why", "cause")


class Share(NamedTuple):
    """How many lines of a kind are written: so many at once, and so many a second after that."""

    at_once: float
    a_second: float


USUAL = Share(50, 5)
GRAVE = Share(5, 0.1)
"""The share of what is usual, and of warnings and errors, which may be long."""


class _Kept(NamedTuple):
    left: float
    at: float
    left_out: int


class Sparing(logging.Filter):
    """Lets a share of each kind of line through; the next that passes says how many did not."""

    def __init__(
        self,
        usual: Share = USUAL,
        grave: Share = GRAVE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._usual = usual
        self._grave = grave
        self._clock = clock
        self._kinds: OrderedDict[tuple[object, ...], _Kept] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        share = self._grave if record.levelno >= logging.WARNING else self._usual
        kind, now = _kind(record), self._clock()
        before = self._kinds.pop(kind, _Kept(share.at_once, now, 0))
        left = min(share.at_once, before.left + (now - before.at) * share.a_second)
        passes = left >= 1
        if passes and before.left_out:
            record.left_out = before.left_out
        self._kinds[kind] = _Kept(left - passes, now, 0 if passes else before.left_out + 1)
        if len(self._kinds) > _MOST_KINDS:
            self._kinds.popitem(last=False)
        return passes


def _kind(record: logging.LogRecord) -> tuple[object, ...]:
    """What two lines have in common that say the same."""
    said = str(record.msg).partition("\n")[0]
    details = (getattr(record, name, None) for name in _DETAILS)
    return record.name, record.levelno, said, *details
