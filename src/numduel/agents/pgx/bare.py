"""The step alone: compact state, sets of numbers as bits, nothing written that nobody asked for.

A state is a tuple of arrays of any shape; see `numduel.core.bits` for what the rules offer.
"""

from __future__ import annotations

from math import prod
from typing import Any

import jax
import jax.numpy as jnp

from numduel.agents.ground import playable, refusal
from numduel.core.bits import Array, BitRules, pick
from numduel.core.errors import TooLarge
from numduel.solver.tabled import bits_of


def rules(key: str, /, *, verdicts: bool = False, **settings: Any) -> BitRules:
    """The rules over JAX's arrays; SettingsError where they cannot be had.

    `verdicts`: with `value` and `values`, what best play leads to.
    """
    game = playable(key, settings)
    try:
        return bits_of(game, jnp, verdicts)
    except TooLarge as error:
        raise refusal(game, str(error)) from None


def play_on(rules: BitRules, state: Any, chance: Array) -> tuple[Any, Array]:
    """A legal move at random in each game, and a new game where it ended; and who won there."""
    after = rules.after(state, pick(jnp, rules.moves(state), chance))
    begin = rules.begin()

    def renewed(new: Array, old: Array) -> Array:
        return jnp.where(after.winner == 0, old, new)

    return jax.tree.map(renewed, begin, after), after.winner


def random_words(seed: Array, shape: tuple[int, ...]) -> Array:
    """32 random bits for each place of the shape, cheaply: good enough to choose moves by.

    Each place's number is mixed with the seed as the finaliser of MurmurHash3 mixes a word.
    """
    word = jax.lax.iota(jnp.uint32, prod(shape)).reshape(shape) * jnp.uint32(0x9E3779B9)
    word = word ^ (jnp.asarray(seed).astype(jnp.uint32) * jnp.uint32(0x85EBCA6B))
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        word = (word ^ word >> shift) * jnp.uint32(factor)
    return word ^ word >> 16
