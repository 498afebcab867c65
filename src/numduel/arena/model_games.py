"""The games of an arena in which language models play: many at once, in one process; their budget.

The models are asked here; worker processes make the moves of other players, and judge the games.
Each answer is in the log before it is used, so that a game goes on from there after the arena was
stopped. A game in which a provider fails is void: it is not lost, and is played on the next time.
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
from numduel.arena.plan import Plan, Planned
from numduel.arena.playing import PAUSED, Begun, Stop
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
"""A model is not asked any more after so many void games without an answer between them."""


class BudgetUsedUp(Unavailable):
    """Raised instead of sending a request that the rest of the budget may not suffice for."""

    def __init__(self) -> None:
        super().__init__("the budget is used up", stops=True)


class Budget:
    """The limits of all answers in a folder together, and what is used of them."""

    def __init__(self, tokens: float = inf, money: float = inf) -> None:
        self.tokens, self.money = tokens, money
        self._tokens = self._money = 0.0  # used, and reserved for requests that are not answered
        self._in_flight = 0
        self._change = asyncio.Condition()

    @classmethod
    def read(cls, text: str) -> Budget:
        """Return the budget that is written as `tokens=2000000`, `money=5.50`, or both."""
        given: dict[str, float] = {}
        for part in text.split(","):
            name, _, value = part.partition("=")
            if name not in ("tokens", "money") or not re.fullmatch(r"\d{1,15}(\.\d{1,9})?", value):
                allowed = "tokens=2000000, money=5.50, or both with a comma between them"
                raise SettingsError(f"a budget is {allowed}, not {quoted(text)}")
            given[name] = float(value)
        return cls(**given)

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit."""
        return min(self.tokens, self.money) < inf

    def use(self, tokens: float, money: float) -> None:
        """Count what an answer has used."""
        self._tokens, self._money = self._tokens + tokens, self._money + money

    def suffices(self, tokens: float = 0, money: float = 0) -> bool:
        """Whether the rest suffices for so much more."""
        return self._tokens + tokens <= self.tokens and self._money + money <= self.money

    @asynccontextmanager
    async def reserved(self, tokens: float, money: float) -> AsyncIterator[None]:
        """Reserve the most that a request can use, until it is answered.

        Waits for other requests, which may use less than they reserve. Raises BudgetUsedUp if there
        are none, and it does not suffice.
        """
        async with self._change:
            await self._change.wait_for(lambda: self.suffices(tokens, money) or not self._in_flight)
            if not self.suffices(tokens, money):
                raise BudgetUsedUp
            self.use(tokens, money)
            self._in_flight += 1
        try:
            yield
        finally:
            self.use(-tokens, -money)
            self._in_flight -= 1
            async with self._change:
                self._change.notify_all()


class ModelGames:
    """Plays the games in which models play. The others are for `played_here` or a cluster."""

    def __init__(self, plan: Plan, log: Log, budget: Budget) -> None:
        """Raises SettingsError if a provider cannot be used, or a price is missing."""
        self.causes: dict[str, str] = {}  # why a model could not be asked
        self._plan, self._log, self._budget = plan, log, budget
        made = {who: player(who) for who in plan.spec.players}
        self._models = {who: one for who, one in made.items() if isinstance(one, Model)}
        self._providers: dict[str, Provider] = {}  # which models may share
        for who, model in self._models.items():
            provider = self._providers.setdefault(model.address, model.provider())
            if budget.money < inf and provider.cost(model.model, 0, 0) is None:
                raise SettingsError(f"a budget in money needs the prices of {who}")
        self._stopped: set[str] = set()  # who is not asked any more
        self._voids: Counter[str] = Counter()  # of each model since its last answer
        self._idle: asyncio.Queue[WorkerProcess] = asyncio.Queue()

    def plays(self, number: int) -> bool:
        """Whether a model plays in that game."""
        return not self._models.keys().isdisjoint(self._plan.seats(number))

    def play(self, workers: int, add: Callable[[list[str]], object]) -> None:
        """Play the games that are not in the log; `add` is called with the line of each."""
        try:
            asyncio.run(self._play(workers, add))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _play(self, workers: int, add: Callable[[list[str]], object]) -> None:
        for line in self._log.answers():
            answer = line.answer
            if answer.asked and answer.kind != "late":  # which was lost, and has a line as such
                self._budget.use(*self._used(self._models[line.player], answer, answer.asked))
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
            places = asyncio.Semaphore(sum(one.in_flight for one in self._providers.values()))
            for number in filter(self.plays, self._log.absent()):
                await places.acquire()
                if self._stopped.isdisjoint(self._plan.seats(number)):
                    game = games.create_task(self._game(number, add))
                    game.add_done_callback(lambda _: places.release())
                else:
                    places.release()

    async def _game(self, number: int, add: Callable[[list[str]], object]) -> None:
        """Play a game to its end, or until it is void."""
        planned = await self._in_thread(self._plan.__getitem__, number)
        begun, heard = self._resumed(number)
        while begun is not None:
            worker = await self._idle.get()
            try:
                [line] = await self._in_thread(worker.played, [number], {number: begun})
            finally:
                self._idle.put_nowait(worker)
            played = GameLine.loads(f"{line}\n".encode())
            if played.reason != PAUSED:
                add([line])
                return
            begun = await self._turn(planned, tuple(played.moves), heard)
            heard = []

    def _in_thread(self, work: Callable[..., T], *given: object) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    def _resumed(self, number: int) -> tuple[Begun | None, list[Answer]]:
        """Return what the log has of a game: its moves, and answers that were no move since."""
        lines = [line for line in self._log.answers(number) if line.answer.kind != "void"]
        if not lines:
            return Begun(), []
        last = lines[-1]
        if last.answer.move is not None:
            return Begun((*last.moves, last.answer.move)), []
        return Begun(last.moves), [line.answer for line in lines if line.ply == last.ply]

    async def _turn(
        self, planned: Planned, moves: tuple[int, ...], heard: list[Answer]
    ) -> Begun | None:
        """Ask the model that is to move; return the game to play on, None if it is void."""
        table = Table(planned.game, 1, None, swap=False, seed=planned.seed)
        for move in (*planned.opening, *moves):
            table.apply(Move(move))
        turn = table.turn(self._plan.spec.seconds)
        who, ply = planned.players[turn.position.mover - 1], len(turn.moves)

        def add(answer: Answer) -> None:
            self._log.add([AnswerLine(planned.number, who, ply, moves, answer).dumps()])

        def note(answer: Answer) -> None:
            add(answer)
            self._voids[who] = self._voids[who] + 1 if answer.kind == "void" else 0

        try:
            if who in self._stopped:
                return None
            model = self._models[who]
            move = await model.answer(turn, partial(self._ask, model, add), heard, note)
        except Forfeit as error:
            return Begun(moves, Stop(ply, error.fault, str(error)))
        except Unavailable as error:
            if not isinstance(error, BudgetUsedUp):
                note(Answer(kind="void", why=str(error)))
            self.causes[who] = str(error)
            if error.stops or self._voids[who] >= MAX_VOIDS_IN_A_ROW:
                self._stopped.add(who)
            return None
        return Begun((*moves, move))

    async def _ask(
        self,
        model: Model,
        add: Callable[[Answer], object],
        fields: dict[str, Any],
        seconds: float,
        retries: int,
    ) -> Answer:
        """Send a request if the budget suffices for all that it can use.

        What was sent without an answer is taken for all that, and is kept in the log.
        """
        provider, messages = self._providers[model.address], fields["messages"]
        most = self._used(model, Answer(), messages)

        def lost() -> None:
            self._budget.use(*most)
            add(Answer(kind="void", why="no whole answer came", asked=messages))

        def lost_again() -> None:
            lost()
            if not self._budget.suffices():
                raise BudgetUsedUp

        async with self._budget.reserved(*most):
            is_bounded = self._budget.is_limited
            try:
                answer = await provider.ask(
                    fields, seconds, retries, is_bounded=is_bounded, on_lost=lost_again
                )
            except TimeoutError:
                lost()
                raise
            self._budget.use(*self._used(model, answer, messages))
            return answer

    def _used(self, model: Model, answer: Answer, asked: Any) -> tuple[float, float]:
        """Return the tokens and the money that an answer has used.

        What the provider did not count is taken for as much as it can be.
        """
        prompt, said = answer.prompt_tokens, answer.answer_tokens
        prompt = len(json.dumps(asked)) if prompt is None else prompt
        said = model.options.tokens if said is None else said
        cost = self._providers[model.address].cost(model.model, prompt, said)
        return prompt + said, cost or 0.0
