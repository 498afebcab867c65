"""Gymnasium: one player against any of our opponents.

    import numduel.agents.gymnasium
    gymnasium.make("numduel/Multiplicity-v0", size=50, opponent="medium")
    gymnasium.make_vec("numduel/Multiplicity-v0", num_envs=4096, size=50, opponent="random")

An observation is the position, and `info["action_mask"]` says which actions are legal. Who makes
an illegal move has lost.
"""

from __future__ import annotations

from random import Random
from typing import Any

from numduel.agents.ground import (
    TURN_LIMIT,
    beginner,
    environment_id,
    not_installed,
    playable,
    reward,
)
from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome
from numduel.core.numerals import quoted
from numduel.games import keys
from numduel.players import Player, Turn, player

try:
    import gymnasium
    from gymnasium.error import ResetNeeded
    from numpy.typing import NDArray

    from numduel.agents.arrays import Arrays
    from numduel.agents.rendering import RENDER_MODES, check_render_mode, rendered
except ModuleNotFoundError as error:
    raise not_installed("gymnasium", error) from None

ME, THEM = 1, 2
"""The seats of who learns and of the opponent."""


class Environment(gymnasium.Env["NDArray[Any]", Any]):
    """One game after the other against an opponent, by name or as an object.

    `first` is 1 where who learns begins, 2 where the opponent does, or random. Where the opponent's
    first moves end the game, the first step tells so, whatever its action.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  # as theirs

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
        beginner(first, Random())
        self.game = playable(key, settings)
        self.opponent = seated(opponent, self.game)
        self.first = first
        self.verdicts = verdicts
        self.render_mode = render_mode
        self._arrays = Arrays(self.game)
        self.action_space = self._arrays.action_space()
        self.observation_space = self._arrays.observation_space()
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a game; `options` may say who is `first`, for this game only."""
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(2**31))
        asked = (options or {}).get("first", self.first)
        self._first = beginner(asked, Random(self._seed))
        self._position = self.game.start(self._first)
        self._moves: tuple[int, ...] = ()
        self._over = False
        self._outcome = self._answered()
        return self._seen()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Make a move, and let the opponent answer."""
        if self._over:
            raise ResetNeeded("the game is over: reset() comes next")
        assert self.action_space.contains(action), f"{action!r} is not in {self.action_space}"
        if self._outcome is None:
            self._outcome = self._tried(int(action) + self._arrays.least)
        ended = self._outcome is not None
        late = not ended and len(self._moves) >= TURN_LIMIT
        self._over = ended or late
        seen, info = self._seen()
        return seen, reward(self._outcome, ME), ended, late, info

    def _tried(self, move: int) -> Outcome | None:
        if not self.game.allows(self._position, move):
            return Outcome(THEM, "resigned")
        self._play(move)
        return self._answered()

    def _play(self, move: int) -> None:
        self._position = self.game.play(self._position, move)
        self._moves += (move,)

    def _answered(self) -> Outcome | None:
        """How the game has ended, if so, once the opponent has moved where it is its turn."""
        while (outcome := self.game.outcome(self._position)) is None:
            if self._position.mover == ME or len(self._moves) >= TURN_LIMIT:
                return None
            rng = Random(f"{self._seed} 1 {len(self._moves)}")  # as the referee has it
            turn = Turn(self.game, self._position, self._first, self._moves, rng)
            try:
                self._play(self.opponent.choose(turn))
            except Exception:  # whatever somebody else's player raises
                return Outcome(ME, "resigned")
        return outcome

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        over = self._over or self._outcome is not None
        legal = () if over else self.game.moves(self._position)
        info: dict[str, Any] = {"action_mask": self._arrays.mask(legal)}
        if self.verdicts and not over:
            info |= self._arrays.truth(self._position)
        if self.render_mode == "human":
            self.render()
        return self._arrays.observation(self._position), info

    def render(self) -> Any:
        """The position as text, as a picture, or printed."""
        return rendered(self.game, self._first, self._moves, self.render_mode)

    def close(self) -> None:
        """Let go of what the opponent holds."""
        self.opponent.close()


def seated(opponent: str | Player, game: Game[Any]) -> Player:
    """The opponent, by name or as an object; NumduelError where it cannot play this game."""
    chooser = player(opponent) if isinstance(opponent, str) else opponent
    if not isinstance(chooser, Player):
        raise SettingsError(f"{quoted(opponent)} cannot be an opponent here")
    chooser.check_fit(game)
    return chooser


for _key in keys():
    gymnasium.register(
        environment_id(_key),
        entry_point="numduel.agents.gymnasium:Environment",
        vector_entry_point="numduel.agents.vector:Environments",
        kwargs={"key": _key},
    )
