"""How many open pages a server tells of news."""

import asyncio
from contextlib import ExitStack
from contextvars import copy_context

import pytest

from numduel.web.live import streams
from numduel.web.live.news import News
from numduel.web.problems import Busy
from numduel.web.visitor import proven, visitor


class Site:
    """As much of a site as a stream needs."""

    def __init__(self):
        self.news = News(None)
        self.waiting = ExitStack()


async def version():
    return 1


def open_pages(site, address, count, plays=True):
    """Let a visitor wait for news so often, at another seat each time."""
    token = visitor.set(address)
    try:
        for number in range(count):
            proven.set({("a duel", f"{address} {number}")})
            site.waiting.enter_context(site.news.waiting_for("a duel", plays))
    finally:
        visitor.reset(token)
        proven.set(None)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Nobody waits for room."""
    monkeypatch.setattr(streams, "_HOLD", 0)


@pytest.fixture
def opened():
    """Open a stream: opened(site, plays=True)."""
    with asyncio.Runner() as runner:
        yield lambda site, plays=True: runner.run(
            streams.stream(site, "a duel", version, plays), context=copy_context()
        )


def test_one_address_has_so_many_streams_and_others_have_theirs(monkeypatch, opened):
    monkeypatch.setattr(streams, "MOST_STREAMS_EACH", 3)
    site = Site()
    open_pages(site, "192.0.2.1", 3)
    token = visitor.set("192.0.2.1")
    with pytest.raises(Busy, match="Too many pages"):
        opened(site)
    visitor.set("192.0.2.2")
    opened(site)
    visitor.reset(token)


def test_one_seat_has_a_few_streams_and_further_ones_count_as_watching(opened):
    site = Site()
    proven.set({("a duel", "a seat")})
    kept = [opened(site) for _ in range(streams.MOST_STREAMS_SEAT + 2)]
    assert (site.news.playing.total(), site.news.watching.total()) == (5, 2)
    proven.set({("a duel", "another seat")})
    kept.append(opened(site))
    assert (site.news.playing.total(), site.news.watching.total()) == (6, 2)
    proven.set(None)
    for one in kept:
        one.place.close()
    assert not site.news.playing and not site.news.watching and not site.news.waiting


def test_all_addresses_together_have_so_many(monkeypatch, opened):
    monkeypatch.setattr(streams, "MOST_STREAMS", 3)
    site = Site()
    for number in range(3):
        open_pages(site, f"192.0.2.{number}", 1)
    with pytest.raises(Busy, match="Too many pages"):
        opened(site)


@pytest.mark.parametrize("bound", ["MOST_STREAMS", "MOST_STREAMS_EACH"])
def test_those_who_only_watch_leave_a_share_to_those_who_play(monkeypatch, opened, bound):
    monkeypatch.setattr(streams, bound, 4)
    site = Site()
    open_pages(site, "", 1, plays=True)
    open_pages(site, "", 2, plays=False)
    with pytest.raises(Busy, match="Too many pages"):
        opened(site, plays=False)
    last = opened(site, plays=True)
    with pytest.raises(Busy, match="Too many pages"):
        opened(site, plays=True)
    last.place.close()
    opened(site, plays=True)


def test_of_many_who_come_at_once_no_more_get_in(monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS", 4)
    site = Site()

    async def come():
        coming = (streams.stream(site, "a duel", version, plays=True) for _ in range(9))
        return await asyncio.gather(*coming, return_exceptions=True)

    answers = asyncio.run(come())
    assert sum(isinstance(answer, Busy) for answer in answers) == 5


def test_whoever_finds_no_room_waits_for_it(monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS", 1)
    monkeypatch.setattr(streams, "_HOLD", 0.05)
    site = Site()
    open_pages(site, "", 1)

    async def work():
        coming = asyncio.create_task(streams.stream(site, "a duel", version, plays=True))
        await asyncio.sleep(0)
        assert site.news.refused == 1
        with pytest.raises(Busy):  # of whom too many wait already
            await streams.stream(site, "a duel", version, plays=True)
        site.waiting.close()
        await coming
        assert site.news.refused == 0

    asyncio.run(work())


def test_whoever_leaves_makes_room():
    site = Site()
    with site.news.waiting_for("a duel"):
        assert site.news.waiting.total() == 1
        assert site.news.watching.total() == 1
    with site.news.waiting_for("a duel", plays=True):
        assert site.news.waiting.total() == 1
        assert not site.news.watching
    assert not site.news.waiting


def test_a_stream_gives_its_place_back_when_it_ends():
    async def work():
        site, sent = Site(), []
        stream = await streams.stream(site, "a duel", version, plays=True)
        assert site.news.waiting.total() == 1
        site.news.close()

        async def receive():
            await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        await stream({"type": "http", "asgi": {}}, receive, send)
        assert site.news.waiting.total() == 0
        assert sent[0]["status"] == 200

    asyncio.run(work())
