"""Any Scene as a picture: SVG for a page, which colours it, or for itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from markupsafe import Markup

from numduel.core.scene import Scene
from numduel.core.verdict import Value
from numduel.core.words import SEATS
from numduel.picture.cells import draw_cells
from numduel.picture.dial import draw_dial
from numduel.picture.svg import image, text
from numduel.picture.track import Shape, draw_track

Scheme = Literal["light", "dark"]

_STATIC = Path(__file__).parents[1] / "web" / "static"  # a picture looks as on the pages


def picture(
    scene: Scene,
    verdicts: Mapping[int, Value] | None = None,
    names: tuple[str, str] = SEATS,
    *,
    shape: Shape = "wide",
) -> Markup:
    """A Scene as SVG, which takes its colours from the page; `verdicts`: of its moves."""
    known = verdicts or {}
    if scene.track is not None:
        return Markup(draw_track(scene.track, known, names, shape))
    if scene.dial is not None:
        return Markup(draw_dial(scene.dial, known, names))
    if scene.cells:
        return Markup(draw_cells(scene, known, names, shape == "low"))
    return Markup(_plain(scene))


def _plain(scene: Scene) -> str:
    """What can be drawn of any Scene: its number, or its first fact."""
    fact = scene.number or next(iter(scene.facts), None)
    label, value = fact or ("", scene.sentence)
    words = [text(value[:16], 200, 120, "rest"), text(label[:40], 200, 160, "quiet")]
    return image(words, (0, 0, 400, 200), scene.sentence, f"{label} {value}".strip(), "plain")


def standalone(
    scene: Scene,
    verdicts: Mapping[int, Value] | None = None,
    names: tuple[str, str] = SEATS,
    scheme: Scheme = "light",
) -> str:
    """A Scene as an SVG file of its own, with its colours in it."""
    drawn = str(picture(scene, verdicts, names))
    opened = '<svg xmlns="http://www.w3.org/2000/svg"'
    return drawn.replace("<svg", opened, 1).replace("<title>", f"{_styles(scheme)}<title>", 1)


@cache
def colours(scheme: Scheme) -> dict[str, str]:
    """The colours of the pages in that scheme, by their names."""
    page = (_STATIC / "numduel.css").read_text("utf-8")
    roots = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    values = dict(re.findall(r"--([\w-]+): ([^;]+);", roots[0]))
    if scheme == "dark":
        values |= dict(re.findall(r"--([\w-]+): ([^;]+);", roots[1]))
    return values


@cache
def _styles(scheme: Scheme) -> str:
    """The page's own styles of pictures, with each colour as it is in that scheme."""
    values = colours(scheme)
    styles = (_STATIC / "picture.css").read_text("utf-8")
    resolved = re.sub(r"var\(--([\w-]+)\)", lambda found: values[found[1]], styles)
    return f"<style>{resolved}</style>"
