"""Purses that fill with time."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from numduel.web.bounds import Rate

IDLE = 10 * 60
"""Seconds after which whoever has wanted nothing may be forgotten first."""


class _Purse(NamedTuple):
    left: float
    at: float  # the time when there was so much
    spent: int  # in all


class Purses:
    """A purse for each who spends; beyond `most`, those who wanted to longest ago are forgotten."""

    def __init__(self, rate: Rate, most: int) -> None:
        self.rate = rate
        self.most = most
        self._kept: OrderedDict[Hashable, _Purse] = OrderedDict()  # the longest unused first

    def __contains__(self, whose: Hashable) -> bool:
        return whose in self._kept

    def wait(self, whose: Hashable) -> float:
        """Seconds until there is something to spend; 0: there is."""
        missing = 1 - self._left(whose)
        if missing <= 0:
            return 0.0
        return missing / self.rate.a_second if self.rate.a_second else math.inf

    def spend(self, whose: Hashable, price: int = 1) -> None:
        """Take it out, also what is not there yet."""
        spent = self._kept[whose].spent if whose in self._kept else 0
        self._kept[whose] = _Purse(self._left(whose) - price, time.monotonic(), spent + price)
        if len(self._kept) > self.most:
            del self._kept[self._forgotten(whose)]

    def _forgotten(self, newcomer: Hashable) -> Hashable:
        """Who is forgotten for somebody who has just come."""
        return next(iter(self._kept))

    def _left(self, whose: Hashable) -> float:
        if whose not in self._kept:
            return self.rate.at_once
        self._kept.move_to_end(whose)
        left, at, _ = self._kept[whose]
        return min(self.rate.at_once, left + (time.monotonic() - at) * self.rate.a_second)


class Seats(Purses):
    """Purses of seats; beyond `most`, those are forgotten who are idle, or have spent least.

    So whoever plays stays known, however many games another opens at the same address.
    """

    def _forgotten(self, newcomer: Hashable) -> Hashable:
        now = time.monotonic()
        others = (one for one in self._kept.items() if one[0] != newcomer)
        return min(others, key=lambda one: (now - one[1].at < IDLE, one[1].spent))[0]
