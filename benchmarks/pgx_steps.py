"""Steps per second of our Pgx environments on this processor, compared with Pgx's tic-tac-toe.

Needs the extra `pgx`: `.integrations/pgx/bin/python -m benchmarks.pgx_steps`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pgx

import numduel
from benchmarks.self_play import rates, shaped
from numduel.agents.pgx import make

BATCH = 4096
TURNS = 200
SETTINGS = {"divisor-duel": {"ceiling": 1000}}  # which is unbounded by default


def measure() -> Iterator[str]:
    """Time random self-play, by default at the default settings."""
    games = numduel.games()
    envs = [pgx.make("tic_tac_toe"), *(make(g.key, **SETTINGS.get(g.key, {})) for g in games)]
    least, *ours = rates([shaped(env, BATCH, TURNS) for env in envs])
    yield f"Pgx's tic-tac-toe: {least:,.0f} steps a second at {BATCH:,} games"
    for game, rate in zip(games, ours, strict=True):
        times = f"{rate / least:.2f} times as many (at least 1)"
        yield f"{game.title}: {rate:,.0f} steps a second, {times}"


if __name__ == "__main__":
    for line in measure():
        print(line, flush=True)
