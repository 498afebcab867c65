"""Games to look back on: by file, or by their ID."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import Game
from numduel.core.record import Record, named
from numduel.games import new
from numduel.play.record_file import read_record
from numduel.players import HUMAN, check_who
from numduel.terminal.prompt import printable
from numduel.terminal.screen import Screen, titled
from numduel.terminal.shelf import read_saved


class Played(NamedTuple):
    """A round to look back on."""

    game: Game[Any]
    record: Record
    swapped: bool | None = None  # whether its first move was taken over, where that is known


def records(text: str) -> list[Played]:
    """The rounds, each played through once, so that a damaged one is refused at once."""
    if Path(text).is_file() or not text.isdigit():
        record = read_record(Path(text))
        return [Played(_checked(text, record), record)]
    match = read_saved(text)
    rounds = [*zip(match.finished, match.swaps, strict=True)]
    if not match.over:
        rounds.append((match.record(), match.table.swapped))
    return [Played(_checked(f"game {text}", record), record, swap) for record, swap in rounds]


def heading(game: Game[Any], record: Record) -> str:
    """The game, its settings, who played, and when."""
    players = " against ".join(map(printable, record.players))
    return f"{titled(game)}, {players}, {when(record.started)}"


def when(started: str) -> str:
    """A time for people."""
    return started[:16].replace("T", " ")


def seat(screen: Screen, record: Record) -> None:
    """Let the screen know who played."""
    (name1, kind1), (name2, kind2) = map(_person_or_not, record.players)
    screen.seat((name1, name2), (kind1, kind2))


def _person_or_not(who: str) -> tuple[str | None, str | None]:
    """The name of a person who gave one, or what else played."""
    if who == HUMAN:
        return None, None
    try:
        return None, printable(check_who(who))
    except SettingsError:
        return printable(who), None


def _checked(place: str, record: Record) -> Game[Any]:
    """The game that the record is of, if its moves keep the rules."""
    try:
        game = new(record.game, **record.settings)
        deque(record.positions(game), maxlen=0)
    except SettingsError as error:
        raise named(f"{place}: field 'settings'", error) from None
    except RecordError as error:
        raise named(place, error) from None
    return game
