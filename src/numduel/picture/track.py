"""Draws a track as SVG: a stretch of the number line, with an arc for each step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Literal

from numduel.core.numerals import shorten
from numduel.core.scene import MAX_DRAWN_ITEMS, Step, Track
from numduel.core.verdict import Value
from numduel.picture.svg import (
    arc,
    classes,
    flag,
    image,
    joined,
    landing,
    n,
    pill,
    seat_class,
    sign,
    spot,
    text,
)

Verdicts = Mapping[int, Value]

_WINDOW_COLUMNS = 7  # numbers in the window of a line that is too long to draw completely
_ROOMY_COLUMN = 22.0  # units: a column of this width has room for its number
_LABEL_HEIGHT, _LARGE_LABEL_HEIGHT = 17, 25  # units
_LADDER_HEIGHT = 48  # units below the line, for the ladder of good numbers
_MAX_FULL_NUMBER = 10**9 - 1  # longer ones are written as their last digits

Shape = Literal["wide", "narrow", "low"]
"""The shape of a picture: for a wide page, for a narrow page, or for a place of little height."""


def draw_track(track: Track, verdicts: Verdicts, names: tuple[str, str], shape: Shape) -> str:
    title = (
        f"The number line from {shorten(track.low)} to {shorten(track.high)}. "
        f"The number is {shorten(track.at)}, the goal {shorten(track.goal)}."
    )
    taken = (
        f"{names[s.seat - 1]} {s.sign} to {shorten(s.end)}" for s in track.steps[-MAX_DRAWN_ITEMS:]
    )
    desc = f"Steps: {', '.join(taken) or 'none yet'}."
    if track.good:
        desc += f" Good to land on: {', '.join(map(shorten, track.good))}."
    width, height = _size(track, shape)
    kind = _ShortLine if track.high - track.low <= MAX_DRAWN_ITEMS else _LongLine
    parts = kind(track, verdicts, width, height).draw()
    return image(parts, (0, 0, width, height), title, desc, f"track {shape}")


def _size(track: Track, shape: Shape) -> tuple[float, float]:
    """Return the width and height. A low picture is no wider than its numbers need."""
    if shape == "low":
        columns = min(track.high - track.low, MAX_DRAWN_ITEMS) + 2
        width = min(1.2 * _ROOMY_COLUMN * columns, 900)
        return width, max(160, width * 0.27)
    return (380, 330) if shape == "narrow" else (1000, 390)


def _step_class(step: Step, css: str) -> str:
    return joined(css, seat_class(step.seat), step.mark)


class _Line:
    """The base of both kinds of line: the place of each number, and the arcs above the line."""

    base: float  # the distance from the top of the picture to the line

    def __init__(self, track: Track, verdicts: Verdicts, width: float, height: float) -> None:
        self.track, self.verdicts = track, verdicts
        self.width, self.height = width, height
        self.last_seat = track.steps[-1].seat if track.steps else 0
        self.choice_to = {step.end: step for step in track.choices}
        self.taken: list[tuple[float, float, float]] = []  # centre, baseline, half of the width
        self.landed = {min(step.end, track.high + 1): step.seat for step in track.steps}

    def x(self, number: int) -> float:
        """Return the distance from the left of the picture to a number."""
        raise NotImplementedError

    def draw_arcs(self, min_span: float, min_labelled_span: float) -> Iterator[str]:
        """Yield an arc for each step, and a ghost for each choice, unless they are too short."""
        step_labels = []
        for count, step in enumerate(self.track.steps, 1):
            if self.span(step) >= min_span:
                last = "last" if count == len(self.track.steps) else ""
                yield self.arc(step, _step_class(step, last))
                if self.span(step) >= min_labelled_span:
                    step_labels.append(self.label(step))
        signs: dict[int, list[str]] = {}
        for step in self.track.choices:
            if self.span(step) >= min_span:
                yield self.arc(step, _step_class(step, "ghost"), f' data-to="{step.move}"')
                signs.setdefault(step.end, []).append(step.sign)
        # Choices that lead to the same number share a label.
        steps = [self.choice_to[end]._replace(sign=" ".join(signs[end])) for end in sorted(signs)]
        yield from step_labels
        yield from self.choice_labels(steps)

    def span(self, step: Step) -> float:
        return abs(self.x(step.end) - self.x(step.start))

    def arc(self, step: Step, css: str, extra: str = "") -> str:
        return arc(self.x(step.start), self.x(step.end), self.base, self.rise(step), css, extra)

    def label(self, step: Step, size: int = _LABEL_HEIGHT, css: str = "", beside: float = 0) -> str:
        """Return the sign of a step above its arc, or `beside` a place, where it hides no other."""
        x, y = (self.x(step.start) + self.x(step.end)) / 2, self.base - self.rise(step) - 7
        half = 0.3 * size * len(step.sign)
        if beside:
            x, y = beside + 8 + half, y + 15
        while any(
            abs(x - x2) < half + half2 and abs(y - y2) < size for x2, y2, half2 in self.taken
        ):
            y -= 2
        self.taken.append((x, y, half))
        return text(step.sign, x, y, _step_class(step, css))

    def choice_labels(self, steps: list[Step]) -> Iterator[str]:
        """Yield the signs of choices, above their arcs or beside those that are too narrow."""
        ahead = [step for step in steps if step.start == self.track.at]
        narrow = [step for step in ahead if self.span(step) < 2.2 * _ROOMY_COLUMN]
        right = max((self.x(max(step[:2])) for step in narrow), default=0.0)
        for step in sorted(steps, key=self.span):
            yield self.label(step, _LARGE_LABEL_HEIGHT, "strong", right if step in narrow else 0)

    def stone(self, number: int, parts: Iterable[str]) -> str:
        """Return a number of the line, made of SVG parts."""
        choice = self.choice_to.get(number)
        verdict = self.verdicts.get(choice.move) if choice else None
        now = self.last_seat if number == self.track.at else None
        kind = "stone good" if number in self.track.good else "stone"
        return spot(kind, parts, choice, verdict, goal=number == self.track.goal, now=now)

    def rise(self, step: Step) -> float:
        """Return the height of an arc, which grows with its width."""
        return self.base * (0.09 + 0.7 * float((self.span(step) / self.widest) ** 0.85))

    @cached_property
    def widest(self) -> float:
        spans = map(self.span, (*self.track.steps, *self.track.choices))
        return max(self.width * 0.12, *spans)


class _ShortLine(_Line):
    """A line of which every number is drawn, and a place for those beyond its end."""

    def __init__(self, track: Track, verdicts: Verdicts, width: float, height: float) -> None:
        super().__init__(track, verdicts, width, height)
        self.numbers = range(track.low, track.high + 1)
        self.column = width / (len(self.numbers) + 1)
        self.is_roomy = self.column >= _ROOMY_COLUMN
        self.stone_height = 66.0 if self.is_roomy else 30.0
        self.foot = height - (_LADDER_HEIGHT if track.good else 8)
        self.base = self.foot - self.stone_height - (0 if self.is_roomy else 44)

    def x(self, number: int) -> float:
        beyond = self.track.high + 1
        return (max(min(number, beyond), self.track.low) - self.track.low + 0.5) * self.column

    def draw(self) -> Iterator[str]:
        yield from self.draw_arcs(min_span=1, min_labelled_span=1)
        for number, seat in self.landed.items():
            yield landing(seat, self.x(number), self.base - 7, min(11, self.column * 0.6))
        written = self._written_numbers()
        for number in self.numbers:
            yield self._draw_stone(number, number in written)
        beyond = self.x(self.track.high + 1) - self.column / 2 + 1
        yield _rect("stone beyond", beyond, self.base, self.column - 2, self.stone_height)
        yield flag(self.x(self.track.goal), self.base - 18, 36 if self.is_roomy else 30)
        for low, high in pairwise(self.track.good):
            left, right, foot = self.x(low), self.x(high), n(self.foot)
            radius = f"{n((right - left) / 2)} {_LADDER_HEIGHT - 14}"
            yield f'<path class="rung" d="M{n(left)} {foot}A{radius} 0 0 0 {n(right)} {foot}"/>'

    def _written_numbers(self) -> set[int]:
        """Return the numbers that are written below the line if the columns are narrow."""
        written = {self.track.at, self.track.goal, self.track.low} & {*self.numbers}
        if not self.is_roomy:
            fives = [k for k in self.numbers if k % 5 == 0]
            written |= {k for k in fives if all(abs(k - one) * self.column > 26 for one in written)}
        return written

    def _draw_stone(self, number: int, is_written: bool) -> str:
        choice = self.choice_to.get(number)
        verdict = self.verdicts.get(choice.move) if choice else None
        x = self.x(number) - self.column / 2 + 1
        extra = 5 if number == self.track.at else 0  # units
        width, height = self.column - 2 + extra / 1.5, self.stone_height + 2 * extra
        parts = [_rect("", x - extra / 3, self.base - extra, width, height)]
        label, foot = _short_number(number), self.base + self.stone_height
        if self.is_roomy:
            parts.append(text(label, self.x(number), self.base + 25))
            if verdict:
                parts.append(sign(verdict, self.x(number), self.base + 46, 18))
        elif choice and number - 1 not in self.choice_to:  # or the labels would overlap
            parts.append(text(label, self.x(number), foot + 40, "below"))
        elif is_written:
            parts.append(text(label, self.x(number), foot + 20, "below"))
        return self.stone(number, parts)


class _LongLine(_Line):
    """A longer line, above a window with the numbers around the current one."""

    def __init__(self, track: Track, verdicts: Verdicts, width: float, height: float) -> None:
        super().__init__(track, verdicts, width, height)
        self.base = height * 0.46
        self.columns = 5 if width < 500 else _WINDOW_COLUMNS
        self.numbers = track.window(self.columns)

    def x(self, number: int) -> float:
        low, high = self.track.low, self.track.high
        share = (min(max(number, low), high) - low) / (high - low)
        return 12 + (self.width - 24) * share

    def draw(self) -> Iterator[str]:
        at, top = self.x(self.track.at), self.height - 92
        beam = f"M{n(at)} {n(self.base)}L0 {n(top)}V{n(self.height)}H{n(self.width)}V{n(top)}Z"
        yield f'<path class="beam" d="{beam}"/>'
        yield f'<path class="rule" d="M6 {n(self.base)}H{n(self.width - 6)}"/>'
        yield from self.draw_arcs(min_span=12, min_labelled_span=44)
        yield flag(self.width - 12, self.base, left=True)
        yield text(_short_number(self.track.low), 6, self.base + 24, "beside quiet")
        yield text(_short_number(self.track.high), self.width - 6, self.base + 24, "before quiet")
        for step in self.track.choices:
            if step.end not in self.numbers:
                css = classes("stop", seat_class(step.seat))
                yield f'<circle{css} cx="{n(self.x(step.end))}" cy="{n(self.base)}" r="8"/>'
        pin = classes("pin", seat_class(self.last_seat))
        yield f'<circle{pin} cx="{n(at)}" cy="{n(self.base)}" r="9"/>'
        yield from self._draw_window(top + 12)

    def _draw_window(self, top: float) -> Iterator[str]:
        width, steps = self.width / self.columns, self.track.steps
        unit_steps = {step.start: step for step in steps if abs(step.end - step.start) == 1}
        for place, number in enumerate(self.numbers):
            choice, x = self.choice_to.get(number), width * place
            verdict = self.verdicts.get(choice.move) if choice else None
            label = text(_short_number(number), x + width / 2, top + 30)
            parts = [_rect("", x + 4, top, width - 8, 66), label]
            if verdict:
                parts.append(sign(verdict, x + width / 2, top + 50, 20))
            yield self.stone(number, parts)
            if number + 1 in self.numbers and number in unit_steps:
                step = unit_steps[number]
                yield self._hop(step, x + width / 2, width, top, seat_class(step.seat))
            if choice and number - 1 == self.track.at:
                css = f"ghost {seat_class(choice.seat)}"
                yield self._hop(choice, x - width / 2, width, top, css)

    def _hop(self, step: Step, x: float, width: float, top: float, css: str) -> str:
        label = pill(step.sign, x + width / 2, top - 26, seat_class(step.seat))
        return arc(x, x + width, top - 4, 22, css) + label


def _rect(css: str, x: float, y: float, width: float, height: float) -> str:
    place = f'x="{n(x)}" y="{n(y)}" width="{n(width)}" height="{n(height)}"'
    return f'<rect{classes(css)} {place} rx="6"/>'


def _short_number(number: int) -> str:
    """Return a number, or only its last digits if it is long."""
    return str(number) if number <= _MAX_FULL_NUMBER else f"…{number % 10**6:06}"
