"""Plays the games of an arena in which language models play, many at once, within a budget.

The models are asked in this process; worker processes make the moves of other players and judge the
games. Each answer is logged before it is used, so that after an interruption the game can continue
from there. If a provider fails, the game is void: nobody loses it, and the next run plays it on.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from math import inf
from typing import Any, TypeVar

from numduel.arena.log import AnswerLine, GameLine, Log
from numduel.arena.plan import Plan, PlannedGame
from numduel.arena.playing import PAUSED, KnownForfeit, StartedGame
from numduel.arena.processes import WorkerProcess
from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.play.event import Move
from numduel.play.table import Table
from numduel.players import Forfeit, player
from numduel.players.answer import Answer
from numduel.players.model import Model
from numduel.players.player import Unavailable
from numduel.players.provider import Provider

T = TypeVar("T")

MAX_VOIDS_IN_A_ROW = 5
"""After this many void games in a row, without an answer in between, a model is not asked again."""


class SpendingLimitReached(Unavailable):
    """Raised instead of sending a request that might exceed the spending limit."""

    def __init__(self) -> None:
        super().__init__("the budget is used up", stops=True)


class SpendingLimit:
    """Limits the tokens and the money that all answers of an arena use together."""

    def __init__(self, tokens: float = inf, money: float = inf) -> None:
        self.max_tokens, self.max_money = tokens, money
        self._tokens = self._money = 0.0  # used, or reserved for requests without an answer yet
        self._in_flight = 0
        self._change = asyncio.Condition()

    @classmethod
    def parse(cls, text: str) -> SpendingLimit:
        """Return the limit from text such as `tokens=2000000`, `money=5.50`, or both."""
        limits: dict[str, float] = {}
        for part in text.split(","):
            name, _, value = part.partition("=")
            if name not in ("tokens", "money") or not re.fullmatch(r"\d{1,15}(\.\d{1,9})?", value):
                allowed = "tokens=2000000, money=5.50, or both with a comma between them"
                raise SettingsError(f"a budget is {allowed}, not {quoted(text)}")
            limits[name] = float(value)
        return cls(**limits)

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit at all."""
        return min(self.max_tokens, self.max_money) < inf

    def add(self, tokens: float, money: float) -> None:
        """Count what an answer has used."""
        self._tokens += tokens
        self._money += money

    def allows(self, tokens: float = 0, money: float = 0) -> bool:
        """Whether this much more can be used."""
        return self._tokens + tokens <= self.max_tokens and self._money + money <= self.max_money

    @asynccontextmanager
    async def reserve(self, tokens: float, money: float) -> AsyncIterator[None]:
        """Reserve the maximum that a request can use until it is answered.

        If the limit does not allow it, waits for other requests, which may use less than they
        reserve. Raises SpendingLimitReached if there are none to wait for.
        """
        async with self._change:
            await self._change.wait_for(lambda: self.allows(tokens, money) or not self._in_flight)
            if not self.allows(tokens, money):
                raise SpendingLimitReached
            self.add(tokens, money)
            self._in_flight += 1
        try:
            yield
        finally:
            self.add(-tokens, -money)
            self._in_flight -= 1
            async with self._change:
                self._change.notify_all()


class ModelGames:
    """Plays the games in which models play. The other games are played elsewhere."""

    def __init__(self, plan: Plan, log: Log, limit: SpendingLimit) -> None:
        """Raises SettingsError if a provider cannot be used, or a price is missing."""
        self.causes: dict[str, str] = {}  # why a model could not be asked
        self._plan, self._log, self._limit = plan, log, limit
        players = {who: player(who) for who in plan.spec.players}
        self._models = {who: one for who, one in players.items() if isinstance(one, Model)}
        self._providers: dict[str, Provider] = {}  # by address; models may share a provider
        for who, model in self._models.items():
            provider = self._providers.setdefault(model.address, model.provider())
            if limit.max_money < inf and provider.cost(model.model, 0, 0) is None:
                raise SettingsError(f"a budget in money needs the prices of {who}")
        self._stopped: set[str] = set()  # models that are not asked any more
        self._voids: Counter[str] = Counter()  # void games of each model since its last answer
        self._idle: asyncio.Queue[WorkerProcess] = asyncio.Queue()

    def has_model(self, number: int) -> bool:
        """Whether a model plays in that game."""
        return not self._models.keys().isdisjoint(self._plan.seats(number))

    def play(self, workers: int, add: Callable[[list[str]], object]) -> None:
        """Play the games of models that are not in the log. Call `add` with each game's line."""
        try:
            asyncio.run(self._play(workers, add))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _play(self, workers: int, add: Callable[[list[str]], object]) -> None:
        for line in self._log.answers():
            answer = line.answer
            if answer.asked and answer.kind != "late":  # a late one has a second line, as void
                self._limit.add(*self._usage(self._models[line.player], answer, answer.asked))
        async with AsyncExitStack() as stack:
            for provider in self._providers.values():
                await stack.enter_async_context(provider)
            processes = [WorkerProcess(self._plan.spec) for _ in range(workers)]
            for process in processes:
                self._idle.put_nowait(stack.enter_context(process))
            self._threads = stack.enter_context(ThreadPoolExecutor(workers))
            for process in processes:
                stack.callback(process.stop)
            games = await stack.enter_async_context(asyncio.TaskGroup())
            max_games = sum(provider.in_flight for provider in self._providers.values())
            free_games = asyncio.Semaphore(max_games)
            for number in filter(self.has_model, self._log.missing()):
                await free_games.acquire()
                if self._stopped.isdisjoint(self._plan.seats(number)):
                    game = games.create_task(self._play_game(number, add))
                    game.add_done_callback(lambda _: free_games.release())
                else:
                    free_games.release()

    async def _play_game(self, number: int, add: Callable[[list[str]], object]) -> None:
        """Play a game to its end, or until it is void."""
        planned = await self._run_in_thread(self._plan.__getitem__, number)
        started: StartedGame | None
        started, answers = self._logged(number)
        while started is not None:
            worker = await self._idle.get()
            try:
                [line] = await self._run_in_thread(worker.play, [number], {number: started})
            finally:
                self._idle.put_nowait(worker)
            played = GameLine.loads(f"{line}\n".encode())
            if played.reason != PAUSED:
                add([line])
                return
            started = await self._play_turn(planned, tuple(played.moves), answers)
            answers = []

    def _run_in_thread(self, work: Callable[..., T], *arguments: object) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    def _logged(self, number: int) -> tuple[StartedGame, list[Answer]]:
        """Return the moves of a game in the log, and the answers since that were not a move."""
        lines = [line for line in self._log.answers(number) if line.answer.kind != "void"]
        if not lines:
            return StartedGame(), []
        last = lines[-1]
        if last.answer.move is not None:
            return StartedGame((*last.moves, last.answer.move)), []
        return StartedGame(last.moves), [line.answer for line in lines if line.ply == last.ply]

    async def _play_turn(
        self, planned: PlannedGame, moves: tuple[int, ...], answers: list[Answer]
    ) -> StartedGame | None:
        """Ask the model that is to move, whose first `answers` in this turn are known.

        Returns the game to play on, or None if it is void.
        """
        table = Table(planned.game, 1, None, swap=False, seed=planned.seed)
        for move in (*planned.opening, *moves):
            table.apply(Move(move))
        turn = table.turn(self._plan.spec.seconds)
        who, ply = planned.players[turn.position.mover - 1], len(turn.moves)

        def log_answer(answer: Answer) -> None:
            self._log.add([AnswerLine(planned.number, who, ply, moves, answer).dumps()])

        def record(answer: Answer) -> None:
            log_answer(answer)
            self._voids[who] = self._voids[who] + 1 if answer.kind == "void" else 0

        try:
            if who in self._stopped:
                return None
            model = self._models[who]
            move = await model.answer(turn, partial(self._ask, model, log_answer), answers, record)
        except Forfeit as error:
            return StartedGame(moves, KnownForfeit(ply, error.fault, str(error)))
        except Unavailable as error:
            if not isinstance(error, SpendingLimitReached):
                record(Answer(kind="void", why=str(error)))
            self.causes[who] = str(error)
            if error.stops or self._voids[who] >= MAX_VOIDS_IN_A_ROW:
                self._stopped.add(who)
            return None
        return StartedGame((*moves, move))

    async def _ask(
        self,
        model: Model,
        log_answer: Callable[[Answer], object],
        fields: dict[str, Any],
        seconds: float,
        retries: int,
    ) -> Answer:
        """Send a request if the limit allows its maximum usage, which counts if no answer comes."""
        provider, messages = self._providers[model.address], fields["messages"]
        max_usage = self._usage(model, Answer(), messages)

        def record_lost() -> None:
            self._limit.add(*max_usage)
            log_answer(Answer(kind="void", why="the answer was not complete", asked=messages))

        def record_lost_and_check() -> None:
            record_lost()
            if not self._limit.allows():
                raise SpendingLimitReached

        async with self._limit.reserve(*max_usage):
            is_bounded = self._limit.is_limited
            try:
                answer = await provider.ask(
                    fields, seconds, retries, is_bounded=is_bounded, on_lost=record_lost_and_check
                )
            except TimeoutError:
                record_lost()
                raise
            self._limit.add(*self._usage(model, answer, messages))
            return answer

    def _usage(self, model: Model, answer: Answer, asked: Any) -> tuple[float, float]:
        """Return the tokens and the money that an answer used; the maximum where it is unknown."""
        sent, received = answer.prompt_tokens, answer.answer_tokens
        sent = len(json.dumps(asked)) if sent is None else sent  # a token is at least a character
        received = model.options.tokens if received is None else received
        cost = self._providers[model.address].cost(model.model, sent, received)
        return sent + received, cost or 0.0
