"""verifiers: two models play a whole game, or one answers single positions with gold answers.

`vf-eval numduel-game` and `vf-eval numduel-positions` find them through modules with these names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from statistics import fmean
from typing import Any

from numduel.agents.common import game_for_text, not_installed, truth
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
"""The name of the metric of sound moves; the reward of single positions is already `sound`."""

ENDED = "ended"
"""The key in a trace's info for the reason why its last answer ended, in the provider's words."""


class TalkConfig(vf.HarnessConfig):
    """The configuration of the harness, which has no options."""


class Talk(vf.Harness[TalkConfig]):
    """Asks the model for one answer per turn from this process, without programs or tools."""

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
        """Ask for the next answer in the conversation, and put into the trace why it ended."""
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += [message_to_wire(message) for message in prompt]
        refused, ended = False, None
        async with (
            AsyncOpenAI(base_url=endpoint, api_key=secret) as client,
            client.chat.completions.stream(
                model=ctx.model, messages=messages, stream_options={"include_usage": True}
            ) as stream,
        ):
            async for event in stream:  # verifiers records the answer as it passes through
                for choice in event.chunk.choices if event.type == "chunk" else ():
                    refused = refused or bool(choice.delta.refusal)
                    ended = choice.finish_reason or ended
        trace.info[ENDED] = "refusal" if refused else ended
        return ProgramResult(0, "", "")


def _agent_config() -> Any:
    """Return the configuration of an agent, which needs no sandbox since it runs no code."""
    return vf.AgentConfig(runtime=SubprocessConfig())


class GameConfig(vf.TasksetConfig):
    """What to play. For single positions the game may also be `bench`, for Numduel-Bench."""

    game: str = "multiplicity"
    settings: dict[str, Any] = Field(default_factory=dict)
    tasks: int = 100
    seed: int = 0
    balanced: bool = True  # whether games begin where the mover has something to decide
    legal: bool = False  # whether the legal moves are listed
    verdicts: bool = False  # whether the exact verdicts go into the info of each trace

    def task_fields(self, number: int, moves: Sequence[int]) -> dict[str, Any]:
        """Return the fields that games and single positions have in common."""
        shared = self.model_dump(include={"game", "settings", "legal", "verdicts"})
        return {"name": f"{self.game}#{self.seed}.{number}", "moves": list(moves), **shared}


class GameData(vf.TaskData):
    """The data of a game."""

    game: str
    settings: dict[str, Any]
    moves: list[int]  # of the opening
    legal: bool
    verdicts: bool

    @property
    def rules(self) -> Game[Any]:
        return game_for_text(self.game, self.settings)


class GameTask(vf.Task[GameData]):
    """A whole game."""

    async def validate(self, runtime: Any) -> bool:
        """Return whether there are legal moves and they can be judged."""
        game = self.data.rules
        return bool(scores(game, game.start()))


class GameTaskset(vf.Taskset[GameTask, GameConfig]):
    """Several games with the same settings."""

    def load(self) -> Iterator[GameTask]:
        config = self.config
        game_for_text(config.game, config.settings)  # raises errors before a model is asked
        starts: list[tuple[int, ...]] = [()] * config.tasks
        if config.balanced:
            starts = openings(config.game, config.settings, config.seed, config.tasks)
        for number, moves in enumerate(starts):
            yield GameTask(GameData(**config.task_fields(number, moves)), config.task)


class GameEnvConfig(vf.EnvConfig):
    """The two players; `first` is asked first."""

    first: vf.AgentConfig = _agent_config()
    second: vf.AgentConfig = _agent_config()


class GameEnv(vf.Env[GameEnvConfig]):
    """A game between two agents. Each is told the moves of the other."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play to the end. The reward of each trace is the result, and its moves are judged."""
        data = task.data
        text_game = TextGame(data.rules, None, opening=data.moves, judged=True, legal=data.legal)
        first = text_game.position.mover
        verdicts: dict[int, list[Any]] = {1: [], 2: []}
        async with AsyncExitStack() as stack:
            interactions = {
                seat: await stack.enter_async_context(agent.interaction(task))
                for seat, agent in ((first, agents.first), (3 - first, agents.second))
            }
            while text_game.outcome is None:
                seat = text_game.position.mover
                if data.verdicts and not text_game.fault.fault:
                    verdicts[seat].append(truth(text_game.game, text_game.position))
                turn = await interactions[seat].turn(text_game.question())
                if turn.terminated:
                    text_game.forfeit(NO_ANSWER)
                    break
                text_game.answer(turn.last_reply, interactions[seat].trace.info.get(ENDED))
        for seat, interaction in interactions.items():
            trace = interaction.trace
            trace.record_reward("result", text_game.reward_of(seat))
            trace.record_metrics(text_game.marks(seat, sound=SOUND))
            trace.info["ending"] = text_game.ending()
            trace.info["moves"] = text_game.moves
            if data.verdicts:
                trace.info["verdicts"] = verdicts[seat]


class PositionData(GameData):
    """A position in which some moves are sound and some are not."""

    notation: str
    gold: list[int]
    chance: float  # the probability that a random move is sound
    mean_chance: float  # of all positions in the taskset


class PositionTask(vf.Task[PositionData]):
    """A question about a single position."""

    async def setup(self, trace: Any, runtime: Any) -> None:
        """Put the exact verdicts into the trace's info if they are requested."""
        if self.data.verdicts:
            trace.info.update(truth(self._problem.game, self._problem.position))

    async def validate(self, runtime: Any) -> bool:
        """Return whether the gold answers are exactly the sound moves."""
        return bool([*self._problem.gold] == self.data.gold)

    @vf.reward
    async def sound(self, trace: Any) -> float:
        """Return 1 for a sound move, 1 minus its regret for another, 0 for no legal move."""
        return self._problem.mark(self._reading(trace))

    @vf.metric
    async def marks(self, trace: Any) -> dict[str, float]:
        """Return all marks of the answer (`Problem.marks`)."""
        return self._problem.marks(self._reading(trace), self.data.mean_chance, sound=SOUND)

    def _reading(self, trace: Any) -> Reading:
        return self._problem.read(trace.last_reply, trace.info.get(ENDED))

    @property
    def _problem(self) -> Problem:
        return problem_at(self.data.game, self.data.settings, self.data.moves)


class PositionTaskset(vf.Taskset[PositionTask, GameConfig]):
    """Positions from random games, which the seed determines; fewer if there are too few."""

    def load(self) -> Iterator[PositionTask]:
        config = self.config
        found = list(problems(config.game, config.settings, config.seed, config.tasks))
        mean_chance = fmean(one.chance for one in found)
        for number, one in enumerate(found):
            data = PositionData(
                **{**config.task_fields(number, one.moves), **one.as_dict()},
                prompt=one.question(legal=config.legal),
                mean_chance=mean_chance,
            )
            yield PositionTask(data, config.task)


class PositionEnvConfig(vf.EnvConfig):
    """The player that answers."""

    player: vf.AgentConfig = _agent_config()


class PositionEnv(vf.Env[PositionEnvConfig]):
    """One answer to one question."""

    async def run(self, task: Any, agents: Any) -> None:
        await agents.player.run(task)
