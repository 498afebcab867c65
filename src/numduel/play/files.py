"""Records in files, and how files and folders are written whole, and for whom."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from numduel.core.errors import RecordError, SettingsError
from numduel.core.record import MAX_RECORD_BYTES, Record, error_at, loads

LOCK = ".lock"
"""The file in a folder that one command fills, by which it is held."""


def read_record(path: Path) -> Record:
    """Return the record in a file; RecordError names the file and the line or field."""
    try:
        with path.open("rb") as file:
            return loads(file.read(MAX_RECORD_BYTES + 1))
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except RecordError as error:
        raise error_at(path, error) from None


def check_place(path: Path) -> Path:
    """Return the path; RecordError if no record can be written there."""
    folder = _real(path).parent
    if path.is_dir():
        raise RecordError(f"{path} is a folder: a record is written to a file")
    if not folder.is_dir():
        raise RecordError(f"{path}: there is no folder {str(folder)!r}")
    if not os.access(path if _is_device(path) else folder, os.W_OK):
        raise RecordError(f"{path}: cannot write to the folder {str(folder)!r}")
    return path


def write_record(path: Path, record: Record) -> None:
    """Write the record to a file, completely or not at all; RecordError."""
    try:
        write_whole(path, record.dumps().encode())
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from None


def write_whole(path: Path, data: bytes) -> None:
    """Write data to a file, completely or not at all."""
    if _is_device(path):
        path.write_bytes(data)
        return
    real = _real(path)
    part = real.with_name(f".numduel-{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(real)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def _is_device(path: Path) -> bool:
    """Return whether the path is something that no file may replace, such as /dev/null."""
    return path.exists() and not path.is_file()


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # a symbolic link is kept, and its target replaced


def make_folder(folder: Path) -> None:
    """Make the folder, and those above it that are missing, for the owner alone."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)  # raises if the path is not a folder


def opener(path: str, flags: int) -> int:
    """Open a file; given to `open`, it makes new files readable for the owner alone."""
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def locked_folder(folder: Path, command: str, first_file: str) -> Iterator[None]:
    """Lock the folder that a command ("arena") fills, and resumes when it is run again.

    The folder has `first_file` once the command has begun. Raises SettingsError if the folder
    holds something else, or another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(folder / LOCK).acquire(timeout=0)
    except Timeout:
        raise SettingsError(f"another {command} is writing to {folder}") from None
    with lock:
        for left in folder.glob(".numduel-*"):  # by a process that was killed
            left.unlink()
        if not (folder / first_file).exists() and any(one.name != LOCK for one in folder.iterdir()):
            raise SettingsError(
                f"{folder} is not empty, and holds no {command}: choose another folder"
            )
        yield
