"""PettingZoo: every game as an AEC environment with action masks.

    from numduel.agents.pettingzoo import env
    env("multiplicity", size=50)

They are registered, too: `pettingzoo.make("aec", "numduel/multiplicity_v0", size=50)`. What
PettingZoo's wrappers check (order, bounds, illegal moves) is checked here, which costs less.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from numduel.agents.common import beginner, not_installed, playable, reward
from numduel.core.game import Outcome
from numduel.core.words import retraced
from numduel.games import keys
from numduel.play.table import TURN_LIMIT

try:
    from gymnasium.spaces import Dict, Discrete
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.env_logger import EnvLogger

    from numduel.agents.spaces import RENDER_MODES, GameSpaces, check_render_mode, rendered
except ModuleNotFoundError as error:
    raise not_installed("pettingzoo", error) from None

AGENTS = ("player_0", "player_1")
"""Seat 1 and seat 2."""


class NotYet:
    """An attribute that an environment does not have before its first reset."""

    def __get__(self, env: Environment | None, kind: type[Environment]) -> Any:
        """Raise AttributeError."""
        raise AttributeError("reset() needs to be called first")


class Environment(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One game after the other between two agents; `first` is the seat that begins, or random."""

    agents = agent_selection = rewards = terminations = truncations = infos = NotYet()
    _over = _position = NotYet()

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
        self.game = game = playable(key, settings)
        self.first = first
        self.verdicts = verdicts
        self.render_mode = render_mode
        self.metadata = {
            "name": _name(game.key),
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        self._spaces = spaces = GameSpaces(game)
        self.action_spaces = {agent: spaces.action_space() for agent in AGENTS}
        self.observation_spaces = {
            agent: Dict(observation=spaces.observation_space(), action_mask=spaces.mask_space())
            for agent in AGENTS
        }
        self._rng = Random()
        self._acts = 0  # number of calls of reset and step
        beginner(first, seed=0)

    def action_space(self, agent: str) -> Discrete:
        """Return the space of actions; an action is a move's index in `game.actions`."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Dict:
        """Return the space of observations: the position, and this agent's legal actions."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; `options` may say who is `first`, for this game only."""
        if seed is None:
            seed = self._rng.getrandbits(32)
        else:
            self._rng = Random(seed)
        self._first = beginner((options or {}).get("first", self.first), seed)
        self._moves: list[int] = []
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._over = False
        self._acts += 1
        self._come_to(self.game.start(self._first))

    def step(self, action: int | None) -> None:
        """Make the selected agent's move; an illegal one loses, as with PettingZoo's wrapper."""
        self._acts += 1
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if self._over:  # each agent is asked once more, and must do nothing
            self._was_dead_step(action)
            return
        if type(action) is not int:
            action = self._whole(action)
        move = action + self._spaces.least
        if move not in self._legal:
            self._forfeit(action)
            return
        self._moves.append(move)
        self._come_to(self.game.after(self._position, move))

    def _come_to(self, position: Any) -> None:
        self._position = position
        self._legal = legal = self.game.moves(position)
        self.agent_selection = agent = AGENTS[position.mover - 1]
        if not legal:
            self._end(self.game.outcome(position))
        elif len(self._moves) >= TURN_LIMIT:
            self._end(None)
        elif self.verdicts:
            self.infos = {one: {} for one in AGENTS} | {agent: self._spaces.truth(position)}
        if self.render_mode == "human":
            self.render()

    def _end(self, outcome: Outcome | None) -> None:
        """End the game: by its rules, or, without an outcome, by the limit of turns."""
        self._over = True
        self._legal = ()
        self.terminations = dict.fromkeys(AGENTS, outcome is not None)
        self.truncations = dict.fromkeys(AGENTS, outcome is None)
        self.rewards = {agent: reward(outcome, seat) for seat, agent in enumerate(AGENTS, 1)}
        self._cumulative_rewards = dict(self.rewards)
        self.infos = {agent: {} for agent in AGENTS}

    def _whole(self, action: Any) -> int:
        space = self.action_spaces[self.agent_selection]
        assert action is not None and space.contains(action), "action is not in action space"
        return int(action)

    def _forfeit(self, action: int) -> None:
        self._whole(action)
        EnvLogger.warn_on_illegal_move()
        loser = self.agent_selection
        self._end(None)
        self.terminations = dict.fromkeys(AGENTS, True)
        self.rewards[loser] = self._cumulative_rewards[loser] = -1.0
        self.agent_selection = AGENTS[0]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield the agent that is to act, until the end; it must act before the next is asked."""
        seen = None
        for _ in range(max_iter):
            if not self.agents:
                return
            assert self._acts != seen, "need to call step() or reset() in a loop over `agent_iter`"
            seen = self._acts
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
        """Return the position as text or as a picture, or print it."""
        seen = retraced(self.game, self._first, self._moves)
        return rendered(self.game, *seen, self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


env = Environment


def _name(key: str) -> str:
    return f"{key.replace('-', '_')}_v0"


for _key in keys():
    register(
        "aec",
        f"numduel/{_name(_key)}",
        entry_point="numduel.agents.pettingzoo:Environment",
        kwargs={"key": _key},
    )
