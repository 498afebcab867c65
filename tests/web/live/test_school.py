import asyncio

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from numduel.core.errors import SettingsError
from numduel.games import new
from numduel.play.event import Resign, dump
from numduel.web.classes import room as module
from numduel.web.classes.room import ANSWERS, MOST_PUPILS
from numduel.web.data import database, rooms
from numduel.web.data.rooms import NOBODY
from numduel.web.data.store import result
from numduel.web.keys import hashed
from numduel.web.live.agreement import agree
from numduel.web.live.school import School
from numduel.web.problems import Missing, NotNow, NotYours

NAMES = ("Ada", "Max", "Mia", "Tom")
SETUP = agree(new("divisor-line", size=10), ("human", "human")).terms.setup


async def opened(store, *names):
    """A room with pupils: the school, its code and the teacher's secret."""
    school = School(store)
    code, secret = await school.open(SETUP, coach=True)
    for name in names:
        await school.join(code, name)
    return school, code, secret


async def next_round(school, code, secret):
    """Begin the next round; the names of its games."""
    await school.begin_round(code, secret, (await school.read(code)).round + 1)
    return [game.duel for game in (await school.read(code)).current()]


async def finish(store, name, winner):
    """Let a game of the class end: the other seat resigns."""
    duel = await store.load(name)
    event = Resign(3 - winner)
    duel.apply(event)
    assert await store.append(duel, 1, dump(event), result(duel))


async def counts(store):
    """How many rows each table has, but for the calendar, which is of no room."""

    async def count(connection):
        return {
            table.name: await connection.scalar(sa.select(sa.func.count()).select_from(table))
            for table in database.metadata.sorted_tables
            if table is not database.calendar
        }

    return await store.do(count)


def test_a_pupil_joins_and_is_known_by_their_secret(in_store):
    async def work(store):
        school, code, _ = await opened(store, "Ada")
        secret = await school.join(code, "  Mia   Lou ")
        room = await school.read(code)
        assert [(pupil.number, pupil.name) for pupil in room.pupils] == [(1, "Ada"), (2, "Mia Lou")]
        assert room.pupil(hashed(secret)).name == "Mia Lou"
        assert room.pupil(hashed("guessed")) is None
        assert room.coach and room.setup == SETUP

    in_store(work)


@pytest.mark.parametrize("name", ["Ada", "ada", " ADA ", "", "  ", "A" * 21, "A\x00da", "Аda"])
def test_a_name_that_is_taken_or_none_is_refused(in_store, name):
    async def work(store):
        school, code, _ = await opened(store, "Ada")
        with pytest.raises(SettingsError):
            await school.join(code, name)
        assert len((await school.read(code)).pupils) == 1

    in_store(work)


def test_pupils_who_join_at_the_same_instant_all_come_in(in_store):
    async def work(*stores):
        _, code, _ = await opened(stores[0])
        schools = [School(store) for store in stores]
        names = [f"Pupil {number}" for number in range(10)]
        await asyncio.gather(*(schools[at % 2].join(code, name) for at, name in enumerate(names)))
        room = await schools[0].read(code)
        assert {pupil.name for pupil in room.pupils} == set(names)
        assert [pupil.number for pupil in room.pupils] == [*range(1, 11)]
        assert room.version == 10

    in_store(work, servers=2)


def test_of_two_who_join_under_one_name_at_once_one_comes_in(in_store):
    async def work(*stores):
        _, code, _ = await opened(stores[0])
        joining = (School(store).join(code, "Ada") for store in stores)
        came = await asyncio.gather(*joining, return_exceptions=True)
        assert sorted(isinstance(one, str) for one in came) == [False, True]
        assert any(isinstance(one, SettingsError) for one in came)

    in_store(work, servers=2)


def test_a_full_room_takes_nobody_more(in_store):
    async def work(store):
        school, code, _ = await opened(store)
        row = {"room": code, "name": "", "secret": ""}
        rows = [{**row, "number": n, "name": f"P{n}"} for n in range(1, MOST_PUPILS)]
        await store.do(lambda c: c.execute(sa.insert(database.pupils), rows))
        await school.join(code, "Ada")
        with pytest.raises(NotNow, match="full"):
            await school.join(code, "Max")
        assert len((await school.read(code)).pupils) == MOST_PUPILS

    in_store(work)


def test_a_removed_pupil_comes_back_with_their_points_and_their_secret(in_store):
    async def work(store):
        school, code, teacher = await opened(store, "Ada")
        secret = await school.join(code, "Max")
        [name] = await next_round(school, code, teacher)
        [game] = (await school.read(code)).current()
        await finish(store, name, winner=1 + game.seats.index(2))
        await school.remove(code, teacher, "Max")
        await school.bring_back(code, teacher, "Max")
        room = await school.read(code)
        assert room.removed == [] and room.pupil(hashed(secret)).name == "Max"
        assert room.standing()[0] == ("Max", 1, 1)
        await school.remove(code, teacher, "Max")
        await school.join(code, "max")
        with pytest.raises(SettingsError, match="max is in this room already"):
            await school.bring_back(code, teacher, "Max")

    in_store(work)


def test_only_the_latest_who_were_removed_are_remembered(in_store, monkeypatch):
    async def work(store):
        monkeypatch.setattr(rooms, "MOST_REMOVED", 2)
        school, code, secret = await opened(store, *NAMES)
        for name in ("Tom", "Ada", "Mia"):
            await school.remove(code, secret, name)
        assert [pupil.name for pupil in (await school.read(code)).removed] == ["Ada", "Mia"]

    in_store(work)


def test_nobody_joins_a_locked_room(in_store):
    async def work(store):
        school, code, secret = await opened(store, "Ada")
        await school.change(code, secret, locked=True)
        with pytest.raises(NotNow, match="locked: please ask your teacher"):
            await school.join(code, "Max")
        await school.change(code, secret, locked=False)
        await school.join(code, "Max")
        assert len((await school.read(code)).pupils) == 2

    in_store(work)


def test_whoever_joins_waits_until_they_are_admitted(in_store):
    async def work(store):
        school, code, teacher = await opened(store, "Ada")
        await school.change(code, teacher, screened=True)
        secrets = {name: await school.join(code, name) for name in ("Max", "Mia", "Tom", "Bot")}
        room = await school.read(code)
        assert [pupil.name for pupil in room.waiting] == [*secrets]
        assert all(room.waits(hashed(secret)) for secret in secrets.values())
        for taken in ("ada", "MAX"):
            with pytest.raises(SettingsError, match="already"):
                await school.join(code, taken)
        with pytest.raises(NotNow, match="at least two"):  # who waits is not in the room
            await school.begin_round(code, teacher, 1)
        await school.admit(code, teacher, "Mia")
        await school.turn_away(code, teacher, "Bot")
        await school.admit(code, teacher, None)
        room = await school.read(code)
        assert [pupil.name for pupil in room.pupils] == ["Ada", "Max", "Mia", "Tom"]
        assert room.waiting == [] and room.pupil(hashed(secrets["Mia"])).name == "Mia"
        assert room.pupil(hashed(secrets["Bot"])) is None
        with pytest.raises(NotNow, match="no 'Bot'"):
            await school.admit(code, teacher, "Bot")

    in_store(work)


def test_the_waiting_list_is_bounded_and_cleared_at_once(in_store, monkeypatch):
    async def work(store):
        monkeypatch.setattr(module, "MOST_WAITING", 3)
        school, code, secret = await opened(store)
        await school.change(code, secret, screened=True)
        for number in range(3):
            await school.join(code, f"Bot {number}")
        with pytest.raises(NotNow, match="3 wait for this room already: please tell your teacher"):
            await school.join(code, "Ada")
        await school.turn_away(code, secret, None)
        await school.join(code, "Ada")
        assert [pupil.name for pupil in (await school.read(code)).waiting] == ["Ada"]

    in_store(work)


def test_no_more_are_admitted_than_a_room_has_places(in_store, monkeypatch):
    async def work(store):
        monkeypatch.setattr(module, "MOST_PUPILS", 2)
        school, code, secret = await opened(store)
        await school.change(code, secret, screened=True)
        for name in NAMES[:3]:
            await school.join(code, name)
        with pytest.raises(NotNow, match="at most 2 pupils"):
            await school.admit(code, secret, None)
        for name in NAMES[:2]:
            await school.admit(code, secret, name)
        assert len((await school.read(code)).pupils) == 2

    in_store(work)


def test_everybody_is_paired_round_after_round(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES)
        met = []
        for number in (1, 2, 3):
            made = await next_round(school, code, secret)
            room = await school.read(code)
            assert room.round == number
            assert sorted(game.duel for game in room.current()) == sorted(made)
            assert sorted(seat for game in room.current() for seat in game.seats) == [1, 2, 3, 4]
            met += [frozenset(game.seats) for game in room.current()]
            for game in room.current():
                await finish(store, game.duel, winner=1)
        assert len(set(met)) == 6  # everybody has met everybody

    in_store(work)


def test_the_odd_one_out_plays_the_computer_and_never_twice_in_a_row(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES[:3])
        alone = []
        for _ in range(3):
            await next_round(school, code, secret)
            room = await school.read(code)
            [game] = [game for game in room.current() if None in game.seats]
            alone.append(game.seats[0])
            duel = await store.load(game.duel)
            assert duel.terms.seats[1] is None and duel.match.setup.players[1] == "medium"
        assert sorted(alone) == [1, 2, 3]

    in_store(work)


def test_a_pupil_moves_with_the_secret_that_they_joined_with(in_store):
    async def work(store):
        school, code, teacher = await opened(store, "Ada")
        secret = await school.join(code, "Max")
        [name] = await next_round(school, code, teacher)
        duel = await store.load(name)
        assert duel.terms.room == code and set(duel.terms.setup.names) == {"Ada", "Max"}
        room = await school.read(code)
        [seat] = duel.held(secret)
        assert room.game_of(room.pupil(hashed(secret))).seats[seat - 1] == 2

    in_store(work)


def test_a_round_begins_once_from_one_page(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES)
        await school.begin_round(code, secret, 1)
        for number in (0, 1, 3):
            with pytest.raises(NotNow, match="next round is round 2"):
                await school.begin_round(code, secret, number)
        room = await school.read(code)
        assert room.round == 1 and len(room.pairings) == 2

    in_store(work)


def test_of_two_who_begin_a_round_at_once_one_does(in_store):
    async def work(*stores):
        _, code, secret = await opened(stores[0], *NAMES)
        begun = await asyncio.gather(
            *(School(store).begin_round(code, secret, 1) for store in stores * 3),
            return_exceptions=True,
        )
        assert sorted(isinstance(one, NotNow) for one in begun) == [False] + [True] * 5
        room = await School(stores[0]).read(code)
        assert room.round == 1 and len(room.pairings) == 2

    in_store(work, servers=2)


def test_a_room_has_so_many_rounds(in_store, monkeypatch):
    async def work(store):
        school, code, secret = await opened(store, *NAMES)
        monkeypatch.setattr(module, "MOST_CLASS_ROUNDS", 1)
        await school.begin_round(code, secret, 1)
        with pytest.raises(NotNow, match="at most 1 rounds"):
            await school.begin_round(code, secret, 2)

    in_store(work)


def test_an_error_of_the_database_tells_no_name(in_store):
    async def work(store):
        _, code, _ = await opened(store, *NAMES)
        row = {"room": code, "number": 1, "name": "Zoe", "secret": "x"}
        with pytest.raises(IntegrityError) as error:
            await store.do(lambda c: c.execute(sa.insert(database.pupils), row))
        assert "pupils" in str(error.value).lower() and "Zoe" not in str(error.value)

    in_store(work)


def test_a_round_needs_two_pupils(in_store):
    async def work(store):
        school, code, secret = await opened(store, "Ada")
        with pytest.raises(NotNow, match="two pupils"):
            await school.begin_round(code, secret, 1)
        room = await school.read(code)
        assert (room.round, room.version) == (0, 1)  # as it was

    in_store(work)


def test_the_standing_counts_wins_and_ties(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES)
        await next_round(school, code, secret)
        before = (await school.read(code)).version
        one, two = (await school.read(code)).current()
        await finish(store, one.duel, winner=2)
        room = await school.read(code)
        assert room.version > before  # open pages are told
        await finish(store, two.duel, winner=1)
        tie = sa.update(database.duels).where(database.duels.c.name == two.duel)
        await store.do(lambda connection: connection.execute(tie.values(champion=None)))
        room = await school.read(code)
        names = {pupil.number: pupil.name for pupil in room.pupils}
        lines = {line.name: (line.points, line.played) for line in room.standing()}
        assert room.standing()[0].name == names[one.seats[1]]
        assert lines[names[one.seats[1]]] == (1, 1)
        assert lines[names[one.seats[0]]] == (0, 1)
        assert all(lines[names[seat]] == (0.5, 1) for seat in two.seats)

    in_store(work)


def test_a_pupil_who_is_removed_goes_with_their_name_and_their_seats(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES)
        for name in await next_round(school, code, secret):
            await finish(store, name, winner=1)
        [won] = [game for game in (await school.read(code)).current() if 2 in game.seats]
        await next_round(school, code, secret)
        [left] = [game for game in (await school.read(code)).current() if 2 in game.seats]
        await school.remove(code, secret, "Max")
        room = await school.read(code)
        assert [pupil.name for pupil in room.pupils] == ["Ada", "Mia", "Tom"]
        for game in (won, left):
            terms = (await store.load(game.duel)).terms
            seat = game.seats.index(2)
            assert "Max" not in terms.setup.names and terms.seats[seat] == NOBODY
        assert sum(line.played for line in room.standing()) == 4  # what is won counts for the other
        version = room.version
        await school.remove(code, secret, "Max")  # pressed twice
        room = await school.read(code)
        assert (len(room.pupils), len(room.removed), room.version) == (3, 1, version + 1)
        with pytest.raises(NotNow, match="no 'Moritz'"):
            await school.remove(code, secret, "Moritz")
        await school.join(code, "Max")  # and may come back
        await school.remove(code, secret, "Max")
        assert [pupil.name for pupil in (await school.read(code)).removed] == ["Max"]

    in_store(work)


def test_a_closed_room_leaves_nothing(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES)
        for _ in range(2):
            await next_round(school, code, secret)
        for game in (await school.read(code)).pairings:
            await finish(store, game.duel, winner=1)
        await school.remove(code, secret, "Max")
        await school.ask(code, secret, SETUP.game, "-:-/1")
        pupil = await school.join(code, "Zoe")
        await school.answer(code, pupil, (await school.read(code)).question.number, 3)
        assert {table for table, rows in (await counts(store)).items() if rows} == {
            "rooms",
            "pupils",
            "outside",
            "questions",
            "answers",
            "duels",
            "events",
        }
        await school.close(code, secret)
        assert not any((await counts(store)).values())
        with pytest.raises(Missing):
            await school.read(code)

    in_store(work)


def test_closing_one_room_leaves_the_others(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES)
        _, other, others = await opened(store, *NAMES)
        for each, key in ((code, secret), (other, others)):
            await next_round(school, each, key)
        before = await counts(store)
        await school.close(code, secret)
        after = await counts(store)
        assert {table: 2 * rows for table, rows in after.items()} == before
        assert len((await school.read(other)).current()) == 2

    in_store(work)


def test_only_the_teacher_rules_the_room(in_store):
    async def work(store):
        school, code, secret = await opened(store, *NAMES[:3])
        pupil = await school.join(code, "Tom")
        before = await counts(store), await school.read(code)
        for key in (pupil, "", "guessed", hashed(secret)):
            for asked in (
                school.begin_round(code, key, 1),
                school.remove(code, key, "Ada"),
                school.bring_back(code, key, "Ada"),
                school.change(code, key, locked=True),
                school.admit(code, key, None),
                school.turn_away(code, key, None),
                school.ask(code, key, SETUP.game, "-:-/1"),
                school.turn_question(code, key, "shown", {}),
                school.put_away(code, key),
                school.close(code, key),
            ):
                with pytest.raises(NotYours):
                    await asked
        assert (await counts(store), await school.read(code)) == before

    in_store(work)


def test_a_room_that_is_not_there_is_missing(in_store):
    async def work(store):
        school = School(store)
        for asked in (
            school.read("NOONE"),
            school.join("NOONE", "Ada"),
            school.begin_round("NOONE", "", 1),
            school.remove("NOONE", "", "Ada"),
            school.bring_back("NOONE", "", "Ada"),
            school.change("NOONE", "", locked=True),
            school.admit("NOONE", "", None),
            school.turn_away("NOONE", "", None),
            school.ask("NOONE", "", SETUP.game, "-:-/1"),
            school.answer("NOONE", "", 1, 1),
            school.close("NOONE", ""),
        ):
            with pytest.raises(Missing):
                await asked
        assert not any((await counts(store)).values())

    in_store(work)


# Questions.


async def asked(store, *names):
    """A room in which a position is posed: the school, code, the teacher's secret, the pupils'."""
    school, code, teacher = await opened(store)
    secrets = [await school.join(code, name) for name in names]
    await school.ask(code, teacher, SETUP.game, "2:3/1")
    return school, code, teacher, secrets


def test_each_pupil_has_one_answer_until_the_answers_are_shown(in_store):
    async def work(store):
        school, code, teacher, (ada, max_) = await asked(store, "Ada", "Max")
        question = (await school.read(code)).question
        assert (question.game, question.position, question.stage) == (SETUP.game, "2:3/1", "asked")
        for secret, move in ((ada, 4), (max_, 6), (ada, 6)):
            await school.answer(code, secret, question.number, move)
        room = await school.read(code)
        assert room.question.answers == {1: 6, 2: 6} and room.question.counts() == {6: 2}
        await school.turn_question(code, teacher, "shown", {})
        with pytest.raises(NotNow, match="shown already"):
            await school.answer(code, ada, question.number, 4)
        await school.turn_question(code, teacher, "revealed", {4: "win", 6: "loss", 8: "win"})
        question = (await school.read(code)).question
        assert (question.stage, question.sound(), question.answers) == (
            *("revealed", [4, 8], {1: 6, 2: 6}),
        )

    in_store(work)


def test_an_answer_is_told_to_the_teachers_pages_alone(in_store):
    async def work(store):
        school, code, _, (ada,) = await asked(store, "Ada")
        before = await school.progress(code)
        told = await store.versions([code])
        assert (await school.read(code)).progress == before
        question = (await school.read(code)).question
        await school.answer(code, ada, question.number, 4)
        after = await school.progress(code)
        assert (after - before, after // ANSWERS) == (1, (await school.read(code)).version)
        assert await store.versions([code]) != told  # other servers look again

    in_store(work)


def test_the_next_question_begins_without_answers(in_store):
    async def work(store):
        school, code, teacher, (ada,) = await asked(store, "Ada")
        old = (await school.read(code)).question
        await school.answer(code, ada, old.number, 4)
        await school.ask(code, teacher, SETUP.game, "-:-/1")
        with pytest.raises(NotNow, match="That question is over"):
            await school.answer(code, ada, old.number, 4)
        assert (await school.read(code)).question.answers == {}
        await school.put_away(code, teacher)
        assert (await school.read(code)).question is None
        with pytest.raises(NotNow, match="That question is over"):
            await school.answer(code, ada, old.number, 4)

    in_store(work)


def test_only_pupils_answer_and_whoever_is_removed_counts_no_more(in_store):
    async def work(store):
        school, code, teacher, (_, max_) = await asked(store, "Ada", "Max")
        number = (await school.read(code)).question.number
        await school.answer(code, max_, number, 4)
        await school.remove(code, teacher, "Max")
        assert (await school.read(code)).question.answers == {}
        for secret in (max_, teacher, ""):
            with pytest.raises(NotYours, match="Only the pupils"):
                await school.answer(code, secret, number, 4)
        assert not (await school.read(code)).question.answers

    in_store(work)
