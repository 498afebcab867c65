"""A Pgx environment over the rules of any game."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx._src.struct import dataclass, field

from numduel.agents.ground import TURN_LIMIT
from numduel.core.arrays import NOBODY
from numduel.core.bits import Array, BitRules, spread
from numduel.core.game import Game


@dataclass
class State(pgx.State):
    """What Pgx asks of a state, and the game's own; see `numduel.core.bits`."""

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _bits: Any
    _verdict: Array | None
    _verdicts: Array | None
    _rules: BitRules = field(pytree_node=False)

    @property
    def env_id(self) -> str:
        return _name(self._rules.game)

    @property
    def verdict(self) -> Array | None:
        """What best play leads to for the mover: 1 a win, 0 neither, -1 a loss; if asked for."""
        return self._verdict

    @property
    def verdicts(self) -> Array | None:
        """The same of each move for who makes it; -2 of one that is not legal."""
        return self._verdicts

    @property
    def position(self) -> Any:
        """The position of a single game, as `numduel.solve` takes it."""
        return self._rules.position(self._bits)

    def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
        """The position in words; of a batch, each."""
        dark = color_theme == "dark"
        ink, paper = ("white", "#1e1e1e") if dark else ("black", "white")
        lines = [self._rules.game.words.describe(each.position) for each in self._singles()]
        text = "".join(
            f'<text x="10" y="{20 * (row + 1)}" fill="{ink}">{escape(line)}</text>'
            for row, line in enumerate(lines)
        )
        wide, high = 10 * max(map(len, lines)) + 20, 20 * len(lines) + 10
        size = f'width="{wide * (scale or 1)}" height="{high * (scale or 1)}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {wide} {high}">'
            f'<rect width="100%" height="100%" fill="{paper}"/>{text}</svg>'
        )

    def save_svg(self, filename: str, **drawing: Any) -> None:
        Path(filename).write_text(self.to_svg(**drawing), encoding="utf-8")

    def _singles(self) -> list[State]:
        if not self.terminated.ndim:
            return [self]
        return [jax.tree.map(lambda part, i=i: part[i], self) for i in range(len(self.terminated))]


class Environment(pgx.Env):
    """Actions are places in `game.actions`, and an observation is what `game.encode` gives.

    Seat 1 moves first; which player sits there is a matter of chance. The winner is paid 1 and the
    loser -1. A game is called off after TURN_LIMIT moves, and then nobody has won.
    """

    def __init__(self, rules: BitRules, verdicts: bool = False) -> None:
        super().__init__()
        self.rules = rules
        self.verdicts = verdicts

    @property
    def game(self) -> Game[Any]:
        """The game, for all that can be asked of it."""
        return self.rules.game

    def _init(self, key: Array) -> State:
        bits = self.rules.begin()
        return State(
            current_player=jax.random.bernoulli(key).astype(jnp.int32),
            observation=self.rules.encode(bits),
            rewards=jnp.zeros(2, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=spread(jnp, self.rules.moves(bits), self.rules.count),
            _step_count=jnp.int32(0),
            _bits=bits,
            _rules=self.rules,
            **self._truth(bits),
        )

    def step(self, state: State, action: Array, key: Array | None = None) -> Any:
        """As Pgx's own, with each mask and observation written once."""
        rules, before = self.rules, state._bits
        action = jnp.asarray(action, jnp.int32)
        over = state.terminated | state.truncated
        inside = (action >= 0) & (action < rules.count)  # JAX looks up another where it is not
        legal = state.legal_action_mask[action] & inside
        after = rules.after(before, action)
        bits = jax.tree.map(lambda new, old: jnp.where(legal & ~over, new, old), after, before)

        moved = bits.mover != before.mover
        player = jnp.where(moved, 1 - state.current_player, state.current_player)
        won = jnp.where(bits.winner == bits.mover, 1.0, -1.0)
        gain = jnp.where((bits.winner == 0) | (bits.winner == NOBODY), 0.0, won)
        gain = jnp.where(over, 0.0, jnp.where(legal, gain, self._illegal_action_penalty))
        count = state._step_count + ~over
        ended = state.terminated | ~legal | (bits.winner != 0) | (count >= TURN_LIMIT)
        return state.replace(
            current_player=player,
            observation=rules.encode(bits),
            rewards=jnp.where(jnp.arange(2) == player, gain, -gain).astype(jnp.float32),
            terminated=ended,
            legal_action_mask=spread(jnp, rules.moves(after), rules.count) | ended,
            _step_count=count,
            _bits=bits,
            **self._truth(bits),
        )

    _step = step  # which Pgx wants to have

    def _truth(self, bits: Any) -> dict[str, Array | None]:
        known = self.verdicts
        return {
            "_verdict": self.rules.value(bits) if known else None,
            "_verdicts": self.rules.values(bits) if known else None,
        }

    def _observe(self, state: State, player_id: Array) -> Array:
        return self.rules.encode(state._bits)

    @property
    def id(self) -> str:
        return _name(self.game)

    @property
    def version(self) -> str:
        return "v0"

    @property
    def num_players(self) -> int:
        return 2

    @property
    def num_actions(self) -> int:
        return self.rules.count

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return (self.game.encoding.length,)


def _name(game: Game[Any]) -> str:
    return f"numduel_{game.key.replace('-', '_')}"
