"""OpenEnv: a server on which the learner has one seat, with the solver as the oracle.

`server("multiplicity", size=50, opponent="medium")` is an application for uvicorn.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import Annotated, Any, Literal, get_args

from numduel import __version__
from numduel.agents.common import not_installed, told_in_words, truth
from numduel.agents.problems import BENCH, numbered, openings
from numduel.agents.text_game import TextGame
from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import either, quoted
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
"""`result`: 1, 0 or -1 at the end; `soundness`: minus the regret of each move; or both."""

MAX_MOVE = 10**18


class MoveAction(Action):
    """A move. Who gives no legal one in all chances of a turn loses the game."""

    move: (
        Annotated[int, Field(ge=-MAX_MOVE, le=MAX_MOVE)]
        | Annotated[str, Field(max_length=MAX_ANSWER_CHARACTERS)]
    ) = Field(description="the number to play, or an answer in words that names it")


class GameObservation(Observation):
    """What the learner sees."""

    text: str = Field(description="the question in words, or how the game ended")
    notation: str = Field(description="the position in its one short form")
    legal_moves: list[int] = Field(description="empty when the game is over")
    fault: str = Field("", description="why the last action was no legal move, if it was none")
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
    """One seat of a game, against a player of ours; or single positions.

    `balanced`: games begin where the learner has something to decide, not at the start. `single`:
    an episode is one answer about a position, which the seed numbers, paid 1 for a sound move, 1
    less the regret for another, 0 for a fault. The game `bench` is Numduel-Bench, always so.
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
                f"rewards must be {either(get_args(Rewards))}, not {quoted(rewards)}"
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
        self._text_game = self._begun(0)

    def _begun(self, seed: int, notation: str | None = None) -> TextGame:
        if self._single:
            asked = numbered(self._key, self._settings, seed)
            return TextGame(asked.game, None, opening=asked.moves, turns=1, chances=0, judged=True)
        # Each session has a game of its own, since sessions run in threads.
        game = new(self._key, **told_in_words(self._key, self._settings).settings.values)
        begun: list[tuple[int, ...]] = []
        if self._balanced and notation is None:
            begun = openings(self._key, self._settings, seed, 1, self._seat)
        return TextGame(
            game,
            self._opponent,
            seat=self._seat,
            seed=seed,
            position=None if notation is None else game.read(notation),
            opening=begun[0] if begun else None,
            judged=self._verdicts or self._rewards != "result",
        )

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> GameObservation:
        """Begin a new game, or one from the position whose notation is `injected_state`."""
        seed = secrets.randbits(32) if seed is None else seed
        text_game = self._begun(seed, kwargs.get("injected_state"))
        self.close()
        self._text_game = text_game
        self._episode = episode_id
        self._steps = 0
        over = self._text_game.outcome is not None  # the opponent's first move may end the game
        return self._observation(self._reward(0.0) if over else None)

    def step(
        self, action: MoveAction, timeout_s: float | None = None, **kwargs: Any
    ) -> GameObservation:
        """Make a move of the learner and the reply of the opponent."""
        if self._text_game.outcome is not None:
            raise NumduelError("the game is over: reset begins another")
        lost = self._text_game.answer(str(action.move))
        self._steps += 1
        return self._observation(self._reward(lost or 0.0))

    def _reward(self, lost: float) -> float:
        if self._single:
            return 0.0 if self._text_game.fault.fault else 1 - lost
        result = 0.0 if self._rewards == "soundness" else self._text_game.reward
        return result if self._rewards == "result" else result - lost

    @property
    def state(self) -> GameState:
        """The current state of the game."""
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
        """Return the name, description and version of the environment."""
        summary = self._text_game.game.summary
        return EnvironmentMetadata(
            name=f"numduel_{self._key}", description=summary, version=__version__
        )

    def close(self) -> None:
        """Release what the opponent holds."""
        self._text_game.close()

    def _observation(self, reward: float | None) -> GameObservation:
        text_game, game = self._text_game, self._text_game.game
        over = text_game.outcome is not None
        known = self._verdicts and not over
        return GameObservation(
            done=over,
            reward=reward,
            text=text_game.ending() if over else text_game.question(),
            notation=game.notation(text_game.position),
            legal_moves=[] if over else list(game.moves(text_game.position)),
            fault=text_game.fault.why,
            truth=truth(game, text_game.position) if known else None,
        )


def server(key: str, *, most_sessions: int = 100, **options: Any) -> Any:
    """Return an application that serves the game. The options are those of GameEnvironment."""
    tried = GameEnvironment(key, **options)  # raises now, not for each client
    seen = tried.reset(seed=0)
    if not seen.done:  # compile now, not while the first client waits
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
