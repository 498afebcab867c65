"""Where this person's games are kept."""

from __future__ import annotations

import os
from pathlib import Path

from numduel.core.errors import SettingsError
from numduel.core.numerals import parse_whole, quoted
from numduel.play.saved import Shelf


def home() -> Path:
    """The person's folder: `NUMDUEL_HOME`, or where the system keeps such things."""
    named = os.environ.get("NUMDUEL_HOME")
    if not named:
        from platformdirs import user_data_dir

        named = user_data_dir("numduel")
    return Path(named)


def shelf() -> Shelf:
    """The person's saved games."""
    return Shelf(home() / "games")


def parse_ident(text: str) -> int:
    """The number of a saved game, as `numduel history` lists it."""
    ident = parse_whole(text)
    if ident is None or not 0 < ident < 10**9:
        raise SettingsError(f"a game's ID is a number from numduel history, not {quoted(text)}")
    return ident
