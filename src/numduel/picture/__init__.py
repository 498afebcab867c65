"""Draws any Scene as SVG, for a page whose style sheets colour it or as a file, and as PNG."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from numduel.core.numerals import shorten
from numduel.core.scene import Scene, Track
from numduel.core.verdict import Value
from numduel.core.words import SEATS
from numduel.picture.cells import draw_cells
from numduel.picture.dial import draw_dial
from numduel.picture.svg import arc, image, n, seat_class, text
from numduel.picture.track import Shape, draw_track

# A small picture of a track, in units: its width, the height of the line, and the size of numbers.
_TRACK_WIDTH, _TRACK_BASE, _TRACK_EDGE, _SPOT_RADIUS = 240.0, 80.0, 30.0, 24.0

_STATIC = Path(__file__).parents[1] / "web" / "static"  # the folder of the style sheets

WIDTH, HEIGHT = 1200, 630
"""The size in pixels of the preview of a link."""

_MARGIN = 100.0
_INNER = WIDTH - 2 * _MARGIN
_LETTER_WIDTH = 0.54  # as a share of the font size, on average
_MAX_LETTERS = 90  # in a line of text

_LOGO = (
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
    """Return a Scene as SVG. The style sheets of the page give the colours.

    `verdicts` has the value of each move whose verdict is shown.
    """
    known = verdicts or {}
    if scene.track is not None:
        return Markup(draw_track(scene.track, known, names, shape))
    if scene.dial is not None:
        return Markup(draw_dial(scene.dial, known, names))
    if scene.cells:
        return Markup(draw_cells(scene, known, names))
    return Markup(_draw_fact(scene))


def _draw_fact(scene: Scene) -> str:
    """Return a picture of the number of a Scene, or else of its first fact."""
    fact = scene.number or next(iter(scene.facts), None)
    label, value = fact or ("", scene.sentence)
    words = [text(value[:16], 200, 120, "rest"), text(label[:40], 200, 160, "quiet")]
    return image(words, (0, 0, 400, 200), scene.sentence, f"{label} {value}".strip(), "plain")


def mini(scene: Scene) -> Markup:
    """Return a small picture of a Scene, with few words."""
    if scene.track is not None:
        return Markup(_draw_small_track(scene.track))
    if scene.cells and scene.dial is None:
        return Markup(draw_cells(scene, {}, SEATS, small=True))
    return picture(scene)


def _draw_small_track(track: Track) -> str:
    """Return a picture of the current number, the goal, the choices and a scale."""
    base, goal = _TRACK_BASE, _TRACK_WIDTH - _TRACK_EDGE
    span, width = max(1, track.goal - track.low), goal - _TRACK_EDGE

    def place(number: int) -> float:  # divides first: floats cannot hold long numbers
        return _TRACK_EDGE + (number - track.low) / span * width

    at = min(place(min(track.at, track.goal)), goal - 2 * _SPOT_RADIUS - 6)
    parts = [f'<path class="rule" d="M{n(_TRACK_EDGE)} {n(base)}H{n(goal)}"/>']
    parts += _draw_scale(track, (at, goal), place)
    for choice in track.choices:
        distance = (min(choice.end, track.goal + span) - min(track.at, track.goal)) / span * width
        end = min(max(at + distance, at + _SPOT_RADIUS + 8), _TRACK_WIDTH - 6)
        height = min(base - 8, 16 + (end - at) * 0.45)
        parts.append(arc(at, end, base, height, f"ghost {seat_class(choice.seat)}"))
    for number, x, css in ((track.goal, goal, "goal"), (track.at, at, "now")):
        circle = f'<circle cx="{n(x)}" cy="{n(base)}" r="{n(_SPOT_RADIUS)}"/>'
        label = text(str(number) if number < 10**6 else "…", x, base + 9)
        parts.append(f'<g class="spot {css}">{circle}{label}</g>')
    words = f"From {shorten(track.at)} to {shorten(track.goal)}."
    return image(parts, (0, 0, _TRACK_WIDTH, base + 32), words, words, "mini")


def _draw_scale(
    track: Track, taken: tuple[float, float], place: Callable[[int], float]
) -> Iterator[str]:
    """Yield a tick for each 5 (or 1, 50, 500) on a small track, with its number if that fits."""
    step = max(1, 10 ** (len(str(track.goal - track.low)) - 1) // 2)
    distance = place(track.low + step) - place(track.low)
    label_step = step * next(every for every in (1, 2, 4) if every == 4 or every * distance > 30)
    for number in range(-(-track.low // step) * step, track.goal, step):
        x = place(number)
        yield f'<path class="tick" d="M{n(x)} {n(_TRACK_BASE - 7)}v14"/>'
        if number % label_step == 0 and all(abs(x - at) > _SPOT_RADIUS + 10 for at in taken):
            yield text(str(number), x, _TRACK_BASE + 24, "quiet")


def standalone(scene: Scene) -> str:
    """Return a Scene as an SVG file with its own colours."""
    namespaced = '<svg xmlns="http://www.w3.org/2000/svg"'
    svg = str(picture(scene)).replace("<svg", namespaced, 1)
    return svg.replace("<title>", f"{_style_element()}<title>", 1)


@cache
def colours() -> dict[str, str]:
    """Return the colours of the pages in the light theme, by name."""
    page = (_STATIC / "numduel.css").read_text("utf-8")
    light = page.partition(":root {")[2].partition("}")[0]
    return dict(re.findall(r"--([\w-]+): ([^;]+);", light))


@cache
def _style_element() -> str:
    """Return the style sheet for pictures, with the colours filled in."""
    styles = (_STATIC / "picture.css").read_text("utf-8")
    resolved = re.sub(r"var\(--([\w-]+)\)", lambda match: colours()[match[1]], styles)
    return f"<style>{resolved}</style>"


def card(scene: Scene, headline: str, foot: str) -> str:
    """Return the preview of a link as an SVG file: a headline, the board, and a line below."""
    colour = colours()
    place = f'<svg x="{_MARGIN + 25}" y="158" width="{_INNER - 50}" height="330"'
    board = standalone(scene).replace("<svg", place, 1).replace("xMidYMax", "xMidYMid", 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colour["ground"]}"/>'
        f'<rect x="{_MARGIN}" y="138" width="{_INNER}" height="370" rx="28" '
        f'fill="{colour["paper"]}" stroke="{colour["line"]}" stroke-width="2"/>'
        f"{_label(headline, WIDTH / 2, 96, 76, _INNER, colour['ink'], 'middle')}{board}"
        f'<g transform="translate({_MARGIN} 540) scale(1.5)">{_LOGO}</g>'
        f"{_label('Numduel', _MARGIN + 62, 578, 38, 200, colour['ink'], 'start')}"
        f"{_label(foot, WIDTH - _MARGIN, 577, 28, _INNER - 260, colour['quiet'], 'end', 400)}</svg>"
    )


def _label(
    words: str,
    x: float,
    y: float,
    size: float,
    room: float,
    colour: str,
    anchor: str,
    weight: int = 700,
) -> str:
    """Return a line of text, in a smaller font if it would not fit into the room."""
    line = words if len(words) <= _MAX_LETTERS else f"{words[: _MAX_LETTERS - 1]}…"
    font_size = min(size, room / (_LETTER_WIDTH * max(1, len(line))))
    return (
        f'<text x="{x}" y="{y}" font-size="{font_size:.1f}" font-weight="{weight}" '
        f'fill="{colour}" text-anchor="{anchor}">{escape(line)}</text>'
    )


def png(svg: str, width: int) -> bytes:
    """Return an SVG as a PNG of that width in pixels, with the fonts of this package."""
    import resvg_py  # not available in the browser

    fonts = [str(_STATIC / "fonts" / f"atkinson-{weight}.ttf") for weight in (400, 700)]
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,  # they differ from machine to machine
        font_files=fonts,
        sans_serif_family="Atkinson Hyperlegible Next",
    )
