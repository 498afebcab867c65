"""How much a checker does before it refuses: what comes from outside must not keep it for ever."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

from numduel.core.errors import CertificateError
from numduel.core.words import position_fields

_LIGHT = 100  # things that a position may hold before a move in it counts for more than one


class Effort:
    """Counts moves made; those of positions that hold much count for more."""

    def __init__(self, position: Any, most: int) -> None:
        held = position_fields(position).values()
        self._each = 1 + sum(len(one) for one in held if isinstance(one, Sized)) // _LIGHT
        self._left = most
        self._most = most

    def move(self) -> None:
        """One move more is made; CertificateError where that is too many."""
        self._left -= self._each
        if self._left < 0:
            raise CertificateError(f"it takes more than the {self._most:,} moves that are tried")
