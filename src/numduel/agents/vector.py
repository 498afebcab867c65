"""Gymnasium's vector environment: many games at once, by rules over arrays.

It gives what a SyncVectorEnv of as many environments gives, game by game, except that the opponent
`random`, who chooses in all games at once, has other chances.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from numduel.agents.arrays import Arrays
from numduel.agents.batch import LoopedRules, check_count, put
from numduel.agents.ground import TURN_LIMIT, beginner, check_seed, playable
from numduel.agents.gymnasium import ME, THEM, seated
from numduel.core.arrays import ArrayRules
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.players import Player, Turn
from numduel.players.player import RandomPlayer

FAILED = -1
"""In place of an action: the opponent could not give one."""


class Environments(VectorEnv["NDArray[Any]", "NDArray[Any]", "NDArray[Any]"]):
    """So many games, each against the same opponent; a game that is over begins anew next step."""

    def __init__(
        self,
        key: str,
        num_envs: int = 1,
        *,
        opponent: str | Player = "medium",
        first: int | str = 1,
        verdicts: bool = False,
        **settings: Any,
    ) -> None:
        beginner(first, Random())
        self.game = game = playable(key, settings)
        check_count("num_envs", num_envs, game)
        self.num_envs = num_envs
        self.first = first
        self.verdicts = verdicts
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._arrays = Arrays(game)
        self.single_action_space = self._arrays.action_space()
        self.single_observation_space = self._arrays.observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.rules: ArrayRules[Any, Any] = game.arrays(np) or LoopedRules(game)
        self._begun = False
        player = seated(opponent, game)
        self._opponent: _Opponent = (
            _Chance()
            if isinstance(player, RandomPlayer)
            else _Thinker(player, game, self.rules, num_envs)
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin all games; `options` may say who is `first` in these."""
        check_seed(seed)
        options = options or {}
        if "reset_mask" in options:
            raise SettingsError("reset_mask cannot be given: what is over begins anew by itself")
        super().reset(seed=seed)
        self._opponent.seed(seed)
        self._state = _copied(self.rules.start(np.ones(self.num_envs, np.int8)))
        self._turns = np.zeros(self.num_envs, np.int32)
        self._winner = np.zeros(self.num_envs, np.int8)
        self._over = np.zeros(self.num_envs, bool)
        self._begin(np.arange(self.num_envs), options.get("first", self.first))
        self._begun = True
        return self.rules.encode(self._state), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make a move in each game and let the opponent answer; an illegal move loses."""
        if not self._begun:
            raise ResetNeeded("no game has begun: reset() comes first")
        actions = np.asarray(actions)
        assert self.action_space.contains(actions), f"actions are not in {self.action_space}"
        playing, anew = ~self._over, np.flatnonzero(self._over)
        rows = np.flatnonzero(playing & (self._winner == 0))
        legal = self._state.legal[rows, actions[rows]]
        self._winner[rows[~legal]] = THEM
        self._advance(rows[legal], actions[rows[legal]])
        self._answer(rows[legal])
        ended = playing & (self._winner != 0)
        late = playing & ~ended & (self._turns >= TURN_LIMIT)
        earned = ended * (1.0 * (self._winner == ME) - (self._winner == THEM))
        self._over = ended | late
        self._begin(anew, self.first)
        return self.rules.encode(self._state), earned, ended, late, self._info()

    def _begin(self, rows: NDArray[Any], first: object) -> None:
        if rows.size:
            put(self._state, rows, self.rules.start(self._opponent.begin(rows, first)))
            self._turns[rows] = self._winner[rows] = 0
            self._answer(rows)

    def _advance(self, rows: NDArray[Any], actions: NDArray[Any]) -> None:
        if rows.size:
            after = self.rules.after(_copied(self._state, rows), actions)
            put(self._state, rows, after)
            self._turns[rows] += 1
            self._winner[rows] = after.winner
            self._opponent.saw(rows, actions)

    def _answer(self, rows: NDArray[Any]) -> None:
        """Let the opponent move as long as it is its turn."""
        while rows.size:
            going = (self._winner[rows] == 0) & (self._turns[rows] < TURN_LIMIT)
            rows = rows[going & (self._state.mover[rows] == THEM)]
            actions = self._opponent.reply(rows, self._state)
            able = actions != FAILED
            self._winner[rows[~able]] = ME
            rows = rows[able]
            self._advance(rows, actions[able])

    def _info(self) -> dict[str, Any]:
        going = (self._winner == 0) & ~self._over
        info: dict[str, Any] = {
            "action_mask": (self._state.legal & going[:, None]).astype(np.int8),
            "_action_mask": np.ones(self.num_envs, bool),
        }
        if self.verdicts:
            for row in np.flatnonzero(going).tolist():
                known = self._arrays.truth(self.rules.position(self._state, row))
                info = self._add_info(info, known, row)
        return info

    def close_extras(self, **kwargs: Any) -> None:
        """Let go of what the opponent holds."""
        self._opponent.close()


class _Opponent(ABC):
    """Who answers in all games."""

    @abstractmethod
    def seed(self, seed: int | None) -> None:
        """Chance begins anew, where there is a seed."""

    @abstractmethod
    def begin(self, rows: NDArray[Any], first: object) -> NDArray[Any]:
        """Who begins in these games, now that they begin."""

    @abstractmethod
    def reply(self, rows: NDArray[Any], state: Any) -> NDArray[Any]:
        """An action for each of these games, or FAILED."""

    def saw(self, rows: NDArray[Any], actions: NDArray[Any]) -> None:  # noqa: B027
        """What was done in these games, by whomever."""

    def close(self) -> None:  # noqa: B027
        """Let go of what it holds."""


class _Chance(_Opponent):
    """Any legal move, each as likely, in all games at once."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng()

    def seed(self, seed: int | None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)

    def begin(self, rows: NDArray[Any], first: object) -> NDArray[Any]:
        if first == "random":
            return self._rng.integers(1, 3, rows.size)
        return np.full(rows.size, beginner(first, Random()))

    def reply(self, rows: NDArray[Any], state: Any) -> NDArray[Any]:
        legal = state.legal[rows]
        dice = self._rng.random(rows.size) * legal.sum(axis=1)
        found: NDArray[Any] = (legal.cumsum(axis=1) > dice[:, None]).argmax(axis=1)
        return found


class _Thinker(_Opponent):
    """One of our players, asked game by game, with the chances that a game alone would have."""

    def __init__(
        self, player: Player, game: Game[Any], rules: ArrayRules[Any, Any], count: int
    ) -> None:
        self._player, self._game, self._rules = player, game, rules
        self._seeds, self._firsts = [0] * count, [1] * count
        self._moves: list[tuple[int, ...]] = [()] * count
        self._rngs: list[np.random.Generator] = []

    def seed(self, seed: int | None) -> None:
        if seed is not None or not self._rngs:
            seeds = [None if seed is None else seed + row for row in range(len(self._seeds))]
            self._rngs = [seeding.np_random(one)[0] for one in seeds]

    def begin(self, rows: NDArray[Any], first: object) -> NDArray[Any]:
        for row in rows.tolist():
            self._seeds[row] = int(self._rngs[row].integers(2**31))
            self._firsts[row] = beginner(first, Random(self._seeds[row]))
            self._moves[row] = ()
        return np.array([self._firsts[row] for row in rows.tolist()])

    def reply(self, rows: NDArray[Any], state: Any) -> NDArray[Any]:
        return np.array([self._one(row, state) for row in rows.tolist()], np.intp)

    def _one(self, row: int, state: Any) -> int:
        game, moves = self._game, self._moves[row]
        position = self._rules.position(state, row)
        rng = Random(f"{self._seeds[row]} 1 {len(moves)}")  # as the referee has it
        try:
            move = self._player.choose(Turn(game, position, self._firsts[row], moves, rng))
        except Exception:  # whatever somebody else's player raises
            return FAILED
        return game.actions.index(move) if game.allows(position, move) else FAILED

    def saw(self, rows: NDArray[Any], actions: NDArray[Any]) -> None:
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            self._moves[row] += (self._game.actions[action],)

    def close(self) -> None:
        self._player.close()


def _copied(state: Any, rows: Any = slice(None)) -> Any:
    return type(state)(*(array[rows].copy() for array in state))
