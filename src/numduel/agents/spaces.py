"""Positions for environments: as NumPy arrays in Gymnasium's spaces, as text, and as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from PIL import Image

from numduel.agents.common import position_text, truth
from numduel.core.array_rules import smallest_integer
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import join_or, quoted
from numduel.core.words import Last
from numduel.picture import WIDTH, card, png


class GameSpaces:
    """The spaces of a game and their elements; an action is an index into `game.actions`."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.first_move = game.actions.start  # the move of action 0
        self.action_count = len(game.actions)
        self._length, self._low, self._high = game.encoding
        self._dtype: np.dtype[Any] = np.dtype(smallest_integer(game.encoding))
        self._in_bytes = self._dtype == np.int8 and self._low >= 0

    def action_space(self) -> Discrete:
        return Discrete(self.action_count)

    def observation_space(self) -> Box:
        return Box(self._low, self._high, (self._length,), self._dtype)

    def mask_space(self) -> Box:
        return Box(0, 1, (self.action_count,), np.int8)

    def observation(self, position: Any) -> NDArray[Any]:
        """Return the vector `game.encode(position)` as an array."""
        vector = self.game.encode(position)
        if self._in_bytes:  # faster than np.array
            return np.frombuffer(bytearray(vector), np.int8)
        return np.array(vector, self._dtype)

    def mask(self, moves: tuple[int, ...]) -> NDArray[np.int8]:
        """Return an array with 1 for the action of each of these moves, and 0 for all others."""
        mask, first_move = bytearray(self.action_count), self.first_move
        for move in moves:
            mask[move - first_move] = 1
        return np.frombuffer(mask, np.int8)

    def truth(self, position: Any) -> dict[str, Any]:
        """Return what `common.truth` does, with actions in place of moves."""
        known = truth(self.game, position)
        by_action = {move - self.first_move: one for move, one in known["verdicts"].items()}
        return {**known, "verdicts": by_action}


RENDER_MODES = ("human", "ansi", "rgb_array")
"""Whether `render` prints the position, returns it as text, or returns it as a picture."""

RENDER_METADATA = {"render_modes": [*RENDER_MODES], "render_fps": 1}


def check_render_mode(mode: str | None) -> None:
    """Raise SettingsError unless the mode is None or one of RENDER_MODES."""
    if mode is not None and mode not in RENDER_MODES:
        raise SettingsError(f"render_mode must be {join_or(RENDER_MODES)}, not {quoted(mode)}")


def render(game: Game[Any], position: Any, past: Sequence[Last], mode: str | None) -> Any:
    """Return the position as text or as a picture, or print it, which is the default.

    `past` holds the moves that led to it, each with the position before it.
    """
    if mode == "rgb_array":
        scene = game.words.scene(position, past)
        return _pixels(png(card(scene, scene.sentence, game.title), WIDTH // 2))
    text = position_text(game, position)
    if mode == "ansi":
        return text
    print(text, end="\n\n")
    return None


def _pixels(png: bytes) -> NDArray[np.uint8]:
    """Return a picture as an array of height, width and three colours."""
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
