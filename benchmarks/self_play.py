"""Random self-play with resets in JAX, for any Pgx environment and for the bare step below ours."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from pgx.experimental import auto_reset

from numduel.agents.pgx.rules import play_on, random_words
from numduel.core.bits import BitRules

ROUNDS = 3


def steps_per_second(play: Callable[[Any], Any], begun: Any, steps: int) -> float:
    """The best of some rounds, compilation left out; `play` gives what it is to go on from."""
    state = jax.block_until_ready(play(begun))
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        state = jax.block_until_ready(play(state))
        best = min(best, time.perf_counter() - start)
    return steps / best


def bare(rules: BitRules, batch: int, turns: int, at_once: int = 1, valued: bool = False) -> float:
    """The step alone, so many of them in one pass over memory; `valued`: each with all verdicts."""

    def turn(number: Any, state: Any, score: Any) -> tuple[Any, Any]:
        if valued:
            score = score + rules.value(state) + rules.values(state).sum(-1, dtype=jnp.int32)
        state, winner = play_on(rules, state, random_words(number, (batch,)))
        return state, score + (winner == 1)

    def several(i: Any, carry: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        begin, state, score = carry
        for k in range(at_once):
            state, score = turn(begin + i * at_once + k, state, score)
        return begin, state, score

    @jax.jit
    def play(carry: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        begin, state, score = jax.lax.fori_loop(0, turns // at_once, several, carry)
        return begin + turns, state, score

    begun = jnp.uint32(0), rules.begin((batch,)), jnp.zeros(batch, jnp.int32)
    return steps_per_second(play, begun, batch * (turns // at_once) * at_once)


def shaped(env: Any, batch: int, turns: int) -> float:
    """An environment as Pgx has it: a move at random from its mask, a key for each, auto-reset."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(number: Any, carry: tuple[Any, Any]) -> tuple[Any, Any]:
        begin, state = carry
        action = any_of(state.legal_action_mask, random_words(begin + number, (batch,)))
        keys = jax.random.split(jax.random.fold_in(jax.random.key(0), begin + number), batch)
        return begin, step(state, action, keys)

    @jax.jit
    def play(carry: tuple[Any, Any]) -> tuple[Any, Any]:
        begin, state = jax.lax.fori_loop(0, turns, turn, carry)
        return begin + turns, state

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), batch))
    return steps_per_second(play, (jnp.uint32(0), state), batch * turns)


def any_of(mask: Any, chance: Any) -> Any:
    """The legal action whose lot is the largest."""
    place = jnp.arange(mask.shape[-1], dtype=jnp.uint32)
    lot = (chance[:, None] ^ place * jnp.uint32(0x9E3779B9)) * jnp.uint32(0x85EBCA6B)
    lot = (lot ^ lot >> 15) * jnp.uint32(0xC2B2AE35)
    lot = (lot & jnp.uint32(0xFFFF0000)) | (place + 1)
    return (jnp.where(mask, lot, 0).max(-1) & 0xFFFF).astype(jnp.int32) - 1
