"""A dial as SVG: the remainders in a circle, with the goal on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin

from numduel.core.numerals import shown
from numduel.core.scene import Dial, Step
from numduel.core.verdict import Value
from numduel.picture.svg import classes, flag, image, n, seat_class, sign, spot, text

_MIDDLE, _RADIUS = 220, 168
_MAX_SPOTS = 24  # of a larger dial, only remainders that matter are drawn
_MAX_DIGITS = 6  # of a remainder that is written whole


def draw_dial(dial: Dial, verdicts: Mapping[int, Value], names: tuple[str, str]) -> str:
    """Return the picture of a dial."""
    title = (
        f"A dial of {shown(dial.size)} remainders. The hand is at {shown(dial.at)}, the goal is 0."
    )
    last = dial.steps[-1] if dial.steps else None
    desc = f"The last step: {names[last.seat - 1]} {last.sign}." if last else "No step yet."
    return image(_drawn(dial, verdicts), (10, -12, 420, 456), title, desc, "dial")


def _drawn(dial: Dial, verdicts: Mapping[int, Value]) -> Iterator[str]:
    yield f'<circle class="rim" cx="{_MIDDLE}" cy="{_MIDDLE}" r="{_RADIUS}"/>'
    seat = dial.steps[-1].seat if dial.steps else 0
    for step in dial.steps:
        if step is dial.steps[-1] or step.mark:
            yield from _swept(dial, step)
    for step in dial.choices:
        css = classes("hand ghost", seat_class(step.seat), step.mark)
        yield f'<path{css} data-to="{step.move}" d="{_wedge(dial, step.end)}"/>'
    yield f'<path class="hand" d="{_wedge(dial, dial.at)}"/>'
    for step in dial.choices:
        x, y = _around(dial, step.end, 96)
        yield text(step.sign, x, y + 6, f"inside {seat_class(step.seat)}")
    yield f'<circle class="hub" cx="{_MIDDLE}" cy="{_MIDDLE}" r="78"/>'
    yield text(_written(dial.at), _MIDDLE, _MIDDLE + 22, "rest")
    yield text("remainder", _MIDDLE, _MIDDLE + 48, "quiet")
    yield from _spots(dial, verdicts, seat)
    yield flag(_MIDDLE, _MIDDLE - _RADIUS - 22, 36)


def _spots(dial: Dial, verdicts: Mapping[int, Value], seat: int) -> Iterator[str]:
    reached = {step.end: step for step in dial.choices}
    every = dial.size <= _MAX_SPOTS
    drawn = range(dial.size) if every else [*reached, 0, dial.at]
    for rest in drawn:
        x, y = _around(dial, rest, _RADIUS)
        choice = reached.get(rest)
        verdict = verdicts.get(choice.move) if choice else None
        if rest in dial.good or rest in dial.bad:
            verdict = "win" if rest in dial.good else "loss"
        goal, now = rest == 0, seat if rest == dial.at else None
        marked = goal or now is not None
        radius = 27 if marked else 23 if every else 11
        disc = f'<circle cx="{n(x)}" cy="{n(y)}" r="{radius}"/>'
        words = text(_written(rest), x, y + 7) if marked or every else ""
        yield spot("spot", (disc, words), choice, verdict, goal=goal, now=now)
        if verdict:
            x, y = _around(dial, rest, _RADIUS + 31) if rest else (_MIDDLE - 30, 40)
            yield sign(verdict, x, y, 24)


def _swept(dial: Dial, step: Step) -> Iterator[str]:
    """Draw the way of the last step along the rim, unless it is too short to be seen."""
    start, span = step.start / dial.size, (step.end - step.start) % dial.size / dial.size
    if not 0.01 < span < 0.99:
        return
    gap = 0.1 * span
    (x1, y1), (x2, y2) = _turned(start + gap, 204), _turned(start + span - gap, 204)
    way = f"M{n(x1)} {n(y1)}A204 204 0 {int(span - 2 * gap > 0.5)} 1 {n(x2)} {n(y2)}"
    yield f'<path{classes("swept last", seat_class(step.seat), step.mark)} d="{way}"/>'
    x, y = _turned(start + span / 2, 204)
    yield text(step.sign, x, y + 6, f"swung {seat_class(step.seat)}")


def _wedge(dial: Dial, rest: int) -> str:
    turn = rest / dial.size
    ends = _turned(turn - 0.035, 72), _turned(turn, 143), _turned(turn + 0.035, 72)
    return "M" + "L".join(f"{n(x)} {n(y)}" for x, y in ends) + "Z"


def _around(dial: Dial, rest: int, far: float) -> tuple[float, float]:
    return _turned(rest / dial.size, far)


def _turned(turn: float, far: float) -> tuple[float, float]:
    """Return the point at a distance from the middle, after a part of a turn from the top."""
    return _MIDDLE + far * sin(2 * pi * turn), _MIDDLE - far * cos(2 * pi * turn)


def _written(rest: int) -> str:
    return str(rest) if rest < 10**_MAX_DIGITS else f"…{rest % 10**4:04}"
