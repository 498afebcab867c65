"""Positions as environments render them: in words, or as a picture of fixed size."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from numduel.agents.common import told
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, quoted
from numduel.core.words import Last
from numduel.picture import WIDTH, card, png

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Print the position, return it as text, or return it as a picture."""


def check_render_mode(mode: str | None) -> None:
    """Raise SettingsError if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise SettingsError(f"render_mode must be {either(RENDER_MODES)}, not {quoted(mode)}")


def rendered(game: Game[Any], position: Any, past: Sequence[Last], mode: str | None) -> Any:
    """Return the position in the given mode; without a mode it is printed.

    `past` holds the moves that led to it, each with the position before it.
    """
    if mode == "rgb_array":
        scene = game.words.scene(position, past)
        return _pixels(png(card(scene, scene.sentence, game.title), WIDTH // 2))
    text = told(game, position)
    if mode == "ansi":
        return text
    print(text, end="\n\n")
    return None


def _pixels(png: bytes) -> NDArray[np.uint8]:
    """Return a picture as an array of height, width and three colours."""
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
