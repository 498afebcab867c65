"""What is stored in the browser, here in memory; see also tests/web/duels/test_store.py."""

import pytest

from numduel.games import new
from numduel.play.event import Move
from numduel.site.storage import (
    MAX_COOKIES,
    BrowserDuelStore,
    BrowserRecordStore,
    CookieJar,
    MemoryStorage,
    StorageFull,
)
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.terms import agree

pytestmark = pytest.mark.anyio


def duel(name="one", started="2026-11-18T00:00:00+00:00", **terms):
    agreed = agree(new("divisor-line", size=10), ("human", "human"), **terms)
    setup = agreed.terms.setup._replace(started=started)
    return DuelRecord(name, agreed.terms._replace(setup=setup))


async def play(store, duel, *events):
    for event in events:
        duel.apply(event)
        assert await store.append(duel, round_ended=False)


async def test_the_oldest_games_make_room_for_a_new_one(monkeypatch):
    monkeypatch.setattr("numduel.site.storage.MAX_STORED_DUELS", 4)
    storage = MemoryStorage()
    store = BrowserDuelStore(storage)
    for day in (12, 11, 14, 13, 15):
        await store.create(duel(str(day), f"2026-11-{day}T00:00:00+00:00"))
    assert await storage.keys("duel/") == ["duel/12", "duel/14", "duel/13", "duel/15"]
    storage.texts["duel/13"] = storage.texts["duel/13"].replace("divisor-line", "chess")
    await store.create(duel("16", "2026-11-16T00:00:00+00:00"))
    assert await storage.keys("duel/") == ["duel/12", "duel/14", "duel/15", "duel/16"]


async def test_without_room_older_games_are_deleted_and_then_an_error_is_raised():
    storage = MemoryStorage()
    store = BrowserDuelStore(storage)
    early, late = duel("early", "2026-11-11T00:00:00+00:00"), duel("late")
    await store.create(early)
    await store.create(late)
    storage.max_characters = sum(map(len, storage.texts.values()))
    await play(store, late, Move(6))
    assert [*storage.texts] == ["duel/late"]
    storage.max_characters = len(storage.texts["duel/late"])
    late.apply(Move(3))
    with pytest.raises(StorageFull, match="no room left"):
        await store.append(late, round_ended=False)
    assert (await store.changes_since("late", 0)).log == [Move(6)]  # nothing is half kept
    with pytest.raises(StorageFull, match="no room left for that record"):
        await BrowserRecordStore(storage).add("r", "{}")


async def test_records_are_stored():
    store = BrowserRecordStore(MemoryStorage())
    await store.add("r", "{}")
    assert await store.load("r") == "{}"
    assert await store.load("s") is None


async def test_cookies_go_to_their_paths_and_survive_a_restart():
    storage = MemoryStorage()
    jar = CookieJar(storage)
    await jar.store(
        ["seat=abc; HttpOnly; Max-Age=9; Path=/game/x; SameSite=lax", "coach=on; Path=/"]
    )
    await jar.store([])
    for path, header in {
        "/game/x": "seat=abc; coach=on",
        "/game/x/move": "seat=abc; coach=on",
        "/game/xy": "coach=on",
        "/": "coach=on",
    }.items():
        assert await CookieJar(storage).header(path) == header
    await jar.store(["coach=off; Path=/"])
    assert await jar.header("/") == "coach=off"


async def test_cookies_are_bounded_and_full_storage_raises_an_error():
    storage = MemoryStorage()
    jar = CookieJar(storage)
    await jar.store([f"c{number}=1; Path=/" for number in range(MAX_COOKIES + 2)])
    assert (await jar.header("/")).startswith("c2=1; c3=1")
    storage.max_characters = 0
    with pytest.raises(StorageFull):
        await jar.store(["one=more; Path=/"])
