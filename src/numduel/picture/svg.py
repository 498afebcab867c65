"""The small parts of SVG that the pictures share: text, marks, signs, arcs and flags."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import escape

from numduel.core.scene import Step
from numduel.core.verdict import Value

_SIGNS: dict[Value, str] = {
    "win": "M6.5 12.500l4 4 7-8.500",
    "loss": "M7 12h10",
    "draw": "M7 9.500h10M7 14.500h10",
    "endless": "M12 12c-2-3-6-3-6 0s4 3 6 0 6-3 6 0-4 3-6 0",
}
"""The stroke in the sign of each verdict, in a square of 24 units."""


def n(value: float) -> str:
    """Return a coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def joined(*names: str) -> str:
    """Return the names of classes that are not empty, separated by spaces."""
    return " ".join(filter(None, names))


def classes(*names: str) -> str:
    """Return a class attribute of the names that are not empty."""
    return f' class="{joined(*names)}"' if any(names) else ""


def seat_class(seat: int) -> str:
    """Return the class that colours the things of a seat; 0 is nobody."""
    return f"seat{seat}" if seat else "nobody"


def text(words: str, x: float, y: float, css: str = "") -> str:
    """Return a line of text at a place."""
    return f'<text{classes(css)} x="{n(x)}" y="{n(y)}">{escape(words)}</text>'


def arc(x1: float, x2: float, base: float, height: float, css: str, extra: str = "") -> str:
    """Return half an ellipse above the line at `base`."""
    left, right = sorted((x1, x2))
    radius = f"{n((right - left) / 2)} {n(height)}"
    return (
        f"<path{classes('arc', css)}{extra} "
        f'd="M{n(left)} {n(base)}A{radius} 0 0 1 {n(right)} {n(base)}"/>'
    )


def placed(shape: str, x: float, y: float, size: float, css: str) -> str:
    """Return a shape drawn in a square of 24 units, centred at a place."""
    scale = size / 24
    at = f"translate({n(x - size / 2)} {n(y - size / 2)}) scale({n(scale)})"
    return f'<g{classes(css)} transform="{at}">{shape}</g>'


def sign(verdict: Value, x: float, y: float, size: float) -> str:
    shape = f'<circle cx="12" cy="12" r="11"/><path class="cut" d="{_SIGNS[verdict]}"/>'
    return placed(shape, x, y, size, f"sign {verdict}")


def mark(seat: int, x: float, y: float, size: float) -> str:
    """Return the mark of a seat: a cross or a nought."""
    shape = '<path d="M5 5L19 19M19 5L5 19"/>' if seat == 1 else '<circle cx="12" cy="12" r="8"/>'
    return placed(shape, x, y, size, f"mark {seat_class(seat)}")


def landing(seat: int, x: float, y: float, size: float) -> str:
    """Return the mark of a place where a step of a seat ended."""
    half = n(size / 2)
    if seat == 1:
        corner = f'x="{n(x - size / 2)}" y="{n(y - size / 2)}"'
        return f'<rect class="land seat1" {corner} width="{n(size)}" height="{n(size)}"/>'
    return f'<circle class="land {seat_class(seat)}" cx="{n(x)}" cy="{n(y)}" r="{half}"/>'


def flag(x: float, foot: float, size: float = 36, *, left: bool = False) -> str:
    """Return the flag of the goal, with its pole at a place. It points right, or `left`."""
    scale = size / 40
    across = -scale if left else scale
    at = f"translate({n(x - 3.5 * across)} {n(foot - size)}) scale({n(across)} {n(scale)})"
    return f'<path class="flag" transform="{at}" d="M2 0h3v40h-3zM5 2h24l-6 8 6 8h-24z"/>'


def spot(
    kind: str,
    parts: Iterable[str],
    choice: Step | None,
    verdict: Value | None,
    *,
    goal: bool,
    now: int | None,
) -> str:
    """Return a number of a track or a dial, made of SVG parts.

    `choice` is the step that can lead there, `now` the seat whose step just did.
    """
    css = [kind, verdict or "", "goal" if goal else ""]
    if now is not None:
        css.append(f"now {seat_class(now)}")
    elif choice is not None:
        css.append(f"end {seat_class(choice.seat)}")
    to = f' data-to="{choice.move}"' if choice is not None else ""
    return f"<g{classes(*css)}{to}>{''.join(parts)}</g>"


def pill(label: str, x: float, y: float, css: str, *, big: bool = False) -> str:
    """Return a label on a rounded, coloured background."""
    size = 20 if big else 15
    width, height = size * (0.58 * len(label) + 1.1), size * 1.6
    corner = f'x="{n(x - width / 2)}" y="{n(y - height / 2)}"'
    rounded = f'<rect {corner} width="{n(width)}" height="{n(height)}" rx="{n(height / 2)}"/>'
    words = text(label, x, y + size * 0.35)
    return f"<g{classes('pill', css, 'big' if big else '')}>{rounded}{words}</g>"


def image(
    parts: Iterable[str], box: tuple[float, float, float, float], title: str, desc: str, css: str
) -> str:
    """Return a complete picture with its title and description."""
    words = f"<title>{escape(title)}</title><desc>{escape(desc)}</desc>"
    size = f'viewBox="{" ".join(map(n, box))}" preserveAspectRatio="xMidYMax meet"'
    return f'<svg{classes("picture", css)} {size} role="img">{words}{"".join(parts)}</svg>'
