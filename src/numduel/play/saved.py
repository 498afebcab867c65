"""Matches on disk: one file each, one line for everything that happens, synced as it happens.

The first line is the setup; each later one is an event such as {"move": 7}. A line that a crash
left unfinished is dropped: it was never shown as made. A process holds a lock on the match that
it plays, so that no two processes ever write to the same one.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from numduel.core.errors import NumduelError, RecordError
from numduel.core.record import LONGEST_RECORD, named
from numduel.play.journal import dump_event, dump_setup, load_event, load_setup
from numduel.play.match import Match, Setup


class SavedMatch:
    """A match that is being played, and its file."""

    def __init__(self, ident: int, match: Match, descriptor: int) -> None:
        self.ident = ident
        self.match = match
        self._descriptor = descriptor

    def happen(self, verb: str, value: int | bool) -> None:
        """Let something happen in the match, and have it on disk before returning."""
        self.match.apply(verb, value)
        _append(self._descriptor, dump_event(verb, value))

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._descriptor)


class Shelf:
    """The folder of saved matches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, setup: Setup) -> SavedMatch:
        """A new match, with the next free number."""
        match = Match(setup)
        self.folder.mkdir(parents=True, exist_ok=True)
        ident = max(self.idents(), default=0) + 1
        while True:
            try:
                descriptor = os.open(
                    self._path(ident), os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND, 0o666
                )
                break
            except FileExistsError:
                ident += 1  # another process took it just now
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            _append(descriptor, dump_setup(setup))
            _sync_folder(self.folder)
        except BaseException:
            self._path(ident).unlink()  # nothing has happened in it
            os.close(descriptor)
            raise
        return SavedMatch(ident, match, descriptor)

    def open(self, ident: int) -> SavedMatch:
        """An unfinished match, to go on with."""
        try:
            descriptor = os.open(self._path(ident), os.O_RDWR | os.O_APPEND)
        except FileNotFoundError:
            raise RecordError(f"there is no game {ident}; see: numduel history") from None
        try:
            _lock(descriptor, ident)
            match = self.read(ident)
            if match.over:
                raise RecordError(f"game {ident} is finished; see it with: numduel replay {ident}")
            whole = self._path(ident).read_bytes().rfind(b"\n") + 1
            os.ftruncate(descriptor, whole)
        except BaseException:
            os.close(descriptor)
            raise
        return SavedMatch(ident, match, descriptor)

    def newest(self) -> SavedMatch:
        """The newest match that is unfinished and that nobody is playing."""
        refusal: NumduelError = RecordError(
            "there is no unfinished game; start one with: numduel play GAME"
        )
        for entry in self.history():
            if entry.match is not None and not entry.match.over:
                try:
                    return self.open(entry.ident)
                except NumduelError as error:  # played elsewhere, or to its end just now
                    refusal = error
        raise refusal

    def read(self, ident: int) -> Match:
        """The match as far as it was played; RecordError names the line."""
        name = self._path(ident).name
        lines = self._lines(ident)
        if not lines:
            raise RecordError(f"{name}: line 1: nothing was saved yet")
        return _replayed(name, lines)

    def history(self) -> Iterator[Entry]:
        """Every saved match, newest first; a damaged one with its error."""
        for ident in sorted(self.idents(), reverse=True):
            try:
                lines = self._lines(ident)
                if lines:  # else it is being created, or its creation was cut short
                    yield Entry(ident, _replayed(self._path(ident).name, lines), None)
            except RecordError as error:
                yield Entry(ident, None, error)

    def idents(self) -> list[int]:
        """The numbers of the saved matches."""
        stems = (path.stem for path in self.folder.glob("*.jsonl"))
        numbers = [(stem, int(stem)) for stem in stems if stem.isascii() and stem.isdigit()]
        return [number for stem, number in numbers if stem == str(number)]

    def _lines(self, ident: int) -> list[bytes]:
        """What is saved of the match, without a last line that a crash left unfinished."""
        path = self._path(ident)
        try:
            if path.stat().st_size > LONGEST_RECORD:
                raise RecordError(f"{path.name}: more than {LONGEST_RECORD:,} bytes")
            return path.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            raise RecordError(f"there is no game {ident}; see: numduel history") from None
        except OSError as error:
            raise RecordError(f"{path.name}: {error.strerror}") from None

    def _path(self, ident: int) -> Path:
        return self.folder / f"{ident}.jsonl"


class Entry(NamedTuple):
    """One line of the history."""

    ident: int
    match: Match | None
    error: RecordError | None


class BeingPlayed(NumduelError):
    """Another process plays this match."""


def _replayed(name: str, lines: list[bytes]) -> Match:
    """The match that the lines of a file tell of; RecordError names the line."""
    match: Match | None = None
    for count, line in enumerate(lines, 1):
        try:
            if match is None:
                match = Match(load_setup(line))
            else:
                match.apply(*load_event(line))
        except NumduelError as error:
            raise named(f"{name}: line {count}", error) from None
    assert match is not None
    match.settle()
    return match


def _append(descriptor: int, text: str) -> None:
    line = text.encode() + b"\n"
    written = os.write(descriptor, line)
    if written < len(line):
        raise OSError(0, "the disk is full")
    os.fsync(descriptor)


def _lock(descriptor: int, ident: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BeingPlayed(f"game {ident} is being played in another window") from None


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
