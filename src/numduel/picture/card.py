"""A card: a Scene under a headline, in the shape of a link's preview; and SVG as PNG."""

from __future__ import annotations

from pathlib import Path

from markupsafe import escape

from numduel.core.scene import Scene
from numduel.core.words import SEATS
from numduel.picture import Scheme, colours, standalone

WIDTH, HEIGHT = 1200, 630
"""The size of a link's preview in pixels."""

_EDGE = 100.0
_INNER = WIDTH - 2 * _EDGE
_LETTER = 0.54  # the width of a letter as a share of its height, about
_MAX_LETTERS = 90  # in a line

_FONTS = Path(__file__).parents[1] / "web" / "static" / "fonts"

_MARK = (
    '<rect width="32" height="32" rx="7" fill="#1d4f91"/>'
    '<path d="M7 23V9l9 14V9" fill="none" stroke="#fff" stroke-width="3"/>'
    '<path d="M21 10l6 6m0-6l-6 6M21 22h6" stroke="#ffd166" stroke-width="2.6"/>'
)


def card(
    scene: Scene,
    headline: str,
    foot: str,
    names: tuple[str, str] = SEATS,
    scheme: Scheme = "light",
) -> str:
    """Return a card as an SVG file: a headline, the board, and a line about the game."""
    colour = colours(scheme)
    place = f'<svg x="{_EDGE + 25}" y="158" width="{_INNER - 50}" height="330"'
    drawn = standalone(scene, None, names, scheme)
    board = drawn.replace("<svg", place, 1).replace("xMidYMax", "xMidYMid", 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colour["ground"]}"/>'
        f'<rect x="{_EDGE}" y="138" width="{_INNER}" height="370" rx="28" '
        f'fill="{colour["paper"]}" stroke="{colour["line"]}" stroke-width="2"/>'
        f"{_line(headline, WIDTH / 2, 96, 76, _INNER, colour['ink'], 'middle')}{board}"
        f'<g transform="translate({_EDGE} 540) scale(1.5)">{_MARK}</g>'
        f"{_line('Numduel', _EDGE + 62, 578, 38, 200, colour['ink'], 'start')}"
        f"{_line(foot, WIDTH - _EDGE, 577, 28, _INNER - 260, colour['quiet'], 'end', 400)}</svg>"
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

    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,  # which differ from machine to machine
        font_files=[str(_FONTS / name) for name in ("atkinson-400.ttf", "atkinson-700.ttf")],
        sans_serif_family="Atkinson Hyperlegible Next",
    )
