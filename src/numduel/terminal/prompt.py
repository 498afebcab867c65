"""Reading a line from a person, at a terminal or through a pipe."""

from __future__ import annotations

import contextlib
import sys

LONGEST_LINE = 2000
"""What is typed beyond this is dropped."""


def read_line(prompt: str) -> str:
    """What was typed, without the newline; EOFError at the end of input.

    At a terminal the arrow keys and the history work. From a pipe the input is echoed, so that
    the output reads like the game as it was typed.
    """
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # gives input() its arrow keys and history
        return input(prompt)[:LONGEST_LINE]
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(LONGEST_LINE)
    if not line:
        print()
        raise EOFError
    rest = line
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(LONGEST_LINE)
    typed = line.rstrip("\n")
    print(printable(typed))
    return typed


def printable(text: str) -> str:
    """The text with nothing in it that could move the cursor."""
    return "".join(character if character.isprintable() else "?" for character in text)


def at_terminal() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()
