"""Names of games, secrets of seats and codes of rooms."""

from __future__ import annotations

import hashlib
import re
import secrets

LONGEST_KEY = 64
"""Maximum number of characters of a name or a secret."""

FORM = f"^[A-Za-z0-9_-]{{1,{LONGEST_KEY}}}$"
"""The regular expression of a name, a code, a secret or a game's key in a path."""

Key = str
"""A text of this form, which was checked when the request was routed."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like 1 and 0
_CODE_LENGTH = 5
_BETWEEN = "."  # which no secret contains


def new_name() -> str:
    """Return a new public name for a game; with it one can watch."""
    return secrets.token_urlsafe(9)


def is_name(text: str) -> bool:
    """Return whether a text has the form of a name or a key."""
    return re.fullmatch(FORM, text) is not None


def new_secret() -> str:
    """Return a new secret for a seat; with it one can move."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """Return the hash that is stored of a secret; a plain one, as secrets are random and long."""
    return hashlib.sha256(secret.encode()).hexdigest()


def joined(*secrets: str | None) -> str:
    """Join secrets in one text, as a cookie holds those of both seats of a game."""
    return _BETWEEN.join(dict.fromkeys(filter(None, secrets)))


def parted(text: str) -> list[str]:
    """Return the secrets of such a text, two at most."""
    return text.split(_BETWEEN, 2)[:2]


def new_code() -> str:
    """Return a new short code for a room, to be read from a board."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return the code that a pupil typed, in its one form."""
    return "".join(typed.split()).upper()[: _CODE_LENGTH + 1]
