"""The duel service handles the requests about each duel, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple, Protocol

from numduel.core.errors import NumduelError, TooLarge
from numduel.play.duel import Wish
from numduel.play.event import Away, Back, Come, Event
from numduel.play.setup import GivenNames, check_setup
from numduel.players import HUMAN, Turn
from numduel.web.duels.record import MAX_EVENTS, DuelRecord, Terms
from numduel.web.errors import Missing, NotNow
from numduel.web.identity import SERVER, Client, hash_secret, new_name, new_secret
from numduel.web.lru_cache import LruCache
from numduel.web.notifications import Notifications
from numduel.web.thinking import Thinking, tasks

CACHE_BYTES = 64 * 2**20
"""Maximum size of the cached duels, by an estimate."""

MOVE_SECONDS = 2.0
"""Time after which a computer player should decide. It is stopped only later."""

MOVED_ON = "The game has moved on since that page was shown."

_ENTRY_BYTES, _DUEL_BYTES, _EVENT_BYTES = 500, 8_000, 1_000  # estimates, for a large board
_MAX_MISSED_EVENTS = 100  # a cached copy that lacks more events is loaded again


class Changes(NamedTuple):
    """What has changed in a duel since a version of it."""

    log: list[Event]  # the later events
    seats: tuple[str | None, str | None]  # as in `Terms`; they change when a pupil is removed
    names: GivenNames


class DuelStore(Protocol):
    """A store of duels. It never loses what one of its methods has accepted."""

    async def create(self, duel: DuelRecord) -> None:
        """Add a new duel."""

    async def load(self, name: str) -> DuelRecord | None:
        """Return the duel of that name; None if there is none."""

    async def changes_since(self, name: str, version: int) -> Changes | None:
        """Return the changes after that version; None if the duel was deleted."""

    async def append(self, duel: DuelRecord, round_ended: bool) -> bool:
        """Add the duel's latest event, which has just been applied to it.

        Returns False if another server was faster and has used the event's number.
        """

    async def take_seat(
        self, name: str, seat: int, hash_: str, new_hash: str, called: str | None
    ) -> bool:
        """Replace the hash of a seat's secret, and set its player's name unless that is None.

        Returns False if `hash_` is no longer the hash of the seat's secret.
        """


class _CacheEntry:
    """The cached copy of a duel, and the lock that each of its requests holds."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.duel: DuelRecord | None = None
        self.reading: asyncio.Task[DuelRecord] | None = None  # for all requests that wait

    @property
    def weight_bytes(self) -> int:
        return _ENTRY_BYTES if self.duel is None else _DUEL_BYTES + _EVENT_BYTES * self.duel.version


class DuelService:
    """Opens, reads and changes duels. The store decides; this service caches copies."""

    def __init__(
        self,
        store: DuelStore,
        notifications: Notifications,
        thinking: Thinking,
        count: Callable[[Event], None] = lambda event: None,
    ) -> None:
        self.store = store
        self.notifications = notifications
        self.thinking = thinking
        self._count = count  # called with each accepted event
        self._cache: LruCache[_CacheEntry] = LruCache(CACHE_BYTES)
        self._deciding: dict[str, asyncio.Task[None]] = {}

    async def open(self, terms: Terms, client: Client = SERVER) -> DuelRecord:
        setup = terms.setup
        if setup.players != (HUMAN, HUMAN):
            await self.thinking.ask(client, tasks.check_players, setup.players, setup.game)
        duel = DuelRecord(new_name(), terms)
        await self.store.create(duel)
        return await self._after_computer(duel.name, client)

    async def read(self, name: str, client: Client = SERVER) -> DuelRecord:
        """Return a copy of the duel as it is now in the store; raises Missing.

        Requests that wait at the same time share one query. If the computer still has to decide,
        it is asked again, on behalf of the client.
        """
        entry = self._entry(name)
        if entry.reading is None:
            entry.reading = asyncio.create_task(self._read(name, entry, client))
        return await asyncio.shield(entry.reading)

    async def _read(self, name: str, entry: _CacheEntry, client: Client) -> DuelRecord:
        async with entry.lock:
            entry.reading = None  # later requests may need to see later events
            duel = await self._current(name, entry, fresh=True)
            if duel.computer is not None:  # a server stopped before the computer had decided
                self._let_computer_decide(name, client)
            return duel.copy()

    async def wish(
        self,
        name: str,
        secret: str,
        wish: Wish,
        at: int | None = None,
        *,
        client: Client = SERVER,
        wait: bool = True,
    ) -> DuelRecord:
        """Do what a person wishes; `at` is the version of the duel that they saw.

        When this returns, the store has the event and the computer's answer, if that could be
        computed. With `wait=False`, this does not wait for the answer.
        """
        cached = self._entry(name).duel
        fresh = at is None or (cached is not None and cached.version < at)
        async with self._locked(name, fresh) as (entry, duel):
            client.prove(name, duel.terms.seats)
            if at is not None and not duel.changed <= at <= duel.version:
                raise NotNow(MOVED_ON)
            await self._apply(entry, duel, duel.event(duel.seats_of(secret), wish))
            if duel.computer is None:
                return duel.copy()
            if not wait:
                self._let_computer_decide(name, client)
                return duel.copy()
        return await self._after_computer(name, client)

    async def take_seat(self, name: str, secret: str, called: str = "") -> str | None:
        """Let an invited person take the seat of that secret, which works once.

        `called` is the name that the person gives; it may be empty. Returns the seat's new secret,
        or None if somebody has taken the seat before. Raises SettingsError if the name is refused.
        """
        async with self._locked(name) as (entry, duel):
            seat, own = min(duel.seats_of(secret), default=0), new_secret()
            if not seat:
                return None
            setup = duel.terms.setup
            one, two = setup.names
            names = (called or one, two) if seat == 1 else (one, called or two)
            checked = check_setup(setup._replace(names=names)).names[seat - 1]
            hashes = hash_secret(secret), hash_secret(own)
            if not await self.store.take_seat(name, seat, *hashes, checked):
                return None
            entry.duel = None  # the copy has the old secret and the old name
            duel = await self._current(name, entry, fresh=True)
            with suppress(NotNow):  # another event came first; this one is not needed
                await self._apply(entry, duel, Come(seat))
            return own

    async def set_presence(self, name: str, seat: int, is_here: bool) -> None:
        """Record that a player has gone away or is back, so that the other player sees it."""
        with suppress(NumduelError):  # the duel was deleted, or the database cannot be reached
            async with self._locked(name) as (entry, duel):
                if (seat in duel.away) == is_here and duel.version < MAX_EVENTS // 2:
                    await self._apply(entry, duel, Back(seat) if is_here else Away(seat))

    async def _after_computer(self, name: str, client: Client) -> DuelRecord:
        """Return the duel after the computer's decisions, if they can be computed."""
        duel = await self._cached(name)
        if duel.computer is None:
            return duel
        await asyncio.shield(self._let_computer_decide(name, client))
        return await self._cached(name)

    def _let_computer_decide(self, name: str, client: Client) -> asyncio.Task[None]:
        """Return the task in which the computer decides; a duel has one at a time."""
        task = self._deciding.get(name)
        if task is None or task.done():
            task = self._deciding[name] = asyncio.create_task(self._decide(name, client))
            task.add_done_callback(lambda _: self._deciding.pop(name, None))
        return task

    async def _decide(self, name: str, client: Client) -> None:
        with suppress(NumduelError):  # the computer is asked again when the duel is read
            while (duel := await self._cached(name)).computer is not None:
                turn, is_swap = duel.table.turn(), duel.table.swap_open
                decision = await self.decision(client, duel.computer, turn, is_swap)
                await self._apply_decision(duel, decision)

    async def _apply_decision(self, seen: DuelRecord, decision: Event) -> None:
        async with self._locked(seen.name, fresh=False) as (entry, duel):
            if duel.version == seen.version:
                with suppress(NotNow):  # another server has decided
                    await self._apply(entry, duel, decision)

    async def decision(self, client: Client, who: str, turn: Turn, is_swap: bool) -> Event:
        """Return what the computer decides; without thinking if the machine is too slow."""
        question = tasks.decide, who, turn, is_swap
        try:
            return await self.thinking.ask(client, *question, MOVE_SECONDS)
        except TooLarge:
            return await self.thinking.ask(client, *question, 0)

    async def _apply(self, entry: _CacheEntry, duel: DuelRecord, event: Event) -> None:
        """Apply an event and store it; raises NotNow if another server was faster."""
        rounds = len(duel.rounds)
        duel.apply(event)
        round_ended = len(duel.rounds) > rounds
        accepted = False
        try:
            accepted = await self.store.append(duel, round_ended)
        finally:
            if not accepted:  # or nobody knows: the copy may be wrong
                entry.duel = None
        if not accepted:
            raise NotNow(MOVED_ON)
        self._count(event)
        self.notifications.notify(duel.name, version=duel.version)
        if round_ended and duel.terms.room is not None:
            self.notifications.notify(duel.terms.room)

    def _entry(self, name: str) -> _CacheEntry:
        entry = self._cache.get(name) or _CacheEntry()
        return self._cache.put(name, entry, entry.weight_bytes)

    @asynccontextmanager
    async def _locked(
        self, name: str, fresh: bool = True
    ) -> AsyncIterator[tuple[_CacheEntry, DuelRecord]]:
        """Lock a duel for this request; with `fresh`, first read the events of other servers."""
        entry = self._entry(name)
        async with entry.lock:
            yield entry, await self._current(name, entry, fresh)

    async def _cached(self, name: str) -> DuelRecord:
        async with self._locked(name, fresh=False) as (_, duel):
            return duel.copy()

    async def _current(self, name: str, entry: _CacheEntry, fresh: bool) -> DuelRecord:
        if entry.duel is not None and fresh:
            entry.duel = await self._updated(entry.duel)
        if entry.duel is None:
            entry.duel = await self.store.load(name)
            if self._cache.get(name) is entry:
                self._cache.put(name, entry, entry.weight_bytes)
        if entry.duel is None:
            raise Missing("There is no such game here, or it was deleted.")
        return entry.duel

    async def _updated(self, duel: DuelRecord) -> DuelRecord | None:
        """Apply the events of other servers; return None if the duel must be loaded again."""
        changes = await self.store.changes_since(duel.name, duel.version)
        if changes is None or len(changes.log) > _MAX_MISSED_EVENTS:
            return None
        if (changes.seats, changes.names) != (duel.terms.seats, duel.terms.setup.names):
            return None  # a pupil was removed
        for event in changes.log:
            duel.apply(event)
        return duel
