"""Matches on disk: a file for each match, with a line for each event, which is synced at once.

The first line is the setup; each later one is an event such as {"move": 7}. If a crash has left the
last line unfinished, it is dropped: no player has seen that event. A process locks the match that
it plays, so that no two processes write to the same file. Reading needs no lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, NamedTuple

from filelock import FileLock, Timeout

from numduel.core.errors import NumduelError, RecordError
from numduel.core.record import MAX_RECORD_BYTES, error_at
from numduel.play.event import Event, dump, load
from numduel.play.files import make_private_folder, private_opener
from numduel.play.match import Match
from numduel.play.setup import NeedsGame, Setup, dump_setup, load_setup


class SavedMatch:
    """A match that is being played, and its file."""

    def __init__(self, ident: int, match: Match, file: BinaryIO | None, stack: ExitStack) -> None:
        self.ident = ident
        self.match = match
        self._file = file  # None if nothing can be saved
        self._stack = stack  # closes the file, and releases the lock on the match

    @classmethod
    def unsaved(cls, setup: Setup) -> SavedMatch:
        """Return a match that is not saved. Its ident is 0."""
        return cls(0, Match(setup), None, ExitStack())

    def apply(self, event: Event) -> None:
        """Apply an event to the match. It is on disk when this returns."""
        self.match.apply(event)
        if self._file is not None:
            _append(self._file, dump(event))

    def close(self) -> None:
        """Close the file and release the lock."""
        self._stack.close()

    def discard(self) -> None:
        """Delete the match, and release the lock."""
        if self._file is not None:
            self._file.close()  # some systems cannot delete an open file
            Path(self._file.name).unlink(missing_ok=True)
        self.close()


class Shelf:
    """The folder of saved matches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, setup: Setup) -> SavedMatch:
        """Create a match with the next free number."""
        match = Match(setup)
        make_private_folder(self.folder)
        ident = max(self.idents(), default=0) + 1
        while True:
            try:
                return self._create(ident, match)
            except (FileExistsError, BeingPlayed):
                ident += 1  # another process has just taken this number

    def _create(self, ident: int, match: Match) -> SavedMatch:
        with ExitStack() as stack:
            stack.enter_context(self._locked(ident))
            name = self._match_file(ident)
            file = stack.enter_context(open(name, "xb", buffering=0, opener=private_opener))
            try:
                _append(file, dump_setup(match.setup))
                _sync_folder(self.folder)
            except BaseException:
                file.close()  # some systems cannot delete an open file
                self._match_file(ident).unlink()
                raise
            return SavedMatch(ident, match, file, stack.pop_all())

    def open(self, ident: int) -> SavedMatch:
        """Open an unfinished match. Raises MatchFinished, BeingPlayed or RecordError."""
        self._check_file(ident)
        with ExitStack() as stack:
            stack.enter_context(self._locked(ident))
            match = self.read(ident)
            if match.over:
                raise MatchFinished(f"game {ident} is finished")
            file = stack.enter_context(self._match_file(ident).open("r+b", buffering=0))
            file.truncate(self._match_file(ident).read_bytes().rfind(b"\n") + 1)
            file.seek(0, os.SEEK_END)
            return SavedMatch(ident, match, file, stack.pop_all())

    def delete(self, ident: int) -> None:
        """Delete a match, damaged or not. Raises BeingPlayed if somebody is playing it."""
        self._check_file(ident)
        with self._locked(ident):
            self._match_file(ident).unlink(missing_ok=True)
            _sync_folder(self.folder)

    def newest(self) -> SavedMatch:
        """Open the newest match that is unfinished and that nobody is playing."""
        refusal: NumduelError = NoUnfinished("there is no unfinished game")
        for entry in self.entries():
            if entry.match is not None and not entry.match.over:
                try:
                    return self.open(entry.ident)
                except NumduelError as error:  # it is being played, or was just finished
                    refusal = error
        raise refusal

    def read(self, ident: int) -> Match:
        """Return the match as far as it was played. Raises RecordError, which names the line."""
        name = self._match_file(ident).name
        lines = self._read_lines(ident)
        if not lines:
            raise RecordError(f"{name}: line 1: nothing was saved yet")
        return _replay(name, lines)

    def entries(self) -> Iterator[Entry]:
        """Yield all saved matches, newest first, and the damaged ones with their errors."""
        for ident in sorted(self.idents(), reverse=True):
            try:
                lines = self._read_lines(ident)
                if lines:  # otherwise it is being created, or its creation was interrupted
                    yield Entry(ident, _replay(self._match_file(ident).name, lines), None)
            except RecordError as error:
                yield Entry(ident, None, error)

    def idents(self) -> list[int]:
        """Return the numbers of the saved matches."""
        stems = (path.stem for path in self.folder.glob("*.jsonl"))
        numbers = [(stem, int(stem)) for stem in stems if stem.isascii() and stem.isdigit()]
        return [number for stem, number in numbers if stem == str(number)]

    def _read_lines(self, ident: int) -> list[bytes]:
        """Return the lines of a match. A last line that a crash left unfinished is dropped."""
        path = self._match_file(ident)
        if self._check_file(ident).st_size > MAX_RECORD_BYTES:
            raise RecordError(f"{path.name}: more than {MAX_RECORD_BYTES:,} bytes")
        try:
            return path.read_bytes().split(b"\n")[:-1]
        except OSError as error:
            raise RecordError(f"{path.name}: {error.strerror}") from None

    def _check_file(self, ident: int) -> os.stat_result:
        """Return the status of the file. Raises RecordError if it is no regular file.

        Opening a pipe, for example, would block until somebody writes to it.
        """
        path = self._match_file(ident)
        try:
            status = path.stat()
        except FileNotFoundError:
            raise NoMatch(f"there is no game {ident}") from None
        except OSError as error:
            raise RecordError(f"{path.name}: {error.strerror}") from None
        if not S_ISREG(status.st_mode):
            raise RecordError(f"{path.name}: not a file")
        return status

    def _match_file(self, ident: int) -> Path:
        return self.folder / f"{ident}.jsonl"

    @contextmanager
    def _locked(self, ident: int) -> Iterator[None]:
        """Hold the lock on a match. Raises BeingPlayed if another process has it.

        The lock is a file beside the match, because on some systems a locked file cannot be read.
        """
        path = self._match_file(ident).with_suffix(".lock")
        try:
            lock = FileLock(path, timeout=0, mode=0o600)
            lock.acquire()
        except Timeout:
            raise BeingPlayed(f"game {ident} is being played in another window") from None
        try:
            yield
        finally:
            with suppress(OSError):  # some systems cannot delete a held lock: release() does
                path.unlink()
            lock.release()


class Entry(NamedTuple):
    """A saved match in the history: the match, or an error if it is damaged."""

    ident: int
    match: Match | None
    error: RecordError | None


class NoMatch(RecordError):
    """There is no match of that number."""


class NoUnfinished(RecordError):
    """There is no unfinished match."""


class MatchFinished(RecordError):
    """The match is over."""


class BeingPlayed(NumduelError):
    """Another process plays this match."""


def _replay(name: str, lines: list[bytes]) -> Match:
    """Return the match of these lines. Raises RecordError, which names the wrong line."""
    match: Match | None = None
    for count, line in enumerate(lines, 1):
        try:
            if match is None:
                match = Match(load_setup(line))
            else:
                match.apply(load(line))
        except NeedsGame:
            raise
        except NumduelError as error:
            why = RecordError(str(error).removeprefix("line 1: "))
            raise error_at(f"{name}: line {count}", why) from None
    assert match is not None
    match.begin_due_rounds()
    return match


def _append(file: BinaryIO, text: str) -> None:
    line = text.encode() + b"\n"
    if os.write(file.fileno(), line) < len(line):
        raise OSError(0, "the disk is full")
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    with suppress(PermissionError):  # Windows cannot open a folder, and needs no sync
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
