"""Batches of games in NumPy compared with a loop over single games, and the cost of verdicts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import numduel
from benchmarks.clock import seconds
from numduel.agents.batch import Batch, make
from numduel.agents.common import reward
from numduel.core.explore import playout
from numduel.play.table import TURN_LIMIT

COUNT = 4096

CASES = (
    ("divisor-duel", {"ceiling": 1000}),
    ("operation-duel", {}),
    ("divisor-line", {}),
    ("double-or-add", {}),
    ("multiplicity", {}),
)


def measure() -> Iterator[str]:
    """Time both: given legal actions, they compute masks of moves, encodings and results."""
    for key, settings in CASES:
        batch = make(key, count=COUNT, **settings)
        games = [_actions(batch.game, Random(seed)) for seed in range(100)]
        single = sum(map(len, games))
        alone = together = float("inf")
        for _ in range(10):  # alternately, since the machine has fast and slow moments
            alone = min(alone, seconds(lambda: _replay(batch.game, games)) / single)  # noqa: B023
            together = min(together, _step(batch, 50) / COUNT)
        yield (
            f"{key}: {1 / together / 1e6:.1f} million steps a second, "
            f"{alone / together:.0f} times a loop (at least 100)"
        )
        judged = _step(make(key, count=COUNT, verdicts=True, **settings), 5) / COUNT
        yield f"  with verdicts: {judged * 1e6:.2f} µs a step, not {together * 1e6:.2f}"


def _actions(game: numduel.Game, rng: Random) -> list[int]:
    steps = playout(game, rng, game.start())
    return [game.actions.index(move) for _, move in steps if move is not None]


def _replay(game: numduel.Game, games: list[list[int]]) -> None:
    position, turns = game.start(), 0
    for actions in games:
        for action in actions:
            position = game.play(position, game.actions[action])
            turns += 1
            outcome = game.outcome(position)
            reward(outcome, 1), reward(outcome, 2)
            if outcome is not None or turns == TURN_LIMIT:
                position, turns = game.start(), 0
            game.mask(position)
            game.encode(position)


def _step(batch: Batch, times: int) -> float:
    """Return the mean seconds of a step over this number of steps."""
    spent = 0.0
    for _ in range(times):
        actions = batch.sample()
        begun = time.perf_counter()
        batch.step(actions)
        spent += time.perf_counter() - begun
    return spent / times
