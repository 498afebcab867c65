"""The rules of the games over JAX's arrays, and random play by them, for states of any shape."""

from __future__ import annotations

from math import prod
from typing import Any

import jax
import jax.numpy as jnp

from numduel.agents.common import playable, refusal
from numduel.core.array_rules import ArrayRules
from numduel.core.bitset import Array
from numduel.core.errors import TooLarge
from numduel.solver.table_rules import array_rules_of


def rules(key: str, /, *, verdicts: bool = False, **settings: Any) -> ArrayRules:
    """Return the rules of a game over JAX's arrays, with `verdicts` if asked for.

    Raises SettingsError if the game does not fit, or has no verdicts that arrays can give.
    """
    game = playable(key, settings)
    try:
        found = array_rules_of(game, jnp)
        if verdicts:
            found.prepare_verdicts()
    except TooLarge as error:
        raise refusal(game, str(error)) from None
    return found


def begin(rules: ArrayRules, shape: tuple[int, ...] = ()) -> Any:
    """Return the state of as many games as the shape says, in which seat 1 moves first."""
    return rules.begin(jnp.ones(shape, jnp.int8))


def random_step(rules: ArrayRules, state: Any, chance: Array) -> tuple[Any, Array]:
    """Make a random legal move in each game, by 32 random bits, and begin those anew that end.

    Returns the new state, and who won where a game ended.
    """
    after = rules.after(state, rules.sets.pick(rules.moves(state), chance))

    def renewed(new: Array, old: Array) -> Array:
        return jnp.where(after.winner == 0, old, new)

    return jax.tree.map(renewed, begin(rules), after), after.winner


def random_words(seed: Array, shape: tuple[int, ...]) -> Array:
    """Return 32 random bits for each place of the shape: cheap, and good enough to choose moves.

    Each place's number is mixed with the seed as the finaliser of MurmurHash3 mixes a word.
    """
    word = jax.lax.iota(jnp.uint32, prod(shape)).reshape(shape) * jnp.uint32(0x9E3779B9)
    word = word ^ (jnp.asarray(seed).astype(jnp.uint32) * jnp.uint32(0x85EBCA6B))
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        word = (word ^ word >> shift) * jnp.uint32(factor)
    return word ^ word >> 16
