"""Run every benchmark, or those whose names are given."""

from __future__ import annotations

import sys

from benchmarks import late_turns, moves, start_up

ALL = {"start_up": start_up, "moves": moves, "late_turns": late_turns}

for name in sys.argv[1:] or ALL:
    print(f"## {name}")
    for line in ALL[name].measure():
        print(line, flush=True)
    print()
