"""What is printed where a locale lacks the letters: look-alikes, never a question mark."""

from __future__ import annotations

import codecs
import os
import sys
from typing import TextIO
from unicodedata import normalize

LOOK_ALIKES = {
    "→": "->",
    "×": "x",
    "−": "-",
    "…": "...",
    "½": "1/2",
    "·": ".",
    "─": "-",
    "–": "-",
    "—": "-",
    "‘": "'",
    "’": "'",
}
"""What each sign that we print looks like in plain letters."""

ERRORS = "numduel.look-alike"

_COERCED = ("", "C.UTF-8", "C.utf8", "UTF-8")  # what Python makes of LC_CTYPE in the locale C


def use_look_alikes(stream: TextIO) -> None:
    """Let the stream print a look-alike of whatever its locale has no letter for."""
    encoding = "ascii" if _plain_locale() else stream.encoding
    stream.reconfigure(encoding=encoding, errors=ERRORS)  # type: ignore[attr-defined]


def spelled(text: str) -> str:
    """The text as standard output prints it, so that it can be measured before."""
    return (
        text
        if text.isascii()
        else text.encode(sys.stdout.encoding, ERRORS).decode(sys.stdout.encoding)
    )


def _plain_locale() -> bool:
    """Whether somebody asked for the locale C, of which Python itself makes UTF-8."""
    if os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8"):
        return False
    kind = os.environ.get("LC_CTYPE", "")
    named = os.environ.get("LC_ALL") or (kind if kind not in _COERCED else "")
    return (named or os.environ.get("LANG")) in ("C", "POSIX")


def _look_alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(_letter, lost)), error.end


def _letter(letter: str) -> str:
    known = LOOK_ALIKES.get(letter)
    if known is not None:
        return known
    return normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


codecs.register_error(ERRORS, _look_alike)
