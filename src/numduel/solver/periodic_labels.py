"""Retrograde analysis for any ceiling, of games in which every operation makes the number larger.

The game and the labels are those of `retrograde.settle_upward`. From the ceiling downward, the
labels soon form a *run*, in which they repeat with a period: one period lower, each label has
changed by a constant, its *slope*. A run ends where some operation starts to lead into another run.
A run is guessed from a few labels and then proved from one period: see docs/theory.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import gcd, lcm
from typing import NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.numerals import shorten

MAX_STEPS = 300_000
"""Maximum number of labels that are computed one by one."""

MIN_LABELS = 12
"""Number of labels that are computed one by one before the first attempt to find a period."""

MIN_RUN_RATIO = 4
"""A run must be longer than this multiple of the number of labels from which it was guessed."""

MAX_GOAL = 5_000
"""Maximum goal of which all periods are multiples. A multiple of a larger goal ends a run."""


class Run(NamedTuple):
    """A run of labels downward from `end` - 1: the labels of its first period, and the slopes."""

    end: int
    labels: list[int]
    slopes: list[int]

    def at(self, number: int) -> tuple[int, int]:
        """Return the label of a number and its slope."""
        periods, index = divmod(self.end - 1 - number, len(self.labels))
        slope = self.slopes[index]
        return self.labels[index] + periods * slope, slope


class LinearWorth(NamedTuple):
    """The worth of a move, which is the label of the number if the move is the best one."""

    worth: int
    slope: int  # the change of the worth one period lower
    lasts: int  # for how many periods the slope is right


class Runs:
    """The labels of the numbers from `top` downward, computed as far as they are needed.

    The operations are n -> factor * n + term. Each makes the number larger.
    """

    def __init__(self, operations: Sequence[tuple[int, int]], goal: int, top: int) -> None:
        self.operations, self.goal, self.top = operations, goal, top
        self.low = top + 1  # the lowest number that has a label
        self.steps = 0
        self._runs: list[Run] = []
        self._lows: list[int] = []  # minus the lowest number of each run, so that they ascend
        self._start_single_labels()

    def label(self, number: int) -> int:
        """Return the label of a number. Raises `TooLarge` if it would take over MAX_STEPS steps."""
        while number < self.low:
            self._go_down()
        return self._runs[bisect_left(self._lows, -number)].at(number)[0]

    def lowest_within(self, steps: int) -> int:
        """Return the lowest number whose label is found within so many steps."""
        while self.low > 1 and self.steps < steps:
            self._go_down()
        return self.low

    def _go_down(self) -> None:
        self._label_next()
        if len(self._runs[-1].labels) >= self._next_attempt:
            self._try_run()

    def _start_single_labels(self) -> None:
        """Start to compute labels one by one, as a run without a period."""
        self._runs.append(Run(self.low, [], []))
        self._lows.append(-self.low)
        self._next_attempt = MIN_LABELS

    def _label_next(self) -> None:
        """Label the next lower number."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLarge(
                f"the verdicts of the numbers up to {shorten(self.top)} repeat too seldom: more "
                f"than {MAX_STEPS:,} would have to be looked at one by one"
            )
        number = self.low - 1
        single = self._runs[-1]
        single.labels.append(min(_best_kind(self._worths(number, 1, single))).worth)
        single.slopes.append(0)
        self.low = number
        self._lows[-1] = -number

    def _try_run(self) -> None:
        """Look for a period in the last labels, and use the run if it is long enough."""
        single = self._runs[-1]
        self._next_attempt += self._next_attempt // 2
        min_length = MIN_RUN_RATIO * len(single.labels)
        if self.low <= min_length:
            return
        unit = self.goal if self.goal <= MAX_GOAL else 1
        window = 0  # the number of single labels that moves from the next number can reach
        for factor, term in self.operations:
            number = factor * (self.low - 1) + term
            if number < single.end:
                window = max(window, number - self.low + 1)
            elif number <= self.top:
                index = bisect_left(self._lows, -number)
                if number + self._lows[index] < factor * min_length:
                    return  # this operation will soon lead into another run
                period = len(self._runs[index].labels)
                unit = lcm(unit, period // gcd(period, factor))
        for period in range(unit, (len(single.labels) - window) // 2 + 1, unit):
            if _repeats(single.labels, period, window):
                self._use_run(_guess_run(single, period, window), min_length)
                return

    def _use_run(self, guess: Run, min_length: int) -> None:
        """Go down as far as the guessed run is right, if that is more than `min_length`."""
        period = len(guess.labels)
        periods = min(self._lasts(guess, min_length // period) + 1, (self.low - 1) // period)
        if periods * period > min_length:
            self.low -= periods * period
            self._runs.append(guess)
            self._lows.append(-self.low)
            self._start_single_labels()

    def _lasts(self, guess: Run, fewest: int) -> int:
        """Return for how many periods after the next one the guess is right.

        Return -1 if it is not right for the next one. An answer below `fewest` may be too large.
        """
        lasts = self.top
        period = len(guess.labels)
        for number in range(self.low - 1, self.low - 1 - period, -1):
            self.steps += 1
            worths = self._worths(number, period, guess)
            rivals = _best_kind(worths)
            best = min(rivals)
            if best[:2] != guess.at(number):
                return -1
            lasts = min(lasts, *(move.lasts for move in worths))
            for move in rivals:
                if move.slope < best.slope:
                    lasts = min(lasts, (move.worth - best.worth) // (best.slope - move.slope))
            if lasts < fewest:
                break
        return lasts

    def _worths(self, number: int, period: int, last: Run) -> list[LinearWorth]:
        """Return the worths of the moves from a number, and from numbers whole periods lower."""
        return [self._worth(f * number + t, f * period, last) for f, t in self.operations]

    def _worth(self, number: int, stride: int, last: Run) -> LinearWorth:
        """Return the worth of moves to a number, and to numbers whole strides lower."""
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
            index = bisect_left(self._lows, -number)
            run = self._runs[index]
            lasts = min(lasts, (number + self._lows[index]) // stride)
        label, slope = run.at(number)
        periods, odd = divmod(stride, len(run.labels))
        worth = 1 - label if label < 0 else -1 - label
        return LinearWorth(worth, -slope * periods, 0 if odd else lasts)


def _best_kind(worths: list[LinearWorth]) -> list[LinearWorth]:
    """Return the worths of the winning moves, or of all if none wins. The smallest is the best."""
    return [move for move in worths if move.worth > 0] or worths


def _repeats(labels: list[int], period: int, window: int) -> bool:
    """Return whether the last labels, for the window and two periods, repeat as in a run."""
    for at in range(-1, -1 - window - period, -1):
        this, above = labels[at], labels[at - period]
        if (this > 0) != (above > 0):
            return False
        if at >= -window and this - above != above - labels[at - 2 * period]:
            return False
    return True


def _guess_run(single: Run, period: int, window: int) -> Run:
    """Return the run that begins with the last labels, for the window and two periods."""
    begin = len(single.labels) - window - 2 * period
    first, second = (single.labels[at : at + period] for at in (begin, begin + period))
    slopes = [after - before for before, after in zip(first, second, strict=True)]
    return Run(single.end - begin, first, slopes)
