"""What sweeps and arenas share: several values of a setting in one text, and the folder they fill.

The values are written like `10..30`, `10..30..5` or `any|even`. The command that fills a folder
resumes it when it is run again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from numduel.core.errors import SettingsError
from numduel.core.numerals import parse_whole, quoted

LOCK = ".lock"


def values(text: str, most: int) -> list[str]:
    """Return the texts of the values. Raises SettingsError for a range of more than `most`."""
    found = []
    for each in text.split("|"):
        ends = [parse_whole(end) for end in each.split("..")]
        whole = [end for end in ends if end is not None]
        if len(ends) == 1 or len(whole) < len(ends) or len(ends) > 3:
            found.append(each)
            continue
        low, high, step = (*whole, 1)[:3]
        if step < 1 or high < low or (high - low) // step >= most:
            raise SettingsError(
                f"a range is like 10..30 or 10..30..5, of at most {most:,} values, "
                f"not {quoted(each)}"
            )
        found += map(str, range(low, high + 1, step))
    return found


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
