"""The addresses of positions: the game, its settings, the position and the moves since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from numduel.core.game import Game

LONGEST = 1_500
"""The most characters of a position that can still be sent around."""


def challenge_address(game: Game[Any], position: Any) -> str:
    """Where a position can be played on from; empty where that would be too long to send."""
    text = game.notation(position)
    return played_address(game, text) if len(text) <= LONGEST else ""


def played_address(game: Game[Any], text: str, moves: Sequence[int] = ()) -> str:
    """The same with the notation of the position, and with moves that were made since."""
    query = urlencode(played_fields(game, text, moves), safe="/,:;")
    return f"/challenge/{game.key}?{query}"


def played_fields(game: Game[Any], text: str, moves: Sequence[int] = ()) -> dict[str, str]:
    """What such an address says, field by field."""
    changed = {f"set-{s.name}": s.text(value) for s, value in game.settings if value != s.default}
    played = {"moves": ",".join(map(str, moves))} if moves else {}
    return {"position": text, **changed, **played}


def picture_address(challenge: str) -> str:
    """Where the picture of a challenge is."""
    return challenge.replace("?", "/picture.png?", 1)
