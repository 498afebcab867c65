"""Retrograde analysis for a ceiling of any length, where every operation makes the number larger.

The game and the labels are those of `retrograde.settle_upward`. Going down from the ceiling, the
labels soon repeat with a period: one period lower, each label has changed by a constant, its slope.
This holds until some operation leads into another such run. A run is guessed from a few labels and
then proved from one period: see docs/theory.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import gcd, lcm
from typing import NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.numerals import shorten

MAX_STEPS = 300_000
"""Maximum number of labels found one by one before the search gives up."""

MIN_LABELS = 12
"""Number of labels found one by one before the first attempt to find a period."""

WORTH = 4
"""A run is used if it is at least this many times as long as the labels it was guessed from."""

MAX_GOAL = 5_000
"""Up to this goal, periods are multiples of it. Above, each multiple of the goal ends a run."""


class Run(NamedTuple):
    """A run of labels that goes down from just below `end`: its first period, and slopes."""

    end: int
    labels: list[int]
    slopes: list[int]

    def at(self, number: int) -> tuple[int, int]:
        """Return the label of a number, and its change one period lower."""
        periods, place = divmod(self.end - 1 - number, len(self.labels))
        slope = self.slopes[place]
        return self.labels[place] + periods * slope, slope


class LinearWorth(NamedTuple):
    """The worth of a move, its change one period lower, and for how many periods that holds."""

    worth: int
    slope: int
    lasts: int


class Runs:
    """The labels of the numbers from `top` down, computed as far as needed.

    The operations are n -> factor * n + term, and each makes the number larger.
    """

    def __init__(self, operations: Sequence[tuple[int, int]], goal: int, top: int) -> None:
        self.operations, self.goal, self.top = operations, goal, top
        self.low = top + 1  # the lowest number that has a label
        self.steps = 0
        self._runs: list[Run] = []
        self._lows: list[int] = []  # minus the lowest number of each run: they ascend
        self._begin()

    def label(self, number: int) -> int:
        """Return the label of a number. Raises TooLarge if labels above it repeat too little."""
        while number < self.low:
            self._go_down()
        return self._runs[bisect_left(self._lows, -number)].at(number)[0]

    def lowest_within(self, steps: int) -> int:
        """Return the lowest number whose label is found within so many steps."""
        while self.low > 1 and self.steps < steps:
            self._go_down()
        return self.low

    def _go_down(self) -> None:
        self._step()
        if len(self._runs[-1].labels) >= self._next_attempt:
            self._leap()

    def _begin(self) -> None:
        """Begin to find labels one by one."""
        self._runs.append(Run(self.low, [], []))
        self._lows.append(-self.low)
        self._next_attempt = MIN_LABELS

    def _step(self) -> None:
        """Label the next number down."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLarge(
                f"the verdicts of the numbers up to {shorten(self.top)} repeat too seldom: more "
                f"than {MAX_STEPS:,} would have to be looked at one by one"
            )
        number = self.low - 1
        alone = self._runs[-1]
        alone.labels.append(min(_best_kind(self._lines(number, 1, alone))).worth)
        alone.slopes.append(0)
        self.low = number
        self._lows[-1] = -number

    def _leap(self) -> None:
        """Look for a period in the last labels, and go down by a run if it is long enough."""
        alone = self._runs[-1]
        self._next_attempt += self._next_attempt // 2
        far = WORTH * len(alone.labels)
        if self.low <= far:
            return
        unit = self.goal if self.goal <= MAX_GOAL else 1
        window = 0  # how far up among these labels a move leads
        for factor, term in self.operations:
            number = factor * (self.low - 1) + term
            if number < alone.end:
                window = max(window, number - self.low + 1)
            elif number <= self.top:
                place = bisect_left(self._lows, -number)
                if number + self._lows[place] < factor * far:
                    return  # it will soon lead elsewhere
                period = len(self._runs[place].labels)
                unit = lcm(unit, period // gcd(period, factor))
        for period in range(unit, (len(alone.labels) - window) // 2 + 1, unit):
            if _repeat(alone.labels, period, window):
                self._follow(_run_on(alone, period, window), far)
                return

    def _follow(self, guess: Run, far: int) -> None:
        """Go down as far as the guessed run holds, if that is far enough."""
        period = len(guess.labels)
        periods = min(self._lasts(guess, far // period) + 1, (self.low - 1) // period)
        if periods * period > far:
            self.low -= periods * period
            self._runs.append(guess)
            self._lows.append(-self.low)
            self._begin()

    def _lasts(self, guess: Run, fewest: int) -> int:
        """Return for how many periods after the next the guess holds, or -1 if not for the next.

        If that is less than `fewest`, the answer may be too large, but is less than `fewest`.
        """
        lasts = self.top
        period = len(guess.labels)
        for number in range(self.low - 1, self.low - 1 - period, -1):
            self.steps += 1
            lines = self._lines(number, period, guess)
            rivals = _best_kind(lines)
            best = min(rivals)
            if best[:2] != guess.at(number):
                return -1
            lasts = min(lasts, *(line.lasts for line in lines))
            for line in rivals:
                if line.slope < best.slope:
                    lasts = min(lasts, (line.worth - best.worth) // (best.slope - line.slope))
            if lasts < fewest:
                break
        return lasts

    def _lines(self, number: int, period: int, last: Run) -> list[LinearWorth]:
        """Return the moves from a number, and from the numbers one or more periods lower."""
        return [self._line(f * number + t, f * period, last) for f, t in self.operations]

    def _line(self, number: int, stride: int, last: Run) -> LinearWorth:
        """Return the moves to a number, and to the numbers one or more strides lower."""
        if number > self.top:
            return LinearWorth(-1, 0, (number - self.top - 1) // stride)
        rest = number % self.goal
        lasts = self.top
        if stride % self.goal:
            lasts = (rest - 1) // stride if rest else 0
        if rest == 0:
            return LinearWorth(1, 0, lasts)
        run = last
        if number >= last.end:
            place = bisect_left(self._lows, -number)
            run = self._runs[place]
            lasts = min(lasts, (number + self._lows[place]) // stride)
        label, slope = run.at(number)
        periods, odd = divmod(stride, len(run.labels))
        worth = 1 - label if label < 0 else -1 - label
        return LinearWorth(worth, -slope * periods, 0 if odd else lasts)


def _best_kind(lines: list[LinearWorth]) -> list[LinearWorth]:
    """Return the moves that win, or all moves if none does. The one of least worth is the best."""
    return [line for line in lines if line.worth > 0] or lines


def _repeat(labels: list[int], period: int, window: int) -> bool:
    """Return whether the last labels, the window and two periods, repeat as in a run."""
    for at in range(-1, -1 - window - period, -1):
        this, above = labels[at], labels[at - period]
        if (this > 0) != (above > 0):
            return False
        if at >= -window and this - above != above - labels[at - 2 * period]:
            return False
    return True


def _run_on(alone: Run, period: int, window: int) -> Run:
    """Return the run that begins with the last labels, the window and two periods."""
    begin = len(alone.labels) - window - 2 * period
    first, second = (alone.labels[at : at + period] for at in (begin, begin + period))
    slopes = [after - before for before, after in zip(first, second, strict=True)]
    return Run(alone.end - begin, first, slopes)
