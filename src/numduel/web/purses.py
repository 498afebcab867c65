"""Purses that fill with time."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Hashable

from numduel.web.bounds import Rate


class Purses:
    """A purse for each who spends; beyond `most`, those who wanted to longest ago are forgotten."""

    def __init__(self, rate: Rate, most: int) -> None:
        self.rate = rate
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # left, at a time

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
        self._kept[whose] = self._left(whose) - price, time.monotonic()
        if len(self._kept) > self.most:
            self._kept.popitem(last=False)

    def _left(self, whose: Hashable) -> float:
        if whose not in self._kept:
            return self.rate.at_once
        self._kept.move_to_end(whose)
        left, at = self._kept[whose]
        return min(self.rate.at_once, left + (time.monotonic() - at) * self.rate.a_second)
