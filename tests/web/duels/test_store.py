"""The stores of duels: one contract for the database and the browser; and the database alone."""

import asyncio
from copy import deepcopy

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from numduel.games import new
from numduel.play.event import Away, Move, Resign, Swap, Undo
from numduel.site.storage import BrowserDuelStore, MemoryStorage
from numduel.web.database import database, tables
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.store import MAX_GROUPED_EVENTS
from numduel.web.duels.terms import agree
from numduel.web.errors import Busy
from numduel.web.identity import hash_secret, new_name
from numduel.web.rooms.service import RoomService
from numduel.web.rooms.store import SqlRoomStore

pytestmark = [pytest.mark.anyio, pytest.mark.each_database]


def duel(**terms):
    agreed = agree(new("divisor-line", size=10), ("human", "human"), **terms)
    return DuelRecord(new_name(), agreed.terms)


async def apply(store, duel, event):
    """Apply an event and store it; return whether it was accepted."""
    rounds = len(duel.rounds)
    duel.apply(event)
    return await store.append(duel, len(duel.rounds) > rounds)


async def play(store, duel, *moves):
    """Apply moves, and store each of them."""
    for move in moves:
        assert await apply(store, duel, Move(move))


async def count(store, table):
    query = sa.select(sa.func.count()).select_from(table)
    return await store.database.write(lambda connection: connection.scalar(query))


@pytest.fixture(params=["database", "browser"])
def any_store(request, store):
    """Return a store of the server, or of the exported site."""
    return store if request.param == "database" else BrowserDuelStore(MemoryStorage())


async def test_a_duel_comes_back_as_it_was(any_store):
    made = duel(swap=True, coach=True, seed=7, names=("Ann", "Bob"))
    await any_store.create(made)
    for event in (Move(6), Swap(True), Move(3), Move(9), Undo(1), Away(2)):
        assert await apply(any_store, made, event)
    found = await any_store.load(made.name)
    for one in (made, found):
        assert (one.version, one.changed, one.latest, one.undone) == (6, 5, Away(2), True)
        assert (one.table.moves, one.table.first, one.away) == ([6, 3], 2, {2})
    assert found.terms == made.terms


async def test_an_unknown_duel_is_not_in_the_store(any_store):
    assert await any_store.load("nobody") is None
    assert await any_store.changes_since("nobody", 0) is None
    assert not await any_store.take_seat("nobody", 2, "", "", None)


async def test_newer_events_are_returned_in_order(any_store):
    made = duel()
    await any_store.create(made)
    assert (await any_store.changes_since(made.name, 0)).log == []
    await play(any_store, made, 6, 3, 9)
    log = [Move(6), Move(3), Move(9)]
    assert await any_store.changes_since(made.name, 0) == (log, made.terms.seats, (None, None))
    assert (await any_store.changes_since(made.name, 2)).log == [Move(9)]
    assert (await any_store.changes_since(made.name, 3)).log == []


async def test_of_many_events_with_one_number_one_is_accepted(any_store):
    made = duel()
    await any_store.create(made)
    accepted = await asyncio.gather(
        *(apply(any_store, deepcopy(made), Move(move)) for move in range(1, 6))
    )
    assert sorted(accepted) == [False] * 4 + [True]
    log = (await any_store.changes_since(made.name, 0)).log
    assert log == [Move(1 + accepted.index(True))]


EVENTS = [Move(6), Move(8), Resign(2)]


@pytest.mark.parametrize("event", EVENTS)
async def test_a_second_event_with_a_number_is_refused(store, event):
    made = duel()
    await store.create(made)
    rival = deepcopy(made)
    await play(store, made, 6)
    assert not await apply(store, rival, event)
    assert (await store.changes_since(made.name, 0)).log == [Move(6)]
    finished = sa.select(tables.duels.c.finished)
    assert await store.database.write(lambda connection: connection.scalar(finished)) is False


@pytest.mark.parametrize("event", [Move(1), Resign(1)])
async def test_of_many_events_at_once_one_is_accepted(new_store, event):
    stores = [new_store() for _ in range(2)]
    made = duel()
    await stores[0].create(made)
    await play(stores[0], made, 6, 3)
    rivals = [(deepcopy(made), store) for store in stores * 10]
    events = [event if k % 3 else Move(8) for k in range(len(rivals))]
    accepted = await asyncio.gather(
        *(apply(store, rival, one) for (rival, store), one in zip(rivals, events, strict=True))
    )
    assert sorted(accepted) == [False] * 19 + [True]
    assert (await stores[0].changes_since(made.name, 2)).log == [events[accepted.index(True)]]


@pytest.mark.parametrize("event", EVENTS[1:])
async def test_an_event_of_a_deleted_duel_is_refused(store, event):
    made = duel()
    await store.create(made)
    await play(store, made, 6)
    await store.database.write(lambda connection: connection.execute(sa.delete(tables.duels)))
    assert not await apply(store, made, event)
    assert await count(store, tables.events) == 0  # its earlier events are deleted too


async def test_the_end_of_a_round_is_committed_with_its_event(store):
    made = duel()
    await store.create(made)
    assert await apply(store, made, Resign(1))
    columns = tables.duels.c
    query = sa.select(columns.finished, columns.over, columns.champion)
    row = await store.database.write(lambda connection: connection.execute(query))
    assert tuple(row.one()) == (True, True, 2)


# Events that wait together.


async def test_events_that_wait_together_are_committed_together(store, monkeypatch):
    commits, add = [], store._commits.insert

    async def counted(rows):
        commits.append(len(rows))
        await add(rows)

    monkeypatch.setattr(store._commits, "insert", counted)
    made = [duel() for _ in range(MAX_GROUPED_EVENTS + 20)]
    await asyncio.gather(*map(store.create, made))
    others = [duel() for _ in range(10)]
    waiting = [*(apply(store, one, Move(6)) for one in made), *map(store.create, others)]
    accepted = await asyncio.gather(*waiting)
    assert all(accepted[: len(made)])
    assert commits == [MAX_GROUPED_EVENTS, 20, MAX_GROUPED_EVENTS, 30]
    assert await count(store, tables.duels) == len(made) + len(others)
    assert await count(store, tables.events) == len(made)


async def test_of_events_that_wait_together_only_those_with_a_taken_number_are_refused(here, there):
    made = [duel() for _ in range(20)]
    for one in made:
        await here.create(one)
    late = [deepcopy(one) for one in made]
    for one in made[::3]:
        assert await apply(here, one, Move(6))
    accepted = await asyncio.gather(*(apply(there, one, Move(8)) for one in late))
    assert accepted == [number % 3 != 0 for number in range(20)]
    for number, one in enumerate(made):
        found = await here.load(one.name)
        assert found.table.moves == [8 if number % 3 else 6]


async def test_two_servers_that_write_the_same_events_at_once_share_them(here, there):
    made = [duel() for _ in range(20)]
    for one in made:
        await here.create(one)
    other = [deepcopy(one) for one in made]
    mine, theirs = await asyncio.gather(
        asyncio.gather(*(apply(here, one, Move(6)) for one in made)),
        asyncio.gather(*(apply(there, one, Move(8)) for one in reversed(other))),
    )
    assert [a + b for a, b in zip(mine, reversed(theirs), strict=True)] == [1] * 20


async def test_a_cancelled_request_does_not_cancel_events_that_wait_with_it(store):
    made = [duel() for _ in range(3)]
    for one in made:
        await store.create(one)
    tasks = [asyncio.create_task(apply(store, one, Move(6))) for one in made]
    await asyncio.sleep(0)
    tasks[1].cancel()
    assert await tasks[0] and await tasks[2]


# A database that is away for a while.


@pytest.fixture
def lost(monkeypatch):
    """Lose connections: `lost(store, "before")` the next commit, or "after" it."""

    def lost(store, when, times=1):
        left = [times]

        def lose():
            left[0] -= 1
            raise OperationalError("COMMIT", {}, Exception("the connection was lost"))

        def wrapped(begin):
            def again():
                return _Losing(begin(), when, left, lose)

            return again

        monkeypatch.setattr(database.Database, "_is_transient", lambda *_: True)
        for way in ("engine", "autocommitting", "reading"):
            engine = _Engine(getattr(store.database, way), wrapped)
            monkeypatch.setattr(store.database, way, engine)

    return lost


class _Engine:
    def __init__(self, engine, wrapped):
        self.connect = wrapped(engine.connect)
        self.dispose = engine.dispose


class _Losing:
    """A transaction whose connection is lost before or after the commit."""

    def __init__(self, inner, when, left, lose):
        self.inner, self.when, self.left, self.lose = inner, when, left, lose

    async def __aenter__(self):
        if self.left[0] and self.when == "before":
            self.lose()
        return await self.inner.__aenter__()

    async def __aexit__(self, *error):
        handled = await self.inner.__aexit__(*error)
        if self.left[0] and error == (None, None, None):
            self.lose()
        return handled


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_connection_lost_around_the_commit_of_many_changes_nothing(store, lost, when):
    made = [duel() for _ in range(30)]
    for one in made:
        await store.create(one)
    lost(store, when, times=3)
    accepted = await asyncio.gather(*(apply(store, one, Move(6)) for one in made))
    assert accepted == [True] * 30
    for one in made:
        assert (await store.load(one.name)).table.moves == [6]
    assert await count(store, tables.events) == 30


@pytest.mark.soak(keep=4)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("event", EVENTS)
async def test_a_connection_lost_around_a_commit_changes_nothing(store, lost, when, event):
    made = duel()
    await store.create(made)
    rival = deepcopy(made)
    lost(store, when)
    assert await apply(store, made, event)
    lost(store, when)
    assert not await apply(store, rival, event)  # although it is equal
    assert (await store.changes_since(made.name, 0)).log == [event]


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_duel_created_while_a_connection_is_lost_is_created_once(store, lost, when):
    made, rooms = duel(), RoomService(SqlRoomStore(store.database), None)
    lost(store, when)
    await store.create(made)
    lost(store, when)
    code, _ = await rooms.open(made.terms.setup, coach=False)
    lost(store, when)
    secret = await rooms.join(code, "Ada")
    assert (await store.load(made.name)).version == 0
    [pupil] = (await rooms.store.read(code)).pupils
    assert (pupil.name, pupil.secret) == ("Ada", hash_secret(secret))


async def test_a_database_that_stays_away_counts_as_busy(store, lost, monkeypatch):
    monkeypatch.setattr(database, "TIMEOUT_SECONDS", 0.3)
    made = duel()
    await store.create(made)
    lost(store, "before", times=10**6)
    with pytest.raises(Busy, match="does not answer"):
        await apply(store, made, Move(6))
    with pytest.raises(Busy, match="does not answer"):
        await store.database.write(made, retry_seconds=0.1)


async def test_a_request_that_waits_in_vain_for_a_connection_is_told_so(store, monkeypatch):
    monkeypatch.setattr(database, "TIMEOUT_SECONDS", 0.3)
    store.database.engine.pool._timeout = 0.1
    made = duel()
    await store.create(made)
    size = store.database.engine.pool.size()
    held = [await store.database.engine.connect() for _ in range(size)]
    with pytest.raises(Busy) as caught:
        await apply(store, made, Move(6))
    assert "connection timed out" in caught.value.cause
    monkeypatch.undo()
    for connection in held:
        await connection.close()
    again = await store.load(made.name)
    await play(store, again, 6)
