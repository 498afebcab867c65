"""Standard input and output: reading a line, and printing in a locale that lacks characters."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO
from unicodedata import normalize

MAX_LINE_CHARACTERS = 2000
"""Maximum length of a line in characters. The rest is dropped."""

SHORT_COMMANDS = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "b": "back"}
"""What may be typed instead of some commands."""

LOOK_ALIKES = {"→": "->", "×": "x", "…": "...", "½": "1/2", "·": "."}
LOOK_ALIKES |= dict.fromkeys("−─–—", "-") | dict.fromkeys("‘’", "'")
"""An ASCII text for each other character that we print."""

_LOOK_ALIKE_ERRORS = "numduel.look-alike"

_COERCED = ("", "C.UTF-8", "C.utf8", "UTF-8")
"""The values that Python gives to LC_CTYPE in the locale C."""


def read_line(prompt: str, keys: Sequence[str] = ()) -> str:
    """Return the line that was typed, without the newline. Raises EOFError at the end of input.

    At a terminal the arrow keys and the history work, and each of the `keys` is a line without
    Enter. Input from a pipe is echoed, so that the output reads like a game at a terminal.
    """
    if sys.stdin.isatty():
        with _without_enter(keys):
            typed = input(prompt)
            while keys and not typed:  # Enter was pressed after a key that had ended a line already
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
def _without_enter(keys: Sequence[str]) -> Iterator[None]:
    """Let each of the keys end the line, if the library that reads lines can do that."""
    if not can_bind_keys() or not keys:
        yield
        return
    import readline
    import termios

    for key in keys:
        readline.parse_and_bind(rf'"{key}": "\C-v{key}\C-m"')
    try:
        yield
    finally:
        for key in keys:
            readline.parse_and_bind(f'"{key}": self-insert')
        termios.tcflush(sys.stdin, termios.TCIFLUSH)  # drops an Enter that was pressed after a key


def can_bind_keys() -> bool:
    """Return whether a key can end a line without Enter: with GNU readline, not with libedit."""
    try:
        import readline  # gives input() its arrow keys and history, too
        import termios  # noqa: F401
    except ImportError:
        return False
    return "libedit" not in (readline.__doc__ or "")


def command_word(typed: str) -> str:
    """Return the command that was typed, in full and in lower case: `quit` for ` Q`."""
    word = typed.strip().lower()
    return SHORT_COMMANDS.get(word, word)


def printable(text: str) -> str:
    """Return the text with control characters replaced by question marks."""
    return "".join(character if character.isprintable() else "?" for character in text)


def at_terminal() -> bool:
    """Return whether input and output are both a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def use_look_alikes(stream: TextIO) -> None:
    """Let the stream replace characters that its encoding lacks by similar ones."""
    encoding = "ascii" if _in_c_locale() else stream.encoding
    stream.reconfigure(encoding=encoding, errors=_LOOK_ALIKE_ERRORS)  # type: ignore[attr-defined]


def as_printed(text: str) -> str:
    """Return the text as standard output prints it, so that its width can be measured."""
    if text.isascii():
        return text
    return text.encode(sys.stdout.encoding, _LOOK_ALIKE_ERRORS).decode(sys.stdout.encoding)


def _in_c_locale() -> bool:
    """Return whether the locale is C, which Python itself treats as UTF-8."""
    if os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8"):
        return False
    kind = os.environ.get("LC_CTYPE", "")
    locale = os.environ.get("LC_ALL") or (kind if kind not in _COERCED else "")
    return (locale or os.environ.get("LANG")) in ("C", "POSIX")


def _replace_by_look_alikes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(_look_alike, lost)), error.end


def _look_alike(letter: str) -> str:
    plain = normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return LOOK_ALIKES.get(letter, plain or "?")


codecs.register_error(_LOOK_ALIKE_ERRORS, _replace_by_look_alikes)
