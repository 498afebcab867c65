"""The saved games and record files of this person: where they are, and how they are opened."""

from __future__ import annotations

import json
import os
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.core.record import Record, error_at
from numduel.games import new
from numduel.play.files import read_record
from numduel.play.saved import MatchFinished, NoMatch, NoUnfinished, SavedMatch, Shelf
from numduel.play.setup import GivenNames, Setup
from numduel.players import HUMAN, check_who
from numduel.terminal.command import command
from numduel.terminal.screen import called, titled
from numduel.terminal.streams import printable


def home() -> Path:
    """Return the folder for saved games: `NUMDUEL_HOME`, or the user's data folder."""
    folder = os.environ.get("NUMDUEL_HOME")
    if not folder:
        from platformdirs import user_data_dir

        folder = user_data_dir("numduel")
    return Path(folder)


def shelf() -> Shelf:
    """Return the saved games of this person."""
    return Shelf(home() / "games")


def create_saved(setup: Setup) -> SavedMatch:
    """Return a new match. If it cannot be saved, warn, and return one that is not."""
    try:
        return shelf().create(setup)
    except OSError as error:
        _warn_unsaved(home(), error, "What you play will not be saved.")
        return SavedMatch.unsaved(setup)


def achieved(name: str) -> dict[str, Any]:
    """Return what the file of that name holds. One that cannot be read counts as empty."""
    try:
        found = json.loads((home() / name).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep(name: str, **more: object) -> None:
    """Add to what the file of that name holds; warn if it cannot be written."""
    path = home() / name
    fresh = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps({**achieved(name), **more}), "utf-8")
        fresh.replace(path)
    except OSError as error:
        _warn_unsaved(path, error, "What you solve will not be saved.")


def _warn_unsaved(path: Path, error: OSError, what: str) -> None:
    warnings.warn(f"{error.filename or path}: {error.strerror}. {what}", stacklevel=1)  # said once


def open_saved(ident: str | None) -> SavedMatch:
    """Return the match of that ID to go on with, or the newest unfinished one."""
    with next_command_named(ident):
        return shelf().newest() if ident is None else shelf().open(parse_ident(ident))


def parse_ident(text: str) -> int:
    """Return the ID that a text is. Raises SettingsError if it is none."""
    ident = parse_whole(text)
    if ident is None or not 0 < ident < 10**9:
        raise SettingsError(
            f"a game's ID is a number from {command('history')}, not {quoted(text)}"
        )
    return ident


def idents() -> list[str]:
    """Return the IDs of the saved games, the newest first."""
    return [str(ident) for ident in sorted(shelf().idents(), reverse=True)]


@contextmanager
def next_command_named(ident: str | None) -> Iterator[None]:
    """Name the command to type next in the errors about the match of that ID."""
    try:
        yield
    except NoMatch as error:
        raise RecordError(f"{error}; see: {command('history')}") from None
    except NoUnfinished as error:
        raise RecordError(f"{error}; start one with: {command('play GAME')}") from None
    except MatchFinished as error:
        raise RecordError(f"{error}; see it with: {command(f'replay {ident}')}") from None


class Played(NamedTuple):
    """A round of a match, or a game from a file, to look back on."""

    game: Game[Any]
    record: Record
    swapped: bool | None = None  # whether the first move was taken over; None if there was no swap


def records(text: str) -> list[Played]:
    """Return the rounds of a saved match, or the game in a file. Raises RecordError if damaged."""
    if Path(text).is_file() or not text.isdigit():
        record = read_record(Path(text))
        return [Played(_checked(text, record), record)]
    with next_command_named(text):
        match = shelf().read(parse_ident(text))
    rounds = [*zip(match.finished, match.swaps, strict=True)]
    if not match.over:
        rounds.append((match.record(), match.table.swapped))
    return [Played(_checked(f"game {text}", record), record, swap) for record, swap in rounds]


def heading(game: Game[Any], record: Record) -> str:
    """Return the game, its settings, who played, and when."""
    players = " against ".join(names(record.players))
    return f"{titled(game)}, {players}, {when(record.started)}"


def when(started: str) -> str:
    """Return a time for people, without seconds."""
    return started[:16].replace("T", " ")


def names(players: tuple[str, str]) -> tuple[str, str]:
    """Return what to call the players of a record: `Ann`, `Cal (hard)`."""
    return called(*seated(players))


def seated(players: tuple[str, str]) -> tuple[GivenNames, GivenNames]:
    """Return the names of the people among the players of a record, and of the computers."""
    (name1, kind1), (name2, kind2) = map(_person_or_not, players)
    return (name1, name2), (kind1, kind2)


def _person_or_not(who: str) -> tuple[str | None, str | None]:
    """Return the name of a person, or the name of a computer player; the other is None."""
    if who == HUMAN:
        return None, None
    try:
        return None, printable(check_who(who))
    except SettingsError:
        return printable(who), None


def _checked(place: str, record: Record) -> Game[Any]:
    """Return the game of a record. Raises RecordError if a move breaks its rules."""
    try:
        game = new(record.game, **record.settings)
        deque(record.positions(game), maxlen=0)
    except SettingsError as error:
        raise error_at(f"{place}: field 'settings'", error) from None
    except RecordError as error:
        raise error_at(place, error) from None
    return game
