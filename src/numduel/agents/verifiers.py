"""verifiers: two models play a whole game, or one answers single positions with gold answers.

`vf-eval numduel-game` and `vf-eval numduel-positions` find these by the modules of those names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from statistics import fmean
from typing import Any

from numduel.agents.common import not_installed, told_in_words, truth
from numduel.agents.problems import Problem, openings, problem_at, problems, scores
from numduel.agents.text_game import TextGame
from numduel.core.game import Game
from numduel.players.answer import NO_ANSWER, Reading

try:
    import verifiers.v1 as vf
    from openai import AsyncOpenAI
    from pydantic import Field
    from verifiers.v1.dialects.chat import message_to_wire
    from verifiers.v1.runtimes import ProgramResult, SubprocessConfig
except ModuleNotFoundError as error:
    raise not_installed("verifiers", error) from None


SOUND = "sound_moves"
"""The name of a metric, as the reward of single positions is `sound`."""

ENDED = "ended"
"""The name in the info of a trace of why its last answer ended, in the provider's word."""


class TalkConfig(vf.HarnessConfig):
    """The harness has no options."""


class Talk(vf.Harness[TalkConfig]):
    """Asks the model for one answer a turn, from this process: no program, no tools."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: Any,
        data: Any,
    ) -> Any:
        """Ask for the next answer in the conversation, and note in the trace why it ended."""
        system, prompt = self.resolve_prompt(data)
        said: list[Any] = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            said.append({"role": "user", "content": prompt})
        else:
            said += [message_to_wire(message) for message in prompt]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            talk = client.chat.completions.stream(
                model=ctx.model, messages=said, stream_options={"include_usage": True}
            )
            refused, ended = False, None
            async with talk as stream:
                async for event in stream:  # verifiers records the answer as it passes
                    for choice in event.chunk.choices if event.type == "chunk" else ():
                        refused = refused or bool(choice.delta.refusal)
                        ended = choice.finish_reason or ended
            trace.info[ENDED] = "refusal" if refused else ended
        return ProgramResult(0, "", "")


def _seat() -> Any:
    """Return the configuration of an agent, which needs no sandbox since it only talks."""
    return vf.AgentConfig(runtime=SubprocessConfig())


class GameConfig(vf.TasksetConfig):
    """The game, its settings, and how it is asked. Of single positions, `bench` is a game too."""

    game: str = "multiplicity"
    settings: dict[str, Any] = Field(default_factory=dict)
    tasks: int = 100
    seed: int = 0
    balanced: bool = True  # whether games begin where who is to move has something to decide
    legal: bool = False  # whether the legal moves are listed
    verdicts: bool = False  # whether the exact verdicts go into the info of each trace

    def of_task(self, number: int, moves: Sequence[int]) -> dict[str, Any]:
        """Return the fields that each task has, of the task of that number."""
        shared = self.model_dump(include={"game", "settings", "legal", "verdicts"})
        return {"name": f"{self.game}#{self.seed}.{number}", "moves": list(moves), **shared}


class GameData(vf.TaskData):
    """A game to be played."""

    game: str
    settings: dict[str, Any]
    moves: list[int]  # before anybody is asked
    legal: bool
    verdicts: bool

    @property
    def rules(self) -> Game[Any]:
        """The game itself."""
        return told_in_words(self.game, self.settings)


class GameTask(vf.Task[GameData]):
    """A whole game."""

    async def validate(self, runtime: Any) -> bool:
        """Return whether there is a move to make and it can be judged."""
        game = self.data.rules
        return bool(scores(game, game.start()))


class GameTaskset(vf.Taskset[GameTask, GameConfig]):
    """The same game a number of times."""

    def load(self) -> Iterator[GameTask]:
        """Yield the games."""
        config = self.config
        begun: list[tuple[int, ...]] = [()] * config.tasks
        if config.balanced:
            begun = openings(config.game, config.settings, config.seed, config.tasks)
        told_in_words(config.game, config.settings)  # raises before a model is asked
        for number, moves in enumerate(begun):
            yield GameTask(GameData(**config.of_task(number, moves)), config.task)


class GameEnvConfig(vf.EnvConfig):
    """The two players, of whom the first is asked first."""

    first: vf.AgentConfig = _seat()
    second: vf.AgentConfig = _seat()


class GameEnv(vf.Env[GameEnvConfig]):
    """A game between two agents. Each is told the moves of the other."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play to the end. Each trace is rewarded by the result, and its moves are judged."""
        data = task.data
        text_game = TextGame(data.rules, None, opening=data.moves, judged=True, legal=data.legal)
        begins = text_game.position.mover
        known: dict[int, list[Any]] = {1: [], 2: []}
        async with AsyncExitStack() as open_:
            talks = {
                seat: await open_.enter_async_context(agent.interaction(task))
                for seat, agent in ((begins, agents.first), (3 - begins, agents.second))
            }
            while text_game.outcome is None:
                seat, position = text_game.position.mover, text_game.position
                again = bool(text_game.fault.fault)
                said = await talks[seat].turn(text_game.question())
                if data.verdicts and not again:
                    known[seat].append(truth(text_game.game, position))
                if said.terminated:
                    text_game.forfeit(NO_ANSWER)
                    break
                text_game.answer(said.last_reply, talks[seat].trace.info.get(ENDED))
        for seat, talk in talks.items():
            talk.trace.record_reward("result", text_game.paid(seat))
            talk.trace.record_metrics(text_game.marks(seat, sound=SOUND))
            talk.trace.info["ending"] = text_game.ending()
            talk.trace.info["moves"] = text_game.moves
            if data.verdicts:
                talk.trace.info["verdicts"] = known[seat]


class PositionData(GameData):
    """A position in which some moves are sound and some are not."""

    notation: str
    gold: list[int]
    chance: float  # with which a random move is sound
    mean_chance: float  # over all positions of the taskset


class PositionTask(vf.Task[PositionData]):
    """The question which move to make in a position."""

    async def setup(self, trace: Any, runtime: Any) -> None:
        """Put the exact verdicts into the info if the task asks for them."""
        if self.data.verdicts:
            trace.info.update(truth(self._problem.game, self._problem.position))

    async def validate(self, runtime: Any) -> bool:
        """Return whether the gold answers are exactly the sound moves."""
        return bool([*self._problem.gold] == self.data.gold)

    @vf.reward
    async def sound(self, trace: Any) -> float:
        """Return 1 for a sound move, 1 less the regret for another, 0 for no legal move."""
        return self._problem.mark(self._read(trace))

    @vf.metric
    async def marks(self, trace: Any) -> dict[str, float]:
        """Return all marks of the answer; `right` and `skill` are left out if it was cut off."""
        return self._problem.marks(self._read(trace), self.data.mean_chance, sound=SOUND)

    def _read(self, trace: Any) -> Reading:
        return self._problem.read(trace.last_reply, trace.info.get(ENDED))

    @property
    def _problem(self) -> Problem:
        return problem_at(self.data.game, self.data.settings, self.data.moves)


class PositionTaskset(vf.Taskset[PositionTask, GameConfig]):
    """Positions from random games, the same for the same seed; fewer if there are no more."""

    def load(self) -> Iterator[PositionTask]:
        """Yield the positions."""
        config = self.config
        found = list(problems(config.game, config.settings, config.seed, config.tasks))
        mean_chance = fmean(one.chance for one in found)
        for number, one in enumerate(found):
            data = PositionData(
                **{**config.of_task(number, one.moves), **one.described()},
                prompt=one.asked(legal=config.legal),
                mean_chance=mean_chance,
            )
            yield PositionTask(data, config.task)


class PositionEnvConfig(vf.EnvConfig):
    """The player who answers."""

    player: vf.AgentConfig = _seat()


class PositionEnv(vf.Env[PositionEnvConfig]):
    """One answer to one question."""

    async def run(self, task: Any, agents: Any) -> None:
        """Ask it."""
        await agents.player.run(task)
