"""Records in files; files that are written completely or not at all; private and locked folders."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from numduel.core.errors import RecordError, SettingsError
from numduel.core.record import MAX_RECORD_BYTES, Record, error_at, loads

LOCK_FILE = ".lock"
"""The file that locks a folder while a command fills it."""


def read_record(path: Path) -> Record:
    """Return the record in a file. Raises RecordError with the file, and the line or field."""
    try:
        with path.open("rb") as file:
            return loads(file.read(MAX_RECORD_BYTES + 1))
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except RecordError as error:
        raise error_at(path, error) from None


def check_writable(path: Path) -> Path:
    """Return the path. Raises RecordError if no record can be written there."""
    folder = _link_target(path).parent
    if path.is_dir():
        raise RecordError(f"{path} is a folder: a record is written to a file")
    if not folder.is_dir():
        raise RecordError(f"{path}: there is no folder {str(folder)!r}")
    if not os.access(path if _is_device(path) else folder, os.W_OK):
        raise RecordError(f"{path}: cannot write to the folder {str(folder)!r}")
    return path


def write_record(path: Path, record: Record) -> None:
    """Write the record to a file, completely or not at all. Raises RecordError."""
    try:
        write_atomically(path, record.dumps().encode())
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from None


def write_atomically(path: Path, data: bytes) -> None:
    """Write data to a file, completely or not at all."""
    if _is_device(path):
        path.write_bytes(data)
        return
    target = _link_target(path)
    part = target.with_name(f".numduel-{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def _is_device(path: Path) -> bool:
    """Return whether the path is something that must not be replaced, such as /dev/null."""
    return path.exists() and not path.is_file()


def _link_target(path: Path) -> Path:
    return Path(os.path.realpath(path))  # a symbolic link stays, and its target is replaced


def make_private_folder(folder: Path) -> None:
    """Make the folder and the missing ones above it, accessible to the owner alone."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)  # raises if the path is not a folder


def private_opener(path: str, flags: int) -> int:
    """Open a file. Given to `open`, it makes new files accessible to the owner alone."""
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def locked_folder(folder: Path, command: str, first_file: str) -> Iterator[None]:
    """Lock the folder that a command fills, such as "arena", which may have begun earlier.

    The command begins by writing `first_file`. Raises SettingsError if the folder has other files
    and not this one, or if another process has locked it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(folder / LOCK_FILE).acquire(timeout=0)
    except Timeout:
        raise SettingsError(f"another {command} is writing to {folder}") from None
    with lock:
        for left in folder.glob(".numduel-*"):  # by a process that was killed
            left.unlink()
        if not (folder / first_file).exists() and any(
            one.name != LOCK_FILE for one in folder.iterdir()
        ):
            raise SettingsError(
                f"{folder} is not empty, and holds no {command}: choose another folder"
            )
        yield
