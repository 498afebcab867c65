"""The games as Pgx environments: pure functions over arrays, which JAX compiles and vectorises.

`make` returns a Pgx environment, and `rules` the step alone, which works on compact states.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from numduel.agents.common import game_name, not_installed, not_supported, playable_game
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
    """Return the game with this key. Raises SettingsError if it is too large.

    `verdicts`: each state has the exact `verdict` of its position and the `verdicts` of its moves.
    """
    return Environment(rules(key, verdicts=verdicts, **settings), verdicts)


def rules(key: str, /, *, verdicts: bool = False, **settings: Any) -> ArrayRules:
    """Return the rules of a game over JAX arrays. `verdicts`: also the rules for its verdicts.

    Raises SettingsError if the game is too large, or if arrays cannot give its verdicts.
    """
    game = playable_game(key, settings)
    try:
        found = array_rules_of(game, jnp)
        return _with_verdicts(found) if verdicts else found
    except TooLarge as error:
        raise not_supported(game, str(error)) from None


def _with_verdicts(own: ArrayRules) -> ArrayRules:
    """Return these rules, or tables if these cannot give verdicts. Raises TooLarge."""
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
    """A state with the fields that Pgx requires and, as `_inner`, a state of the array rules."""

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
        return game_name(self._rules.game.key)

    @property
    def verdict(self) -> Array | None:
        """The exact verdict for the mover: 1 win, -1 loss, 0 neither; None if not requested."""
        return self._verdict

    @property
    def verdicts(self) -> Array | None:
        """The same of each action for the player who takes it; -2 if it is not legal."""
        return self._verdicts

    @property
    def position(self) -> Any:
        """The position of a single game, for example for `numduel.solve`."""
        return self._rules.position(self._inner)

    def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
        """Return a picture with a line of text for each position in the batch."""
        is_dark = color_theme == "dark"
        ink, paper = ("white", "#1e1e1e") if is_dark else ("black", "white")
        lines = [self._rules.game.words.describe(one.position) for one in self._single_states()]
        text = "".join(
            f'<text x="10" y="{20 * (row + 1)}" fill="{ink}">{escape(line)}</text>'
            for row, line in enumerate(lines)
        )
        width, height = 10 * max(map(len, lines)) + 20, 20 * len(lines) + 10
        size = f'width="{width * (scale or 1)}" height="{height * (scale or 1)}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}">'
            f'<rect width="100%" height="100%" fill="{paper}"/>{text}</svg>'
        )

    def save_svg(self, filename: str, **drawing: Any) -> None:
        Path(filename).write_text(self.to_svg(**drawing), encoding="utf-8")

    def _single_states(self) -> list[State]:
        if not self.terminated.ndim:
            return [self]
        return [jax.tree.map(lambda part, i=i: part[i], self) for i in range(len(self.terminated))]


class Environment(pgx.Env):
    """An action is an index into `game.actions`, and an observation is a vector of `game.encode`.

    In an observation the observing player has seat 1, except with rules that are looked up in
    tables. Everywhere else seat 1 moves first, and which player has seat 1 is random. The winner's
    reward is 1, the loser's -1. After TURN_LIMIT moves a game ends without a winner.
    """

    def __init__(self, rules: ArrayRules, verdicts: bool = False) -> None:
        super().__init__()
        self.rules = rules
        self.verdicts = verdicts

    @property
    def game(self) -> Game[Any]:
        return self.rules.game

    def _init(self, key: Array) -> State:
        state = self.rules.begin(jnp.ones((), jnp.int8))
        return State(
            current_player=jax.random.bernoulli(key).astype(jnp.int32),
            observation=self._observation(state, True),
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
        """Do what Pgx's own step does, but compute each mask and observation only once."""
        rules, before = self.rules, state._inner
        action = jnp.asarray(action, jnp.int32)
        over = state.terminated | state.truncated
        in_range = (action >= 0) & (action < rules.count)  # JAX wraps or clips other indices
        legal = state.legal_action_mask[action] & in_range
        after = rules.after(before, action)
        inner = jax.tree.map(lambda new, old: jnp.where(legal & ~over, new, old), after, before)

        passed = inner.mover != before.mover
        player = jnp.where(passed, 1 - state.current_player, state.current_player)
        won = jnp.where(inner.winner == inner.mover, 1.0, -1.0)
        gain = jnp.where((inner.winner == 0) | (inner.winner == NOBODY), 0.0, won)
        gain = jnp.where(over, 0.0, jnp.where(legal, gain, self._illegal_action_penalty))
        count = state._step_count + ~over
        ended = state.terminated | ~legal | (inner.winner != 0) | (count >= TURN_LIMIT)
        return state.replace(
            current_player=player,
            observation=self._observation(inner, True),
            rewards=jnp.where(jnp.arange(2) == player, gain, -gain).astype(jnp.float32),
            terminated=ended,
            legal_action_mask=rules.sets.flags(rules.moves(after)) | ended,
            _step_count=count,
            _inner=inner,
            **self._truth(inner),
        )

    _step = step  # abstract in pgx.Env

    def _truth(self, inner: Any) -> dict[str, Array | None]:
        if not self.verdicts:
            return {"_verdict": None, "_verdicts": None}
        return {
            "_verdict": self.rules.verdict(inner).signs,
            "_verdicts": self.rules.verdicts(inner).signs,
        }

    def _observe(self, state: State, player_id: Array) -> Array:
        return self._observation(state._inner, player_id == state.current_player)

    def _observation(self, inner: Any, by_mover: Array | bool) -> Array:
        """Return the vector of `Game.encode` in which the observing player has seat 1."""
        seat = jnp.where(by_mover, 1, 2).astype(inner.mover.dtype)
        return self.rules.encode(inner._replace(mover=jnp.broadcast_to(seat, inner.mover.shape)))

    @property
    def id(self) -> str:
        return game_name(self.game.key)

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
