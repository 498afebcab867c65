"""Any Scene as SVG: for a page, whose style sheets colour it, or as a file of its own; and PNG."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from numduel.core.numerals import shown
from numduel.core.scene import Scene, Track
from numduel.core.verdict import Value
from numduel.core.words import SEATS
from numduel.picture.cells import draw_cells
from numduel.picture.dial import draw_dial
from numduel.picture.svg import arc, image, n, seat_class, text
from numduel.picture.track import Shape, draw_track

_WIDE, _BASE, _EDGE, _RADIUS = 240.0, 80.0, 30.0, 24.0  # units of a small picture of a track
_STATIC = Path(__file__).parents[1] / "web" / "static"  # whose style sheets are used

WIDTH, HEIGHT = 1200, 630
"""The size of a link's preview in pixels."""

_MARGIN = 100.0
_INNER = WIDTH - 2 * _MARGIN
_LETTER = 0.54  # the width of a letter as a share of its height, about
_MAX_LETTERS = 90  # in a line

_MARK = (
    '<rect width="32" height="32" rx="7" fill="#1d4f91"/>'
    '<path d="M7 23V9l9 14V9" fill="none" stroke="#fff" stroke-width="3"/>'
    '<path d="M21 10l6 6m0-6l-6 6M21 22h6" stroke="#ffd166" stroke-width="2.6"/>'
)


def picture(
    scene: Scene,
    verdicts: Mapping[int, Value] | None = None,
    names: tuple[str, str] = SEATS,
    *,
    shape: Shape = "wide",
) -> Markup:
    """Return a Scene as SVG, coloured by the page that it is put into.

    `verdicts` has the value of each move that is to be shown.
    """
    known = verdicts or {}
    if scene.track is not None:
        return Markup(draw_track(scene.track, known, names, shape))
    if scene.dial is not None:
        return Markup(draw_dial(scene.dial, known, names))
    if scene.cells:
        return Markup(draw_cells(scene, known, names))
    return Markup(_plain(scene))


def _plain(scene: Scene) -> str:
    """Return what can be drawn of any Scene: its number, or its first fact."""
    fact = scene.number or next(iter(scene.facts), None)
    label, value = fact or ("", scene.sentence)
    words = [text(value[:16], 200, 120, "rest"), text(label[:40], 200, 160, "quiet")]
    return image(words, (0, 0, 400, 200), scene.sentence, f"{label} {value}".strip(), "plain")


def mini(scene: Scene) -> Markup:
    """Return a small picture: of a track, the number now, the goal, the choices and a scale."""
    track, goal = scene.track, _WIDE - _EDGE
    if track is None:
        whole = scene.dial or not scene.cells
        return picture(scene) if whole else Markup(draw_cells(scene, {}, SEATS, small=True))
    span, wide = max(1, track.goal - track.low), goal - _EDGE
    # Whole numbers are divided first: those of more than 308 digits are no floats.
    gone = (min(track.at, track.goal) - track.low) / span
    at = min(_EDGE + gone * wide, goal - 2 * _RADIUS - 6)
    parts = [f'<path class="rule" d="M{n(_EDGE)} {n(_BASE)}H{n(goal)}"/>']
    parts += _scale(track, (at, goal), lambda number: _EDGE + (number - track.low) / span * wide)
    for choice in track.choices:
        far = (min(choice.end, track.goal + span) - min(track.at, track.goal)) / span * wide
        end = min(max(at + far, at + _RADIUS + 8), _WIDE - 6)
        high = min(_BASE - 8, 16 + (end - at) * 0.45)
        parts.append(arc(at, end, _BASE, high, f"ghost {seat_class(choice.seat)}"))
    for number, x, css in ((track.goal, goal, "goal"), (track.at, at, "now")):
        circle = f'<circle cx="{n(x)}" cy="{n(_BASE)}" r="{n(_RADIUS)}"/>'
        word = text(str(number) if number < 10**6 else "…", x, _BASE + 9)
        parts.append(f'<g class="spot {css}">{circle}{word}</g>')
    words = f"From {shown(track.at)} to {shown(track.goal)}."
    return Markup(image(parts, (0, 0, _WIDE, _BASE + 32), words, words, "mini"))


def _scale(
    track: Track, taken: tuple[float, float], place: Callable[[int], float]
) -> Iterator[str]:
    """Yield a mark for each 5 (or 1, 50, 500) on a small track, with its number where it fits."""
    step = max(1, 10 ** (len(str(track.goal - track.low)) - 1) // 2)
    apart = place(track.low + step) - place(track.low)
    told = step * next(often for often in (1, 2, 4) if often == 4 or often * apart > 30)
    for number in range(-(-track.low // step) * step, track.goal, step):
        x = place(number)
        yield f'<path class="tick" d="M{n(x)} {n(_BASE - 7)}v14"/>'
        if number % told == 0 and all(abs(x - other) > _RADIUS + 10 for other in taken):
            yield text(str(number), x, _BASE + 24, "quiet")


def standalone(scene: Scene) -> str:
    """Return a Scene as an SVG file with its own colours."""
    opened = '<svg xmlns="http://www.w3.org/2000/svg"'
    drawn = str(picture(scene)).replace("<svg", opened, 1)
    return drawn.replace("<title>", f"{_styles()}<title>", 1)


@cache
def colours() -> dict[str, str]:
    """Return the colours of the pages on a light ground, by name."""
    page = (_STATIC / "numduel.css").read_text("utf-8")
    light = page.partition(":root {")[2].partition("}")[0]
    return dict(re.findall(r"--([\w-]+): ([^;]+);", light))


@cache
def _styles() -> str:
    """Return the pages' style sheet for pictures, with its colours."""
    styles = (_STATIC / "picture.css").read_text("utf-8")
    resolved = re.sub(r"var\(--([\w-]+)\)", lambda found: colours()[found[1]], styles)
    return f"<style>{resolved}</style>"


def card(scene: Scene, headline: str, foot: str) -> str:
    """Return a card as an SVG file: a headline, the board, and a line about the game."""
    colour = colours()
    place = f'<svg x="{_MARGIN + 25}" y="158" width="{_INNER - 50}" height="330"'
    board = standalone(scene).replace("<svg", place, 1).replace("xMidYMax", "xMidYMid", 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colour["ground"]}"/>'
        f'<rect x="{_MARGIN}" y="138" width="{_INNER}" height="370" rx="28" '
        f'fill="{colour["paper"]}" stroke="{colour["line"]}" stroke-width="2"/>'
        f"{_line(headline, WIDTH / 2, 96, 76, _INNER, colour['ink'], 'middle')}{board}"
        f'<g transform="translate({_MARGIN} 540) scale(1.5)">{_MARK}</g>'
        f"{_line('Numduel', _MARGIN + 62, 578, 38, 200, colour['ink'], 'start')}"
        f"{_line(foot, WIDTH - _MARGIN, 577, 28, _INNER - 260, colour['quiet'], 'end', 400)}</svg>"
    )


def _line(
    words: str,
    x: float,
    y: float,
    size: float,
    room: float,
    colour: str,
    anchor: str,
    weight: int = 700,
) -> str:
    """Return a line of text, smaller if it would not fit."""
    shown = words if len(words) <= _MAX_LETTERS else f"{words[: _MAX_LETTERS - 1]}…"
    fitting = min(size, room / (_LETTER * max(1, len(shown))))
    return (
        f'<text x="{x}" y="{y}" font-size="{fitting:.1f}" font-weight="{weight}" '
        f'fill="{colour}" text-anchor="{anchor}">{escape(shown)}</text>'
    )


def png(svg: str, width: int) -> bytes:
    """Return an SVG of ours as a PNG of that width in pixels, with the fonts that we ship."""
    import resvg_py  # which no browser has

    fonts = [str(_STATIC / "fonts" / f"atkinson-{weight}.ttf") for weight in (400, 700)]
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,  # which differ from machine to machine
        font_files=fonts,
        sans_serif_family="Atkinson Hyperlegible Next",
    )
