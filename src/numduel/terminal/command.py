"""Our commands as this person types them: however they started us, what we print works."""

from __future__ import annotations

import os
from typing import Any

from numduel.core.game import Game

VARIABLE = "NUMDUEL_COMMAND"
"""How we were started, with {} in place of the words: `make play ARGS="{}"`."""


def command(words: str) -> str:
    """A command to type: `numduel resume 12`."""
    started = os.environ.get(VARIABLE, "")
    return started.replace("{}", words) if "{}" in started else f"numduel {words}"


def with_settings(words: str, game: Game[Any]) -> str:
    """A command about this game at its settings: `numduel fair multiplicity --size 20`."""
    flags = []
    for setting, value in game.settings:
        if value != setting.default:
            flag = setting.flag if value is True else f"{setting.flag} {setting.text(value)}"
            flags.append(flag)
    return command(" ".join([words, game.key, *flags]))
