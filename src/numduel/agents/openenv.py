"""OpenEnv: a server on which a learner plays one seat, with the solver as the oracle.

`server("multiplicity", size=50, opponent="medium")` returns an application for uvicorn.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import Annotated, Any, Literal, get_args

from numduel import __version__
from numduel.agents.common import game_for_text, not_installed, truth
from numduel.agents.problems import BENCH, openings, problem_number
from numduel.agents.text_game import TextGame
from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import join_or, quoted
from numduel.games import new
from numduel.players.answer import MAX_ANSWER_CHARACTERS

try:
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment, EnvironmentMetadata
    from openenv.core.env_server.types import Action, Observation, State
    from pydantic import Field
except ModuleNotFoundError as error:
    raise not_installed("openenv", error) from None

Rewards = Literal["result", "soundness", "both"]
"""`result`: 1, 0 or -1 at the end; `soundness`: minus the regret of each move; `both`: the sum."""

MAX_MOVE = 10**18


class MoveAction(Action):
    """A move. A player that gives no legal one in any attempt of a turn loses the game."""

    move: (
        Annotated[int, Field(ge=-MAX_MOVE, le=MAX_MOVE)]
        | Annotated[str, Field(max_length=MAX_ANSWER_CHARACTERS)]
    ) = Field(description="the number to play, or an answer in words that names it")


class GameObservation(Observation):
    """The learner's view of the game."""

    text: str = Field(description="the question in words, or how the game ended")
    notation: str = Field(description="the position in its short notation")
    legal_moves: list[int] = Field(description="empty when the game is over")
    fault: str = Field("", description="why the last action was not a legal move; empty if it was")
    truth: dict[str, Any] | None = Field(
        None, description="the exact verdict of the position and of each move, with verdicts=True"
    )


class GameState(State):
    """The whole state of the game."""

    game: str
    settings: dict[str, Any]
    seat: int
    notation: str
    moves: list[int]
    winner: int | None
    reason: str


class GameEnvironment(Environment[MoveAction, GameObservation, GameState]):
    """Games in which the learner has one seat against a player of ours; or single positions.

    `balanced`: games begin where the learner has something to decide, not at the start. `single`:
    an episode is one answer about a position. The seed is the number of the position; the reward is
    1 for a sound move, 1 minus its regret for another, 0 for a fault. The game `bench` is
    Numduel-Bench, which consists of single positions.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        key: str,
        *,
        opponent: str = "random",
        rewards: Rewards = "result",
        seat: int | None = None,
        balanced: bool = True,
        single: bool = False,
        verdicts: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__()
        if rewards not in get_args(Rewards):
            raise SettingsError(
                f"rewards must be {join_or(get_args(Rewards))}, not {quoted(rewards)}"
            )
        self._key, self._settings = key, settings
        self._opponent = opponent
        self._rewards = rewards
        self._seat = seat
        self._balanced = balanced
        self._single = single or key == BENCH
        self._verdicts = verdicts
        self._episode: str | None = None
        self._steps = 0
        self._text_game = self._new_text_game(0)

    def _new_text_game(self, seed: int, notation: str | None = None) -> TextGame:
        if self._single:
            game, moves, _ = problem_number(self._key, self._settings, seed)
            return TextGame(game, None, opening=moves, turn_limit=1, second_chances=0, judged=True)
        # Each session has a game object of its own, since sessions run in threads.
        game = new(self._key, **game_for_text(self._key, self._settings).settings.values)
        opening = None
        if self._balanced and notation is None:
            opening = next(iter(openings(self._key, self._settings, seed, 1, self._seat)), None)
        return TextGame(
            game,
            self._opponent,
            seat=self._seat,
            seed=seed,
            position=None if notation is None else game.read(notation),
            opening=opening,
            judged=self._verdicts or self._rewards != "result",
        )

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> GameObservation:
        """Begin a new game; `injected_state` may be the notation of the position to begin from."""
        seed = secrets.randbits(32) if seed is None else seed
        text_game = self._new_text_game(seed, kwargs.get("injected_state"))
        self.close()
        self._text_game = text_game
        self._episode = episode_id
        self._steps = 0
        is_over = text_game.outcome is not None  # the opponent's first move may end the game
        return self._observation(self._reward(0.0) if is_over else None)

    def step(
        self, action: MoveAction, timeout_s: float | None = None, **kwargs: Any
    ) -> GameObservation:
        """Make a move of the learner, and let the opponent reply."""
        if self._text_game.outcome is not None:
            raise NumduelError("the game is over: reset begins another")
        regret = self._text_game.answer(str(action.move))
        self._steps += 1
        return self._observation(self._reward(regret or 0.0))

    def _reward(self, regret: float) -> float:
        if self._single:
            return 0.0 if self._text_game.fault.fault else 1 - regret
        result = 0.0 if self._rewards == "soundness" else self._text_game.reward
        return result if self._rewards == "result" else result - regret

    @property
    def state(self) -> GameState:
        text_game, outcome = self._text_game, self._text_game.outcome
        return GameState(
            episode_id=self._episode,
            step_count=self._steps,
            game=text_game.game.key,
            settings=dict(text_game.game.settings.values),
            seat=text_game.seat,
            notation=text_game.game.notation(text_game.position),
            moves=text_game.moves,
            winner=None if outcome is None else outcome.winner,
            reason="" if outcome is None else outcome.reason,
        )

    def get_metadata(self) -> EnvironmentMetadata:
        name, summary = f"numduel_{self._key}", self._text_game.game.summary
        return EnvironmentMetadata(name=name, description=summary, version=__version__)

    def close(self) -> None:
        self._text_game.close()

    def _observation(self, reward: float | None) -> GameObservation:
        text_game, game = self._text_game, self._text_game.game
        is_over = text_game.outcome is not None
        with_truth = self._verdicts and not is_over
        return GameObservation(
            done=is_over,
            reward=reward,
            text=text_game.ending() if is_over else text_game.question(),
            notation=game.notation(text_game.position),
            legal_moves=[] if is_over else list(game.moves(text_game.position)),
            fault=text_game.fault.why,
            truth=truth(game, text_game.position) if with_truth else None,
        )


def server(key: str, *, most_sessions: int = 100, **options: Any) -> Any:
    """Return an application that serves the game. The options are those of GameEnvironment."""
    trial = GameEnvironment(key, **options)  # raises errors now rather than for each client
    observation = trial.reset(seed=0)
    if not observation.done:  # compile now rather than while the first client waits
        trial.step(MoveAction(move=observation.legal_moves[0]))
    trial.close()
    return create_app(
        partial(GameEnvironment, key, **options),
        MoveAction,
        GameObservation,
        env_name=f"numduel_{key}",
        max_concurrent_envs=most_sessions,
        state_cls=GameState,
    )
