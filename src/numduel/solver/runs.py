"""The labels of numbers that can only grow, in runs: for a ceiling of any length.

The game is that of `retrograde.settle_upward`, and so are the labels. Going down from the ceiling
they soon repeat: a period lower each has changed by a slope of its own, until some operation begins
to lead elsewhere. Such a run is found by trying, and proved from one period: see docs/theory.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import gcd, lcm
from typing import NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.numerals import shown

MOST_STEPS = 300_000
"""Numbers that are looked at one by one before it is given up."""

FEWEST = 12
"""As many labels are found one by one before it is asked whether they repeat."""

WORTH = 4
"""A run counts if it is this many times as long as what was looked at to find it."""

LARGEST_GOAL = 5_000
"""Up to here periods are multiples of the goal; above, each multiple of the goal ends a run."""


class Run(NamedTuple):
    """Labels that repeat, downwards from just below `end`: the first of each, and its slope."""

    end: int
    labels: list[int]
    slopes: list[int]

    def at(self, number: int) -> tuple[int, int]:
        """The label of a number, and by how much that changes a period lower."""
        periods, place = divmod(self.end - 1 - number, len(self.labels))
        slope = self.slopes[place]
        return self.labels[place] + periods * slope, slope


class Line(NamedTuple):
    """What a move is worth; by how much that changes a period lower; for how many periods."""

    worth: int
    slope: int
    lasts: int


class Runs:
    """The labels of the numbers from `top` down, as far as they have been asked for.

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
        """The label of a number; TooLarge where the labels above it hardly repeat."""
        while number < self.low:
            self._go_down()
        return self._runs[bisect_left(self._lows, -number)].at(number)[0]

    def lowest_within(self, steps: int) -> int:
        """The lowest number whose label takes fewer steps than these."""
        while self.low > 1 and self.steps < steps:
            self._go_down()
        return self.low

    def _go_down(self) -> None:
        self._step()
        if len(self._runs[-1].labels) >= self._patience:
            self._leap()

    def _begin(self) -> None:
        """From here on labels are found one by one."""
        self._runs.append(Run(self.low, [], []))
        self._lows.append(-self.low)
        self._patience = FEWEST

    def _step(self) -> None:
        """Label the next number down, alone: a run of one period."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLarge(
                f"the verdicts of the numbers up to {shown(self.top)} repeat too seldom: more than "
                f"{MOST_STEPS:,} would have to be looked at one by one"
            )
        number = self.low - 1
        alone = self._runs[-1]
        alone.labels.append(min(_best_kind(self._lines(number, 1, alone))).worth)
        alone.slopes.append(0)
        self.low = number
        self._lows[-1] = -number

    def _leap(self) -> None:
        """Go down as far as the last labels repeat, if that is far."""
        alone = self._runs[-1]
        self._patience += self._patience // 2
        far = WORTH * len(alone.labels)
        if self.low <= far:
            return
        unit = self.goal if self.goal <= LARGEST_GOAL else 1
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
        """Let the run that is guessed be one, as far down as it holds, if that is far."""
        period = len(guess.labels)
        periods = min(self._lasts(guess, far // period) + 1, (self.low - 1) // period)
        if periods * period > far:
            self.low -= periods * period
            self._runs.append(guess)
            self._lows.append(-self.low)
            self._begin()

    def _lasts(self, guess: Run, fewest: int) -> int:
        """For how many periods after the next the labels are as guessed; -1: not even there.

        Where it is clear that those are fewer than `fewest`, it may say more than there are.
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

    def _lines(self, number: int, period: int, last: Run) -> list[Line]:
        """The moves from a number, and from those that are lower by a period each."""
        return [self._line(f * number + t, f * period, last) for f, t in self.operations]

    def _line(self, number: int, stride: int, last: Run) -> Line:
        """The moves to a number, and to those that are lower by a stride each."""
        if number > self.top:
            return Line(-1, 0, (number - self.top - 1) // stride)
        rest = number % self.goal
        lasts = self.top
        if stride % self.goal:
            lasts = (rest - 1) // stride if rest else 0
        if rest == 0:
            return Line(1, 0, lasts)
        run = last
        if number >= last.end:
            place = bisect_left(self._lows, -number)
            run = self._runs[place]
            lasts = min(lasts, (number + self._lows[place]) // stride)
        label, slope = run.at(number)
        periods, odd = divmod(stride, len(run.labels))
        worth = 1 - label if label < 0 else -1 - label
        return Line(worth, -slope * periods, 0 if odd else lasts)


def _best_kind(lines: list[Line]) -> list[Line]:
    """The moves that win, or all where none does: the least of them is the best."""
    return [line for line in lines if line.worth > 0] or lines


def _repeat(labels: list[int], period: int, window: int) -> bool:
    """Whether the last labels, the window and two periods, go over into one another as in a run."""
    for at in range(-1, -1 - window - period, -1):
        this, above = labels[at], labels[at - period]
        if (this > 0) != (above > 0):
            return False
        if at >= -window and this - above != above - labels[at - 2 * period]:
            return False
    return True


def _run_on(alone: Run, period: int, window: int) -> Run:
    """The run that the last of these labels begin: the window and two periods."""
    begin = len(alone.labels) - window - 2 * period
    first, second = (alone.labels[at : at + period] for at in (begin, begin + period))
    slopes = [after - before for before, after in zip(first, second, strict=True)]
    return Run(alone.end - begin, first, slopes)
