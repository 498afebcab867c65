"""A track as SVG: a stretch of the number line, with an arc for each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from numduel.core.numerals import shown
from numduel.core.scene import SHORT, Step, Track
from numduel.core.verdict import Value
from numduel.picture.svg import (
    arc,
    classes,
    flag,
    image,
    landing,
    n,
    pill,
    rise,
    seat_class,
    sign,
    text,
)

Verdicts = Mapping[int, Value]

_WINDOW = 7  # numbers around the one now, of a line too long to be drawn number by number
_ROOMY = 22.0  # a column as wide as this holds its number
_LONGEST = 9  # digits of a number in the window; of a longer one, its end


Shape = Literal["wide", "narrow", "low"]
"""For a wide page, for a narrow one, or where there is little height."""


def draw_track(track: Track, verdicts: Verdicts, names: tuple[str, str], shape: Shape) -> str:
    """The picture of a track."""
    title = (
        f"The number line from {shown(track.low)} to {shown(track.high)}. "
        f"The number is {shown(track.at)}, the goal {shown(track.goal)}."
    )
    made = (f"{names[s.seat - 1]} {s.sign} to {shown(s.end)}" for s in track.steps[-SHORT:])
    desc = f"Steps: {', '.join(made) or 'none yet'}."
    short = track.high - track.low <= SHORT
    wide, high = _size(track, shape)
    parts = _Short(track, verdicts, wide, high) if short else _Long(track, verdicts, wide, high)
    return image(parts.drawn(), (0, 0, wide, high), title, desc, f"track {shape}")


def _size(track: Track, shape: Shape) -> tuple[float, float]:
    """How wide and high it is drawn; a low one only as wide as its numbers need, to be large."""
    if shape == "low":
        wide = min(1.2 * _ROOMY * (track.high - track.low + 2), 900)
        return wide, max(160, wide * 0.27)
    return (380, 330) if shape == "narrow" else (1000, 390)


class _Line:
    """What both kinds of line share: where a number is, and the arcs over it."""

    base: float  # how far down the line is

    def __init__(self, track: Track, verdicts: Verdicts, wide: float, high: float) -> None:
        self.track = track
        self.verdicts = verdicts
        self.wide = wide
        self.high = high
        self.mover = track.steps[-1].seat if track.steps else 0
        self.reached = {step.end: step for step in track.choices}
        self.landed = {min(step.end, track.high + 1): step.seat for step in track.steps}

    def x(self, number: int) -> float:
        """Where a number is."""
        raise NotImplementedError

    def arcs(self, least: float, labelled: float) -> Iterator[str]:
        """An arc for each step that was made, and a ghost for each that can be."""
        last = len(self.track.steps) - 1
        words = []
        for count, step in enumerate(self.track.steps):
            css = f"{seat_class(step.seat)}{' last' if count == last else ''}"
            if abs(self.x(step.end) - self.x(step.start)) >= least:
                yield self.arc(step, css)
                if abs(self.x(step.end) - self.x(step.start)) >= labelled:
                    words.append(self.label(step, seat_class(step.seat)))
        signs: dict[int, list[str]] = {}
        for step in self.track.choices:
            if abs(self.x(step.end) - self.x(step.start)) >= least:
                css = f"ghost {seat_class(step.seat)}"
                yield self.arc(step, css, f' data-to="{step.move}"')
                signs.setdefault(step.end, []).append(step.sign)
        for end, step in self.reached.items():
            if end in signs:  # where two choices lead to the same number, they share a label
                both = step._replace(sign=" ".join(signs[end]))
                words.append(self.label(both, f"strong {seat_class(step.seat)}"))
        yield from words

    def arc(self, step: Step, css: str, extra: str = "") -> str:
        return arc(self.x(step.start), self.x(step.end), self.base, self.rise(step), css, extra)

    def label(self, step: Step, css: str) -> str:
        start, end = sorted((self.x(step.start), self.x(step.end)))
        top = self.base - self.rise(step)
        if end - start < 2.2 * _ROOMY and "strong" in css:  # beside it: it has neighbours
            return text(step.sign, end + 8, self.base - self.rise(step) / 2, f"beside {css}")
        lane = 22 if end - start < 1.6 * _ROOMY and step.seat == 2 else 7  # or two would touch
        return text(step.sign, (start + end) / 2, top - lane, css)

    def rise(self, step: Step) -> float:
        span = abs(self.x(step.end) - self.x(step.start))
        return self.base * rise(span, self.wide * 0.52)


class _Short(_Line):
    """A line that is drawn number by number, and what lies beyond."""

    def __init__(self, track: Track, verdicts: Verdicts, wide: float, high: float) -> None:
        super().__init__(track, verdicts, wide, high)
        self.numbers = range(track.low, track.high + 1)
        self.column = wide / (len(self.numbers) + 1)
        self.roomy = self.column >= _ROOMY
        self.tall = 66.0 if self.roomy else 30.0
        self.base = high - self.tall - (8 if self.roomy else 52)

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

    def _told(self) -> set[int]:
        """The numbers that are written below, where columns are too narrow for them."""
        found = {self.track.at, self.track.goal, self.track.low}
        if not self.roomy:
            fives = [k for k in self.numbers if k % 5 == 0]
            found |= {k for k in fives if all(abs(k - one) * self.column > 26 for one in found)}
        return found

    def _stone(self, number: int, told: bool) -> str:
        choice = self.reached.get(number)
        verdict = self.verdicts.get(choice.move) if choice else None
        now = number == self.track.at
        css = ["stone", verdict or ""]
        if number == self.track.goal:
            css.append("goal")
        if now:
            css.append(f"now {seat_class(self.mover)}")
        elif choice:
            css.append(f"end {seat_class(choice.seat)}")
        x, more = self.x(number) - self.column / 2 + 1, 5 if now else 0
        to = f' data-to="{choice.move}"' if choice else ""
        wide, tall = self.column - 2 + more / 1.5, self.tall + 2 * more
        parts = [_rect("", x - more / 3, self.base - more, wide, tall)]
        if self.roomy:
            parts.append(text(str(number), self.x(number), self.base + 25))
            if verdict:
                parts.append(sign(verdict, self.x(number), self.base + 46, 18))
        elif choice and number - 1 not in self.reached:  # beside which there is no room
            parts.append(text(str(number), self.x(number), self.base + self.tall + 40, "below"))
        elif told:
            parts.append(text(str(number), self.x(number), self.base + self.tall + 20, "below"))
        return f"<g{classes(*css)}{to}>{''.join(parts)}</g>"


class _Long(_Line):
    """A line too long for that: all of it, and a window on the numbers around the one now."""

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
            css = ["stone", verdict or "", "goal" if number == self.track.goal else ""]
            if number == self.track.at:
                css.append(f"now {seat_class(self.mover)}")
            elif choice:
                css.append(f"end {seat_class(choice.seat)}")
            to = f' data-to="{choice.move}"' if choice else ""
            parts = [
                _rect("", x + 4, top, wide - 8, 66),
                text(_end(number), x + wide / 2, top + 30),
            ]
            if verdict:
                parts.append(sign(verdict, x + wide / 2, top + 50, 20))
            yield f"<g{classes(*css)}{to}>{''.join(parts)}</g>"
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
    """A number, or how it ends where it is long."""
    return str(number) if number < 10**_LONGEST else f"…{number % 10**6:06}"
