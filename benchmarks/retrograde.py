"""Retrograde analysis of tally games, compared with the reference solver and with runs."""

from __future__ import annotations

from collections.abc import Iterator

import numduel
from benchmarks.clock import gigabytes, seconds
from numduel.games.tally.theory import RetrogradeTheory, RunsTheory
from numduel.solver.reference import retrograde

POSITIONS = 100_000


def measure() -> Iterator[str]:
    """Yield the ratio at 100,000 positions, and the time at 100,000,000."""
    for menu in ("+1,x2", "+1,-3,x2"):
        small = numduel.new("operation-duel", target=POSITIONS // 2, operations=menu)
        large = numduel.new("operation-duel", target=POSITIONS + 1, operations=menu)
        RetrogradeTheory(large).verdict(1)  # compile
        reference = seconds(lambda game=small: retrograde(game, game.start()))
        fast = seconds(lambda game=large: RetrogradeTheory(game).verdict(1), 5)
        ratio = reference / fast
        yield f"{menu}, 100,000 positions: {ratio:.0f} times the reference (at least 100)"
    race = numduel.new("operation-duel", target=100_000_000)
    taken = seconds(lambda: RetrogradeTheory(race).verdict(1))
    yield f"100,000,000 positions: {taken:.1f} s (under 30)"
    yield f"memory: {gigabytes():.2f} GB (under 2)"
    runs = seconds(lambda: RunsTheory(race).verdict(1), 5)
    yield f"100,000,000 positions in runs: {taken / runs:.0f} times as fast (at least 10)"
    for menu, digits in (("+1,x3", 9), ("+1,x3", 999), ("+2,+3,x2", 999), ("+1,x2,x3", 30)):
        far = numduel.new("operation-duel", target=10**digits, operations=menu)
        taken = seconds(lambda game=far: RunsTheory(game).verdict(1))
        yield f"{menu} up to 10**{digits}, in runs: {taken:.2f} s (under 5)"
