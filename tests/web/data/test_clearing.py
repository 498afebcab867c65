import pytest
import sqlalchemy as sa

from numduel.games import new
from numduel.play.event import Move, Resign, dump
from numduel.web.data import calendar, clearing, database
from numduel.web.data.calendar import DAY
from numduel.web.data.clearing import Keep, clear
from numduel.web.data.hosted import Hosted
from numduel.web.data.store import result
from numduel.web.keys import new_name
from numduel.web.live.agreement import agree
from numduel.web.live.school import School

KEEP = Keep()
START = 20_000 * DAY + 3600
TERMS = agree(new("divisor-line", size=10), ("human", "human")).terms


@pytest.fixture
def clock(monkeypatch):
    """A clock that can be set, and a calendar of its own: clock.day = 31."""

    class Clock:
        day = 0.0

        def __call__(self):
            return int(START + self.day * DAY)

    clock = Clock()
    monkeypatch.setattr(calendar, "_clock", clock)
    monkeypatch.setattr(calendar.today, "_day", None)
    return clock


async def make(here, *events):
    """A duel in which that happened; its name."""
    duel = Hosted(new_name(), TERMS)
    await here.create(duel)
    for event in events:
        await happen(here, duel, event)
    return duel


async def happen(here, duel, event):
    rounds = len(duel.rounds)
    duel.apply(event)
    closing = result(duel) if len(duel.rounds) > rounds else {}
    assert await here.append(duel, duel.version, dump(event), closing)


async def run_days(here, clock, count, keep=KEEP):
    """Let a server run on so many days after this one; how much it has cleared away."""
    cleared = 0
    for _ in range(count):
        clock.day += 1
        cleared += await clear(here, keep)
    return cleared


def test_unfinished_duels_are_cleared_away_when_nobody_touched_them_for_so_long(in_store, clock):
    async def work(here):
        await clear(here, KEEP)
        untouched, played = await make(here), await make(here)
        assert await run_days(here, clock, 15) == 0
        await happen(here, played, Move(6))
        assert await run_days(here, clock, 15) == 0
        assert await run_days(here, clock, 1) == 1
        assert await here.load(untouched.name) is None
        assert (await here.load(played.name)).version == 1
        assert await run_days(here, clock, 15) == 1
        assert await here.load(played.name) is None

    in_store(work)


def test_finished_ones_are_kept_for_longer_and_not_for_ever(in_store, clock):
    async def work(here):
        keep = Keep(unfinished=3, finished=5)
        await clear(here, keep)
        await make(here, Move(6))
        await make(here, Resign(1))
        cleared = [await run_days(here, clock, 1, keep) for _ in range(7)]
        assert cleared == [0, 0, 0, 1, 0, 1, 0]

    in_store(work)


def test_many_are_cleared_in_several_steps(in_store, clock, monkeypatch):
    monkeypatch.setattr(clearing, "_AT_ONCE", 2)

    async def work(here):
        keep = Keep(unfinished=1)
        await clear(here, keep)
        for _ in range(5):
            await make(here, Move(6))
        assert await run_days(here, clock, 2, keep) == 5

    in_store(work)


@pytest.mark.soak(keep=4)
@pytest.mark.parametrize("before", [0, 60])
@pytest.mark.parametrize("jump", [31, -31, 4000, -4000])
def test_a_clock_that_jumps_makes_nothing_old(in_store, clock, jump, before):
    async def work(here):
        await clear(here, KEEP)
        await run_days(here, clock, before)
        school = School(here)
        code, _ = await school.open(TERMS.setup, coach=False)
        await here.keep_record("some", "{}")
        duels = [await make(here, Move(6)), await make(here, Resign(1))]
        clock.day += jump
        assert await clear(here, KEEP) == 0
        duels.append(await make(here, Move(6)))  # at a time that is none
        duels.append(await make(here))
        await school.join(code, "Ada")
        clock.day += 1
        assert await clear(here, KEEP) == 0
        clock.day -= jump
        assert await clear(here, KEEP) == 0
        assert all([await here.load(duel.name) for duel in duels])
        assert await here.record("some") == "{}"
        assert (await school.read(code)).code == code
        assert await run_days(here, clock, 32) == 3  # and they do become old
        assert await here.record("some") is None

    in_store(work)


def test_while_no_server_runs_nothing_becomes_old(in_store, clock):
    async def work(here):
        await clear(here, KEEP)
        duel = await make(here, Move(6))
        clock.day = 400
        assert await run_days(here, clock, 29) == 0
        assert await here.load(duel.name)

    in_store(work)


def test_rooms_and_uploads_are_cleared_with_all_that_is_in_them(in_store, clock):
    async def work(here):
        await clear(here, KEEP)
        school, codes = School(here), []
        for _ in range(2):
            code, secret = await school.open(TERMS.setup, coach=False)
            for name in ("Ada", "Max"):
                await school.join(code, name)
            await school.begin_round(code, secret, 1)
            codes.append((code, secret))
        await here.keep_record("old", "{}")
        await run_days(here, clock, 1)
        await school.begin_round(*codes[1], 2)
        await run_days(here, clock, 1)
        tables = (database.rooms, database.pupils, database.duels, database.records)
        assert [await count(here, table) for table in tables] == [1, 2, 2, 1]
        assert (await school.read(codes[1][0])).round == 2
        await run_days(here, clock, 29)
        assert [await count(here, table) for table in tables] == [0, 0, 0, 0]

    in_store(work)


async def count(here, table):
    query = sa.select(sa.func.count()).select_from(table)
    return await here.read(lambda connection: connection.scalar(query))
