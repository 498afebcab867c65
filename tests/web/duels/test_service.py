import asyncio
from contextlib import suppress

import pytest
import sqlalchemy as sa

from numduel.core.errors import IllegalMove, SettingsError, TooLarge
from numduel.games import new
from numduel.play.duel import Refused, Watching
from numduel.play.event import Move, Swap
from numduel.web.database.tables import duels
from numduel.web.duels import service as module
from numduel.web.duels.coach import comment_on
from numduel.web.duels.service import DuelService
from numduel.web.duels.terms import agree
from numduel.web.errors import Busy, Missing, NotNow
from numduel.web.identity import SERVER, join_secrets
from numduel.web.notifications import Notifications
from numduel.web.rooms import store as rooms
from numduel.web.rooms.service import RoomService
from numduel.web.rooms.store import SqlRoomStore

pytestmark = pytest.mark.anyio

GAME = new("divisor-line", size=10)


class InProcessThinking:
    """Computes in this process, or refuses."""

    def __init__(self):
        self.asked = 0
        self.refusal = None

    async def ask(self, client, about, *arguments):
        self.asked += 1
        await asyncio.sleep(0)
        if self.refusal is not None:
            raise self.refusal
        return about(*arguments)


@pytest.fixture
def new_desk(new_store):
    """Return a new service; each is on another server with the same database."""

    def new_desk():
        store = new_store()
        return DuelService(store, Notifications(), InProcessThinking())

    return new_desk


desk, here, there = (
    pytest.fixture(lambda new_desk: new_desk(), name=name) for name in ("desk", "here", "there")
)


async def opened(desk, players=("human", "human"), game=GAME, **terms):
    """Open a duel; return its name and its secrets."""
    agreed = agree(game, players, seed=7, **terms)
    return (await desk.open(agreed.terms)).name, agreed.secrets


async def moves(desk, name):
    return list((await desk.read(name)).table.moves)


async def settled(desk, name):
    """Return the moves after the computer has answered."""
    while (await desk.read(name)).computer is not None:
        await asyncio.sleep(0.01)
    return await moves(desk, name)


async def test_players_move_in_turn(desk):
    name, (one, two) = await opened(desk)
    await desk.wish(name, one, Move(6), 0)
    duel = await desk.wish(name, two, Move(8), 1)
    assert (duel.version, duel.table.moves) == (2, [6, 8])


async def test_an_invalid_wish_is_refused_and_changes_nothing(desk):
    name, (one, two) = await opened(desk)
    await desk.wish(name, one, Move(6))
    for secret, wish, problem in (
        (one, Move(7), Refused),
        (two, Move(6), IllegalMove),
        (two, Move(11), IllegalMove),
        (two, "next", Refused),
        (two, "rematch", Refused),
        (two, "refuse", Refused),
        ("guessed", Move(7), Watching),
        ("", "resign", Watching),
    ):
        with pytest.raises(problem):
            await desk.wish(name, secret, wish)
    duel = await desk.read(name)
    assert (duel.version, duel.table.moves) == (1, [6])
    assert (await desk.store.load(name)).version == 1


async def test_an_unknown_duel_is_missing(desk):
    with pytest.raises(Missing):
        await desk.read("nobody")
    with pytest.raises(Missing):
        await desk.wish("nobody", "guessed", Move(6))


async def test_each_server_reads_what_the_other_wrote(here, there):
    name, secrets = await opened(here)
    for turn, move in enumerate((6, 8, 9, 4)):
        desk = (here, there)[turn // 2 % 2]
        await desk.wish(name, secrets[turn % 2], Move(move), turn)
    assert await moves(here, name) == await moves(there, name) == [6, 8, 9, 4]


@pytest.mark.parametrize("at", [1, 0])
async def test_a_move_on_a_stale_copy_is_refused_and_the_copy_catches_up(here, there, at):
    name, (one, two) = await opened(here)
    await here.wish(name, one, Move(6))
    await there.read(name)  # and caches a copy of this version
    await here.wish(name, two, Move(8))
    with pytest.raises(NotNow, match="moved on"):
        await there.wish(name, two, Move(9), at)
    assert await moves(there, name) == [6, 8]
    duel = await there.wish(name, one, Move(9), 2)
    assert duel.table.moves == [6, 8, 9]


async def test_a_stale_copy_catches_up_if_the_page_is_newer(here, there):
    name, (one, two) = await opened(here)
    await there.read(name)
    await here.wish(name, one, Move(6))
    duel = await there.wish(name, two, Move(8), 1)
    assert duel.table.moves == [6, 8]
    with pytest.raises(NotNow, match="moved on"):
        await there.wish(name, one, Move(9), 7)  # a version that nobody can have seen


async def test_without_a_version_the_player_to_move_can_move(here, there):
    name, (one, two) = await opened(here)
    await there.read(name)
    await here.wish(name, one, Move(6))
    duel = await there.wish(name, two, Move(8))
    assert duel.table.moves == [6, 8]
    with pytest.raises(Refused, match="not your turn"):
        await here.wish(name, two, Move(9))


@pytest.mark.parametrize("at", [True, False])
async def test_of_many_moves_for_one_turn_one_is_made(new_desk, at):
    desks = [new_desk() for _ in range(2)]
    name, secrets = await opened(desks[0])
    for turn in range(4):
        racing = [
            desks[k % 2].wish(name, secrets[turn % 2], Move(10 - turn), turn if at else None)
            for k in range(20)
        ]
        done = await asyncio.gather(*racing, return_exceptions=True)
        assert sum(isinstance(one, NotNow | Refused) for one in done) == 19
        assert await moves(desks[0], name) == [10, 9, 8, 7][: turn + 1]


async def test_a_duel_that_was_deleted_elsewhere_is_missing(here, there):
    name, (one, _) = await opened(here)
    await there.read(name)
    await here.store.database.write(lambda connection: connection.execute(sa.delete(duels)))
    with pytest.raises((NotNow, Missing)):
        await there.wish(name, one, Move(6), 0)
    for desk in (here, there):
        with pytest.raises(Missing):
            await desk.read(name)


# The computer.


async def test_the_person_is_answered_after_the_move_of_the_computer(desk):
    name, (one, _) = await opened(desk, ("human", "random"))
    duel = await desk.wish(name, one, Move(6))
    assert duel.version == 2 and duel.table.moves[0] == 6
    assert (await desk.store.load(name)).version == 2


async def test_the_computer_begins_if_that_was_agreed(desk):
    name, _ = await opened(desk, ("human", "random"), first="2")
    assert len(await moves(desk, name)) == 1


async def test_the_computer_decides_on_the_swap(desk):
    name, (one, _) = await opened(desk, ("human", "perfect"), swap=True)
    duel = await desk.wish(name, one, Move(1))
    assert not duel.table.swap_open and duel.table.swapped is not None


async def test_a_server_that_starts_again_lets_the_computer_answer(new_desk):
    before, after = (new_desk() for _ in range(2))
    name, (one, _) = await opened(before, ("human", "random"))
    before.thinking.refusal = Busy("The server is stopping.")
    duel = await before.wish(name, one, Move(6))
    assert duel.table.moves == [6]  # the move stands, although the computer was not asked
    assert await moves(after, name) == [6]  # it is returned at once,
    assert len(await settled(after, name)) == 2  # and the computer is asked
    assert after.thinking.asked == 1


async def test_the_computer_moves_once_if_two_servers_ask_it(new_desk):
    before, *after = (new_desk() for _ in range(3))
    name, (one, _) = await opened(before, ("human", "random"))
    before.thinking.refusal = Busy("The server is stopping.")
    await before.wish(name, one, Move(6))
    both = await asyncio.gather(*(settled(desk, name) for desk in after for _ in range(3)))
    assert len({tuple(each) for each in both}) == 1
    assert (await before.store.load(name)).version == 2


async def test_a_computer_that_did_not_answer_is_asked_again(desk):
    name, (one, _) = await opened(desk, ("human", "random"))
    for refusal in (Busy("That was interrupted."), TooLarge("it takes too long")):
        desk.thinking.refusal = refusal
        with suppress(Refused):
            await desk.wish(name, one, Move(6))
        assert await moves(desk, name) == [6]
    desk.thinking.refusal = None
    assert len(await settled(desk, name)) == 2


async def test_a_move_of_the_computer_that_is_not_on_disk_is_not_shown(desk, monkeypatch):
    name, (one, _) = await opened(desk, ("human", "random"))
    append = desk.store.append

    async def away(duel, *rest):
        if duel.version == 2:
            raise Busy("The database does not answer just now: please try again.")
        return await append(duel, *rest)

    monkeypatch.setattr(desk.store, "append", away)
    duel = await desk.wish(name, one, Move(6))
    assert (duel.version, duel.table.moves) == (1, [6])


# A database that is away for a while.


async def test_a_move_that_could_not_be_committed_is_not_shown(desk, monkeypatch):
    name, (one, _) = await opened(desk)

    async def away(*_):
        raise Busy("The database does not answer just now: please try again.")

    with monkeypatch.context() as patch:
        patch.setattr(desk.store, "append", away)
        with pytest.raises(Busy):
            await desk.wish(name, one, Move(6), 0)
    assert await moves(desk, name) == []
    assert (await desk.wish(name, one, Move(8), 0)).table.moves == [8]


# The cache.


async def test_more_duels_than_the_cache_holds_can_be_played(new_desk, monkeypatch):
    monkeypatch.setattr(module, "CACHE_BYTES", 30_000)  # about three duels
    desk = new_desk()
    games = [await opened(desk) for _ in range(10)]
    for turn, move in enumerate((6, 8)):
        await asyncio.gather(
            *(desk.wish(name, secrets[turn], Move(move), turn) for name, secrets in games)
        )
    for name, _ in games:
        assert await moves(desk, name) == [6, 8]
    assert len(desk._cache) < 10
    assert desk._cache.weight <= 30_000


async def test_requests_that_read_at_once_share_a_query(desk, monkeypatch):
    name, (one, two) = await opened(desk)
    asked, newer = [], desk.store.changes_since

    async def counted(*arguments):
        asked.append(arguments)
        return await newer(*arguments)

    monkeypatch.setattr(desk.store, "changes_since", counted)
    first = [asyncio.create_task(desk.read(name)) for _ in range(100)]
    await desk.wish(name, one, Move(6), 0)
    read = await asyncio.gather(*first, *(desk.read(name) for _ in range(100)))
    assert {duel.version for duel in read[100:]} == {1}
    assert len(asked) <= 4
    before = await desk.read(name)
    await desk.wish(name, two, Move(8), 1)
    assert (before.version, (await desk.read(name)).version) == (1, 2)


async def test_a_cancelled_reader_does_not_cancel_others(desk):
    name, _ = await opened(desk)
    leaving, staying = (asyncio.create_task(desk.read(name)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    assert (await staying).name == name


async def test_the_end_of_a_round_is_recorded_in_the_database(desk):
    name, (one, two) = await opened(desk, rounds=2)
    columns = sa.select(duels.c.finished, duels.c.over, duels.c.champion)

    async def row():
        return tuple((await desk.store.database.write(lambda c: c.execute(columns))).one())

    assert await row() == (False, False, None)
    await desk.wish(name, one, "resign")
    assert await row() == (True, False, None)
    await desk.wish(name, two, "next")
    await desk.wish(name, one, "resign")
    assert await row() == (True, True, 2)
    await desk.wish(name, one, "rematch")
    duel = await desk.wish(name, two, "rematch")
    assert (duel.version, len(duel.rounds), duel.match.over) == (5, 2, False)
    assert (await desk.store.load(name)).version == 5


async def test_presence_is_stored_once_and_makes_no_page_out_of_date(desk):
    name, (one, two) = await opened(desk)
    await desk.wish(name, one, Move(1), at=0)
    for _ in range(2):
        await desk.set_presence(name, 2, is_here=False)
    for duel in (await desk.read(name), await desk.store.load(name)):
        assert (duel.away, duel.version, duel.changed) == ({2}, 2, 1)
    await desk.set_presence(name, 2, is_here=True)
    duel = await desk.wish(name, two, Move(2), at=1)  # a page from before the player went away
    assert (duel.away, duel.version) == (set(), 4)
    with pytest.raises(NotNow):
        await desk.wish(name, one, Move(3), at=3)
    await desk.set_presence("gone", 1, is_here=True)  # nothing happens


async def test_an_invited_person_gives_a_name(desk):
    name, (_, two) = await opened(desk, names=("Ada", None))
    with pytest.raises(SettingsError, match="different names"):
        await desk.take_seat(name, two, "ada")
    own = await desk.take_seat(name, two, " Bo ")
    for duel in (await desk.read(name), await desk.store.load(name)):
        assert duel.terms.setup.names == ("Ada", "Bo")
        assert duel.seats_of(own) == {2}
    assert await desk.take_seat(name, two, "Cy") is None


@pytest.mark.parametrize("who", ["hard", "perfect"])
async def test_a_computer_player_that_runs_out_of_time_must_answer_at_once(desk, who):
    name, (one, _) = await opened(desk, ("human", who))
    think = desk.thinking.ask

    async def slow(client, about, who, turn, swap, seconds):
        if seconds:
            raise TooLarge("it takes more than the 5 seconds allowed here")
        return await think(client, about, who, turn, swap, seconds)

    desk.thinking.ask = slow
    duel = await desk.wish(name, one, Move(6))
    assert len(duel.table.moves) == 2 and duel.deciding == 1


async def test_each_decision_of_the_computer_is_computed_once(desk):
    async def read_often(desk, name):
        while True:
            await desk.read(name)
            await asyncio.sleep(0)

    name, (one, _) = await opened(desk, ("human", "random"))
    thought = desk.thinking.asked
    reading = asyncio.create_task(read_often(desk, name))  # like open pages
    await desk.wish(name, one, Move(6))
    reading.cancel()
    assert desk.thinking.asked == thought + 1


async def test_a_game_that_is_over_at_its_start_is_over_in_the_database(desk):
    await opened(desk, game=new("multiplicity", size=1))
    columns = sa.select(duels.c.finished, duels.c.over, duels.c.champion)
    row = (await desk.store.database.write(lambda c: c.execute(columns))).one()
    assert tuple(row) == (True, True, 2)  # the first player cannot move


async def test_a_duel_that_was_read_does_not_change(desk):
    name, (one, two) = await opened(desk, rounds=2)
    first = await desk.wish(name, one, Move(6))
    second = await desk.read(name)
    await desk.wish(name, two, Move(8))
    await desk.wish(name, one, "resign")
    await desk.wish(name, one, "next")
    for duel in (first, second):
        assert (duel.version, duel.table.moves) == (1, [6])
        assert (duel.rounds, duel.match.round) == ([], 1)


async def test_a_pupil_who_was_removed_is_removed_from_every_copy(here, there):
    school = RoomService(SqlRoomStore(here.store.database), None)
    code, _ = await school.open(agree(GAME, ("human", "human")).terms.setup, coach=False)
    secrets = [await school.join(code, name) for name in ("Ada", "Max")]
    await school.store.update(code, lambda room: room.begin_round(1))
    [game] = (await school.store.read(code)).current_games()
    seat = 1 + game.seats.index(2)
    assert (await there.read(game.duel)).seats_of(secrets[1]) == {seat}
    await school.store.update(code, lambda room: room.remove("Max"))
    left = await there.read(game.duel)
    assert left.seats_of(secrets[1]) == frozenset()
    assert left.terms.setup.names == left.match.setup.names
    assert set(left.terms.setup.names) == {"Ada", None}
    with pytest.raises(Watching):
        await there.wish(game.duel, secrets[1], "resign")


class Meanwhile:
    """A connection that lets somebody else move before it inserts an event."""

    def __init__(self, connection, move):
        self.connection = connection
        self.move = move

    def __getattr__(self, name):
        return getattr(self.connection, name)

    async def scalar(self, query):
        counted = await self.connection.scalar(query)
        move, self.move = self.move, None
        if move is not None:
            await move()
        return counted


async def class_of_two(desk, rounds):
    """Return two pupils in their game: the service, the code, the secret of Ada, the game."""
    school = RoomService(SqlRoomStore(desk.store.database), None)
    setup = agree(GAME, ("human", "human"), rounds=rounds).terms.setup
    code, _ = await school.open(setup, coach=False)
    ada = await school.join(code, "Ada")
    await school.join(code, "Max")
    await school.store.update(code, lambda room: room.begin_round(1))
    [game] = (await school.store.read(code)).current_games()
    return school, code, ada, game


@pytest.mark.parametrize("before", [(), ("resign",), ("resign", "next"), ("resign", "next") * 2])
async def test_the_other_wins_when_a_pupil_is_removed_at_any_point_of_the_match(
    here, there, before
):
    school, code, ada, game = await class_of_two(here, rounds=5)
    for wish in before:
        await there.wish(game.duel, ada, wish)
    await school.store.update(code, lambda room: room.remove("Max"))
    for desk in (here, there):
        duel = await desk.read(game.duel)
        seat = 1 + game.seats.index(1)
        assert (duel.match.over, duel.match.champion, duel.match.left) == (True, seat, 3 - seat)
        for wish in ("resign", "next", Move(6)):
            with pytest.raises(Refused):
                await desk.wish(game.duel, ada, wish)
    [line] = (await school.store.read(code)).standings()
    assert (line.pupil.name, line.points, line.played) == ("Ada", 1, 1)


@pytest.mark.each_database  # each database ends the duel in its own way
async def test_a_pupil_is_removed_though_the_other_moves_at_that_instant(here, there, monkeypatch):
    school, code, ada, game = await class_of_two(here, rounds=3)
    await there.wish(game.duel, ada, "resign")
    hammered = []

    async def hammer():
        if here.store.database.is_postgresql:  # with SQLite a writer waits for the removal
            await there.wish(game.duel, ada, "next")
            hammered.append(True)

    leave = rooms.leave
    monkeypatch.setattr(
        rooms, "leave", lambda connection, *seat: leave(Meanwhile(connection, hammer), *seat)
    )
    await school.store.update(code, lambda room: room.remove("Max"))
    assert bool(hammered) == here.store.database.is_postgresql
    duel = await there.read(game.duel)
    assert duel.match.over and duel.version == 2 + len(hammered)
    assert (await school.store.read(code)).current_games()[0].over


# The coach.


@pytest.mark.soak(keep=4)
@pytest.mark.parametrize(
    ("players", "first", "wishes", "said"),
    [
        (("human", "human"), "1", [Move(1), Swap(True)], "Good: that first move wins."),
        (
            ("human", "human"),
            "1",
            [Move(1), Swap(False)],
            "That first move wins: it was better to take",
        ),
        (("human", "human"), "1", [Move(1)], ""),  # a move that may be taken over
        (("human", "human"), "1", [Move(1), Swap(False), Move(19)], "2 would have set more traps"),
        (("human", "random"), "2", [Swap(False)], ""),  # whatever the move was
        (("human", "random"), "2", [Swap(True)], ""),
    ],
)
async def test_the_coach_comments_on_each_swap_of_a_person(desk, players, first, wishes, said):
    game = new("divisor-line", goal="chain")
    agreed = agree(game, players, seed=7, swap=True, coach=True, first=first)
    duel = await desk.open(agreed.terms)
    for wish in wishes:
        duel = await desk.wish(duel.name, join_secrets(*agreed.secrets), wish)
    comment = await comment_on(desk.thinking, SERVER, duel)
    if players == ("human", "human"):
        assert comment.startswith(said) and bool(comment) == bool(said)
    else:
        assert "that first move" in comment.lower()


async def test_the_coach_does_not_comment_on_the_computer(desk):
    agreed = agree(GAME, ("human", "perfect"), seed=7, swap=True, coach=True)
    duel = await desk.open(agreed.terms)
    assert await comment_on(desk.thinking, SERVER, duel) == ""
    duel = await desk.wish(duel.name, agreed.secrets[0], Move(1))
    assert duel.table.swapped is not None
    assert await comment_on(desk.thinking, SERVER, duel) == ""
    silent = agree(GAME, ("human", "random"), first="2", coach=True)
    duel = await desk.open(silent.terms)
    assert (duel.table.movers, await comment_on(desk.thinking, SERVER, duel)) == ([2], "")
