"""Standard input and output: reading a line, and printing in a locale that lacks characters."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Collection, Iterator
from typing import TextIO
from unicodedata import normalize

MAX_LINE_CHARACTERS = 2000
"""Maximum length of a line in characters. The rest is dropped."""

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
"""An ASCII text for each other character that we print."""

ERRORS = "numduel.look-alike"

_COERCED = ("", "C.UTF-8", "C.utf8", "UTF-8")
"""The values that Python gives to LC_CTYPE in the locale C."""


def read_line(prompt: str, keys: Collection[str] = ()) -> str:
    """Return the line that was typed, without the newline. Raises EOFError at the end of input.

    At a terminal the arrow keys and the history work, and each of the `keys` ends the line, so
    that Enter is not needed. Input from a pipe is echoed, so that the output reads like a game at
    a terminal.
    """
    if sys.stdin.isatty():
        with _ending_lines(keys):
            typed = input(prompt)
            while keys and not typed:  # an Enter after a key that has ended a line already
                typed = input(prompt)
        return typed[:MAX_LINE_CHARACTERS]
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(MAX_LINE_CHARACTERS)
    if not line:
        print()
        raise EOFError
    rest = line
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(MAX_LINE_CHARACTERS)
    typed = line.rstrip("\n")
    print(printable(typed))
    return typed


@contextlib.contextmanager
def _ending_lines(keys: Collection[str]) -> Iterator[None]:
    """Let each of the keys end the line, where the library that reads lines can do that."""
    try:
        import readline  # gives input() its arrow keys and history, too
        import termios
    except ImportError:
        yield
        return
    bound = () if "libedit" in (readline.__doc__ or "") else keys
    for key in bound:
        readline.parse_and_bind(rf'"{key}": "\C-v{key}\C-m"')
    try:
        yield
    finally:
        for key in bound:
            readline.parse_and_bind(f'"{key}": self-insert')
        if bound:  # an Enter that was pressed after the key is not an answer to what comes next
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def printable(text: str) -> str:
    """Return the text with control characters replaced by question marks."""
    return "".join(character if character.isprintable() else "?" for character in text)


def at_terminal() -> bool:
    """Return whether input and output are both a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def use_look_alikes(stream: TextIO) -> None:
    """Let the stream replace characters that its encoding lacks by similar ones."""
    encoding = "ascii" if _plain_locale() else stream.encoding
    stream.reconfigure(encoding=encoding, errors=ERRORS)  # type: ignore[attr-defined]


def spelled(text: str) -> str:
    """Return the text as standard output prints it, so that its width can be measured."""
    if text.isascii():
        return text
    return text.encode(sys.stdout.encoding, ERRORS).decode(sys.stdout.encoding)


def _plain_locale() -> bool:
    """Return whether the locale is C, which Python itself treats as UTF-8."""
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
    plain = normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return LOOK_ALIKES.get(letter, plain or "?")


codecs.register_error(ERRORS, _look_alike)
