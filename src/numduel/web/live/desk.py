"""The desk: where every request about a duel arrives, one after the other for each duel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from numduel.core.errors import NumduelError, TooLarge
from numduel.play.duel import Wish
from numduel.play.event import Come, Event, dump, load, verb
from numduel.players import HUMAN, Turn
from numduel.web import metrics
from numduel.web.data.hosted import Hosted, Terms
from numduel.web.data.store import Store, result
from numduel.web.kept import Kept
from numduel.web.keys import hashed, new_name, new_secret
from numduel.web.live.news import News
from numduel.web.problems import Missing, NotNow
from numduel.web.thinking import questions
from numduel.web.thinking.thinker import Thinker

MOST_KEPT = 64 * 2**20
"""About how many bytes of duels are kept; the others are read again when they are asked for."""

MOVED_ON = "The game has moved on since that page was shown."

MOVE_SECONDS = 2.0
"""How long a computer player is told that it has; it is stopped only later."""

_PLACE, _DUEL, _EVENT = 500, 8_000, 1_000  # about the bytes of each; of an event on a large board
_MANY = 100  # events by which a copy is so far behind that it is read anew


class _Place:
    """Where a duel lies on the desk, and the lock that its requests wait for."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.duel: Hosted | None = None
        self.reading: asyncio.Task[Hosted] | None = None  # by those who came since the last began

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        return _PLACE if self.duel is None else _DUEL + _EVENT * self.duel.version


class Desk:
    """All that can be done with duels. The database decides; what is kept here is a copy."""

    def __init__(self, store: Store, news: News, quick: Thinker) -> None:
        self.store = store
        self.news = news
        self.quick = quick
        self._places: Kept[_Place] = Kept(MOST_KEPT)
        self._thinking: dict[str, asyncio.Task[None]] = {}

    async def open(self, terms: Terms) -> Hosted:
        """Begin a new duel."""
        setup = terms.setup
        if setup.players != (HUMAN, HUMAN):
            await self.quick.ask(questions.fits, setup.players, setup.game)
        duel = Hosted(new_name(), terms)
        await self.store.create(duel)
        return await self._when_computer_has_decided(duel.name)

    async def read(self, name: str) -> Hosted:
        """The duel as it is now in the database, and stays in the readers' hands.

        Those who ask while others wait for the database are told together.
        """
        place = self._place(name)
        if place.reading is None:
            place.reading = asyncio.create_task(self._read(name, place))
        return await asyncio.shield(place.reading)

    async def _read(self, name: str, place: _Place) -> Hosted:
        async with place.lock:
            place.reading = None  # whoever comes from now on may want to know of more
            duel = await self._look_up(name, place, fresh=True)
            if duel.computer is not None:  # a server stopped, or was busy, before it had decided
                self._let_computer_decide(name)
            return duel.copy()

    async def wish(
        self, name: str, secret: str, wish: Wish, at: int | None = None, *, wait: bool = True
    ) -> Hosted:
        """Let a person do something; `at`: the version of the duel that they saw.

        When this returns, it is in the database, and so is what the computer answered, if it
        could just now; unless nobody waits for that.
        """
        async with self._at(name, fresh=at is None or self._behind(name, at)) as (place, duel):
            if at is not None and at != duel.version:
                raise NotNow(MOVED_ON)
            await self._apply(place, duel, duel.event(duel.held(secret), wish))
            if duel.computer is None:
                return duel.copy()
            if not wait:
                self._let_computer_decide(name)
                return duel.copy()
        return await self._when_computer_has_decided(name)

    async def take(self, name: str, secret: str) -> str | None:
        """Let whoever was invited take the seat of that secret, which opens it once.

        What opens it from now on is theirs alone; None: the seat is taken.
        """
        async with self._at(name, fresh=True) as (place, duel):
            seat, own = min(duel.held(secret), default=0), new_secret()
            if not seat or not await self.store.take(name, seat, hashed(secret), hashed(own)):
                return None
            one, two = duel.terms.seats
            seats = (hashed(own), two) if seat == 1 else (one, hashed(own))
            duel.terms = duel.terms._replace(seats=seats)
            with suppress(NotNow):  # somebody has moved meanwhile, and need not be told
                await self._apply(place, duel, Come(seat))
            return own

    async def _when_computer_has_decided(self, name: str) -> Hosted:
        async with self._at(name, fresh=False) as (_, duel):
            if duel.computer is None:
                return duel.copy()
        await asyncio.shield(self._let_computer_decide(name))
        async with self._at(name, fresh=False) as (_, duel):
            return duel.copy()

    def _let_computer_decide(self, name: str) -> asyncio.Task[None]:
        """What decides for the computer as long as it is its turn; one for each duel."""
        task = self._thinking.get(name)
        if task is None or task.done():
            task = self._thinking[name] = asyncio.create_task(self._decide(name))
            task.add_done_callback(lambda _: self._thinking.pop(name, None))
        return task

    async def _decide(self, name: str) -> None:
        with suppress(NumduelError):  # it is asked again when the duel is read
            while True:
                async with self._at(name, fresh=False) as (_, duel):
                    if duel.computer is None:
                        return
                    version, swap = duel.version, duel.table.swap_open
                    who, turn = duel.computer, duel.match.turn()
                decided = await self.decided(who, turn, swap)
                with suppress(NotNow):  # then another server has let it decide
                    async with self._at(name, fresh=False) as (place, duel):
                        if duel.version == version:
                            await self._apply(place, duel, decided)

    async def decided(self, who: str, turn: Turn, swap: bool) -> Event:
        """What the computer decides in the time that it has; on a machine too slow, at once."""
        try:
            return await self.quick.ask(questions.decide, who, turn, swap, MOVE_SECONDS)
        except TooLarge:
            return await self.quick.ask(questions.decide, who, turn, swap, 0)

    async def _apply(self, place: _Place, duel: Hosted, event: Event) -> None:
        """Apply an event and have it in the database; the place's lock is held."""
        rounds = len(duel.rounds)
        duel.apply(event)
        closing = result(duel) if len(duel.rounds) > rounds else {}
        accepted = False
        try:
            accepted = await self.store.append(duel, duel.version, dump(event), closing)
        finally:
            if not accepted:  # or not known to be: the database knows better than this copy
                place.duel = None
        if not accepted:
            raise NotNow(MOVED_ON)
        metrics.HAPPENED.labels(verb(event)).inc()
        self.news.tell(duel.name, duel.version)
        if closing and duel.terms.room is not None:
            self.news.tell(duel.terms.room)

    def _behind(self, name: str, version: int) -> bool:
        """Whether somebody has seen more of the duel than the copy here holds."""
        place = self._place(name)
        return place.duel is not None and place.duel.version < version

    def _place(self, name: str) -> _Place:
        place = self._places.get(name) or _Place()
        return self._places.keep(name, place, place.weight)

    @asynccontextmanager
    async def _at(self, name: str, fresh: bool) -> AsyncIterator[tuple[_Place, Hosted]]:
        """The duel, for this request alone; `fresh`: with what other servers have added."""
        place = self._place(name)
        async with place.lock:
            yield place, await self._look_up(name, place, fresh)

    async def _look_up(self, name: str, place: _Place, fresh: bool) -> Hosted:
        if place.duel is not None and fresh:
            place.duel = await self._caught_up(place.duel)
        if place.duel is None:
            place.duel = await self.store.load(name)
            if self._places.get(name) is place:
                self._places.keep(name, place, place.weight)  # what it weighs now
        if place.duel is None:
            raise Missing("There is no such game here, or it was cleared away.")
        return place.duel

    async def _caught_up(self, duel: Hosted) -> Hosted | None:
        """The duel with what other servers have added; None if it is to be read anew."""
        newer = await self.store.newer(duel.name, duel.version)
        if newer is None or len(newer.log) > _MANY:
            return None
        if (newer.seats, newer.names) != (duel.terms.seats, duel.terms.setup.names):
            return None  # somebody was removed
        for body in newer.log:
            duel.apply(load(body))
        return duel
