"""Rooms in the database: changes are made one after the other, and deleted rooms leave nothing."""

import asyncio

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from tests.web.rooms.samples import NAMES, SETUP

from numduel.core.errors import SettingsError
from numduel.play.chain import Chain
from numduel.play.event import Resign
from numduel.web.database import tables
from numduel.web.database.notifications import versions
from numduel.web.errors import Missing, NotNow
from numduel.web.identity import new_secret
from numduel.web.rooms.model import Room
from numduel.web.rooms.store import NO_HOLDER, SqlRoomStore

pytestmark = [pytest.mark.anyio, pytest.mark.each_database]

CODE = "ABCDE"


async def opened(store, *names, code=CODE):
    """Create a room with pupils; the secret of each is their name."""
    rooms = SqlRoomStore(store.database)
    assert await rooms.create(Room(code, "teacher", SETUP, coach=True))
    for name in names:
        await rooms.update(code, lambda room, name=name: room.join(name, name))
    return rooms


async def finish(store, name, winner):
    """End a game of the class: the other seat resigns."""
    duel = await store.load(name)
    duel.apply(Resign(3 - winner))
    assert await store.append(duel, round_ended=True)


async def counts(store):
    """Return the number of rows of each table that belongs to rooms."""
    every = tables.metadata.tables.values()
    of_rooms = [t for t in every if t.name in ("rooms", "events") or "room" in t.c]

    async def count(connection):
        return {
            table.name: await connection.scalar(sa.select(sa.func.count()).select_from(table))
            for table in of_rooms
        }

    return await store.database.write(count)


CHANGES = (
    *(lambda room, name=name: room.join(name, name) for name in NAMES),
    lambda room: room.begin_round(1),
    lambda room: room.change(screened=True),
    lambda room: room.join("Zoe", "Zoe"),
    lambda room: room.join("Bot", "Bot"),
    lambda room: room.admit("Zoe"),
    lambda room: room.turn_away(None),
    lambda room: room.remove("Max"),
    lambda room: room.remove("Ada"),
    lambda room: room.bring_back("Max"),
    lambda room: room.pose(SETUP.game, "2:3/1", {4: "win", 6: "loss"}),
    lambda room: room.answer("Mia", room.question.number, 4),
    lambda room: room.answer("Tom", room.question.number, 6),
    lambda room: room.answer("Mia", room.question.number, 6),
    lambda room: room.remove("Tom"),
    lambda room: room.show_answers(),
    lambda room: room.reveal(),
    lambda room: room.pose(SETUP.game, "-:-/1", {}),
    lambda room: room.begin_contest(12),
    lambda room: room.add_chain("Mia", Chain.parse(12, "6,3")),
    lambda room: room.add_chain("Max", Chain.parse(12, "8,4")),
    lambda room: room.add_chain("Mia", Chain.parse(12, "6,3,9")),
    lambda room: room.begin_round(2),
    lambda room: room.begin_contest(20),
    lambda room: room.return_to_games(),
    lambda room: room.change(locked=True, screened=False),
    lambda room: room.end(),
    lambda room: room,
)


def same(one, two):
    """Return whether two rooms differ only in the names of new games and in moves."""
    games = ([game._replace(duel="") for game in room.pairings] for room in (one, two))
    return len({*map(tuple, games)}) == 1 and one._replace(pairings=(), moved=0) == two._replace(
        pairings=(), moved=0
    )


async def test_each_change_is_read_back_as_it_was_made(store):
    rooms = await opened(store)
    for change in CHANGES:
        expected = change(await rooms.read(CODE))
        await rooms.update(CODE, change)
        room = await rooms.read(CODE)
        assert same(room, expected)
        assert await rooms.progress(CODE) == room.progress
    assert not await rooms.create(room)  # its code is taken


async def test_the_chains_of_a_contest_stay_in_the_order_in_which_they_were_made(store):
    rooms = await opened(store, *NAMES)
    await rooms.update(CODE, lambda room: room.begin_contest(12))
    for name, chain in (("Tom", "6"), ("Mia", "6,3"), ("Ada", "8,4"), ("Tom", "8,2")):
        await rooms.update(
            CODE, lambda room, n=name, c=chain: room.add_chain(n, Chain.parse(12, c))
        )
    assert [*(await rooms.read(CODE)).contest.longest] == [3, 1, 4]


async def test_all_pupils_who_join_at_the_same_instant_are_let_in(new_store):
    stores = [new_store() for _ in range(2)]
    await opened(stores[0])
    rooms = [SqlRoomStore(store.database) for store in stores]
    names = [f"Pupil {number}" for number in range(10)]
    await asyncio.gather(
        *(
            rooms[at % 2].update(CODE, lambda room, name=name: room.join(name, name))
            for at, name in enumerate(names)
        )
    )
    room = await rooms[0].read(CODE)
    assert {pupil.name for pupil in room.pupils} == set(names)
    assert [pupil.number for pupil in room.pupils] == [*range(1, 11)]
    assert room.version == 10


async def test_of_two_equal_changes_at_once_one_is_made(new_store):
    stores = [new_store() for _ in range(2)]
    await opened(stores[0], *NAMES)
    for change, error in (
        (lambda room: room.join("Zoe", new_secret()), SettingsError),
        (lambda room: room.begin_round(1), NotNow),
    ):
        each = (SqlRoomStore(store.database).update(CODE, change) for store in stores * 3)
        done = await asyncio.gather(*each, return_exceptions=True)
        assert sorted(isinstance(one, error) for one in done) == [False] + [True] * 5
    room = await SqlRoomStore(stores[0].database).read(CODE)
    assert (room.round, len(room.pairings), len(room.pupils)) == (1, 3, 5)


async def test_a_change_that_is_refused_leaves_the_room_as_it_was(store):
    rooms = await opened(store, "Ada")
    before = await rooms.read(CODE), await counts(store)
    with pytest.raises(NotNow):
        await rooms.update(CODE, lambda room: room.begin_round(1))
    assert (await rooms.read(CODE), await counts(store)) == before


async def test_an_error_of_the_database_does_not_contain_names(store):
    await opened(store, *NAMES)
    row = {"code": CODE, "secret": "x", "body": "Zoe", "coach": False, "round": 0, "version": 0}
    with pytest.raises(IntegrityError) as error:
        await store.database.write(
            lambda c: c.execute(sa.insert(tables.rooms), {"setup": "", **row})
        )
    assert "rooms" in str(error.value).lower() and "Zoe" not in str(error.value)


async def test_open_pages_are_notified_of_ends_and_answers(store):
    rooms = await opened(store, *NAMES)
    await rooms.update(CODE, lambda room: room.begin_round(1))
    before, told = await rooms.read(CODE), await versions(store.database, [CODE])
    await finish(store, before.current_games()[0].duel, winner=2)
    room = await rooms.read(CODE)
    assert room.version > before.version and room.current_games()[0].champion == 2
    assert room.moved == 1 and await versions(store.database, [CODE]) != told
    await rooms.update(CODE, lambda room: room.pose(SETUP.game, "2:3/1", {}))
    before, told = (
        await rooms.progress(CODE),
        await versions(store.database, [CODE]),
    )
    await rooms.update(CODE, lambda room: room.answer("Ada", room.question.number, 4))
    assert await rooms.progress(CODE) == before + 1
    assert await versions(store.database, [CODE]) != told  # other servers look again


async def test_a_removed_pupil_loses_their_name_and_seats_in_the_database(store):
    rooms = await opened(store, *NAMES)
    played = []
    for number in (1, 2):
        await rooms.update(CODE, lambda room, number=number: room.begin_round(number))
        games = (await rooms.read(CODE)).current_games()
        played += [game for game in games if 2 in game.seats]
        if number == 1:
            for game in games:
                await finish(store, game.duel, winner=1)
    await rooms.update(CODE, lambda room: room.remove("Max"))
    for game in played:
        terms = (await store.load(game.duel)).terms
        assert "Max" not in terms.setup.names
        assert terms.seats[game.seats.index(2)] == NO_HOLDER
    left = (await store.load(played[1].duel)).match
    assert (left.over, left.left) == (True, 1 + played[1].seats.index(2))
    room = await rooms.read(CODE)
    assert sum(line.played for line in room.standings()) == 4  # games won still count


async def test_a_deleted_room_leaves_nothing_and_others_stay(store):
    rooms = await opened(store, *NAMES)
    await opened(store, *NAMES, code="OTHER")
    for code in (CODE, "OTHER"):
        await rooms.update(code, lambda room: room.begin_round(1))
        for game in (await rooms.read(code)).current_games():
            await finish(store, game.duel, winner=1)
        await rooms.update(code, lambda room: room.remove("Max"))
        await rooms.update(code, lambda room: room.pose(SETUP.game, "2:3/1", {}))
        await rooms.update(code, lambda room: room.answer("Ada", room.question.number, 4))
        await rooms.update(code, lambda room: room.begin_contest(12))
        await rooms.update(code, lambda room: room.add_chain("Ada", Chain.parse(12, "6")))
    both, other = await counts(store), await rooms.read("OTHER")
    assert all(both.values())
    await rooms.delete(CODE)
    assert {table: 2 * rows for table, rows in (await counts(store)).items()} == both
    assert await rooms.read("OTHER") == other
    await rooms.delete("OTHER")
    assert not any((await counts(store)).values())


async def test_an_unknown_room_is_missing(store):
    rooms = SqlRoomStore(store.database)
    for asked in (
        rooms.read("NOONE"),
        rooms.progress("NOONE"),
        rooms.update("NOONE", lambda room: room.join("Ada", "Ada")),
    ):
        with pytest.raises(Missing):
            await asked
    assert not any((await counts(store)).values())
