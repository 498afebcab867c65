"""A folder that one command fills, and that the same command resumes when it is run again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from numduel.core.errors import SettingsError

LOCK = ".lock"


@contextmanager
def claimed(folder: Path, what: str, kept: str) -> Iterator[None]:
    """Hold a folder for `what` ("arena"), which has a file called `kept` once it has begun.

    Raises SettingsError if the folder holds something else, or another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(folder / LOCK).acquire(timeout=0)
    except Timeout:
        raise SettingsError(f"another {what} is writing to {folder}") from None
    with lock:
        for left in folder.glob(".numduel-*"):  # by a process that was killed
            left.unlink()
        if not (folder / kept).exists() and any(one.name != LOCK for one in folder.iterdir()):
            raise SettingsError(
                f"{folder} is not empty, and holds no {what}: choose another folder"
            )
        yield
