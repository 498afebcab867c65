"""PettingZoo: every game as an AEC environment with action masks.

    from numduel.agents.pettingzoo import env
    env("multiplicity", size=50)

They are registered, too: `pettingzoo.make("aec", "numduel/multiplicity_v0", size=50)`. The
environments themselves check what PettingZoo's wrappers check (order, bounds, illegal moves), which
is faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from numduel.agents.common import not_installed, playable_game, reward, starting_seat
from numduel.core.game import Outcome
from numduel.core.words import replay_moves
from numduel.games import keys
from numduel.play.table import TURN_LIMIT

try:
    from gymnasium.spaces import Dict, Discrete
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.env_logger import EnvLogger

    from numduel.agents.spaces import RENDER_METADATA, GameSpaces, check_render_mode, render
except ModuleNotFoundError as error:
    raise not_installed("pettingzoo", error) from None

AGENTS = ("player_0", "player_1")
"""The names of seat 1 and seat 2."""


class SetByReset:
    """An attribute that an environment does not have before its first reset."""

    def __get__(self, env: Environment | None, kind: type[Environment]) -> Any:
        """Raise AttributeError."""
        raise AttributeError("reset() needs to be called first")


class Environment(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Games between two agents; `first` is the seat that begins, or `random`."""

    agents = agent_selection = rewards = terminations = truncations = infos = SetByReset()
    _over = _position = SetByReset()

    def __init__(
        self,
        key: str,
        *,
        first: int | str = 1,
        verdicts: bool = False,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        check_render_mode(render_mode)
        starting_seat(first, seed=0)  # raises SettingsError if it is invalid
        self.game = game = playable_game(key, settings)
        self.first = first
        self.verdicts = verdicts
        self.render_mode = render_mode
        self.metadata = {
            "name": _environment_name(game.key),
            "is_parallelizable": False,
            **RENDER_METADATA,
        }
        self.possible_agents = list(AGENTS)
        self._spaces = spaces = GameSpaces(game)
        self.action_spaces = {agent: spaces.action_space() for agent in AGENTS}
        self.observation_spaces = {
            agent: Dict(observation=spaces.observation_space(), action_mask=spaces.mask_space())
            for agent in AGENTS
        }
        self._rng = Random()
        self._calls = 0  # of reset and step

    def action_space(self, agent: str) -> Discrete:
        """Return the space of actions; an action is a move's index in `game.actions`."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Dict:
        """Return the space of observations: the position, and this agent's legal actions."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; `options` may set `first` for this game only."""
        if seed is None:
            seed = self._rng.getrandbits(32)
        else:
            self._rng = Random(seed)
        self._first = starting_seat((options or {}).get("first", self.first), seed)
        self._moves: list[int] = []
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._over = False
        self._calls += 1
        self._set_position(self.game.start(self._first))

    def step(self, action: int | None) -> None:
        """Make the selected agent's move. An illegal one loses, as with PettingZoo's wrapper."""
        self._calls += 1
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if self._over:  # each agent is selected once more, and its action must be None
            self._was_dead_step(action)
            return
        if type(action) is not int:
            action = self._checked_action(action)
        move = action + self._spaces.first_move
        if move not in self._legal:
            self._forfeit(action)
            return
        self._moves.append(move)
        self._set_position(self.game.after(self._position, move))

    def _set_position(self, position: Any) -> None:
        self._position = position
        self._legal = legal = self.game.moves(position)
        self.agent_selection = agent = AGENTS[position.mover - 1]
        if not legal:
            self._end_game(self.game.outcome(position))
        elif len(self._moves) >= TURN_LIMIT:
            self._end_game(None)
        elif self.verdicts:
            self.infos = {one: {} for one in AGENTS} | {agent: self._spaces.truth(position)}
        if self.render_mode == "human":
            self.render()

    def _end_game(self, outcome: Outcome | None) -> None:
        """End the game by its rules or, without an outcome, at the turn limit."""
        self._over = True
        self._legal = ()
        self.terminations = dict.fromkeys(AGENTS, outcome is not None)
        self.truncations = dict.fromkeys(AGENTS, outcome is None)
        self.rewards = {agent: reward(outcome, seat) for seat, agent in enumerate(AGENTS, 1)}
        self._cumulative_rewards = dict(self.rewards)
        self.infos = {agent: {} for agent in AGENTS}

    def _checked_action(self, action: Any) -> int:
        space = self.action_spaces[self.agent_selection]
        assert action is not None and space.contains(action), "action is not in action space"
        return int(action)

    def _forfeit(self, action: int) -> None:
        self._checked_action(action)
        EnvLogger.warn_on_illegal_move()
        loser = self.agent_selection
        self._end_game(None)
        self.terminations = dict.fromkeys(AGENTS, True)
        self.rewards[loser] = self._cumulative_rewards[loser] = -1.0
        self.agent_selection = AGENTS[0]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield the selected agent until the end; its step must come before the next iteration."""
        calls = None
        for _ in range(max_iter):
            if not self.agents:
                return
            assert self._calls != calls, (
                "need to call step() or reset() in a loop over `agent_iter`"
            )
            calls = self._calls
            yield self.agent_selection

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the position; only the agent to move has legal actions."""
        legal = self._legal if agent == self.agent_selection else ()
        spaces = self._spaces
        return {
            "observation": spaces.observation(self._position),
            "action_mask": spaces.mask(legal),
        }

    def state(self) -> Any:
        """Return the position, the same for both agents."""
        return self._spaces.observation(self._position)

    def render(self) -> Any:
        position, past = replay_moves(self.game, self._first, self._moves)
        return render(self.game, position, past, self.render_mode)

    def close(self) -> None:
        """Do nothing. PettingZoo requires this method of environments with a `render` method."""


env = Environment


def _environment_name(key: str) -> str:
    return f"{key.replace('-', '_')}_v0"


for _key in keys():
    register(
        "aec",
        f"numduel/{_environment_name(_key)}",
        entry_point="numduel.agents.pettingzoo:Environment",
        kwargs={"key": _key},
    )
