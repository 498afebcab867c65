"""Steps per second through PettingZoo with its checks, compared with its own tic-tac-toe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

from benchmarks.clock import seconds
from numduel.agents import pettingzoo

THEIRS = "tictactoe_v3"
STEPS = 2_000
TIMES = 20
MIN_RATIO = 5  # to the rate of tic-tac-toe
GAMES: dict[str, dict[str, Any]] = {
    "divisor-duel": {"ceiling": 100},
    "operation-duel": {},
    "divisor-line": {},
    "double-or-add": {},
    "multiplicity": {},
}


def measure() -> Iterator[str]:
    """Time the same random games each time. Their moves are chosen beforehand."""
    sys.modules.setdefault("pygame", ModuleType("pygame"))  # needed only for windows on a screen
    from pettingzoo.classic import tictactoe_v3

    envs = {key: pettingzoo.env(key, **settings) for key, settings in GAMES.items()}
    played = {
        name: (env, list(_games(env))) for name, env in {THEIRS: tictactoe_v3.env(), **envs}.items()
    }
    rates = dict.fromkeys(played, 0.0)
    for _ in range(TIMES):  # alternately, since the machine has fast and slow moments
        for name, (env, games) in played.items():
            time = seconds(lambda env=env, games=games: _replay(env, games))
            rates[name] = max(rates[name], sum(map(len, games)) / time)
    theirs = rates.pop(THEIRS)
    yield f"{THEIRS}: {theirs:,.0f} steps a second"
    for key, ours in rates.items():
        times = ours / theirs
        yield f"{key}: {ours:,.0f} steps a second, {times:.1f} times as many (at least {MIN_RATIO})"


def _games(env: Any) -> Iterator[list[int | None]]:
    """Yield the actions of random games until there are STEPS in total."""
    rng, steps = Random(1), 0
    while steps < STEPS:
        acts: list[int | None] = []
        env.reset(seed=1)
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            legal = seen["action_mask"].nonzero()[0].tolist()
            acts.append(None if terminated or truncated else rng.choice(legal))
            env.step(acts[-1])
        steps += len(acts)
        yield acts


def _replay(env: Any, games: list[list[int | None]]) -> None:
    for acts in games:
        env.reset()
        for _, act in zip(env.agent_iter(), acts, strict=False):
            env.last()
            env.step(act)
