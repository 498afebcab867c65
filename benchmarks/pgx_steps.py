"""Steps per second of our Pgx environments on this processor, beside Pgx's own tic-tac-toe.

Needs the extra `pgx`: `.integrations/pgx/bin/python -m benchmarks.pgx_steps`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pgx

import numduel
from benchmarks.self_play import shaped
from numduel.agents.pgx import make

BATCH = 4096
TURNS = 200
SETTINGS = {"divisor-duel": {"ceiling": 1000}}  # which has no bound else


def measure() -> Iterator[str]:
    """Random self-play, each game at its defaults, in the same run."""
    least = shaped(pgx.make("tic_tac_toe"), BATCH, TURNS)
    yield f"Pgx's tic-tac-toe: {least:,.0f} steps a second at {BATCH:,} games"
    for key, title, _ in numduel.games():
        rate = shaped(make(key, **SETTINGS.get(key, {})), BATCH, TURNS)
        yield f"{title}: {rate:,.0f} steps a second, {rate / least:.1f} times as many"


if __name__ == "__main__":
    for line in measure():
        print(line, flush=True)
