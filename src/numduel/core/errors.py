"""The tree of errors, and the command that installs a missing extra.

NumduelError (a ValueError)
├── SettingsError     a game, a setting or an option is unknown or out of bounds
├── IllegalMove       the rules do not allow a move
├── PositionError     play cannot reach a position, or the position contradicts itself
├── RecordError       a saved game is damaged, has another format or breaks the rules
├── CertificateError  a certificate does not prove its claim
└── TooLarge          an exact answer would take more time or memory than is allowed

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
    """The base class of all errors. The text is one line: what was wrong and what is allowed."""


class SettingsError(NumduelError):
    """A game, a setting or an option is unknown or out of bounds.

    `field` is the name of the setting, or empty if the error is not about one setting.
    """

    def __init__(self, line: str, field: str = "") -> None:
        super().__init__(line)
        self.field = field


class IllegalMove(NumduelError):
    """The rules do not allow a move. It has the `move`, the `position` and the reason, `why`."""

    def __init__(self, move: object, position: object, why: str, line: str | None = None) -> None:
        super().__init__(line or why)
        self.move = move
        self.position = position
        self.why = why

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[object, object, str, str]]:
        return type(self), (self.move, self.position, self.why, str(self))  # for pickle


class PositionError(NumduelError):
    """Play cannot reach a position, or the position contradicts itself."""


class RecordError(NumduelError):
    """A saved game is damaged, has another format or breaks the rules."""


class CertificateError(NumduelError):
    """A certificate does not prove its claim. The text names the first fault."""


class TooLarge(NumduelError):
    """An exact answer would take more time or memory than is allowed. No guess is returned."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra: `python -m pip install 'numduel[web]'`.

    >>> install_command("web").split()[1:4]
    ['-m', 'pip', 'install']
    """
    import json  # these are needed only if an extra is missing
    import shlex
    import sys
    from contextlib import suppress
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    origin = {}
    with suppress(PackageNotFoundError):  # the source may be used without being installed
        origin = json.loads(distribution("numduel").read_text("direct_url.json") or "{}")
    wanted = [f"numduel[{extra}]"]
    if origin.get("dir_info", {}).get("editable"):
        wanted = ["-e", f"{unquote(urlsplit(origin['url']).path)}[{extra}]"]
    elif origin:
        wanted = [f"numduel[{extra}] @ {origin['url']}"]
    return shlex.join([sys.executable, "-m", "pip", "install", *wanted])
