"""A record in a file of its own, and how such a file is written."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from numduel.core.errors import RecordError
from numduel.core.record import LONGEST_RECORD, Record, loads, named


def read_record(path: Path) -> Record:
    """The record in a file; RecordError names the file and the line or field."""
    try:
        with path.open("rb") as file:
            return loads(file.read(LONGEST_RECORD + 1))
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except RecordError as error:
        raise named(path, error) from None


def check_place(path: Path) -> Path:
    """The path, if a record can be written there; else RecordError."""
    folder = _real(path).parent
    if path.is_dir():
        raise RecordError(f"{path} is a folder: a record is written to a file")
    if not folder.is_dir():
        raise RecordError(f"{path}: there is no folder {str(folder)!r}")
    if not os.access(path if _is_device(path) else folder, os.W_OK):
        raise RecordError(f"{path}: there is no writing to the folder {str(folder)!r}")
    return path


def write_record(path: Path, record: Record) -> None:
    """The record into a file, whole or not at all."""
    try:
        write_whole(path, record.dumps().encode())
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from None


def write_whole(path: Path, data: bytes) -> None:
    """Anything into a file, whole or not at all."""
    if _is_device(path):
        path.write_bytes(data)
    else:
        _replace(_real(path), data)


def _is_device(path: Path) -> bool:
    """Whether it is something that must not be replaced by a file, such as /dev/null."""
    return path.exists() and not path.is_file()


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # so that a link stays a link


def _replace(path: Path, data: bytes) -> None:
    part = path.with_name(f".numduel-{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
