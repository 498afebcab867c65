"""What cannot be guessed: the names of games, the secrets of seats; and the codes of rooms."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Annotated

from fastapi import Path

LONGEST_KEY = 64
"""No name or secret of ours has more characters."""

_FORM = f"^[A-Za-z0-9_-]{{1,{LONGEST_KEY}}}$"

Key = Annotated[str, Path(pattern=_FORM)]
"""A name, a code, a secret or a game's key in an address."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that is mistaken for another when read aloud
_CODE_LENGTH = 5
_BETWEEN = "."  # no secret has it


def new_name() -> str:
    """A public name for a game: whoever has it can watch."""
    return secrets.token_urlsafe(9)


def is_name(text: str) -> bool:
    """Whether a text could be the name of a game."""
    return re.fullmatch(_FORM, text) is not None


def new_secret() -> str:
    """The secret of a seat: whoever has it can move."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is stored of a secret. It is random and long, so that a plain hash hides it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def joined(*secrets: str | None) -> str:
    """Several secrets in one text, as a browser keeps those of its seats in one game."""
    return _BETWEEN.join(dict.fromkeys(filter(None, secrets)))


def parted(text: str) -> list[str]:
    """The secrets that such a text holds, two at most."""
    return text.split(_BETWEEN, 2)[:2]


def new_code() -> str:
    """A short code for a room, to be read from a board."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def read_code(typed: str) -> str:
    """The code that a pupil typed, in its one form."""
    return "".join(typed.split()).upper()[: _CODE_LENGTH + 1]
