"""Files and folders for their owner alone."""

from __future__ import annotations

import os
from pathlib import Path


def make_folder(folder: Path) -> None:
    """The folder, and those above it that are missing, for nobody else to look into."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)  # which says what is wrong where a file stands in its place


def opener(path: str, flags: int) -> int:
    """For `open`: what it creates, nobody else may read."""
    return os.open(path, flags, 0o600)
