import asyncio
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from tests.waiting import TIMEOUT_SECONDS

from numduel.games import new
from numduel.play.event import Move
from numduel.web import notifications as module
from numduel.web.database.database import Database, read_url
from numduel.web.database.migration import prepare
from numduel.web.database.notifications import DatabaseNotifications
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.store import SqlDuelStore
from numduel.web.duels.terms import agree
from numduel.web.errors import Busy
from numduel.web.identity import new_name
from numduel.web.notifications import Notifications
from numduel.web.rooms.service import RoomService
from numduel.web.rooms.store import SqlRoomStore

pytestmark = [pytest.mark.anyio, pytest.mark.each_database]

TERMS = agree(new("divisor-line", size=10), ("human", "human")).terms


@asynccontextmanager
async def gathering(store):
    """The news of a server."""
    news = DatabaseNotifications(store.database)
    tasks = [asyncio.create_task(work()) for work in (news.listen, news.send)]
    try:
        with news.waiting_for("any") as bell:  # rung with all the others once it listens
            await ring(bell)
        yield news
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ring(bell):
    await asyncio.wait_for(bell.wait(), TIMEOUT_SECONDS)
    bell.clear()


async def test_news_wake_whoever_waits_for_them(store):
    news = DatabaseNotifications(store.database)
    with news.waiting_for("one") as one, news.waiting_for("one") as too:
        with news.waiting_for("two") as two:
            news.notify("one")
            assert (one.is_set(), too.is_set(), two.is_set()) == (True, True, False)
            news.notify("nobody")
            news.wake_all()
            assert two.is_set()
        assert [*news._topics] == ["one"]
    assert not news._topics


class Looks:
    """What finds a version out: slowly, and counting how often."""

    def __init__(self):
        self.count = 0
        self.found = 0
        self.problem = None

    async def __call__(self):
        self.count += 1
        found, problem = self.found, self.problem
        await asyncio.sleep(0.01)
        if problem is not None:
            raise problem
        return found


async def test_a_version_is_looked_up_once_for_all_who_wait():
    news, look = Notifications(), Looks()

    async def everybody():
        found = await asyncio.gather(*(news.version("one", look) for _ in range(100)))
        return {*found}

    with news.waiting_for("one"):
        assert (await everybody(), look.count) == ({0}, 1)
        news.notify("one", version=1)  # nothing is to be found out
        assert (await everybody(), look.count) == ({1}, 1)
        look.found = 2
        news.notify("one")
        assert (await everybody(), look.count) == ({2}, 2)
        news.notify("one", version=1)  # which is old
        assert (await everybody(), look.count) == ({2}, 2)
    with news.waiting_for("one"):  # anew, after nobody has listened
        assert (await everybody(), look.count) == ({2}, 3)


async def test_what_happens_while_a_version_is_looked_up_is_not_missed():
    news, look = Notifications(), Looks()
    with news.waiting_for("one"):
        early = asyncio.create_task(news.version("one", look))
        await asyncio.sleep(0)
        look.found = 1
        news.notify("one")
        assert await news.version("one", look) == 1
        assert await early == 1


async def test_a_version_that_cannot_be_looked_up_is_looked_up_again():
    news, look = Notifications(), Looks()
    with news.waiting_for("one"):
        look.problem = Busy("away")
        with pytest.raises(Busy):
            await news.version("one", look)
        look.problem = None
        assert await news.version("one", look) == 0
        leaving = asyncio.create_task(news.version("one", look))
        leaving.cancel()
        assert await news.version("one", look) == 0


async def test_a_version_is_not_believed_for_ever(monkeypatch):
    monkeypatch.setattr(module, "_MAX_AGE_SECONDS", -1)
    news, look = Notifications(), Looks()
    with news.waiting_for("one"):
        await news.version("one", look)
        look.found = 1
        assert await news.version("one", look) == 1


async def test_a_server_that_closes_lets_everybody_go(store):
    news = DatabaseNotifications(store.database)
    with news.waiting_for("one") as one:
        news.close()
        assert one.is_set() and news.closing.is_set()


async def test_what_happens_at_one_server_is_news_at_the_other(here, there):
    duel = DuelRecord(new_name(), TERMS)
    await here.create(duel)
    async with gathering(here) as ours, gathering(there) as news:
        with news.waiting_for(duel.name) as bell:
            for number in range(1, 6):
                bell.clear()
                duel.apply(Move(number))
                assert await here.append(duel, round_ended=False)
                ours.notify(duel.name, version=duel.version)
                await ring(bell)


async def caught_up(notify, news):
    """Wait until a server has heard of what another told before; on SQLite nothing is told."""
    if news.database.is_postgresql:
        with news.waiting_for("last") as last:
            notify("last")
            await ring(last)


@asynccontextmanager
async def class_room(store):
    """A room with two pupils who play; its service, its code, and their game."""
    async with gathering(store) as ours:
        rooms = RoomService(SqlRoomStore(store.database, ours.notify), None)
        code, _ = await rooms.open(TERMS.setup, coach=False)
        for name in ("Ada", "Max"):
            await rooms.join(code, name)
        await rooms.store.update(code, lambda room: room.begin_round(1))
        [pairing] = (await rooms.store.read(code)).current_games()
        yield rooms, code, pairing.duel


async def test_what_happens_in_a_room_is_news_there_and_in_its_games_alone(here, there):
    async with class_room(here) as (rooms, code, duel), gathering(there) as news:
        with (
            news.waiting_for(code) as bell,
            news.waiting_for(duel) as game,
            news.waiting_for("another") as other,
        ):
            await caught_up(rooms.store._notify, news)
            for name in ("Eva", "Bo"):  # on SQLite the first may wake all who wait since
                for event in (bell, game, other):
                    event.clear()
                await rooms.join(code, name)
                await ring(bell)
            assert not game.is_set() and not other.is_set()
            await rooms.store.update(code, lambda room: room.remove("Max"))
            await ring(bell)
            await ring(game)
            await rooms.store.delete(code)
            await ring(bell)
            await ring(game)
            assert not other.is_set()


async def test_a_server_does_not_listen_to_itself(store):
    if not store.database.is_postgresql:
        return
    async with gathering(store) as ours, gathering(store) as other:
        with ours.waiting_for("one") as here, other.waiting_for("one") as there:
            await caught_up(other.notify, ours)
            here.clear()
            there.clear()
            ours.notify("one", version=3)
            here.clear()
            await ring(there)
            await caught_up(other.notify, ours)
            assert not here.is_set()
            assert other._topics["one"].version == 3


@pytest.mark.soak(keep=0)
@pytest.mark.parametrize("end", ["kill", "fast", "immediate"])
async def test_news_come_again_after_postgresql_was_away(postgres, end):
    url = postgres.url(f"news_{uuid4().hex}")
    here, there = stores = [SqlDuelStore(Database(read_url(url))) for _ in range(2)]
    try:
        await asyncio.to_thread(prepare, url)
        duel = DuelRecord(new_name(), TERMS)
        await here.create(duel)
        async with gathering(there) as news:
            with news.waiting_for(duel.name) as bell:
                if end == "kill":
                    await asyncio.to_thread(postgres.kill)
                    await asyncio.to_thread(postgres.start)
                else:
                    await asyncio.to_thread(postgres.restart, end)
                await ring(bell)  # something may have been missed
                async with gathering(here) as ours:
                    bell.clear()
                    ours.notify(duel.name)
                    await ring(bell)
    finally:
        for store in stores:
            await store.database.close()
