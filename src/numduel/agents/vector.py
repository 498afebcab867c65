"""Gymnasium's vector environment: many games at once, by rules over arrays.

It returns exactly what a SyncVectorEnv of as many single environments returns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from numduel.agents.batch import check_count, numpy_rules, starting_states
from numduel.agents.common import check_seed, playable_game, starting_seat
from numduel.agents.gymnasium import ME, THEM
from numduel.agents.spaces import GameSpaces
from numduel.core.array_rules import put_rows, take_rows
from numduel.core.errors import SettingsError
from numduel.play.chance import chance, coin, first_fraction, next_seed
from numduel.play.game_loop import computer_player
from numduel.play.table import TURN_LIMIT
from numduel.players import Player, Turn
from numduel.players.player import RandomPlayer

FAILED = -1
"""In place of an action of the opponent: it failed to make a legal move, and has lost."""


class Environments(VectorEnv["NDArray[Any]", "NDArray[Any]", "NDArray[Any]"]):
    """Many games against one opponent. A game that has ended starts again in the next step."""

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
        starting_seat(first, seed=0)  # raises SettingsError if it is invalid
        self.game = game = playable_game(key, settings)
        check_count("num_envs", num_envs, game)
        self.num_envs = num_envs
        self.first = first
        self.verdicts = verdicts
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._spaces = GameSpaces(game)
        self.single_action_space = self._spaces.action_space()
        self.single_observation_space = self._spaces.observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.rules = numpy_rules(game)
        self.opponent = computer_player(opponent)
        self.opponent.check_fit(game)
        self._seeds = np.zeros(0, np.uint64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin all games, game i with `seed + i`; `options` may set `first` for these games."""
        check_seed(seed)
        options = options or {}
        first = options.get("first", self.first)
        starting_seat(first, seed=0)  # raises SettingsError if it is invalid
        if "reset_mask" in options:
            raise SettingsError(
                "reset_mask cannot be given: games that are over restart by themselves"
            )
        super().reset(seed=seed)
        rows = np.arange(self.num_envs)
        if seed is not None:
            self._seeds = np.array([(seed + row) % 2**64 for row in rows.tolist()], np.uint64)
        elif self._seeds.size:
            self._seeds = next_seed(self._seeds)
        else:
            self._seeds = self.np_random.integers(2**31, size=self.num_envs, dtype=np.uint64)
        self._firsts = np.full(self.num_envs, ME)  # the seat that begins, of each game
        self._actions = np.zeros((self.num_envs, 8), np.int32)  # of each game, so far
        self._state = starting_states(self.rules, np.ones(self.num_envs))
        self._turns = np.zeros(self.num_envs, np.int32)
        self._winner = np.zeros(self.num_envs, np.int8)
        self._over = np.zeros(self.num_envs, bool)
        self._begin(rows, first)
        return self.rules.encode(self._state), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make a move in each game and let the opponent answer; an illegal move loses."""
        if not self._seeds.size:
            raise ResetNeeded("no game has begun: call reset() first")
        actions = np.asarray(actions)
        assert self.action_space.contains(actions), f"actions are not in {self.action_space}"
        playing, restarting = ~self._over, np.flatnonzero(self._over)
        rows = np.flatnonzero(playing & (self._winner == 0))
        legal = self.rules.legal(self._state)[rows, actions[rows]]
        self._winner[rows[~legal]] = THEM
        self._advance(rows[legal], actions[rows[legal]])
        self._let_opponent_move(rows[legal])
        terminated = playing & (self._winner != 0)
        truncated = playing & ~terminated & (self._turns >= TURN_LIMIT)
        rewards = terminated * (1.0 * (self._winner == ME) - (self._winner == THEM))
        self._over = terminated | truncated
        self._seeds[restarting] = next_seed(self._seeds[restarting])
        self._begin(restarting, self.first)
        return self.rules.encode(self._state), rewards, terminated, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a row for each game: whether each action is legal. Maskable learners call this."""
        unfinished = (self._winner == 0) & ~self._over
        masks: NDArray[np.bool_] = self.rules.legal(self._state) & unfinished[:, None]
        return masks

    def moves(self, row: int) -> tuple[int, ...]:
        """Return the moves made so far in one of the games."""
        actions = self._actions[row, : self._turns[row]]
        return tuple((actions + self._spaces.first_move).tolist())

    def _begin(self, rows: NDArray[Any], first: object) -> None:
        """Begin these games with their seeds."""
        if not rows.size:
            return
        self._firsts[rows] = coin(self._seeds[rows]) if first == "random" else first
        put_rows(self._state, rows, starting_states(self.rules, self._firsts[rows]))
        self._turns[rows] = self._winner[rows] = 0
        self._let_opponent_move(rows)

    def _advance(self, rows: NDArray[Any], actions: NDArray[Any]) -> None:
        if rows.size:
            after = self.rules.after(take_rows(self._state, rows), actions)
            put_rows(self._state, rows, after)
            if self._turns[rows].max() == self._actions.shape[1]:
                self._actions = np.concatenate((self._actions, self._actions), axis=1)
            self._actions[rows, self._turns[rows]] = actions
            self._turns[rows] += 1
            self._winner[rows] = after.winner

    def _let_opponent_move(self, rows: NDArray[Any]) -> None:
        """Let the opponent move in these games for as long as it is its turn."""
        while rows.size:
            unfinished = (self._winner[rows] == 0) & (self._turns[rows] < TURN_LIMIT)
            rows = rows[unfinished & (self._state.mover[rows] == THEM)]
            actions = self._opponent_actions(rows)
            failed = actions == FAILED
            self._winner[rows[failed]] = ME
            rows = rows[~failed]
            self._advance(rows, actions[~failed])

    def _opponent_actions(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return the opponent's action in each of these games, or FAILED."""
        if type(self.opponent) is not RandomPlayer:
            return np.array([self._opponent_action(row) for row in rows.tolist()], np.intp)
        legal = self.rules.legal(self._state)[rows]
        fractions = first_fraction(self._seeds[rows], 1, self._turns[rows].astype(np.uint64))
        places = (fractions * legal.sum(axis=1)).astype(np.intp)
        at_place = legal.cumsum(axis=1) > places[:, None]
        actions: NDArray[Any] = at_place.argmax(axis=1)
        return actions

    def _opponent_action(self, row: int) -> int:
        game, moves = self.game, self.moves(row)
        position = self.rules.position(take_rows(self._state, row))
        rng = chance(int(self._seeds[row]), 1, len(moves))
        turn = Turn(game, position, int(self._firsts[row]), moves, rng)
        try:
            move = self.opponent.choose(turn)
        except Exception:  # a player from another package may raise anything
            return FAILED
        return game.actions.index(move) if game.allows(position, move) else FAILED

    def _info(self) -> dict[str, Any]:
        masks = self.action_masks()
        info: dict[str, Any] = {
            "action_mask": masks.astype(np.int8),
            "_action_mask": np.ones(self.num_envs, bool),
        }
        if self.verdicts:
            for row in np.flatnonzero(masks.any(axis=1)).tolist():
                known = self._spaces.truth(self.rules.position(take_rows(self._state, row)))
                info = self._add_info(info, known, row)
        return info

    def close_extras(self, **kwargs: Any) -> None:
        self.opponent.close()
