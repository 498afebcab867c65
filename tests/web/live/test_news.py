import asyncio
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

import pytest

from numduel.games import new
from numduel.play.event import Move, Resign, dump
from numduel.web.data import database
from numduel.web.data.hosted import Hosted
from numduel.web.data.store import Store
from numduel.web.keys import new_name
from numduel.web.live import news as module
from numduel.web.live.agreement import agree
from numduel.web.live.news import News
from numduel.web.live.school import School
from numduel.web.problems import Busy

TERMS = agree(new("divisor-line", size=10), ("human", "human")).terms
PATIENCE = 180  # seconds until news that do not come are given up


@asynccontextmanager
async def gathering(store):
    """The news of a server."""
    news = News(store)
    task = asyncio.create_task(news.gather())
    try:
        with news.waiting_for("") as bell:  # rung with all the others once it listens
            await ring(bell)
        yield news
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def ring(bell):
    await asyncio.wait_for(bell.wait(), PATIENCE)
    bell.clear()


def test_news_wake_whoever_waits_for_them(in_store):
    async def work(store):
        news = News(store)
        with news.waiting_for("one") as one, news.waiting_for("one") as too:
            with news.waiting_for("two") as two:
                assert news.waiting.total() == 3
                news.tell("one")
                assert (one.is_set(), too.is_set(), two.is_set()) == (True, True, False)
                news.tell("nobody")
                news.tell_all()
                assert two.is_set()
            assert news.waiting.total() == 2
        assert news.waiting.total() == 0

    in_store(work)


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


def test_a_version_is_looked_up_once_for_all_who_wait():
    async def work():
        news, look = News(None), Looks()

        async def everybody():
            found = await asyncio.gather(*(news.version("one", look) for _ in range(100)))
            return {*found}

        with news.waiting_for("one"):
            assert (await everybody(), look.count) == ({0}, 1)
            news.tell("one", 1)  # nothing is to be found out
            assert (await everybody(), look.count) == ({1}, 1)
            look.found = 2
            news.tell("one")
            assert (await everybody(), look.count) == ({2}, 2)
            news.tell("one", 1)  # which is old
            assert (await everybody(), look.count) == ({2}, 2)
        with news.waiting_for("one"):  # anew, after nobody has listened
            assert (await everybody(), look.count) == ({2}, 3)

    asyncio.run(work())


def test_what_happens_while_a_version_is_looked_up_is_not_missed():
    async def work():
        news, look = News(None), Looks()
        with news.waiting_for("one"):
            early = asyncio.create_task(news.version("one", look))
            await asyncio.sleep(0)
            look.found = 1
            news.tell("one")
            assert await news.version("one", look) == 1
            assert await early == 1

    asyncio.run(work())


def test_a_version_that_cannot_be_looked_up_is_looked_up_again():
    async def work():
        news, look = News(None), Looks()
        with news.waiting_for("one"):
            look.problem = Busy("away")
            with pytest.raises(Busy):
                await news.version("one", look)
            look.problem = None
            assert await news.version("one", look) == 0
            leaving = asyncio.create_task(news.version("one", look))
            leaving.cancel()
            assert await news.version("one", look) == 0

    asyncio.run(work())


def test_a_version_is_not_believed_for_ever(monkeypatch):
    monkeypatch.setattr(module, "_TRUSTED", -1)

    async def work():
        news, look = News(None), Looks()
        with news.waiting_for("one"):
            await news.version("one", look)
            look.found = 1
            assert await news.version("one", look) == 1

    asyncio.run(work())


def test_a_server_that_closes_lets_everybody_go(in_store):
    async def work(store):
        news = News(store)
        with news.waiting_for("one") as one:
            news.close()
            assert one.is_set() and news.closing.is_set()

    in_store(work)


def test_what_happens_at_one_server_is_news_at_the_other(in_store):
    async def work(here, there):
        duel = Hosted(new_name(), TERMS)
        await here.create(duel)
        async with gathering(there) as news:
            with news.waiting_for(duel.name) as bell:
                for number in range(1, 6):
                    bell.clear()
                    assert await here.append(duel, number, dump(Move(number)), {})
                    await ring(bell)

    in_store(work, servers=2)


def test_what_happens_in_a_room_is_news_at_the_other_server(in_store):
    async def work(here, there):
        school = School(here)
        code, secret = await school.open(TERMS.setup, coach=False)
        async with gathering(there) as news:
            with news.waiting_for(code) as bell:
                for deed in (
                    school.join(code, "Ada"),
                    school.join(code, "Max"),
                    school.begin_round(code, secret, 1),
                    school.remove(code, secret, "Max"),
                    school.close(code, secret),
                ):
                    bell.clear()
                    await deed
                    await ring(bell)

    in_store(work, servers=2)


def test_a_closed_room_is_news_in_its_games_at_the_other_server(in_store):
    async def work(here, there):
        school = School(here)
        code, secret = await school.open(TERMS.setup, coach=False)
        for name in ("Ada", "Max"):
            await school.join(code, name)
        await school.begin_round(code, secret, 1)
        [pairing] = (await school.read(code)).current()
        async with gathering(there) as news:
            with news.waiting_for(pairing.duel) as bell:
                bell.clear()
                await school.close(code, secret)
                await ring(bell)

    in_store(work, servers=2)


def test_a_game_that_ends_is_news_in_its_room(in_store):
    async def work(here, there):
        school = School(here)
        code, secret = await school.open(TERMS.setup, coach=False)
        for name in ("Ada", "Max"):
            await school.join(code, name)
        await school.begin_round(code, secret, 1)
        [pairing] = (await school.read(code)).current()
        name, duel = pairing.duel, await here.load(pairing.duel)
        async with gathering(there) as news:
            with news.waiting_for(code) as bell, news.waiting_for(name) as too:
                bell.clear()
                too.clear()
                assert await here.append(duel, 1, dump(Resign(1)), {"finished": True})
                await ring(bell)
                await ring(too)

    in_store(work, servers=2)


@pytest.mark.soak(keep=0)
@pytest.mark.parametrize("end", ["kill", "fast", "immediate"])
def test_news_come_again_after_postgresql_was_away(postgres, end):
    url = postgres.url(f"news_{uuid4().hex}")

    async def work():
        engines = [database.connect(database.read_url(url)) for _ in range(2)]
        here, there = map(Store, engines)
        try:
            await database.migrate(engines[0])
            duel = Hosted(new_name(), TERMS)
            await here.create(duel)
            async with gathering(there) as news:
                with news.waiting_for(duel.name) as bell:
                    if end == "kill":
                        await asyncio.to_thread(postgres.kill)
                        await asyncio.to_thread(postgres.start)
                    else:
                        await asyncio.to_thread(postgres.restart, end)
                    await ring(bell)  # something may have been missed
                    assert await here.append(duel, 1, dump(Move(6)), {})
                    await ring(bell)
        finally:
            for engine in engines:
                await engine.dispose()

    asyncio.run(work())
