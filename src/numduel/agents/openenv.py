"""OpenEnv: a server on which whoever learns has one seat, with the solver as its oracle.

`server("multiplicity", size=50, opponent="medium")` is an application for uvicorn.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import Annotated, Any, Literal, get_args

from numduel import __version__
from numduel.agents.asking import spoken
from numduel.agents.ground import not_installed, truth
from numduel.agents.sitting import Sitting
from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import either, quoted
from numduel.games import new

try:
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment, EnvironmentMetadata
    from openenv.core.env_server.types import Action, Observation, State
    from pydantic import Field
except ModuleNotFoundError as error:
    raise not_installed("openenv", error) from None

Rewards = Literal["result", "soundness", "both"]
"""`result`: 1, 0 or -1 at the end; `soundness`: what each move gives away, below 0; or both."""

LARGEST_MOVE = 10**18
LONGEST_ANSWER = 100_000


class MoveAction(Action):
    """A move. What is not a legal one loses the game."""

    move: (
        Annotated[int, Field(ge=-LARGEST_MOVE, le=LARGEST_MOVE)]
        | Annotated[str, Field(max_length=LONGEST_ANSWER)]
    ) = Field(description="the number that is played, or an answer that ends with it")


class GameObservation(Observation):
    """What the seat sees."""

    text: str = Field(description="the question in words, or how the game ended")
    notation: str = Field(description="the position in its one short form")
    legal_moves: list[int] = Field(description="none when the game is over")
    fault: str = Field("", description="why the last move was not legal, if it was not")
    truth: dict[str, Any] | None = Field(
        None, description="the exact verdict, and that of each move, where verdicts are asked for"
    )


class GameState(State):
    """All that there is to know of the game, for whoever runs it."""

    game: str
    settings: dict[str, Any]
    seat: int
    notation: str
    moves: list[int]
    winner: int | None
    reason: str


class GameEnvironment(Environment[MoveAction, GameObservation, GameState]):
    """One seat of a game, against a player of ours."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        key: str,
        *,
        opponent: str = "random",
        rewards: Rewards = "result",
        seat: int | None = None,
        verdicts: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__()
        if rewards not in get_args(Rewards):
            raise SettingsError(
                f"rewards must be {either(get_args(Rewards))}, not {quoted(rewards)}"
            )
        # A copy of its own, as sessions are served in threads.
        self._game = new(key, **spoken(key, settings).settings.values)
        self._opponent = opponent
        self._rewards = rewards
        self._seat = seat
        self._verdicts = verdicts
        self._episode: str | None = None
        self._steps = 0
        self._sitting = self._sit(0)

    def _sit(self, seed: int, position: Any = None) -> Sitting:
        return Sitting(
            self._game,
            self._opponent,
            seat=self._seat,
            seed=seed,
            position=position,
            judged=self._verdicts or self._rewards != "result",
        )

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> GameObservation:
        """A new game; from a position in notation where `injected_state` gives one."""
        notation = kwargs.get("injected_state")
        position = None if notation is None else self._game.read(notation)
        self.close()
        self._sitting = self._sit(secrets.randbits(32) if seed is None else seed, position)
        self._episode = episode_id
        self._steps = 0
        over = self._sitting.outcome is not None  # the opponent's first move may end it
        return self._observation(self._reward(0.0) if over else None)

    def step(
        self, action: MoveAction, timeout_s: float | None = None, **kwargs: Any
    ) -> GameObservation:
        """A move of the seat, and what the opponent answers."""
        if self._sitting.outcome is not None:
            raise NumduelError("the game is over: reset begins another")
        lost = self._sitting.answer(str(action.move))
        self._steps += 1
        return self._observation(self._reward(lost))

    def _reward(self, lost: float) -> float:
        result = 0.0 if self._rewards == "soundness" else self._sitting.reward
        return result if self._rewards == "result" else result - lost

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        sitting, outcome = self._sitting, self._sitting.outcome
        return GameState(
            episode_id=self._episode,
            step_count=self._steps,
            game=self._game.key,
            settings=dict(self._game.settings.values),
            seat=sitting.seat,
            notation=self._game.notation(sitting.position),
            moves=sitting.moves,
            winner=None if outcome is None else outcome.winner,
            reason="" if outcome is None else outcome.reason,
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """What the environment is."""
        game = self._game
        return EnvironmentMetadata(
            name=f"numduel_{game.key}", description=game.summary, version=__version__
        )

    def close(self) -> None:
        """Let go of what the opponent holds."""
        self._sitting.close()

    def _observation(self, reward: float | None) -> GameObservation:
        sitting, game = self._sitting, self._game
        over = sitting.outcome is not None
        known = self._verdicts and not over
        return GameObservation(
            done=over,
            reward=reward,
            text=sitting.ending() if over else sitting.question(),
            notation=game.notation(sitting.position),
            legal_moves=[] if over else list(game.moves(sitting.position)),
            fault=sitting.fault.why,
            truth=truth(game, sitting.position) if known else None,
        )


def server(key: str, *, most_sessions: int = 100, **options: Any) -> Any:
    """The application that serves the game: options as of GameEnvironment, settings included."""
    tried = GameEnvironment(key, **options)  # refused now, rather than to each who comes
    seen = tried.reset(seed=0)
    if not seen.done:  # compiled now, rather than while the first to come waits
        tried.step(MoveAction(move=seen.legal_moves[0]))
    tried.close()
    return create_app(
        partial(GameEnvironment, key, **options),
        MoveAction,
        GameObservation,
        env_name=f"numduel_{key}",
        max_concurrent_envs=most_sessions,
        state_cls=GameState,
    )
