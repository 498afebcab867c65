"""What environments show of a game: NumPy arrays in Gymnasium's spaces, words, and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from PIL import Image

from numduel.agents.common import told, truth
from numduel.core.array_rules import smallest_integer
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, quoted
from numduel.core.words import Last
from numduel.picture import WIDTH, card, png


class GameSpaces:
    """The spaces of a game and what lies in them; an action is a place in `game.actions`."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.least = game.actions.start  # the move that is action 0
        self.count = len(game.actions)
        self._length, self._low, self._high = game.encoding
        self._dtype: np.dtype[Any] = np.dtype(smallest_integer(game.encoding))
        self._in_bytes = self._dtype == np.int8 and self._low >= 0

    def action_space(self) -> Discrete:
        """Return the space of actions, counted from 0."""
        return Discrete(self.count)

    def observation_space(self) -> Box:
        """Return the space of what `observation` returns."""
        return Box(self._low, self._high, (self._length,), self._dtype)

    def mask_space(self) -> Box:
        """Return the space of what `mask` returns."""
        return Box(0, 1, (self.count,), np.int8)

    def observation(self, position: Any) -> NDArray[Any]:
        """Return the vector of a position, as `game.encode` has it."""
        vector = self.game.encode(position)
        if self._in_bytes:  # the quickest way there is
            return np.frombuffer(bytearray(vector), np.int8)
        return np.array(vector, self._dtype)

    def mask(self, moves: tuple[int, ...]) -> NDArray[np.int8]:
        """Return for each action whether it is one of these moves."""
        mask, least = bytearray(self.count), self.least
        for move in moves:
            mask[move - least] = 1
        return np.frombuffer(mask, np.int8)

    def truth(self, position: Any) -> dict[str, Any]:
        """Return the exact verdict of a position, and of each action."""
        known = truth(self.game, position)
        actions = {move - self.least: verdict for move, verdict in known["verdicts"].items()}
        return {**known, "verdicts": actions}


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
