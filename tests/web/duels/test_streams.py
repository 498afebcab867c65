"""Event streams: who gets one, and how it ends."""

import asyncio
from random import Random

import pytest

from numduel.web.duels import streams
from numduel.web.duels.streams import Place, Places
from numduel.web.errors import Busy, Missing
from numduel.web.identity import SERVER, Client
from numduel.web.notifications import Notifications

pytestmark = pytest.mark.anyio


class Site:
    """As much of a site as a stream needs."""

    def __init__(self, most=3):
        self.notifications = Notifications()
        self.players, self.watchers = Places(most, most, 2), Places(1, 1, 1)


class Reader:
    """Somebody who reads a stream."""

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


async def test_a_stream_tells_the_version_and_each_new_one():
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


async def test_a_stream_of_what_is_gone_says_so():
    async def gone():
        raise Missing("gone")

    reader = Reader(await opened(Site(), read=gone))
    await reader.reading
    assert "event: gone" in reader.lines


async def test_a_stream_ends_when_another_needs_its_place_more():
    site = Site()
    first, second = [Reader(await opened(site, pupil("one"))) for _ in range(2)]
    await second.until("data: 1")
    third = Reader(await opened(site, pupil("one")))  # who has two at most
    await first.reading
    await third.until("data: 1")
    fourth = Reader(await opened(site, pupil("two")))
    fifth = Reader(await opened(site, pupil("three")))
    await second.reading
    assert len(site.players) == 3
    site.notifications.close()
    await asyncio.gather(*(one.reading for one in (third, fourth, fifth)))
    assert len(site.players) == 0


async def test_who_gets_no_stream_is_told_at_once():
    site = Site()
    kept = await opened(site, plays=False)
    with pytest.raises(Busy, match="Too many pages are open"):
        await opened(site, plays=False)
    await opened(site)  # those who play have places of their own
    kept.held.close()
    await opened(site, plays=False)


class Duels:
    """A duel service that remembers who is away."""

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
        """Hear the first version."""
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


# Places are shared out evenly, between clients and between the people behind one.


def person(address, secret=""):
    client = Client(address, [secret] if secret else [])
    client.prove("duel", client.shown)
    return client


@pytest.fixture
def take():
    """Take a place: take(places, "a", "secret"); the place, None if there is none."""

    def take(places, *who):
        place = Place(person(*who), lost=lambda: lost.append(place))
        return place if places.take(place) else None

    take.lost = lost = []
    return take


def test_a_person_keeps_the_latest_few(take):
    places = Places(100, 100, 3)
    first, *others = [take(places, "a", "one") for _ in range(4)]
    assert take.lost == [first] and first not in places
    assert all(one in places for one in others) and len(places) == 3
    assert all(take(places, "a") for _ in range(9))  # nobody in particular


def test_one_who_holds_fewer_gets_a_place_of_who_holds_most(take):
    places = Places(100, 6, 5)
    hoarded = [take(places, "a", f"game {n % 3}") for n in range(6)]
    assert take(places, "a", "classmate")
    assert take.lost == hoarded[:1]
    assert take(places, "a", "game 1") is None  # who holds as many as anybody
    assert take(places, "b", "elsewhere")


def test_between_clients_it_is_the_same(take):
    places = Places(5, 4, 5)
    for n in range(4):
        take(places, "a", f"{n}")
    assert take(places, "b") and take(places, "b")
    assert [one.prefix for one in take.lost] == ["a"]
    assert take(places, "c")
    assert len(places) == 5
    for place in [*places._held]:
        places.give_back(place)
        places.give_back(place)
    assert len(places) == 0


def test_whatever_comes_no_bound_is_broken_and_nobody_is_shut_out(take, many):
    rng, places = Random(7), Places(20, 8, 3)
    for _ in range(many(2_000, 20_000)):
        who = rng.choice("abcdef"), rng.choice(["", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
        held = [(one.prefix, one.person) for one in places._held]
        place = take(places, *who)
        if place is None:  # then no other person there, and no other client, holds more
            own = [one for one in held if one[0] == who[0]]
            most = max(own.count(one) for one in own)
            assert own.count(who) == most or len(own) == max(
                len([one for one in held if one[0] == prefix]) for prefix in "abcdef"
            )
        held = [(one.prefix, one.person) for one in places._held]
        assert len(held) <= 20
        assert all(len([one for one in held if one[0] == prefix]) <= 8 for prefix in "abcdef")
        assert all(held.count(one) <= 3 for one in held if one[1])
        if held and rng.random() < 0.3:
            places.give_back(rng.choice([*places._held]))
