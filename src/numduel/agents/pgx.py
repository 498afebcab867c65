"""The games as Pgx environments: pure functions over arrays, which JAX compiles and vectorises.

`make` returns an environment in Pgx's own form, `rules` the step below it, on compact state.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from numduel.agents.common import not_installed, playable, refusal
from numduel.core.array_rules import NOBODY, ArrayRules
from numduel.core.bitset import Array
from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.play.table import TURN_LIMIT
from numduel.solver.table_rules import TableRules, array_rules_of

try:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx._src.struct import dataclass, field
except ModuleNotFoundError as error:
    raise not_installed("pgx", error) from None


def make(key: str, /, *, verdicts: bool = False, **settings: Any) -> Environment:
    """Return the game of that key at these settings. Raises SettingsError if it does not fit.

    `verdicts`: each state has the exact `verdict` of its position, and `verdicts` of its moves.
    """
    return Environment(rules(key, verdicts=verdicts, **settings), verdicts)


def rules(key: str, /, *, verdicts: bool = False, **settings: Any) -> ArrayRules:
    """Return the rules of a game over JAX's arrays, with `verdicts` if asked for.

    Raises SettingsError if the game does not fit, or has no verdicts that arrays can give.
    """
    game = playable(key, settings)
    try:
        found = array_rules_of(game, jnp)
        return _with_verdicts(found) if verdicts else found
    except TooLarge as error:
        raise refusal(game, str(error)) from None


def _with_verdicts(own: ArrayRules) -> ArrayRules:
    """Return these rules, or tables where these tell no verdicts. Raises TooLarge."""
    try:
        own.prepare_verdicts()
        return own
    except TooLarge:
        pass
    try:
        tables = TableRules(own.game, jnp)
    except TooLarge as error:
        raise TooLarge(f"only tables could tell its verdicts, and {error}") from None
    tables.prepare_verdicts()
    return tables


@dataclass
class State(pgx.State):
    """What Pgx asks of a state, and the game's own, as `numduel.core.array_rules` describes it."""

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _inner: Any
    _verdict: Array | None
    _verdicts: Array | None
    _rules: ArrayRules = field(pytree_node=False)

    @property
    def env_id(self) -> str:
        return _name(self._rules.game)

    @property
    def verdict(self) -> Array | None:
        """What best play leads to for the mover: 1 win, 0 neither, -1 loss; None if not asked."""
        return self._verdict

    @property
    def verdicts(self) -> Array | None:
        """The same of each move for who makes it; -2 for one that is not legal."""
        return self._verdicts

    @property
    def position(self) -> Any:
        """The position of a single game, as `numduel.solve` takes it."""
        return self._rules.position(self._inner)

    def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
        """Return a picture of the position in words; of a batch, of each position."""
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

    In it the player who looks has seat 1, except with rules that are looked up in tables. Elsewhere
    seat 1 is who moves first, and chance decides which player that is. The winner is paid 1 and
    the loser -1. After TURN_LIMIT moves a game ends without a winner.
    """

    def __init__(self, rules: ArrayRules, verdicts: bool = False) -> None:
        super().__init__()
        self.rules = rules
        self.verdicts = verdicts

    @property
    def game(self) -> Game[Any]:
        """The game, for all that can be asked of it."""
        return self.rules.game

    def _init(self, key: Array) -> State:
        state = self.rules.begin(jnp.ones((), jnp.int8))
        return State(
            current_player=jax.random.bernoulli(key).astype(jnp.int32),
            observation=self._seen(state, True),
            rewards=jnp.zeros(2, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=self.rules.legal(state),
            _step_count=jnp.int32(0),
            _inner=state,
            _rules=self.rules,
            **self._truth(state),
        )

    def step(self, state: State, action: Array, key: Array | None = None) -> Any:
        """Do what Pgx's own step does, but write each mask and observation once."""
        rules, before = self.rules, state._inner
        action = jnp.asarray(action, jnp.int32)
        over = state.terminated | state.truncated
        inside = (action >= 0) & (action < rules.count)  # JAX looks up another where it is not
        legal = state.legal_action_mask[action] & inside
        after = rules.after(before, action)
        inner = jax.tree.map(lambda new, old: jnp.where(legal & ~over, new, old), after, before)

        moved = inner.mover != before.mover
        player = jnp.where(moved, 1 - state.current_player, state.current_player)
        won = jnp.where(inner.winner == inner.mover, 1.0, -1.0)
        gain = jnp.where((inner.winner == 0) | (inner.winner == NOBODY), 0.0, won)
        gain = jnp.where(over, 0.0, jnp.where(legal, gain, self._illegal_action_penalty))
        count = state._step_count + ~over
        ended = state.terminated | ~legal | (inner.winner != 0) | (count >= TURN_LIMIT)
        return state.replace(
            current_player=player,
            observation=self._seen(inner, True),
            rewards=jnp.where(jnp.arange(2) == player, gain, -gain).astype(jnp.float32),
            terminated=ended,
            legal_action_mask=rules.sets.flags(rules.moves(after)) | ended,
            _step_count=count,
            _inner=inner,
            **self._truth(inner),
        )

    _step = step  # which Pgx wants to have

    def _truth(self, inner: Any) -> dict[str, Array | None]:
        if not self.verdicts:
            return {"_verdict": None, "_verdicts": None}
        return {
            "_verdict": self.rules.verdict(inner).signs,
            "_verdicts": self.rules.verdicts(inner).signs,
        }

    def _observe(self, state: State, player_id: Array) -> Array:
        return self._seen(state._inner, player_id == state.current_player)

    def _seen(self, inner: Any, by_mover: Array | bool) -> Array:
        """Return the vector of `Game.encode` in which whoever looks has seat 1."""
        seat = jnp.where(by_mover, 1, 2).astype(inner.mover.dtype)
        return self.rules.encode(inner._replace(mover=jnp.broadcast_to(seat, inner.mover.shape)))

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
