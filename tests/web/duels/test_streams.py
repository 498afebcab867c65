"""Event streams: who gets one, and how it ends."""

import asyncio

import pytest

from numduel.web.duels import streams
from numduel.web.errors import Busy, Missing
from numduel.web.identity import SERVER, Client
from numduel.web.limits import StreamLimits
from numduel.web.notifications import Notifications

pytestmark = pytest.mark.anyio


class Site:
    """The parts of a site that a stream needs."""

    def __init__(self, most=3):
        self.notifications = Notifications()
        self.players, self.watchers = StreamLimits(most, most, 2), StreamLimits(1, 1, 1)


class Reader:
    """A reader of a stream."""

    def __init__(self, stream):
        self.lines = []
        self.told = asyncio.Event()
        self.reading = asyncio.create_task(
            stream({"type": "http", "asgi": {}}, self.wait, self.hear)
        )

    async def wait(self):
        await asyncio.Event().wait()

    async def hear(self, message):
        self.lines += message.get("body", b"").decode().splitlines()
        self.told.set()

    async def until(self, line):
        async with asyncio.timeout(180):
            while line not in self.lines:
                self.told.clear()
                await self.told.wait()


async def version():
    return 1


def opened(site, client=SERVER, plays=True, read=version):
    return streams.stream(site, client, "a duel", read, plays)


def pupil(secret):
    client = Client("192.0.2.1", [secret])
    client.prove("a duel", [secret])
    return client


async def test_a_stream_sends_the_version_and_each_new_one():
    site = Site()
    reader = Reader(await opened(site))
    await reader.until("data: 1")
    site.notifications.notify("another", version=7)
    site.notifications.notify("a duel", version=2)
    await reader.until("data: 2")
    site.notifications.close()
    await reader.reading
    assert [line for line in reader.lines if line.startswith("data")] == ["data: 1", "data: 2"]
    assert len(site.players) == 0 and not site.notifications._topics


async def test_a_stream_says_that_its_duel_is_gone():
    async def gone():
        raise Missing("gone")

    reader = Reader(await opened(Site(), read=gone))
    await reader.reading
    assert "event: gone" in reader.lines


async def test_a_stream_ends_when_another_needs_its_place_more():
    site = Site()
    first, second = [Reader(await opened(site, pupil("one"))) for _ in range(2)]
    await second.until("data: 1")
    third = Reader(await opened(site, pupil("one")))  # a person has at most two
    await first.reading
    await third.until("data: 1")
    fourth = Reader(await opened(site, pupil("two")))
    fifth = Reader(await opened(site, pupil("three")))
    await second.reading
    assert len(site.players) == 3
    site.notifications.close()
    await asyncio.gather(*(one.reading for one in (third, fourth, fifth)))
    assert len(site.players) == 0


async def test_a_client_without_a_stream_is_told_at_once():
    site = Site()
    kept = await opened(site, plays=False)
    with pytest.raises(Busy, match="Too many pages are open"):
        await opened(site, plays=False)
    await opened(site)  # players have places of their own
    kept.held.close()
    await opened(site, plays=False)


class Duels:
    """A duel service that records who is away."""

    def __init__(self):
        self.away, self.told = set(), []

    async def read(self, name):
        return self

    async def set_presence(self, name, seat, is_here):
        (self.away.discard if is_here else self.away.add)(seat)
        self.told.append((seat, is_here))


async def test_a_player_is_away_when_the_last_page_is_closed_and_back_with_the_next(monkeypatch):
    monkeypatch.setattr(streams, "_AWAY_SECONDS", 0)
    site, client = Site(), pupil("a seat")
    site.duels = Duels()
    shown = streams.PresenceNotice(site, client, "a duel", 2)

    async def open_page():
        return await streams.stream(site, client, "a duel", version, True, presence=shown)

    async def listened(page):
        """Read the first version."""
        lines = page.body_iterator
        return [await anext(lines), await anext(lines)][1]

    async def close(page):
        page.held.close()
        await asyncio.gather(*streams._leaving)

    one, two = await open_page(), await open_page()
    assert "event: version" in await listened(one)
    await close(one)
    assert site.duels.told == []  # another page is open
    await close(two)
    assert site.duels.told == [(2, False)]
    three = await open_page()
    await listened(three)
    assert site.duels.told == [(2, False), (2, True)]
    site.notifications.closing.set()
    await close(three)
    assert len(site.duels.told) == 2  # when the server stops, nobody has gone
