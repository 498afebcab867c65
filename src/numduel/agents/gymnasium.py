"""Gymnasium: one learner against any player of ours.

    import numduel.agents.gymnasium
    gymnasium.make("numduel/Multiplicity-v0", size=50, opponent="medium")
    gymnasium.make_vec("numduel/Multiplicity-v0", num_envs=4096, size=50, opponent="random")

An observation is the position, and `info["action_mask"]` says which actions are legal. An illegal
move loses. `reset(seed=s)` begins the same game as `play_game(seed=s)` and a match with that seed.
"""

from __future__ import annotations

from typing import Any

from numduel.agents.common import (
    environment_id,
    not_installed,
    playable_game,
    reward,
    starting_seat,
)
from numduel.core.errors import IllegalMove
from numduel.games import keys
from numduel.play.chance import next_seed
from numduel.play.event import Move, Resign
from numduel.play.game_loop import computer_player, play_on
from numduel.play.table import TURN_LIMIT, Table
from numduel.players import Player

try:
    import gymnasium
    import numpy as np
    from gymnasium.error import ResetNeeded
    from numpy.typing import NDArray

    from numduel.agents.spaces import RENDER_METADATA, GameSpaces, check_render_mode, render
except ModuleNotFoundError as error:
    raise not_installed("gymnasium", error) from None

ME, THEM = 1, 2
"""The seats of the learner and of the opponent."""


class Environment(gymnasium.Env["NDArray[Any]", Any]):
    """Games against an opponent, which is given by name or as an object.

    `first` is 1 if the learner begins, 2 if the opponent does, or `random`. If the opponent's first
    moves end the game, the first step reports the end, whatever its action.
    """

    metadata = RENDER_METADATA

    def __init__(
        self,
        key: str,
        *,
        opponent: str | Player = "medium",
        first: int | str = 1,
        verdicts: bool = False,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        check_render_mode(render_mode)
        starting_seat(first, seed=0)  # raises SettingsError if it is invalid
        self.game = playable_game(key, settings)
        self.opponent = computer_player(opponent)
        self.opponent.check_fit(self.game)
        self.first = first
        self.verdicts = verdicts
        self.render_mode = render_mode
        self._spaces = GameSpaces(self.game)
        self.action_space = self._spaces.action_space()
        self.observation_space = self._spaces.observation_space()
        self._over = True
        self._seed: int | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a game; `options` may set `first` for this game only.

        Without a seed, the seed is derived from that of the game before; that of the very first
        game is drawn from `np_random`.
        """
        super().reset(seed=seed)
        if seed is None:
            last = self._seed
            seed = int(self.np_random.integers(2**31)) if last is None else next_seed(last)
        self._seed = seed
        first = starting_seat((options or {}).get("first", self.first), seed)
        self.table = Table(self.game, first, TURN_LIMIT, swap=False, seed=seed)
        self._over = False
        self._let_opponent_move()
        return self._observation_and_info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Make a move, and let the opponent answer."""
        if self._over:
            raise ResetNeeded("the game is over: call reset() first")
        assert self.action_space.contains(action), f"{action!r} is not in {self.action_space}"
        if self.table.outcome is None:
            try:
                self.table.apply(Move(int(action) + self._spaces.first_move))
            except IllegalMove:
                self.table.apply(Resign(ME))
            self._let_opponent_move()
        outcome = self.table.outcome
        self._over = outcome is not None
        truncated = outcome is not None and outcome.reason == "turn-limit"
        observation, info = self._observation_and_info()
        terminated = self._over and not truncated
        return observation, reward(outcome, ME), terminated, truncated, info

    def action_masks(self) -> NDArray[Any]:
        """Return whether each action is legal; maskable learners of Stable-Baselines call this."""
        legal = () if self.table.outcome is not None else self.game.moves(self.table.position)
        return self._spaces.mask(legal).astype(bool)

    def _let_opponent_move(self) -> None:
        for _ in play_on(self.table, (None, self.opponent)):
            pass

    def _observation_and_info(self) -> tuple[NDArray[Any], dict[str, Any]]:
        position = self.table.position
        info: dict[str, Any] = {"action_mask": self.action_masks().view(np.int8)}
        if self.verdicts and self.table.outcome is None:
            info |= self._spaces.truth(position)
        if self.render_mode == "human":
            self.render()
        return self._spaces.observation(position), info

    def render(self) -> Any:
        return render(self.game, self.table.position, self.table.past(), self.render_mode)

    def close(self) -> None:
        self.opponent.close()


for _key in keys():
    gymnasium.register(
        environment_id(_key),
        entry_point="numduel.agents.gymnasium:Environment",
        vector_entry_point="numduel.agents.vector:Environments",
        kwargs={"key": _key},
    )
