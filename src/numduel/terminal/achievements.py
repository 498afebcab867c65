"""What this person has achieved, kept in small files: the longest chains, the solved days."""

from __future__ import annotations

import json
import warnings
from typing import Any

from numduel.terminal.saved_games import home


def achieved(name: str) -> dict[str, Any]:
    """Return what the file of that name holds. One that cannot be read counts as empty."""
    try:
        found = json.loads((home() / name).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep(name: str, **more: object) -> None:
    """Add to what the file of that name holds; warn if it cannot be written."""
    path = home() / name
    fresh = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps({**achieved(name), **more}), "utf-8")
        fresh.replace(path)
    except OSError as error:
        place = f"{error.filename or path}: {error.strerror}"
        warnings.warn(f"{place}. What you solve will not be saved.", stacklevel=2)
