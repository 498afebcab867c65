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

from numduel.core.errors import NumduelError, RecordError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.core.record import Record, error_at
from numduel.games import new
from numduel.play.files import make_private_folder, read_record
from numduel.play.saved import MatchFinished, NoMatch, NoUnfinished, SavedMatch, Shelf
from numduel.play.setup import GivenNames, Setup
from numduel.players import HUMAN, check_who
from numduel.terminal.command import command
from numduel.terminal.screen import names_of, title_of
from numduel.terminal.streams import printable


def data_folder() -> Path:
    """Return the folder of what this person plays: `NUMDUEL_HOME`, or the user's data folder."""
    if path := os.environ.get("NUMDUEL_HOME"):
        return Path(path)
    from platformdirs import user_data_dir

    return Path(user_data_dir("numduel"))


def shelf() -> Shelf:
    """Return the saved games of this person."""
    return Shelf(data_folder() / "games")


def check_folder() -> None:
    """Create the folder for saved games. Raises OSError or NumduelError if it cannot be used."""
    folder = shelf().folder
    make_private_folder(folder)
    if not os.access(folder, os.R_OK | os.W_OK):
        raise NumduelError(f"{folder}: this folder cannot be read or written")


def create_saved(setup: Setup) -> SavedMatch:
    """Return a new match. If it cannot be saved, warn, and return one that is not."""
    try:
        return shelf().create(setup)
    except OSError as error:
        _warn(data_folder(), error, "What you play will not be saved.")
        return SavedMatch.unsaved(setup)


def read_progress(file_name: str) -> dict[str, Any]:
    """Return what a file of this person's progress holds; nothing if it cannot be read."""
    try:
        progress = json.loads((data_folder() / file_name).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return progress if isinstance(progress, dict) else {}


def update_progress(file_name: str, **more: object) -> None:
    """Add to what a file of this person's progress holds. Warn if it cannot be written."""
    path = data_folder() / file_name
    part = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps({**read_progress(file_name), **more}), "utf-8")
        part.replace(path)
    except OSError as error:
        _warn(path, error, "What you solve will not be saved.")


def _warn(path: Path, error: OSError, consequence: str) -> None:
    """Warn once that a file cannot be written."""
    warnings.warn(f"{error.filename or path}: {error.strerror}. {consequence}", stacklevel=1)


def open_saved(ident: str | None) -> SavedMatch:
    """Open the match of that ID to go on with, or the newest unfinished one."""
    with advice_on_errors(ident):
        return shelf().newest() if ident is None else shelf().open(parse_ident(ident))


def parse_ident(text: str) -> int:
    """Return the ID in a text. Raises SettingsError if it is none."""
    ident = parse_whole(text)
    if ident is None or not 0 < ident < 10**9:
        raise SettingsError(
            f"a game's ID is a number from {command('history')}, not {quoted(text)}"
        )
    return ident


def saved_idents() -> list[str]:
    """Return the IDs of the saved games, the newest first."""
    return [str(ident) for ident in sorted(shelf().idents(), reverse=True)]


@contextmanager
def advice_on_errors(ident: str | None) -> Iterator[None]:
    """Add the command to type next to errors about the match of that ID."""
    try:
        yield
    except NoMatch as error:
        raise RecordError(f"{error}; see: {command('history')}") from None
    except NoUnfinished as error:
        raise RecordError(f"{error}; start one with: {command('play GAME')}") from None
    except MatchFinished as error:
        raise RecordError(f"{error}; see it with: {command(f'replay {ident}')}") from None


class Played(NamedTuple):
    """A round of a saved match, or a game from a file."""

    game: Game[Any]
    record: Record
    swapped: bool | None = None  # whether the first move was taken over; None if there was no swap
    number: int = 0  # of the round, if there are several

    @property
    def heading(self) -> str:
        """Which round it is, if there are several; the game, its settings, who played, and when."""
        players = " against ".join(player_names(self.record.players))
        title = f"Round {self.number}: " if self.number else ""
        return f"{title}{title_of(self.game)}, {players}, {time_text(self.record.started)}"


def read_rounds(source: str) -> list[Played]:
    """Return the rounds of the saved match with that ID, or the game in a file of that name.

    Raises RecordError if there is none, or if it is damaged.
    """
    if Path(source).is_file() or not source.isdigit():
        record = read_record(Path(source))
        return [Played(_game_of(record, source), record)]
    with advice_on_errors(source):
        match = shelf().read(parse_ident(source))
    rounds = [*zip(match.finished, match.swaps, strict=True)]
    if not match.over:
        rounds.append((match.record(), match.table.swapped))
    return [
        Played(_game_of(record, f"game {source}"), record, swapped, number if rounds[1:] else 0)
        for number, (record, swapped) in enumerate(rounds, 1)
    ]


def time_text(started: str) -> str:
    """Return a time for people, without seconds."""
    return started[:16].replace("T", " ")


def player_names(players: tuple[str, str]) -> tuple[str, str]:
    """Return what to call the players of a record: `Ann`, `Cal (hard)`."""
    return names_of(*people_and_computers(players))


def people_and_computers(players: tuple[str, str]) -> tuple[GivenNames, GivenNames]:
    """Return the names of the people among the players of a record, and of the computers."""
    (person1, computer1), (person2, computer2) = map(_person_or_computer, players)
    return (person1, person2), (computer1, computer2)


def _person_or_computer(who: str) -> tuple[str | None, str | None]:
    """Return the name of a person and that of a computer player, of which one is None."""
    if who == HUMAN:
        return None, None
    try:
        return None, printable(check_who(who))
    except SettingsError:
        return printable(who), None


def _game_of(record: Record, place: str) -> Game[Any]:
    """Return the game of a record. Raises RecordError, with the place, if a move is not legal."""
    try:
        game = new(record.game, **record.settings)
        deque(record.positions(game), maxlen=0)
    except SettingsError as error:
        raise error_at(f"{place}: field 'settings'", error) from None
    except RecordError as error:
        raise error_at(place, error) from None
    return game
