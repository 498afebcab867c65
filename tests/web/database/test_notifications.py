import asyncio
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from tests.waiting import TIMEOUT_SECONDS

from numduel.games import new
from numduel.play.event import Move
from numduel.web import notifications as module
from numduel.web.database.database import Database, read_url
from numduel.web.database.migration import migrate
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
async def listening(store):
    """The notifications of a server, while it listens and sends."""
    notifications = DatabaseNotifications(store.database)
    tasks = [asyncio.create_task(work()) for work in (notifications.listen, notifications.send)]
    try:
        with notifications.waiting_for("any") as bell:  # set once it listens
            await ring(bell)
        yield notifications
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ring(bell):
    await asyncio.wait_for(bell.wait(), TIMEOUT_SECONDS)
    bell.clear()


async def test_a_notification_wakes_those_who_wait_for_its_topic(store):
    notifications = DatabaseNotifications(store.database)
    with notifications.waiting_for("one") as one, notifications.waiting_for("one") as too:
        with notifications.waiting_for("two") as two:
            notifications.notify("one")
            assert (one.is_set(), too.is_set(), two.is_set()) == (True, True, False)
            notifications.notify("nobody")
            notifications.wake_all()
            assert two.is_set()
        assert [*notifications._topics] == ["one"]
    assert not notifications._topics


class SlowReader:
    """Reads a version slowly, and counts how often it was called."""

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


async def test_a_version_is_read_once_for_all_who_wait():
    notifications, read = Notifications(), SlowReader()

    async def everybody():
        found = await asyncio.gather(*(notifications.version("one", read) for _ in range(100)))
        return {*found}

    with notifications.waiting_for("one"):
        assert (await everybody(), read.count) == ({0}, 1)
        notifications.notify("one", version=1)  # nothing has to be read
        assert (await everybody(), read.count) == ({1}, 1)
        read.found = 2
        notifications.notify("one")
        assert (await everybody(), read.count) == ({2}, 2)
        notifications.notify("one", version=1)  # an old version
        assert (await everybody(), read.count) == ({2}, 2)
    with notifications.waiting_for("one"):  # again, after nobody has waited
        assert (await everybody(), read.count) == ({2}, 3)


async def test_a_change_while_a_version_is_read_is_not_missed():
    notifications, read = Notifications(), SlowReader()
    with notifications.waiting_for("one"):
        early = asyncio.create_task(notifications.version("one", read))
        await asyncio.sleep(0)
        read.found = 1
        notifications.notify("one")
        assert await notifications.version("one", read) == 1
        assert await early == 1


async def test_a_failed_reading_is_repeated():
    notifications, read = Notifications(), SlowReader()
    with notifications.waiting_for("one"):
        read.problem = Busy("away")
        with pytest.raises(Busy):
            await notifications.version("one", read)
        read.problem = None
        assert await notifications.version("one", read) == 0
        leaving = asyncio.create_task(notifications.version("one", read))
        leaving.cancel()
        assert await notifications.version("one", read) == 0


async def test_an_old_version_is_read_again(monkeypatch):
    monkeypatch.setattr(module, "_MAX_VERSION_AGE_SECONDS", -1)
    notifications, read = Notifications(), SlowReader()
    with notifications.waiting_for("one"):
        await notifications.version("one", read)
        read.found = 1
        assert await notifications.version("one", read) == 1


async def test_closing_wakes_everybody(store):
    notifications = DatabaseNotifications(store.database)
    with notifications.waiting_for("one") as one:
        notifications.close()
        assert one.is_set() and notifications.closing.is_set()


async def test_a_change_at_one_server_is_notified_at_the_other(here, there):
    duel = DuelRecord(new_name(), TERMS)
    await here.create(duel)
    async with listening(here) as ours, listening(there) as notifications:
        with notifications.waiting_for(duel.name) as bell:
            for number in range(1, 6):
                bell.clear()
                duel.apply(Move(number))
                assert await here.append(duel, round_ended=False)
                ours.notify(duel.name, version=duel.version)
                await ring(bell)


async def caught_up(notify, notifications):
    """Wait until a server has received what another one sent before; on SQLite nothing is sent."""
    if notifications.database.is_postgresql:
        with notifications.waiting_for("last") as last:
            notify("last")
            await ring(last)


@asynccontextmanager
async def class_room(store):
    """A room with two pupils who play: its service, its code, and their game."""
    async with listening(store) as ours:
        rooms = RoomService(SqlRoomStore(store.database, ours.notify), None)
        code, _ = await rooms.open(TERMS.setup, coach=False)
        for name in ("Ada", "Max"):
            await rooms.join(code, name)
        await rooms.store.update(code, lambda room: room.begin_round(1))
        [pairing] = (await rooms.store.read(code)).current_games()
        yield rooms, code, pairing.duel


async def test_a_change_of_a_room_is_notified_only_there_and_in_its_games(here, there):
    async with class_room(here) as (rooms, code, duel), listening(there) as notifications:
        with (
            notifications.waiting_for(code) as bell,
            notifications.waiting_for(duel) as game,
            notifications.waiting_for("another") as other,
        ):
            await caught_up(rooms.store._notify, notifications)
            for name in ("Eva", "Bo"):  # on SQLite the first may wake everybody
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


async def test_a_server_ignores_its_own_notifications(store):
    if not store.database.is_postgresql:
        return
    async with listening(store) as ours, listening(store) as other:
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
async def test_notifications_resume_after_a_restart_of_postgresql(postgres, end):
    url = postgres.url(f"news_{uuid4().hex}")
    here, there = stores = [SqlDuelStore(Database(read_url(url))) for _ in range(2)]
    try:
        await asyncio.to_thread(migrate, url)
        duel = DuelRecord(new_name(), TERMS)
        await here.create(duel)
        async with listening(there) as notifications:
            with notifications.waiting_for(duel.name) as bell:
                if end == "kill":
                    await asyncio.to_thread(postgres.kill)
                    await asyncio.to_thread(postgres.start)
                else:
                    await asyncio.to_thread(postgres.restart, end)
                await ring(bell)  # a notification may have been missed
                async with listening(here) as ours:
                    bell.clear()
                    ours.notify(duel.name)
                    await ring(bell)
    finally:
        for store in stores:
            await store.database.close()
