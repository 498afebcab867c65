"""Both layers on one GPU: `python -m benchmarks.gpu [part …]`, with the extra `pgx` installed.

Parts: `limits` (what the card can do), `same` (the card plays as NumPy does), `bare` (the step
alone), `shaped` (Pgx's form) and `verdicts` (their cost). SMALL=1 tries it out on any machine.
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
import pgx

import numduel
from benchmarks.self_play import bare, shaped, steps_per_second
from numduel.agents.pgx import make, rules
from numduel.agents.pgx.rules import random_words
from numduel.core.bits import pick

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
STEPS = 1 << 14 if SMALL else 1 << 32  # about, in each measurement
SHAPED_BATCHES = [10] if SMALL else [16, 18, 20]


def turns(batch: int, steps: int = STEPS) -> int:
    return max(min(steps // batch, 4096), 32) // 32 * 32


def limits() -> Iterator[str]:
    """Bytes copied a second, and 32-bit multiplications with addition."""
    size = 1 << (12 if SMALL else 28)
    words = jnp.arange(size, dtype=jnp.uint32)
    times = 20

    @jax.jit
    def copied(words: Any) -> Any:
        return jax.lax.fori_loop(0, times, lambda i, w: w ^ i.astype(jnp.uint32), words)

    rate = steps_per_second(copied, words, times * size * 8)
    yield f"memory: {rate / 1e12:.2f} TB/s read and written"

    @jax.jit
    def mixed(words: Any) -> Any:
        for _ in range(256):
            words = words * jnp.uint32(747796405) + jnp.uint32(2891336453)
        return words

    some = words[: size // 16]
    rate = steps_per_second(mixed, some, 256 * (size // 16))
    yield f"arithmetic: {rate / 1e12:.2f} × 10¹² multiply-adds of 32-bit integers a second"


def same() -> Iterator[str]:
    """The same games on the card and in NumPy, state by state."""
    count, steps = 1 << 12, 64
    for key, settings in GAMES:
        here, there = numduel.new(key, **settings).bits(numpy), rules(key, **settings)
        step = jax.jit(there.after)
        mine, theirs = here.begin((count,)), there.begin((count,))
        for number in range(steps):
            chance = numpy.asarray(random_words(number, (count,)))
            action = pick(numpy, here.moves(mine), chance)
            mine, theirs = here.after(mine, action), step(theirs, jnp.asarray(action))
            pairs = zip(jax.tree.leaves(mine), jax.tree.leaves(theirs), strict=True)
            assert all((one == numpy.asarray(two)).all() for one, two in pairs), (key, number)
            over, begin = mine.winner != 0, here.begin((count,))
            mine = jax.tree.map(lambda a, b, over=over: numpy.where(over, b, a), mine, begin)
            theirs = jax.tree.map(jnp.asarray, mine)
        yield f"{key} {settings}: {count * steps:,} steps equal"


def bare_steps() -> Iterator[str]:
    """The step alone, by batch and by steps in one pass."""
    for key, settings in GAMES:
        found = {}
        for power in BATCHES:
            for at_once in (1, 4, 16) if (key, settings) in FIRST else (4,):
                batch = 1 << power
                found[power, at_once] = bare(rules(key, **settings), batch, turns(batch), at_once)
        best = max(found, key=lambda case: found[case])
        table = ", ".join(f"2^{p}/{n}: {rate / 1e9:.3g}" for (p, n), rate in found.items())
        yield f"{key} {settings}: best {found[best] / 1e9:.1f} × 10⁹ at 2^{best[0]}/{best[1]}"
        yield f"    {table}"


def shaped_steps() -> Iterator[str]:
    """As Pgx has it."""
    envs = [(name, pgx.make(name)) for name in ("tic_tac_toe", "connect_four")]
    envs += [(f"{key} {settings}", make(key, **settings)) for key, settings in GAMES]
    for name, env in envs:
        rates = {p: shaped(env, 1 << p, turns(1 << p, STEPS // 16)) for p in SHAPED_BATCHES}
        table = ", ".join(f"2^{power}: {rate / 1e9:.3g}" for power, rate in rates.items())
        yield f"{name}: best {max(rates.values()) / 1e9:.2f} × 10⁹; {table}"


def verdict_steps() -> Iterator[str]:
    """What the verdicts of each position and each move add."""
    batch = 1 << (10 if SMALL else 20)
    for key, settings in SOLVED:
        valued = rules(key, verdicts=True, **settings)
        plain = bare(valued, batch, turns(batch), 4)
        judged = bare(valued, batch, turns(batch, STEPS // 4), 4, valued=True)
        yield f"{key} {settings}: {plain / 1e9:.3g} alone, {judged / 1e9:.3g} with verdicts"
        plain = shaped(make(key, **settings), batch, turns(batch, STEPS // 16))
        judged = shaped(make(key, verdicts=True, **settings), batch, turns(batch, STEPS // 16))
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
    print(f"{device.device_kind}, JAX {jax.__version__}, Pgx {pgx.__version__}; 10⁹ steps a second")
    for name in sys.argv[1:] or PARTS:
        begun = time.perf_counter()
        print(f"## {name}")
        for line in PARTS[name]():
            print(line, flush=True)
        print(f"({time.perf_counter() - begun:.0f} s)\n", flush=True)
