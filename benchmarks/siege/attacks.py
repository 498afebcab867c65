"""All attacks by name, and the program that runs one of them."""

from __future__ import annotations

import sys

from benchmarks.siege import (  # noqa: F401  # they register their attacks
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
