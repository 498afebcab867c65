"""How much memory this process takes, and how much it may take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_STATM = Path("/proc/self/statm")  # Linux alone has it


def resident() -> int:
    """How many bytes of memory this process takes now; 0 where the system does not say."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def limit(most: int) -> None:
    """Let this process have no more bytes of address space, where the system knows such a limit."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(OSError, ValueError):  # some systems have it and refuse it
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
