"""Positions as environments show them: in words, or as a picture, always of one size."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from numduel.agents.ground import told
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, quoted
from numduel.core.scene import MARKS, Cell, Scene

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Printed, as text, as a picture."""

WIDTH, HEIGHT = 640, 480

_EDGE = 24
_TOP = 120  # where the board begins
_PAPER, _INK, _QUIET, _LINE = "#ffffff", "#1b1b1b", "#6b6b6b", "#b9b9b9"
_SEATS = {0: "#e3e3e3", 1: "#1d4f91", 2: "#b3541e"}
_LEGAL = "#fff3c4"


def check_render_mode(mode: str | None) -> None:
    """Raise SettingsError where there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise SettingsError(f"render_mode must be {either(RENDER_MODES)}, not {quoted(mode)}")


def rendered(game: Game[Any], position: Any, mode: str | None) -> Any:
    """A position in the way that was asked for; where in none, it is printed."""
    if mode == "rgb_array":
        return drawn(game.words.scene(position))
    text = told(game, position)
    if mode == "ansi":
        return text
    print(text, end="\n\n")
    return None


def drawn(scene: Scene) -> NDArray[np.uint8]:
    """The Scene as an array of height, width and three colours."""
    image = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    draw = ImageDraw.Draw(image)
    facts = [*([scene.number] if scene.number else []), *scene.facts]
    _write(draw, _EDGE, scene.sentence, 30, _INK)
    _write(draw, 70, ", ".join(f"{fact.label} {fact.value}" for fact in facts), 18, _QUIET)
    if scene.cells:
        _board(draw, scene.cells)
    else:
        _menu(draw, scene)
    return np.asarray(image)


def _write(draw: ImageDraw.ImageDraw, y: float, words: str, size: int, colour: str) -> None:
    """One line in the middle, smaller where it would not fit."""
    wide = draw.textlength(words, ImageFont.load_default(size))
    font = ImageFont.load_default(max(6, min(size, int(size * (WIDTH - 2 * _EDGE) / (wide or 1)))))
    draw.text((WIDTH / 2, y), words, colour, font, "ma")


def _menu(draw: ImageDraw.ImageDraw, scene: Scene) -> None:
    """The number, large, and under it what can be done with it."""
    if scene.number:
        _write(draw, _TOP, scene.number.value, 110, _INK)
    below = (HEIGHT - 270 - _EDGE) // max(1, len(scene.choices))
    for place, (move, label, gives, _) in enumerate(scene.choices):
        words = ": ".join(filter(None, (label, gives)))
        _write(draw, 270 + place * min(below, 36), f"{move}. {words}", min(below, 24), _INK)


def _board(draw: ImageDraw.ImageDraw, cells: tuple[Cell, ...]) -> None:
    """The cells in rows, as large as they can be: filled by whose they are, ringed where it is."""
    wide, high = WIDTH - 2 * _EDGE, HEIGHT - _TOP - _EDGE
    columns = ceil(sqrt(len(cells) * wide / high))
    side = min(wide / columns, high / ceil(len(cells) / columns))
    font = ImageFont.load_default(max(6, side / 3))
    for place, cell in enumerate(cells):
        row, column = divmod(place, columns)
        x, y = _EDGE + column * side, _TOP + row * side
        seat = cell.owner or cell.by
        taken = bool(seat or cell.chosen)
        fill = _SEATS[seat] if taken else _LEGAL if cell.legal else _PAPER
        ring, thick = (_INK, 4) if cell.current else (_LINE, 1)
        draw.rectangle((x + 2, y + 2, x + side - 2, y + side - 2), fill, ring, thick)
        words = f"{cell.number}{MARKS.get(cell.owner, '')}"
        colour = _PAPER if seat else _INK if cell.legal or cell.current else _QUIET
        draw.text((x + side / 2, y + side / 2), words, colour, font, "mm")
