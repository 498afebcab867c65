"""Asks questions of the processes that compute, fairly between clients and within their budgets."""

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
"""A connection to a process that answers."""


async def _start_process() -> ProcessConnection:
    """Start a process for one connection, where none can be forked."""
    typed, env = processes.command()
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*typed, env=env, stdin=pipe, stdout=pipe)
    assert process.stdin is not None and process.stdout is not None
    return process.stdout, process.stdin


class Lane(NamedTuple):
    """Processes for questions that take at most so long; a longer one goes on to the next lane."""

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
_REFUSAL_SECONDS = 300.0  # and for how long: the machine may have been busy
_CONNECT_SECONDS = 60.0  # until the processes must have started
_STOPPING = "The server is stopping."
_INTERRUPTED = "That was interrupted: please try again."


class ThinkingLimits:
    """Seconds of a processor, of each client and of so many of the people behind it."""

    def __init__(self) -> None:
        self._clients = TokenBuckets(CLIENT_THINKING, MAX_CLIENTS)
        self._people = TokenBuckets(PERSON_THINKING, MAX_PROVEN_SEATS)
        self._known: LruCache[set[str]] = LruCache(MAX_CLIENTS)  # people, by client

    def levels(self, client: Client) -> list[float]:
        """Return what is left to the client, and to the person if they have any of their own.

        Rounded, since it grows while those who wait are compared: the first of equals is next.
        """
        return [round(buckets.level(key), 2) for buckets, key in self._payers(client)]

    def check(self, client: Client) -> None:
        """Raise Busy if neither has anything left; get to know the person if there is room."""
        prefix, known = client.prefix, self._known.get(client.prefix) or set()
        if client.person and client.person not in known:
            if len(known) >= MAX_THINKING_PEOPLE:  # forget who has not used anything of late
                whole = PERSON_THINKING.burst
                known = {one for one in known if self._people.wait((prefix, one), whole)}
            if len(known) < MAX_THINKING_PEOPLE:
                self._known.put(prefix, known | {client.person})
        if wait := min(buckets.wait(key, 0) for buckets, key in self._payers(client)):
            raise Busy(retry_line("Too much was computed for you", wait)[0])

    def take(self, client: Client, seconds: float) -> None:
        """Take seconds from both."""
        for buckets, key in self._payers(client):
            buckets.take(key, seconds)

    def _payers(self, client: Client) -> list[tuple[TokenBuckets, Hashable]]:
        payers: list[tuple[TokenBuckets, Hashable]] = [(self._clients, client.prefix)]
        if client.person in (self._known.get(client.prefix) or ()):
            payers.append((self._people, (client.prefix, client.person)))
        return payers


class FairQueue:
    """Gives turns in one lane, the next one always to whoever has used the least of late.

    That holds between clients, and between the people behind one.
    """

    def __init__(self, lane: Lane, budget: ThinkingLimits) -> None:
        self.lane = lane
        self.ended = 0  # turns so far
        self._budget = budget
        self._free = lane.processes
        self._waiting: dict[asyncio.Future[None], Client] = {}
        self._idle: list[tuple[float, ProcessConnection]] = []  # since when
        self._closed = False

    def __len__(self) -> int:
        """Return the number of questions that have their turn, or wait for it."""
        return self.lane.processes - self._free + len(self._waiting)

    @asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[None]:
        """Wait for the client's turn, which lasts within; raises Busy if too many wait."""
        own = [one for one in self._waiting.values() if one.prefix == client.prefix]
        mine = [one for one in own if client.person and one.person == client.person]
        if len(own) >= MAX_WAITING_PER_CLIENT or len(mine) >= MAX_WAITING_PER_PERSON:
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
        """Refuse all who wait; keep no process from now on."""
        self._closed = True
        for turn in self._waiting:
            turn.set_exception(Busy(_STOPPING))
        self._waiting.clear()
        for _, (_, writer) in self._idle:
            writer.close()

    def idle(self) -> ProcessConnection | None:
        """Return a process that has nothing to do, if there is one."""
        while self._idle:
            since, (reader, writer) = self._idle.pop()
            is_fresh = asyncio.get_running_loop().time() < since + IDLE_SECONDS / 2
            if is_fresh and not reader.at_eof():
                return reader, writer
            writer.close()
        return None

    def keep(self, connection: ProcessConnection) -> None:
        """Keep a process for the next question."""
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
    """The processes that compute, as those who ask see them."""

    def __init__(self, seconds: float, socket: str = "") -> None:
        self.seconds = seconds  # of a processor, for one answer
        self._thinkers = Thinkers(socket)
        self._budget = ThinkingLimits()
        self.queues = [FairQueue(lane, self._budget) for lane in LANES]
        self._refusals: LruCache[tuple[str, float]] = LruCache(_MAX_REFUSALS)  # and when
        self._closing = asyncio.Event()

    def allowing(self, seconds: float) -> ThinkingPool:
        """Return the same processes with another limit of time."""
        same = copy.copy(self)
        same.seconds = seconds
        return same

    async def ask(self, client: Client, about: Callable[..., T], *arguments: object) -> T:
        """Return `about(*arguments)`, computed in another process.

        Raises TooLarge if it takes too much time or memory, at once if that is known, and Busy if
        the client has used up its time, too many wait or the process was killed.
        """
        question, now = pickle.dumps((about, arguments)), asyncio.get_running_loop().time
        key = f"{self.seconds} {hashlib.sha256(question).hexdigest()}"
        refusal, at = self._refusals.get(key) or ("", 0.0)
        if refusal and now() < at + _REFUSAL_SECONDS:
            raise TooLarge(refusal)
        self._budget.check(client)
        try:
            answer: T = await self._answer(client, question)
        except TooLarge as error:
            self._refusals.put(key, (str(error), now()))
            raise
        return answer

    def close(self) -> None:
        """Stop the processes, if they are our own; whoever waits gets Busy."""
        self._closing.set()
        for queue in self.queues:
            queue.close()
        self._thinkers.close()

    async def _answer(self, client: Client, question: bytes) -> Any:
        """Ask in one lane after the other, until there is an answer in time."""
        for queue in self.queues:
            seconds = min(queue.lane.seconds, self.seconds)
            async with queue.turn(client):
                self._budget.check(client)  # others with the same one may have used it up since
                with suppress(TimeoutError):
                    is_answer, found = await self._ask_in(queue, client, question, seconds)
                    if is_answer:
                        return found
                    raise found
            if seconds == self.seconds:
                break
        raise too_slow(self.seconds)

    async def _ask_in(
        self, queue: FairQueue, client: Client, question: bytes, seconds: float
    ) -> tuple[bool, Any]:
        """Return whether there is an answer, and it or an error; TimeoutError, TooLarge or Busy."""
        reader, writer = connection = queue.idle() or await self._connect()
        loop, answer = asyncio.get_running_loop(), b""
        begun = loop.time()
        try:
            writer.write(HEAD.pack(queue.lane.niceness, seconds, len(question)) + question)
            used, length = ANSWER.unpack(await reader.readexactly(ANSWER.size))
            answer = await reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError):  # it was killed
            pass
        finally:
            queue.keep(connection) if answer not in (b"", OUT_OF_MEMORY) else writer.close()
        taken = loop.time() - begun
        self._budget.take(client, used if answer else min(taken, seconds))
        if answer == OUT_OF_MEMORY:
            raise TooLarge("it takes more memory than is allowed here")
        if answer:
            found: tuple[bool, Any] = pickle.loads(answer)
            return found
        if taken >= seconds:
            raise TimeoutError
        raise self._interrupted("a process that thinks has ended")

    async def _connect(self) -> ProcessConnection:
        if not processes.CAN_FORK:
            return await _start_process()
        with suppress(TimeoutError):
            async with asyncio.timeout(_CONNECT_SECONDS):
                while not self._closing.is_set():
                    self._thinkers.ensure()
                    with suppress(OSError):  # they are about to start
                        return await asyncio.open_unix_connection(self._thinkers.socket)
                    await asyncio.sleep(0.02)
        raise self._interrupted("the processes that think cannot be reached")

    def _interrupted(self, cause: str) -> Busy:
        return Busy(_STOPPING if self._closing.is_set() else _INTERRUPTED, cause=cause)
