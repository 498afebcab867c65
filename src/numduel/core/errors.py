"""The errors, as one tree, and what to type where an extra is missing.

NumduelError (a ValueError)
├── SettingsError     a game, a setting or an option that is unknown or out of bounds
├── IllegalMove       a move that the rules do not allow
├── PositionError     a position that play cannot reach, or that contradicts itself
├── RecordError       a saved game that is damaged, foreign or breaks the rules
├── CertificateError  a certificate that does not prove what it says
└── TooLarge          an exact answer would take more than is allowed here

>>> import numduel
>>> game = numduel.new("double-or-add")
>>> try:
...     game.play(game.start(), 3)
... except IllegalMove as error:
...     print(error.move, error.position, error.why, sep="; ")
3; Tally(number=1, mover=1, ended=''); 3 is not in the menu
>>> try:
...     numduel.new("double-or-add", target=0)
... except NumduelError as error:
...     print(error, error.field, sep="; ")
target must be a whole number from 2, of at most 1,000 digits, not 0; target
"""

from __future__ import annotations


class NumduelError(ValueError):
    """The base of all errors. Its text is one line: what was wrong, and what is allowed."""


class SettingsError(NumduelError):
    """A game, a setting or an option that is unknown or out of bounds.

    `field` is the name of the setting, or empty.
    """

    def __init__(self, line: str, field: str = "") -> None:
        super().__init__(line)
        self.field = field


class IllegalMove(NumduelError):
    """A move that the rules do not allow, with the `move`, the `position` and the reason `why`."""

    def __init__(self, move: object, position: object, why: str, line: str | None = None) -> None:
        super().__init__(line or why)
        self.move = move
        self.position = position
        self.why = why

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[object, object, str, str]]:
        return type(self), (self.move, self.position, self.why, str(self))  # for pickle


class PositionError(NumduelError):
    """A position that play cannot reach, or that contradicts itself."""


class RecordError(NumduelError):
    """A saved game that is damaged, foreign or breaks the rules."""


class CertificateError(NumduelError):
    """A certificate that does not prove what it says. The text names the first fault."""


class TooLarge(NumduelError):
    """An exact answer would take more time or memory than is allowed. There is never a guess."""


def install_command(extra: str) -> str:
    """Return the command to type, such as `python -m pip install 'numduel[web]'`.

    >>> install_command("web").split()[1:4]
    ['-m', 'pip', 'install']
    """
    import json  # only who lacks something needs these
    import shlex
    import sys
    from contextlib import suppress
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    origin = {}
    with suppress(PackageNotFoundError):  # where the source is used without being installed
        origin = json.loads(distribution("numduel").read_text("direct_url.json") or "{}")
    wanted = [f"numduel[{extra}]"]
    if origin.get("dir_info", {}).get("editable"):
        wanted = ["-e", f"{unquote(urlsplit(origin['url']).path)}[{extra}]"]
    elif origin:
        wanted = [f"numduel[{extra}] @ {origin['url']}"]
    return shlex.join([sys.executable, "-m", "pip", "install", *wanted])
