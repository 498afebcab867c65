"""The desk: where every request about a duel arrives, one after the other for each duel."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from numduel.core.errors import NumduelError, TooLarge
from numduel.players import HUMAN
from numduel.web import thinking
from numduel.web.duel import MOVED_ON, Duel, Terms, dump, load
from numduel.web.keys import new_name
from numduel.web.news import News
from numduel.web.problems import Busy, Missing, NotNow
from numduel.web.store import Store
from numduel.web.thinking import Thinker

MOST_KEPT = 2_000
"""How many duels are kept in memory; the others are read again when they are asked for."""


class _Place:
    """Where a duel lies on the desk, and the lock that its requests wait for."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.duel: Duel | None = None


class Desk:
    """All that can be done with duels. The database decides; what is kept here is a copy."""

    def __init__(self, store: Store, news: News, quick: Thinker) -> None:
        self.store = store
        self.news = news
        self.quick = quick
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._thinking: dict[str, asyncio.Task[None]] = {}

    async def open(self, terms: Terms, **more: Any) -> Duel:
        """Begin a new duel."""
        setup = terms.setup
        if setup.players != (HUMAN, HUMAN):
            await self.quick.ask(thinking.fits, setup.players, setup.game)
        duel = Duel(new_name(), terms)
        await self.store.create(duel, **more)
        return await self.let_computer_decide(duel.name)

    async def read(self, name: str) -> Duel:
        """The duel as it is now in the database; to be looked at before the next await."""
        async with self._at(name, fresh=True) as duel:
            if duel.computer is not None and name not in self._thinking:
                task = asyncio.create_task(self._resume_thinking(name))
                self._thinking[name] = task  # a server stopped before the computer had answered
                task.add_done_callback(lambda _: self._thinking.pop(name))
            return duel

    async def act(
        self, name: str, secret: str, wish: str, value: int | bool = True, at: int | None = None
    ) -> Duel:
        """Let a person do something; `at`: the version of the duel that they saw.

        When this returns, it is in the database, and so is what the computer answered.
        """
        async with self._at(name, fresh=at is None) as duel:
            if at is not None and at > duel.version:
                await self._catch_up(duel)
            if at is not None and at != duel.version:
                raise NotNow(MOVED_ON)
            verb, value = duel.event(duel.held(secret), wish, value)
            await self._happen(duel, verb, value)
            if duel.computer is None:
                return duel
        try:
            return await self.let_computer_decide(name)
        except Busy:  # what the person did stands; the computer is asked again
            return await self.read(name)

    async def let_computer_decide(self, name: str) -> Duel:
        """Let the computer decide as long as it is its turn; meanwhile the duel can be read."""
        while True:
            async with self._at(name, fresh=False) as duel:
                if duel.computer is None:
                    return duel
                version, swap = duel.version, duel.table.swap_open
                who, turn = duel.computer, duel.match.turn()
            verb: str = "swap" if swap else "move"
            try:
                decided = await self.quick.ask(thinking.decide, who, turn, swap)
            except TooLarge:
                verb, decided = "resign", turn.position.mover
            with suppress(NotNow):  # then another server has let it decide
                async with self._at(name, fresh=False) as duel:
                    if duel.version == version:
                        await self._happen(duel, verb, decided)

    async def _resume_thinking(self, name: str) -> None:
        with suppress(NumduelError):
            await self.let_computer_decide(name)

    async def _happen(self, duel: Duel, verb: str, value: int | bool) -> None:
        """Apply an event and have it in the database; the duel's lock is held."""
        rounds = len(duel.match.finished)
        duel.apply(verb, value)
        closing: dict[str, Any] = {}
        if len(duel.match.finished) > rounds:
            closing = {"finished": True}
            if duel.match.over:
                closing |= {"over": True, "champion": duel.match.champion}
        try:
            accepted = await self.store.append(duel, duel.version, dump(verb, value), closing)
        except BaseException:
            self._forget(duel.name)  # whether it was committed is not known here
            raise
        self.news.tell(duel.name)
        if closing and duel.terms.room is not None:
            self.news.tell(duel.terms.room)
        if not accepted:
            self._forget(duel.name)
            raise NotNow(MOVED_ON)

    @asynccontextmanager
    async def _at(self, name: str, fresh: bool) -> AsyncIterator[Duel]:
        """The duel, for this request alone; `fresh`: with what other servers have added."""
        place = self._places.setdefault(name, _Place())
        self._places.move_to_end(name)
        try:
            async with place.lock:
                if place.duel is None:
                    place.duel = await self.store.load(name)
                elif fresh and not await self._catch_up(place.duel):
                    place.duel = None
                if place.duel is None:
                    raise Missing("There is no such game here, or it was cleared away.")
                yield place.duel
        except Missing:
            self._forget(name)
            raise
        finally:
            self._tidy()

    async def _catch_up(self, duel: Duel) -> bool:
        """Add what other servers have added; False if the duel is gone."""
        bodies = await self.store.newer(duel.name, duel.version)
        for body in bodies or ():
            duel.apply(*load(body))
        return bodies is not None

    def _forget(self, name: str) -> None:
        place = self._places.get(name)
        if place is not None:
            place.duel = None

    def _tidy(self) -> None:
        """Put away what was used longest ago, and what holds nothing."""
        if len(self._places) > MOST_KEPT:
            name, place = next(iter(self._places.items()))
            if not place.lock.locked():
                del self._places[name]


async def comment_on(quick: Thinker, duel: Duel) -> str:
    """What the coach says of the last move that a person made in this round; empty: nothing."""
    table, players = duel.table, duel.match.setup.players
    before = table.game.start(table.first)
    told: tuple[Any, int] | None = None
    for move, seat in zip(table.moves, table.movers, strict=True):
        if players[seat - 1] == HUMAN:
            told = before, move
        before = table.game.after(before, move)
    if not duel.terms.coach or told is None:
        return ""
    try:
        return await quick.ask(thinking.comment, table.game, *told)
    except NumduelError as error:
        return f"this is beyond me: {error}."
