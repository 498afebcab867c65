"""Every attack, by name; and the process in which one of them runs."""

from __future__ import annotations

import sys

from benchmarks.siege import (  # noqa: F401  (they add themselves)
    classes,
    crowds,
    fairness,
    heavy,
    reading,
)
from benchmarks.siege.attack import ATTACKS, main

__all__ = ["ATTACKS"]

if __name__ == "__main__":
    main(*sys.argv[1:])
