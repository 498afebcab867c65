"""Where this person's games are kept, and which command helps where one is not found."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numduel.core.errors import RecordError, SettingsError
from numduel.core.numerals import parse_whole, quoted
from numduel.play.match import Match
from numduel.play.saved import Finished, NoMatch, NoUnfinished, SavedMatch, Shelf
from numduel.terminal.command import command


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


def open_saved(ident: str | None) -> SavedMatch:
    """A match to go on with: of that number, or the newest unfinished one."""
    with _helped(ident):
        return shelf().newest() if ident is None else shelf().open(parse_ident(ident))


def read_saved(ident: str) -> Match:
    """A match as far as it was played."""
    with _helped(ident):
        return shelf().read(parse_ident(ident))


def delete_saved(ident: str) -> None:
    """Delete a match for good."""
    with _helped(ident):
        shelf().delete(parse_ident(ident))


def parse_ident(text: str) -> int:
    """The number of a saved game, as the history lists it."""
    ident = parse_whole(text)
    if ident is None or not 0 < ident < 10**9:
        raise SettingsError(
            f"a game's ID is a number from {command('history')}, not {quoted(text)}"
        )
    return ident


def idents() -> list[str]:
    """The numbers of the saved games, the newest first."""
    return [str(ident) for ident in sorted(shelf().idents(), reverse=True)]


@contextmanager
def _helped(ident: str | None) -> Iterator[None]:
    try:
        yield
    except NoMatch as error:
        raise RecordError(f"{error}; see: {command('history')}") from None
    except NoUnfinished as error:
        raise RecordError(f"{error}; start one with: {command('play GAME')}") from None
    except Finished as error:
        raise RecordError(f"{error}; see it with: {command(f'replay {ident}')}") from None
