"""Both layers on a GPU: `python -m benchmarks.gpu [part …]`, with JAX and NumPy installed.

Parts: `limits` (of the card), `same` (the card plays like NumPy), `bare` (the step alone),
`shaped` (in Pgx's form) and `verdicts` (their cost). What needs Pgx is skipped if it is not
installed. SMALL=1 allows a quick try on any machine.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy

import numduel
from benchmarks.self_play import Play, bare, begin, random_step, random_words, rates, shaped
from numduel.core.array_rules import ArrayRules
from numduel.solver.table_rules import array_rules_of

try:
    import pgx
except ModuleNotFoundError:
    pgx = None
else:
    from numduel.agents.pgx import make

SMALL = bool(os.environ.get("SMALL"))
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("double-or-add", {}),
    ("multiplicity", {}),
    ("divisor-line", {}),
    ("operation-duel", {}),
    ("divisor-duel", {"ceiling": 1000}),
    ("divisor-line", {"goal": "chain"}),
]
FIRST = GAMES[:3]
SOLVED = [GAMES[0], GAMES[2], GAMES[4]]
BATCHES = [10] if SMALL else [12, 16, 18, 20, 22, 24]
STEPS = 1 << 14 if SMALL else 1 << 32  # roughly, in each measurement
SHAPED_BATCHES = [10] if SMALL else [16, 18, 20, 22]


def rules(key: str, verdicts: bool = False, **settings: Any) -> ArrayRules:
    """Return the same as `numduel.agents.pgx.rules`, but without Pgx."""
    found = array_rules_of(numduel.new(key, **settings), jnp)
    if verdicts:
        found.prepare_verdicts()
    return found


def turns(batch: int, steps: int = STEPS) -> int:
    return max(min(steps // batch, 4096), 32) // 32 * 32


def limits() -> Iterator[str]:
    """Yield the bytes copied per second, and the multiplications of 32-bit integers per second."""
    size = 1 << (12 if SMALL else 28)
    words = jnp.arange(size, dtype=jnp.uint32)
    times = 20

    @jax.jit
    def copied(words: Any) -> Any:
        return jax.lax.fori_loop(0, times, lambda i, w: w ^ i.astype(jnp.uint32), words)

    (rate,) = rates([Play(copied, words, times * size * 8)])
    yield f"memory: {rate / 1e12:.2f} TB/s read and written"

    @jax.jit
    def mixed(words: Any) -> Any:
        for _ in range(128):
            words = words * jnp.uint32(747796405) ^ words >> 13
        return words

    some = words[: size // 16]
    (rate,) = rates([Play(mixed, some, 3 * 128 * (size // 16))])
    yield f"arithmetic: {rate / 1e12:.1f} × 10¹² operations on 32-bit integers a second"


def same() -> Iterator[str]:
    """Play the same games on the card and in NumPy, and compare them state by state."""
    count, steps = 1 << 12, 64
    for key, settings in GAMES:
        here, there = numduel.new(key, **settings).array_rules(numpy), rules(key, **settings)
        step = jax.jit(there.after)
        first = numpy.ones(count, numpy.int8)
        mine, theirs = here.begin(first), begin(there, (count,))
        for number in range(steps):
            chance = numpy.asarray(random_words(number, (count,)))
            action = here.sets.pick(here.moves(mine), chance)
            mine, theirs = here.after(mine, action), step(theirs, jnp.asarray(action))
            pairs = zip(jax.tree.leaves(mine), jax.tree.leaves(theirs), strict=True)
            assert all((one == numpy.asarray(two)).all() for one, two in pairs), (key, number)
            over, begun = mine.winner != 0, here.begin(first)
            mine = jax.tree.map(lambda a, b, over=over: numpy.where(over, b, a), mine, begun)
            theirs = jax.tree.map(jnp.asarray, mine)
        yield f"{key} {settings}: {count * steps:,} steps equal"
        ones, several = (bare(there, count, steps, at_once) for at_once in (1, 16))
        pairs = (jax.tree.leaves(play.on(play.begun)) for play in (ones, several))
        assert all((one == two).all() for one, two in zip(*pairs, strict=True)), key


def bare_steps() -> Iterator[str]:
    """Time the step alone, by size of the batch and by steps in one pass over memory."""
    for key, settings in GAMES:
        found = {}
        for power in BATCHES:
            for at_once in (1, 4, 16) if (key, settings) in FIRST else (4,):
                batch = 1 << power
                play = bare(rules(key, **settings), batch, turns(batch), at_once)
                (found[power, at_once],) = rates([play])
        best = max(found, key=lambda case: found[case])
        table = ", ".join(f"2^{p}/{n}: {rate / 1e9:.3g}" for (p, n), rate in found.items())
        yield f"{key} {settings}: best {found[best] / 1e9:.1f} × 10⁹ at 2^{best[0]}/{best[1]}"
        yield f"    {table}"
        yield f"    {counted(rules(key, **settings), 16)}"


def counted(rules: Any, at_once: int) -> str:
    """Return what XLA counts for a step, with this number of steps in one pass over memory."""
    batch = 1 << 10

    def several(state: Any, seed: Any) -> Any:
        won = 0
        for k in range(at_once):
            state, winner = random_step(rules, state, random_words(seed + k, (batch,)))
            won = won + winner
        return state, won

    cost = jax.jit(several).lower(begin(rules, (batch,)), jnp.uint32(0)).compile().cost_analysis()
    steps = batch * at_once
    kept = sum(leaf.dtype.itemsize for leaf in jax.tree.leaves(begin(rules)))
    return f"a state is {kept} bytes; XLA counts {cost['flops'] / steps:.0f} operations a step"


def shaped_steps() -> Iterator[str]:
    """Time the step in Pgx's form."""
    if pgx is None:
        yield "Pgx is not installed"
        return
    envs = [(name, pgx.make(name)) for name in ("tic_tac_toe", "connect_four")]
    envs += [(f"{key} {settings}", make(key, **settings)) for key, settings in GAMES]
    for power in SHAPED_BATCHES:
        plays = [shaped(env, 1 << power, turns(1 << power, STEPS // 16)) for _, env in envs]
        found = rates(plays)
        for (name, _), rate in zip(envs, found, strict=True):
            beside = f"{rate / found[0]:.2f} × {envs[0][0]}, {rate / found[1]:.2f} × {envs[1][0]}"
            yield f"2^{power}: {rate / 1e9:.2f} × 10⁹ {name}; {beside}"


def verdict_steps() -> Iterator[str]:
    """Time steps with and without the verdicts of each position and each move."""
    batch = 1 << (10 if SMALL else 20)
    for key, settings in SOLVED:
        valued = rules(key, verdicts=True, **settings)
        plain, judged = rates(
            [
                bare(valued, batch, turns(batch), 4),
                bare(valued, batch, turns(batch, STEPS // 4), 4, valued=True),
            ]
        )
        yield f"{key} {settings}: {plain / 1e9:.3g} alone, {judged / 1e9:.3g} with verdicts"
        if pgx is None:
            continue
        envs = [make(key, **settings), make(key, verdicts=True, **settings)]
        plain, judged = rates([shaped(env, batch, turns(batch, STEPS // 16)) for env in envs])
        yield f"    as Pgx has it: {plain / 1e9:.3g}, {judged / 1e9:.3g} with verdicts"


PARTS = {
    "limits": limits,
    "same": same,
    "bare": bare_steps,
    "shaped": shaped_steps,
    "verdicts": verdict_steps,
}

if __name__ == "__main__":
    device = jax.devices()[0]
    versions = f"JAX {jax.__version__}, Pgx {pgx.__version__ if pgx else 'not installed'}"
    print(f"{device.device_kind}, {versions}; 10⁹ steps a second")
    for name in sys.argv[1:] or PARTS:
        begun = time.perf_counter()
        print(f"## {name}")
        for line in PARTS[name]():
            print(line, flush=True)
        print(f"({time.perf_counter() - begun:.0f} s)\n", flush=True)
