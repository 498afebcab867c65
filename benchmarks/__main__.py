"""Run every benchmark, or those whose names are given."""

from __future__ import annotations

import sys

from benchmarks import (
    arena,
    batch,
    bulk,
    certificates,
    ladder,
    late_turns,
    matching,
    moves,
    pages,
    perfect,
    pettingzoo_steps,
    puzzles,
    retrograde,
    site,
    start_up,
    sweep,
    verdicts,
    web,
)

ALL = {
    "start_up": start_up,
    "verdicts": verdicts,
    "moves": moves,
    "batch": batch,
    "bulk": bulk,
    "late_turns": late_turns,
    "retrograde": retrograde,
    "matching": matching,
    "certificates": certificates,
    "perfect": perfect,
    "ladder": ladder,
    "puzzles": puzzles,
    "arena": arena,
    "pettingzoo_steps": pettingzoo_steps,
    "web": web,
    "pages": pages,
    "site": site,
    "sweep": sweep,
}

for name in sys.argv[1:] or ALL:
    print(f"## {name}")
    for line in ALL[name].measure():
        print(line, flush=True)
    print()
