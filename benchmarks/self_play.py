"""Random self-play with resets in JAX, for any Pgx environment and for the bare step below ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from numduel.core.array_rules import ArrayRules
from numduel.core.bitset import Array, Bitsets

ROUNDS = 5


class Play(NamedTuple):
    """A function that plays on from a state, the first state, and the number of steps in a call."""

    on: Callable[[Any], Any]
    begun: Any
    steps: int


def rates(plays: Sequence[Play]) -> list[float]:
    """Return the steps per second of each: the best of some alternating rounds after compiling."""
    states = [jax.block_until_ready(play.on(play.begun)) for play in plays]
    best = [float("inf")] * len(plays)
    for _ in range(ROUNDS):
        for i, play in enumerate(plays):
            start = time.perf_counter()
            states[i] = jax.block_until_ready(play.on(states[i]))
            best[i] = min(best[i], time.perf_counter() - start)
    return [play.steps / seconds for play, seconds in zip(plays, best, strict=True)]


def begin(rules: ArrayRules, shape: tuple[int, ...] = ()) -> Any:
    """Return the state of an array of games with this shape, in which seat 1 moves first."""
    return rules.begin(jnp.ones(shape, jnp.int8))


def random_step(rules: ArrayRules, state: Any, chance: Array) -> tuple[Any, Array]:
    """Make a random legal move in each game, by 32 random bits, and restart the games that end.

    Returns the new state, and the winners of the games that ended.
    """
    after = rules.after(state, rules.sets.pick(rules.moves(state), chance))

    def renewed(new: Array, old: Array) -> Array:
        return jnp.where(after.winner == 0, old, new)

    return jax.tree.map(renewed, begin(rules), after), after.winner


def random_words(seed: Array, shape: tuple[int, ...]) -> Array:
    """Return an array of 32 random bits each, made cheaply and good enough to choose moves.

    The index of each place is mixed with the seed like a word in the finaliser of MurmurHash3.
    """
    word = jax.lax.iota(jnp.uint32, prod(shape)).reshape(shape) * jnp.uint32(0x9E3779B9)
    word = word ^ (jnp.asarray(seed).astype(jnp.uint32) * jnp.uint32(0x85EBCA6B))
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        word = (word ^ word >> shift) * jnp.uint32(factor)
    return word ^ word >> 16


def bare(rules: ArrayRules, batch: int, turns: int, at_once: int = 1, valued: bool = False) -> Play:
    """Return the step alone, `at_once` of them in a pass over memory; `valued`: with verdicts."""

    def turn(number: Any, state: Any, score: Any) -> tuple[Any, Any]:
        if valued:
            signs = rules.verdicts(state).signs.sum(-1, dtype=jnp.int32)
            score = score + rules.verdict(state).signs + signs
        state, winner = random_step(rules, state, random_words(number, (batch,)))
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

    begun = jnp.uint32(0), begin(rules, (batch,)), jnp.zeros(batch, jnp.int32)
    return Play(play, begun, batch * (turns // at_once) * at_once)


def shaped(env: Any, batch: int, turns: int) -> Play:
    """Return an environment in Pgx's form: random moves by its mask, a key for each, auto-reset."""
    from pgx.experimental import auto_reset

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
    return Play(play, (jnp.uint32(0), state), batch * turns)


def any_of(mask: Any, chance: Any) -> Any:
    """Return random legal actions: pack the mask into words and pick a place."""
    words = []
    for first in range(0, mask.shape[-1], 32):
        part = mask[:, first : first + 32].astype(jnp.uint32)
        words.append((part << jnp.arange(part.shape[-1], dtype=jnp.uint32)).sum(-1))
    return Bitsets(jnp, mask.shape[-1]).pick(tuple(words), chance)
