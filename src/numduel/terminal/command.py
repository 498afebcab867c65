"""Commands as this person has to type them, for Numduel and to install its extras."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numduel.core.errors import NumduelError, install_command
from numduel.core.game import Game

VARIABLE = "NUMDUEL_COMMAND"
"""The environment variable with a template for commands, such as `make play ARGS="{}"`."""


def command(words: str) -> str:
    """Return a command to type, such as `numduel resume 12`."""
    template = os.environ.get(VARIABLE, "")
    return template.replace("{}", words) if "{}" in template else f"numduel {words}"


def with_settings(words: str, game: Game[Any]) -> str:
    """Return a command for this game at its settings: `numduel fair multiplicity --size 20`."""
    flags = [
        setting.flag if value is True else f"{setting.flag} {setting.text(value)}"
        for setting, value in game.settings
        if value != setting.default
    ]
    return command(" ".join([words, game.key, *flags]))


@contextmanager
def needing(extra: str, what: str = "this") -> Iterator[None]:
    """Raise NumduelError with the command to install an extra if an import needs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        install = install_command(extra)
        line = f"{what} needs {error.name}, which is not installed; type: {install}"
        raise NumduelError(line) from None
