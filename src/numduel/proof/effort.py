"""How much a checker does before it refuses: what comes from outside must not keep it for ever."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

from numduel.core.errors import CertificateError
from numduel.core.game import Game
from numduel.core.words import position_fields

_LIGHT = 200
"""So much may be held and be chosen from in a position before a move counts for more than one."""


class Effort:
    """Counts moves made; those of large positions count for more."""

    def __init__(self, game: Game[Any], position: Any, most: int) -> None:
        held = [one for one in position_fields(position).values() if isinstance(one, Sized)]
        self._each = 1 + (sum(map(len, held)) + len(game.moves(position))) // _LIGHT
        self._left = most
        self._most = most

    def move(self) -> None:
        """One move more is made; CertificateError where that is too many."""
        self._left -= self._each
        if self._left < 0:
            raise CertificateError(f"it takes more than the {self._most:,} moves that are tried")
