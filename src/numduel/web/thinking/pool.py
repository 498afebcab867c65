"""Asks the thinking processes questions, fairly between clients and within their budgets."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import pickle
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, TypeVar

from numduel.core.errors import TooLarge
from numduel.web.errors import Busy
from numduel.web.identity import Client
from numduel.web.limits import (
    CLIENT_THINKING,
    MAX_CLIENTS,
    MAX_PROVEN_SEATS,
    MAX_THINKING_PEOPLE,
    MAX_WAITING_PER_CLIENT,
    MAX_WAITING_PER_PERSON,
    PERSON_THINKING,
    TokenBuckets,
    retry_line,
)
from numduel.web.lru_cache import LruCache
from numduel.web.thinking import processes, too_slow
from numduel.web.thinking.processes import ANSWER, HEAD, IDLE_SECONDS, OUT_OF_MEMORY, Thinkers

T = TypeVar("T")
ProcessConnection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _start_process() -> ProcessConnection:
    """Start a process for one connection, on a system without fork."""
    command, env = processes.command()
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env=env, stdin=pipe, stdout=pipe)
    assert process.stdin is not None and process.stdout is not None
    return process.stdout, process.stdin


class Lane(NamedTuple):
    """Processes for questions up to some length; a longer question moves on to the next lane."""

    name: str
    seconds: float  # of a processor
    processes: int
    niceness: int


LANES = (
    Lane("short", 0.25, processes=2, niceness=5),
    Lane("middle", 1.5, processes=1, niceness=10),
    Lane("long", 10.0, processes=1, niceness=15),
)

_MAX_REFUSALS = 1_000  # that are remembered
_REFUSAL_SECONDS = 300.0  # for which one is remembered, as the machine may just have been busy
_CONNECT_SECONDS = 60.0  # within which the processes must have started
_STOPPING = "The server is stopping."
_INTERRUPTED = "That was interrupted: please try again."


class ThinkingLimits:
    """Budgets in seconds of a processor, of each client and of a number of people behind it."""

    def __init__(self) -> None:
        self._clients = TokenBuckets(CLIENT_THINKING, MAX_CLIENTS)
        self._people = TokenBuckets(PERSON_THINKING, MAX_PROVEN_SEATS)
        self._people_of: LruCache[set[str]] = LruCache(MAX_CLIENTS)  # by client

    def levels(self, client: Client) -> list[float]:
        """Return what is left to the client and, if they have their own budget, to the person.

        Levels grow while they are compared, so they are rounded: of equals, the first comes first.
        """
        return [round(buckets.level(key), 2) for buckets, key in self._budgets(client)]

    def check(self, client: Client) -> None:
        """Raise Busy if nothing is left. A new person gets a budget if not too many have one."""
        prefix, people = client.prefix, self._people_of.get(client.prefix) or set()
        if client.person and client.person not in people:
            if len(people) >= MAX_THINKING_PEOPLE:  # forget those whose budget is full again
                full = PERSON_THINKING.burst
                people = {one for one in people if self._people.wait((prefix, one), full)}
            if len(people) < MAX_THINKING_PEOPLE:
                self._people_of.put(prefix, people | {client.person})
        if wait := min(buckets.wait(key, 0) for buckets, key in self._budgets(client)):
            raise Busy(retry_line("Too much was computed for you", wait)[0])

    def take(self, client: Client, seconds: float) -> None:
        """Take seconds from the budgets of the client and of the person."""
        for buckets, key in self._budgets(client):
            buckets.take(key, seconds)

    def _budgets(self, client: Client) -> list[tuple[TokenBuckets, Hashable]]:
        budgets: list[tuple[TokenBuckets, Hashable]] = [(self._clients, client.prefix)]
        if client.person in (self._people_of.get(client.prefix) or ()):
            budgets.append((self._people, (client.prefix, client.person)))
        return budgets


class FairQueue:
    """The turns in one lane. The next one goes to whoever has the most left of their budget.

    Clients are compared first, then the people behind one client.
    """

    def __init__(self, lane: Lane, budget: ThinkingLimits) -> None:
        self.lane = lane
        self.ended = 0  # number of turns that have ended
        self._budget = budget
        self._free = lane.processes
        self._waiting: dict[asyncio.Future[None], Client] = {}
        self._idle: list[tuple[float, ProcessConnection]] = []  # and since when
        self._closed = False

    def __len__(self) -> int:
        """Return the number of questions that have a turn or wait for one."""
        return self.lane.processes - self._free + len(self._waiting)

    @asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[None]:
        """Wait for a turn, which lasts while the context does; raises Busy if too many wait."""
        of_client = [one for one in self._waiting.values() if one.prefix == client.prefix]
        of_person = [one for one in of_client if client.person and one.person == client.person]
        if len(of_client) >= MAX_WAITING_PER_CLIENT or len(of_person) >= MAX_WAITING_PER_PERSON:
            raise Busy("Too much is being computed just now: please try again in a moment.")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = client
        self._give_turns()
        try:
            await turn
            yield
        finally:
            self._waiting.pop(turn, None)
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._free += 1
                self.ended += 1
            self._give_turns()

    def close(self) -> None:
        """Refuse all waiting questions, and let go of all processes."""
        self._closed = True
        for turn in self._waiting:
            turn.set_exception(Busy(_STOPPING))
        self._waiting.clear()
        for _, (_, writer) in self._idle:
            writer.close()

    def take_idle(self) -> ProcessConnection | None:
        """Take the connection to an idle process, if there is one."""
        while self._idle:
            since, (reader, writer) = self._idle.pop()
            is_fresh = asyncio.get_running_loop().time() < since + IDLE_SECONDS / 2
            if is_fresh and not reader.at_eof():
                return reader, writer
            writer.close()
        return None

    def add_idle(self, connection: ProcessConnection) -> None:
        """Keep the connection to a process for the next question."""
        if self._closed:
            connection[1].close()
            return
        self._idle.append((asyncio.get_running_loop().time(), connection))

    def _give_turns(self) -> None:
        while self._free and self._waiting:
            turn = max(self._waiting, key=lambda turn: self._budget.levels(self._waiting[turn]))
            del self._waiting[turn]
            self._free -= 1
            turn.set_result(None)


class ThinkingPool:
    """Answers questions in other processes."""

    def __init__(self, seconds: float, socket: str = "") -> None:
        self.seconds = seconds  # of a processor, for one answer
        self._thinkers = Thinkers(socket)
        self._budget = ThinkingLimits()
        self.queues = [FairQueue(lane, self._budget) for lane in LANES]
        self._refusals: LruCache[tuple[str, float]] = LruCache(_MAX_REFUSALS)  # and their time
        self._closing = asyncio.Event()

    def allowing(self, seconds: float) -> ThinkingPool:
        """Return a pool of the same processes with another time limit."""
        same = copy.copy(self)
        same.seconds = seconds
        return same

    async def ask(self, client: Client, function: Callable[..., T], *arguments: object) -> T:
        """Return `function(*arguments)`, computed in another process.

        Raises TooLarge if it takes too much time or memory, immediately if it did so before. Raises
        Busy if the client's budget is empty, too many questions wait or the process was killed.
        """
        question, now = pickle.dumps((function, arguments)), asyncio.get_running_loop().time
        key = f"{self.seconds} {hashlib.sha256(question).hexdigest()}"
        refusal, at = self._refusals.get(key) or ("", 0.0)
        if refusal and now() < at + _REFUSAL_SECONDS:
            raise TooLarge(refusal)
        self._budget.check(client)
        try:
            answer: T = await self._ask_lanes(client, question)
        except TooLarge as error:
            self._refusals.put(key, (str(error), now()))
            raise
        return answer

    def close(self) -> None:
        """Stop the processes, if they are our own; waiting questions raise Busy."""
        self._closing.set()
        for queue in self.queues:
            queue.close()
        self._thinkers.close()

    async def _ask_lanes(self, client: Client, question: bytes) -> Any:
        """Ask in one lane after the other, until one answers in time."""
        for queue in self.queues:
            seconds = min(queue.lane.seconds, self.seconds)
            async with queue.turn(client):
                self._budget.check(client)  # it may have been used up meanwhile
                with suppress(TimeoutError):
                    is_answer, result = await self._ask_lane(queue, client, question, seconds)
                    if is_answer:
                        return result
                    raise result
            if seconds == self.seconds:
                break
        raise too_slow(self.seconds)

    async def _ask_lane(
        self, queue: FairQueue, client: Client, question: bytes, seconds: float
    ) -> tuple[bool, Any]:
        """Return True and the answer, or False and an error that the question raised.

        Raises TimeoutError, TooLarge or Busy.
        """
        reader, writer = connection = queue.take_idle() or await self._connect()
        loop, answer = asyncio.get_running_loop(), b""
        begun = loop.time()
        try:
            writer.write(HEAD.pack(queue.lane.niceness, seconds, len(question)) + question)
            used, length = ANSWER.unpack(await reader.readexactly(ANSWER.size))
            answer = await reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError):  # the process was killed
            pass
        finally:
            queue.add_idle(connection) if answer not in (b"", OUT_OF_MEMORY) else writer.close()
        taken = loop.time() - begun
        self._budget.take(client, used if answer else min(taken, seconds))
        if answer == OUT_OF_MEMORY:
            raise TooLarge("it takes more memory than is allowed here")
        if answer:
            result: tuple[bool, Any] = pickle.loads(answer)
            return result
        if taken >= seconds:
            raise TimeoutError
        raise self._interrupted("a thinking process has ended")

    async def _connect(self) -> ProcessConnection:
        if not processes.CAN_FORK:
            return await _start_process()
        with suppress(TimeoutError):
            async with asyncio.timeout(_CONNECT_SECONDS):
                while not self._closing.is_set():
                    self._thinkers.ensure()
                    with suppress(OSError):  # they are still starting
                        return await asyncio.open_unix_connection(self._thinkers.socket)
                    await asyncio.sleep(0.02)
        raise self._interrupted("the thinking processes cannot be reached")

    def _interrupted(self, cause: str) -> Busy:
        return Busy(_STOPPING if self._closing.is_set() else _INTERRUPTED, cause=cause)
