"""verifiers: two models play a whole game, or one answers single positions with gold answers.

`vf-eval numduel-game` and `vf-eval numduel-positions` find these by the modules of those names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

from numduel.agents.asking import Answer, marks, problem, read_answer, regret, scores, spoken
from numduel.agents.ground import not_installed, truth
from numduel.agents.sitting import Sitting
from numduel.core.game import Game

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


class TalkConfig(vf.HarnessConfig):
    """Nothing is to be chosen."""


class Talk(vf.Harness[TalkConfig]):
    """One answer a turn, asked for in this process: no program, no tools."""

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
        """Ask for the next answer to the conversation so far."""
        system, prompt = self.resolve_prompt(data)
        said: list[Any] = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            said.append({"role": "user", "content": prompt})
        else:
            said += [message_to_wire(message) for message in prompt]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            talk = client.chat.completions.stream(model=ctx.model, messages=said)
            async with talk as stream:
                await stream.until_done()  # which verifiers has listened to
        return ProgramResult(0, "", "")


def _seat() -> Any:
    """An agent that needs no sandbox: it only talks."""
    return vf.AgentConfig(runtime=SubprocessConfig())


class GameConfig(vf.TasksetConfig):
    """Which game, at which settings, and how it is asked."""

    game: str = "multiplicity"
    settings: dict[str, Any] = Field(default_factory=dict)
    tasks: int = 100
    seed: int = 0
    legal: bool = False  # whether the legal moves are listed
    verdicts: bool = False  # whether the truth goes into the info of each trace


class GameData(vf.TaskData):
    """A game to be played."""

    game: str
    settings: dict[str, Any]
    legal: bool
    verdicts: bool

    @property
    def rules(self) -> Game[Any]:
        """The game itself."""
        return spoken(self.game, self.settings)


class GameTask(vf.Task[GameData]):
    """A whole game."""

    async def validate(self, runtime: Any) -> bool:
        """Whether there is something to play, and it can be judged."""
        game = self.data.rules
        return bool(scores(game, game.start()))


class GameTaskset(vf.Taskset[GameTask, GameConfig]):
    """The same game, as often as it is asked for."""

    def load(self) -> Iterator[GameTask]:
        """The games."""
        config = self.config
        spoken(config.game, config.settings)  # refused before anybody is asked
        for number in range(config.tasks):
            data = GameData(
                name=f"{config.game}#{config.seed}.{number}",
                game=config.game,
                settings=config.settings,
                legal=config.legal,
                verdicts=config.verdicts,
            )
            yield GameTask(data, config.task)


class GameEnvConfig(vf.EnvConfig):
    """The two players; the first begins."""

    first: vf.AgentConfig = _seat()
    second: vf.AgentConfig = _seat()


class GameEnv(vf.Env[GameEnvConfig]):
    """A game between two agents, each of whom is told what the other has done."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play it to its end; each trace is paid by the result, and its moves are judged."""
        data = task.data
        sitting = Sitting(data.rules, None, judged=True)
        lost: dict[int, list[float]] = {1: [], 2: []}
        known: dict[int, list[Any]] = {1: [], 2: []}
        async with AsyncExitStack() as open_:
            talks = {
                seat: await open_.enter_async_context(agent.interaction(task))
                for seat, agent in ((1, agents.first), (2, agents.second))
            }
            while sitting.outcome is None:
                seat, position = sitting.position.mover, sitting.position
                said = await talks[seat].turn(sitting.question(legal=data.legal))
                if data.verdicts:
                    known[seat].append(truth(sitting.game, position))
                if said.terminated:
                    sitting.forfeit(Answer(None, "unreadable", "there was no answer"))
                    break
                given_away = sitting.answer(said.last_reply)
                if not sitting.fault.fault:
                    lost[seat].append(given_away)
        for seat, talk in talks.items():
            at_fault = bool(sitting.fault.fault) and sitting.position.mover == seat
            talk.trace.record_reward("result", sitting.paid(seat))
            talk.trace.record_metrics(marks(lost[seat], at_fault, sound=SOUND))
            talk.trace.info["ending"] = sitting.ending()
            talk.trace.info["moves"] = sitting.moves
            if data.verdicts:
                talk.trace.info["verdicts"] = known[seat]


class PositionData(GameData):
    """A position in which some moves are sound and some are not."""

    notation: str
    gold: list[int]


class PositionTask(vf.Task[PositionData]):
    """The move that is to be made there."""

    async def setup(self, trace: Any, runtime: Any) -> None:
        """Tell the truth, where that is asked for."""
        if self.data.verdicts:
            trace.info.update(truth(self.data.rules, self._position))

    async def validate(self, runtime: Any) -> bool:
        """Whether the gold answers are the moves that give nothing away, and no others."""
        game, position = self.data.rules, self._position
        sound = [move for move in game.moves(position) if not regret(game, position, move)]
        return bool(sound == self.data.gold)

    @vf.reward
    async def sound(self, trace: Any) -> float:
        """1 for a sound move, less for one that gives something away, 0 for what is no move."""
        given = self._given(trace)
        return 0.0 if given.move is None else 1 - self._regret(given.move)

    @vf.metric
    async def marks(self, trace: Any) -> dict[str, float]:
        """Regret and faults, apart."""
        given = self._given(trace)
        lost = [] if given.move is None else [self._regret(given.move)]
        return marks(lost, bool(given.fault), sound=SOUND)

    @property
    def _position(self) -> Any:
        return self.data.rules.read(self.data.notation)

    def _given(self, trace: Any) -> Answer:
        return read_answer(self.data.rules, self._position, trace.last_reply)

    def _regret(self, move: int) -> float:
        return regret(self.data.rules, self._position, move)


class PositionTaskset(vf.Taskset[PositionTask, GameConfig]):
    """Positions met in games at random, the same for the same seed."""

    def load(self) -> Iterator[PositionTask]:
        """The positions."""
        config = self.config
        game = spoken(config.game, config.settings)
        for number in range(config.tasks):
            found = problem(game, f"{config.seed} {number}")
            data = PositionData(
                name=f"{config.game}#{config.seed}.{number}",
                prompt=found.asked(legal=config.legal),
                game=config.game,
                settings=config.settings,
                legal=config.legal,
                verdicts=config.verdicts,
                notation=game.notation(found.position),
                gold=list(found.gold),
            )
            yield PositionTask(data, config.task)


class PositionEnvConfig(vf.EnvConfig):
    """Who answers."""

    player: vf.AgentConfig = _seat()


class PositionEnv(vf.Env[PositionEnvConfig]):
    """One answer to one question."""

    async def run(self, task: Any, agents: Any) -> None:
        """Ask it."""
        await agents.player.run(task)
