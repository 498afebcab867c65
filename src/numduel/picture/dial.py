"""Draws a dial as SVG: the remainders in a circle, with the goal at the top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin

from numduel.core.numerals import shorten
from numduel.core.scene import Dial, Step
from numduel.core.verdict import Value
from numduel.picture.svg import classes, flag, image, n, seat_class, sign, spot, text

_CENTRE, _RIM_RADIUS = 220, 168  # units
_MAX_SPOTS = 24  # on larger dials only the remainders that matter are drawn
_MAX_FULL_REMAINDER = 10**6 - 1  # longer ones are written as their last digits


def draw_dial(dial: Dial, verdicts: Mapping[int, Value], names: tuple[str, str]) -> str:
    size, at = shorten(dial.size), shorten(dial.at)
    title = f"A dial of {size} remainders. The hand is at {at}, the goal is 0."
    last = dial.steps[-1] if dial.steps else None
    desc = f"The last step: {names[last.seat - 1]} {last.sign}." if last else "No step yet."
    return image(_draw(dial, verdicts), (10, -12, 420, 456), title, desc, "dial")


def _draw(dial: Dial, verdicts: Mapping[int, Value]) -> Iterator[str]:
    yield f'<circle class="rim" cx="{_CENTRE}" cy="{_CENTRE}" r="{_RIM_RADIUS}"/>'
    seat = dial.steps[-1].seat if dial.steps else 0
    for step in dial.steps:
        if step is dial.steps[-1] or step.mark:
            yield from _draw_sweep(dial, step)
    for step in dial.choices:
        css = classes("hand ghost", seat_class(step.seat), step.mark)
        yield f'<path{css} data-to="{step.move}" d="{_wedge(dial, step.end)}"/>'
    yield f'<path class="hand" d="{_wedge(dial, dial.at)}"/>'
    for step in dial.choices:
        x, y = _point_at(dial, step.end, 96)
        yield text(step.sign, x, y + 6, f"inside {seat_class(step.seat)}")
    yield f'<circle class="hub" cx="{_CENTRE}" cy="{_CENTRE}" r="78"/>'
    yield text(_short_number(dial.at), _CENTRE, _CENTRE + 22, "rest")
    yield text("remainder", _CENTRE, _CENTRE + 48, "quiet")
    yield from _draw_spots(dial, verdicts, seat)
    yield flag(_CENTRE, _CENTRE - _RIM_RADIUS - 22, 36)


def _draw_spots(dial: Dial, verdicts: Mapping[int, Value], seat: int) -> Iterator[str]:
    reached = {step.end: step for step in dial.choices}
    draws_all = dial.size <= _MAX_SPOTS
    for rest in range(dial.size) if draws_all else [*reached, 0, dial.at]:
        x, y = _point_at(dial, rest, _RIM_RADIUS)
        choice = reached.get(rest)
        verdict = verdicts.get(choice.move) if choice else None
        if rest in dial.good or rest in dial.bad:
            verdict = "win" if rest in dial.good else "loss"
        is_goal, now = rest == 0, seat if rest == dial.at else None
        is_marked = is_goal or now is not None
        radius = 27 if is_marked else 23 if draws_all else 11
        disc = f'<circle cx="{n(x)}" cy="{n(y)}" r="{radius}"/>'
        words = text(_short_number(rest), x, y + 7) if is_marked or draws_all else ""
        yield spot("spot", (disc, words), choice, verdict, goal=is_goal, now=now)
        if verdict:
            x, y = _point_at(dial, rest, _RIM_RADIUS + 31) if rest else (_CENTRE - 30, 40)
            yield sign(verdict, x, y, 24)


def _draw_sweep(dial: Dial, step: Step) -> Iterator[str]:
    """Yield the arc of a step along the rim, unless it is too short to be seen."""
    start, span = step.start / dial.size, (step.end - step.start) % dial.size / dial.size
    if not 0.01 < span < 0.99:
        return
    gap = 0.1 * span
    (x1, y1), (x2, y2) = _point_after(start + gap, 204), _point_after(start + span - gap, 204)
    path = f"M{n(x1)} {n(y1)}A204 204 0 {int(span - 2 * gap > 0.5)} 1 {n(x2)} {n(y2)}"
    yield f'<path{classes("swept last", seat_class(step.seat), step.mark)} d="{path}"/>'
    x, y = _point_after(start + span / 2, 204)
    yield text(step.sign, x, y + 6, f"swung {seat_class(step.seat)}")


def _wedge(dial: Dial, rest: int) -> str:
    """Return the path of a hand that points to a remainder."""
    turn = rest / dial.size
    ends = _point_after(turn - 0.035, 72), _point_after(turn, 143), _point_after(turn + 0.035, 72)
    return "M" + "L".join(f"{n(x)} {n(y)}" for x, y in ends) + "Z"


def _point_at(dial: Dial, rest: int, radius: float) -> tuple[float, float]:
    return _point_after(rest / dial.size, radius)


def _point_after(turn: float, radius: float) -> tuple[float, float]:
    """Return the point at a distance from the centre, a part of a full turn from the top."""
    return _CENTRE + radius * sin(2 * pi * turn), _CENTRE - radius * cos(2 * pi * turn)


def _short_number(rest: int) -> str:
    return str(rest) if rest <= _MAX_FULL_REMAINDER else f"…{rest % 10**4:04}"
