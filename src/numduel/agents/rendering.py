"""Positions as environments show them: in words, or as a picture, always of one size."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from numduel.agents.ground import told
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, quoted
from numduel.core.words import retraced
from numduel.picture.card import WIDTH, card
from numduel.picture.painting import painted

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Printed, as text, as a picture."""


def check_render_mode(mode: str | None) -> None:
    """Raise SettingsError where there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise SettingsError(f"render_mode must be {either(RENDER_MODES)}, not {quoted(mode)}")


def rendered(game: Game[Any], first: int, moves: Iterable[int], mode: str | None) -> Any:
    """What these moves have led to, as it was asked for; where nothing was, it is printed."""
    position, past = retraced(game, first, moves)
    if mode == "rgb_array":
        scene = game.words.scene(position, past)
        return _pixels(painted(card(scene, scene.sentence, game.title), WIDTH // 2))
    text = told(game, position)
    if mode == "ansi":
        return text
    print(text, end="\n\n")
    return None


def _pixels(png: bytes) -> NDArray[np.uint8]:
    """A picture as an array of height, width and three colours."""
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
