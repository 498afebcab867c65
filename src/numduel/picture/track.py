"""A track as SVG: a stretch of the number line, with an arc for each step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Literal

from numduel.core.numerals import shown
from numduel.core.scene import MAX_DRAWN, Step, Track
from numduel.core.verdict import Value
from numduel.picture.svg import (
    arc,
    classes,
    flag,
    image,
    landing,
    n,
    pill,
    seat_class,
    sign,
    spot,
    text,
)

Verdicts = Mapping[int, Value]

_WINDOW = 7  # numbers that are drawn of a line too long to be drawn whole
_ROOMY = 22.0  # units: a column as wide as this has room for its number
_LETTER, _LARGE_LETTER = 17, 25  # units: the height of a line of words
_LADDER = 48  # units below the line, for the ladder of good numbers
_MAX_DIGITS = 9  # of a number in the window that is written whole


Shape = Literal["wide", "narrow", "low"]
"""For a wide page, for a narrow one, or for a place of little height."""


def draw_track(track: Track, verdicts: Verdicts, names: tuple[str, str], shape: Shape) -> str:
    """Return the picture of a track."""
    title = (
        f"The number line from {shown(track.low)} to {shown(track.high)}. "
        f"The number is {shown(track.at)}, the goal {shown(track.goal)}."
    )
    made = (f"{names[s.seat - 1]} {s.sign} to {shown(s.end)}" for s in track.steps[-MAX_DRAWN:])
    desc = f"Steps: {', '.join(made) or 'none yet'}."
    if track.good:
        desc += f" Good to land on: {', '.join(map(shown, track.good))}."
    short = track.high - track.low <= MAX_DRAWN
    wide, high = _size(track, shape)
    parts = _Short(track, verdicts, wide, high) if short else _Long(track, verdicts, wide, high)
    return image(parts.drawn(), (0, 0, wide, high), title, desc, f"track {shape}")


def _size(track: Track, shape: Shape) -> tuple[float, float]:
    """Return the width and height. A low picture is only as wide as its numbers need."""
    if shape == "low":
        columns = min(track.high - track.low, MAX_DRAWN) + 2  # a long line may be of any length
        wide = min(1.2 * _ROOMY * columns, 900)
        return wide, max(160, wide * 0.27)
    return (380, 330) if shape == "narrow" else (1000, 390)


def _named(step: Step, css: str) -> str:
    """Return the classes of what is drawn of a step."""
    return " ".join(filter(None, (css, seat_class(step.seat), step.mark)))


class _Line:
    """What both kinds of line share: the place of a number, and the arcs above the line."""

    base: float  # the height of the line, from above

    def __init__(self, track: Track, verdicts: Verdicts, wide: float, high: float) -> None:
        self.track = track
        self.verdicts = verdicts
        self.wide = wide
        self.high = high
        self.mover = track.steps[-1].seat if track.steps else 0
        self.reached = {step.end: step for step in track.choices}
        self.labels: list[tuple[float, float, float]] = []  # middle, foot, half of the width
        self.landed = {min(step.end, track.high + 1): step.seat for step in track.steps}

    def x(self, number: int) -> float:
        """Return the place of a number."""
        raise NotImplementedError

    def arcs(self, least: float, labelled: float) -> Iterator[str]:
        """Draw an arc for each step that was made, and a ghost for each that can be made.

        Those shorter than `least` are left out; shorter than `labelled`, they have no label.
        """
        words = []
        for count, step in enumerate(self.track.steps, 1):
            if self.span(step) >= least:
                last = "last" if count == len(self.track.steps) else ""
                yield self.arc(step, _named(step, last))
                if self.span(step) >= labelled:
                    words.append(self.label(step))
        signs: dict[int, list[str]] = {}
        for step in self.track.choices:
            if self.span(step) >= least:
                yield self.arc(step, _named(step, "ghost"), f' data-to="{step.move}"')
                signs.setdefault(step.end, []).append(step.sign)
        # two choices that lead to the same number share a label
        told = [self.reached[end]._replace(sign=" ".join(signs[end])) for end in sorted(signs)]
        yield from words
        yield from self.choice_labels(told)

    def span(self, step: Step) -> float:
        """Return how far a step leads."""
        return abs(self.x(step.end) - self.x(step.start))

    def arc(self, step: Step, css: str, extra: str = "") -> str:
        return arc(self.x(step.start), self.x(step.end), self.base, self.rise(step), css, extra)

    def label(self, step: Step, size: int = _LETTER, css: str = "", beside: float = 0) -> str:
        """Return the sign of a step above its arc, or `beside` a place; it covers no other."""
        x, y = (self.x(step.start) + self.x(step.end)) / 2, self.base - self.rise(step) - 7
        half = 0.3 * size * len(step.sign)
        if beside:
            x, y = beside + 8 + half, y + 15
        while any(
            abs(x - at) < half + wide and abs(y - top) < size for at, top, wide in self.labels
        ):
            y -= 2
        self.labels.append((x, y, half))
        return text(step.sign, x, y, _named(step, css))

    def choice_labels(self, steps: list[Step]) -> Iterator[str]:
        """Yield the signs of choices: above their arcs, or beside those that are too narrow."""
        at = self.track.at
        narrow = [one for one in steps if one.start == at and self.span(one) < 2.2 * _ROOMY]
        right = max((self.x(max(step[:2])) for step in narrow), default=0.0)
        for step in sorted(steps, key=self.span):
            yield self.label(step, _LARGE_LETTER, "strong", right if step in narrow else 0)

    def stone(self, number: int, parts: Iterable[str]) -> str:
        """Return a number of the line, drawn by its parts."""
        choice, now = self.reached.get(number), number == self.track.at
        verdict = self.verdicts.get(choice.move) if choice else None
        seat, goal = self.mover if now else None, number == self.track.goal
        kind = "stone good" if number in self.track.good else "stone"
        return spot(kind, parts, choice, verdict, goal=goal, now=seat)

    def rise(self, step: Step) -> float:
        """Return the height of an arc: higher for longer ones, but never invisible."""
        return self.base * (0.09 + 0.7 * float((self.span(step) / self.widest) ** 0.85))

    @cached_property
    def widest(self) -> float:
        """The width of the longest arc, which is the highest."""
        spans = map(self.span, (*self.track.steps, *self.track.choices))
        return max(self.wide * 0.12, *spans)


class _Short(_Line):
    """A line that is drawn number by number, and what lies beyond its end."""

    def __init__(self, track: Track, verdicts: Verdicts, wide: float, high: float) -> None:
        super().__init__(track, verdicts, wide, high)
        self.numbers = range(track.low, track.high + 1)
        self.column = wide / (len(self.numbers) + 1)
        self.roomy = self.column >= _ROOMY
        self.tall = 66.0 if self.roomy else 30.0
        self.foot = high - (_LADDER if track.good else 8)
        self.base = self.foot - self.tall - (0 if self.roomy else 44)

    def x(self, number: int) -> float:
        beyond = self.track.high + 1
        return (max(min(number, beyond), self.track.low) - self.track.low + 0.5) * self.column

    def drawn(self) -> Iterator[str]:
        yield from self.arcs(least=1, labelled=1)
        for number, seat in self.landed.items():
            yield landing(seat, self.x(number), self.base - 7, min(11, self.column * 0.6))
        told = self._told()
        for number in self.numbers:
            yield self._stone(number, number in told)
        beyond = self.x(self.track.high + 1) - self.column / 2 + 1
        yield _rect("stone beyond", beyond, self.base, self.column - 2, self.tall)
        yield flag(self.x(self.track.goal), self.base - 18, 36 if self.roomy else 30)
        for low, high in pairwise(self.track.good):
            radius = f"{n((self.x(high) - self.x(low)) / 2)} {_LADDER - 14}"
            path = (
                f"M{n(self.x(low))} {n(self.foot)}A{radius} 0 0 0 {n(self.x(high))} {n(self.foot)}"
            )
            yield f'<path class="rung" d="{path}"/>'

    def _told(self) -> set[int]:
        """Return the numbers that are written; below the line, where columns are too narrow."""
        found = {self.track.at, self.track.goal, self.track.low} & {*self.numbers}
        if not self.roomy:
            fives = [k for k in self.numbers if k % 5 == 0]
            found |= {k for k in fives if all(abs(k - one) * self.column > 26 for one in found)}
        return found

    def _stone(self, number: int, told: bool) -> str:
        choice = self.reached.get(number)
        verdict = self.verdicts.get(choice.move) if choice else None
        now = number == self.track.at
        x, more = self.x(number) - self.column / 2 + 1, 5 if now else 0
        wide, tall = self.column - 2 + more / 1.5, self.tall + 2 * more
        parts = [_rect("", x - more / 3, self.base - more, wide, tall)]
        if self.roomy:
            parts.append(text(_end(number), self.x(number), self.base + 25))
            if verdict:
                parts.append(sign(verdict, self.x(number), self.base + 46, 18))
        elif choice and number - 1 not in self.reached:  # whose neighbour would overlap it
            parts.append(text(_end(number), self.x(number), self.base + self.tall + 40, "below"))
        elif told:
            parts.append(text(_end(number), self.x(number), self.base + self.tall + 20, "below"))
        return self.stone(number, parts)


class _Long(_Line):
    """A line too long for that: all of it, and a window with the numbers around the current one."""

    def __init__(self, track: Track, verdicts: Verdicts, wide: float, high: float) -> None:
        super().__init__(track, verdicts, wide, high)
        self.base = high * 0.46
        self.count = 5 if wide < 500 else _WINDOW
        self.numbers = track.window(self.count)

    def x(self, number: int) -> float:
        low, high = self.track.low, self.track.high
        share = (min(max(number, low), high) - low) / (high - low)
        return 12 + (self.wide - 24) * share

    def drawn(self) -> Iterator[str]:
        at, top = self.x(self.track.at), self.high - 92
        beam = f"M{n(at)} {n(self.base)}L0 {n(top)}V{n(self.high)}H{n(self.wide)}V{n(top)}Z"
        yield f'<path class="beam" d="{beam}"/>'
        yield f'<path class="rule" d="M6 {n(self.base)}H{n(self.wide - 6)}"/>'
        yield from self.arcs(least=12, labelled=44)
        yield flag(self.wide - 12, self.base, left=True)
        yield text(_end(self.track.low), 6, self.base + 24, "beside quiet")
        yield text(_end(self.track.high), self.wide - 6, self.base + 24, "before quiet")
        for step in self.track.choices:
            if step.end not in self.numbers:
                x = self.x(step.end)
                css = classes("stop", seat_class(step.seat))
                yield f'<circle{css} cx="{n(x)}" cy="{n(self.base)}" r="8"/>'
        pin = classes("pin", seat_class(self.mover))
        yield f'<circle{pin} cx="{n(at)}" cy="{n(self.base)}" r="9"/>'
        yield from self._window(top + 12)

    def _window(self, top: float) -> Iterator[str]:
        wide = self.wide / self.count
        made = {step.start: step for step in self.track.steps if abs(step.end - step.start) == 1}
        for place, number in enumerate(self.numbers):
            choice, x = self.reached.get(number), wide * place
            verdict = self.verdicts.get(choice.move) if choice else None
            parts = [
                _rect("", x + 4, top, wide - 8, 66),
                text(_end(number), x + wide / 2, top + 30),
            ]
            if verdict:
                parts.append(sign(verdict, x + wide / 2, top + 50, 20))
            yield self.stone(number, parts)
            if number + 1 in self.numbers and number in made:
                step = made[number]
                yield self._hop(step, x + wide / 2, wide, top, seat_class(step.seat))
            if choice and number - 1 == self.track.at:
                css_of = f"ghost {seat_class(choice.seat)}"
                yield self._hop(choice, x - wide / 2, wide, top, css_of)

    def _hop(self, step: Step, x: float, wide: float, top: float, css: str) -> str:
        label = pill(step.sign, x + wide / 2, top - 26, seat_class(step.seat))
        return arc(x, x + wide, top - 4, 22, css) + label


def _rect(css: str, x: float, y: float, width: float, height: float) -> str:
    place = f'x="{n(x)}" y="{n(y)}" width="{n(width)}" height="{n(height)}"'
    return f'<rect{classes(css)} {place} rx="6"/>'


def _end(number: int) -> str:
    """Return a number, or only its last digits if it is long."""
    return str(number) if number < 10**_MAX_DIGITS else f"…{number % 10**6:06}"
