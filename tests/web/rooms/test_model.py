"""A room as a value: what each change makes of it, and which changes are refused."""

from functools import reduce

import pytest
from tests.web.rooms.samples import NAMES, SETUP

from numduel.core.errors import SettingsError
from numduel.play.chain import Chain
from numduel.web.errors import NotNow, NotYours
from numduel.web.rooms import model
from numduel.web.rooms.model import CALL_STEP, MAX_PUPILS, VERSION_STEP, Room

ROOM = Room("ABCDE", "teacher", SETUP)


def room_of(*names, **values):
    """Return a room with pupils; the secret of each is their name."""
    room = ROOM._replace(**values)
    return reduce(lambda room, name: room.join(name, name), names, room)


def finished(room, champions):
    """Return the room after its games have ended, with these champions by the name of the duel."""
    games = [
        game._replace(over=True, champion=champions.get(game.duel, 1))
        for game in room.current_games()
    ]
    return room._replace(pairings=(*room.pairings[: -len(games)], *games))


def names(pupils):
    return [pupil.name for pupil in pupils]


def test_a_pupil_is_known_by_their_secret_and_joins_once():
    room = room_of("Ada", "Mia")
    assert [(one.number, one.name) for one in room.pupils] == [(1, "Ada"), (2, "Mia")]
    assert room.pupil("Mia").name == "Mia" and room.pupil("guessed") is None
    assert room.join("Mia", "Mia") is room  # an earlier attempt only seemed to fail
    assert room.version == 2


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA"])
def test_a_name_is_taken_once(name):
    for room in (room_of("Ada"), room_of("Ada", screened=True)):
        with pytest.raises(SettingsError, match="Ada is in this room already"):
            room.join(name, "another")


def test_nobody_can_join_a_full_or_locked_room(monkeypatch):
    assert MAX_PUPILS == 100
    monkeypatch.setattr(model, "MAX_PUPILS", 2)
    room = room_of("Ada", "Max")
    with pytest.raises(NotNow, match="full: a room has at most 2 pupils"):
        room.join("Mia", "Mia")
    with pytest.raises(NotNow, match="locked: please ask your teacher"):
        room_of("Ada").change(locked=True).join("Mia", "Mia")
    screened = room_of(*NAMES[:3], screened=True)
    with pytest.raises(NotNow, match="at most 2 pupils"):
        screened.admit(None)
    assert names(screened.admit("Ada").admit("Max").pupils) == ["Ada", "Max"]


def test_a_newcomer_to_a_screened_room_waits_to_be_admitted():
    room = room_of("Max", "Mia", "Tom", "Bot", screened=True)
    assert names(room.waiting) == ["Max", "Mia", "Tom", "Bot"] and room.is_waiting("Bot")
    with pytest.raises(NotNow, match="at least two"):  # those who wait are not in the room
        room.begin_round(1)
    room = room.admit("Mia").turn_away("Bot").admit(None)
    assert names(room.pupils) == ["Max", "Mia", "Tom"] and not room.waiting
    with pytest.raises(NotNow, match="no 'Bot'"):
        room.admit("Bot")


def test_the_waiting_list_is_bounded_and_cleared_at_once(monkeypatch):
    monkeypatch.setattr(model, "MAX_WAITING", 3)
    room = room_of(*NAMES[:3], screened=True)
    with pytest.raises(NotNow, match="3 people are waiting already: please tell your teacher"):
        room.join("Tom", "Tom")
    assert names(room.turn_away(None).join("Tom", "Tom").waiting) == ["Tom"]


def test_the_pupil_without_a_partner_plays_the_computer_and_never_twice_in_a_row():
    room, alone = room_of(*NAMES[:3]), []
    for number in (1, 2, 3):
        room = room.begin_round(number)
        [game] = [game for game in room.current_games() if None in game.seats]
        alone.append(game.seats[0])
        terms = room.terms_of(game)
        assert terms.seats[1] is None and terms.setup.players[1] == "medium"
        assert terms.setup.first == 1 + number % 2
    assert sorted(alone) == [1, 2, 3]


def test_a_round_needs_two_pupils_and_begins_once(monkeypatch):
    with pytest.raises(NotNow, match="two pupils"):
        room_of("Ada").begin_round(1)
    room = room_of(*NAMES).begin_round(1)
    for number in (0, 1, 3):
        with pytest.raises(NotNow, match="next round is round 2"):
            room.begin_round(number)
    monkeypatch.setattr(model, "MAX_CLASS_ROUNDS", 1)
    with pytest.raises(NotNow, match="at most 1 rounds"):
        room.begin_round(2)


def test_a_pupil_plays_under_the_secret_with_which_they_joined():
    room = room_of("Ada", "Max").begin_round(1)
    [game] = room.current_games()
    terms, me = room.terms_of(game), room.pupil("Max")
    assert terms.room == "ABCDE" and set(terms.setup.names) == {"Ada", "Max"}
    assert terms.seats[game.seats.index(2)] == "Max"
    assert room.game_of(me) == game and room.opponent(game, me) == "Ada"
    assert terms.setup.first == 2


def test_the_standing_counts_wins_and_ties():
    room = room_of(*NAMES).begin_round(1)
    one, two = room.current_games()
    room = finished(room, {one.duel: 2, two.duel: None})
    called = room.names()
    lines = {line.pupil.name: (line.points, line.played) for line in room.standings()}
    assert room.standings()[0].pupil.name == called[one.seats[1]]
    assert (lines[called[one.seats[1]]], lines[called[one.seats[0]]]) == ((1, 1), (0, 1))
    assert all(lines[called[seat]] == (0.5, 1) for seat in two.seats)


def test_a_removed_pupil_loses_the_game_and_can_come_back_with_their_points():
    room = room_of("Ada", "Max").begin_round(1)
    seat = 1 + room.current_games()[0].seats.index(2)
    room = finished(room, {room.current_games()[0].duel: seat}).begin_round(2)
    [game] = room.current_games()
    room = room.remove("Max")
    assert names(room.pupils) == ["Ada"] and names(room.removed) == ["Max"]
    assert room.current_games()[0].champion == 1 + game.seats.index(1)
    assert room.remove("Max") is room  # the button was pressed twice
    with pytest.raises(NotNow, match="no 'Moritz'"):
        room.remove("Moritz")
    back = room.bring_back("Max")
    assert not back.removed and back.pupil("Max").number == 2
    assert {line.pupil.name: line.points for line in back.standings()} == {"Ada": 1, "Max": 1}
    with pytest.raises(SettingsError, match="choose another name"):
        room.join("max", "new")
    again = room.join("Moritz", "new")
    assert again.pupil("new").number == 3  # because 2 has played
    assert {*names(again.bring_back("Max").pupils)} == {"Ada", "Max", "Moritz"}


def test_only_the_latest_removed_pupils_are_remembered(monkeypatch):
    monkeypatch.setattr(model, "MAX_REMOVED", 2)
    room = reduce(Room.remove, ("Tom", "Ada", "Mia"), room_of(*NAMES))
    assert names(room.removed) == ["Ada", "Mia"]
    assert names(room.join("Ida", "new").remove("Ida").removed) == ["Mia", "Ida"]


# Questions and contests.

VALUES = {4: "win", 6: "loss", 8: "win"}


def asked(*names):
    return room_of(*names).pose(SETUP.game, "2:3/1", VALUES)


def test_each_pupil_has_one_answer_until_the_answers_are_shown():
    room = asked("Ada", "Max")
    number = room.question.number
    for secret, move in (("Ada", 4), ("Max", 6), ("Ada", 6)):
        room = room.answer(secret, number, move)
    assert room.question.counts() == {6: 2}
    room = room.show_answers()
    with pytest.raises(NotNow, match="shown already"):
        room.answer("Ada", number, 4)
    question = room.reveal().question
    assert (question.stage, question.best_moves()) == ("revealed", [4, 8])
    assert question.answers == {1: 6, 2: 6}


def test_an_answer_changes_the_progress_alone_and_a_question_calls_everybody():
    before = asked("Ada")
    after = before.answer("Ada", before.question.number, 4)
    assert after.revision == before.revision and after.progress == before.progress + 1
    shown = after.show_answers()
    assert shown.progress // VERSION_STEP == shown.revision > before.revision
    assert shown.progress // CALL_STEP == before.progress // CALL_STEP + 1
    assert shown.join("Mia", "Mia").progress // CALL_STEP == shown.calls  # nobody is called


def test_the_next_question_begins_without_answers():
    room = asked("Ada")
    old = room.question.number
    following = room.answer("Ada", old, 4).pose(SETUP.game, "-:-/1", {})
    assert not following.question.answers
    with pytest.raises(NotNow, match="That question is over"):
        following.answer("Ada", old, 4)
    with pytest.raises(NotNow, match="Nobody knows"):
        following.reveal()
    for deed in (Room.show_answers, Room.reveal, lambda room: room.answer("Ada", old, 4)):
        with pytest.raises(NotNow, match="There is no question"):
            deed(following.return_to_games())


def test_only_pupils_answer_and_a_removed_one_no_longer_counts():
    room = asked("Ada", "Max")
    number = room.question.number
    room = room.answer("Max", number, 4).remove("Max")
    assert not room.question.answers
    for secret in ("Max", "teacher", ""):
        with pytest.raises(NotYours, match="Only the pupils"):
            room.answer(secret, number, 4)


def test_the_first_to_make_the_longest_chain_leads():
    room = room_of("Ada", "Max").begin_contest(12)
    assert room.contest.ranked() == [] and not room.contest.best.numbers
    chain = Chain.parse(12, "6,3,9")
    first = room.add_chain("Ada", chain)
    assert first.version == room.version + 1  # every page shows the best
    second = first.add_chain("Max", Chain.parse(12, "8,4,2"))
    assert (second.version, second.contest.ranked()) == (first.version, [1, 2])
    assert second.progress == first.progress + 1
    assert second.add_chain("Ada", Chain.parse(12, "6,3")) is second
    third = second.add_chain("Max", Chain.parse(12, "8,4,2,10"))
    assert third.contest.ranked() == [2, 1] and third.contest.length(1) == 3
    assert third.remove("Max").contest.ranked() == [1]
    with pytest.raises(NotYours):
        third.add_chain("guessed", chain)
    for other in (third.return_to_games(), third.begin_contest(13)):
        with pytest.raises(NotNow, match="no longer makes chains"):
            other.add_chain("Ada", chain)


def test_the_class_does_one_thing_at_a_time_and_the_games_go_on():
    room = room_of(*NAMES).begin_round(1)
    duel = room.current_games()[0].duel
    [secret, _] = (NAMES[seat - 1] for seat in room.current_games()[0].seats)
    assert not room.is_called_away(secret, duel)
    asking, chaining = room.pose(SETUP.game, "2:3/1", VALUES), room.begin_contest(12)
    for busy in (
        asking,
        chaining,
        asking.begin_contest(12),
        chaining.pose(SETUP.game, "-:-/1", {}),
    ):
        assert (busy.question is None) != (busy.contest is None)
        assert busy.is_called_away(secret, duel)
        assert not busy.return_to_games().is_called_away(secret, duel)
        assert busy.return_to_games().pairings == room.pairings
        following = busy.begin_round(2)
        assert not following.question and not following.contest
        assert following.is_called_away(secret, duel)  # to the next game
    over = room.end()
    assert over.is_called_away(secret, duel)
    for go_on in (
        Room.return_to_games,
        lambda room: room.begin_round(2),
        lambda room: room.begin_contest(12),
    ):
        with pytest.raises(NotNow, match="This lesson is over"):
            go_on(over)


def test_questions_and_contests_are_bounded(monkeypatch):
    monkeypatch.setattr(model, "MAX_QUESTIONS", 1)
    monkeypatch.setattr(model, "MAX_CONTESTS", 1)
    room = asked("Ada").begin_contest(12)
    with pytest.raises(NotNow, match="at most 1 questions"):
        room.pose(SETUP.game, "-:-/1", {})
    with pytest.raises(NotNow, match="at most 1 chain contests"):
        room.begin_contest(12)


def test_the_standing_of_a_pupil_counts_games_answers_and_chains():
    room = room_of("Ada", "Max", "Mia").begin_round(1)
    room = room.pose(SETUP.game, "2:3/1", VALUES)
    for secret, move in (("Ada", 8), ("Max", 6)):
        room = room.answer(secret, room.question.number, move)
    room = (
        room.begin_contest(12)
        .add_chain("Mia", Chain.parse(12, "6,3"))
        .pose(SETUP.game, "-:-/1", {})
    )
    room = room.answer("Ada", room.question.number, 1).end()
    assert room.ended and not room.question and not room.contest
    lines = {line.pupil.name: line for line in room.standings()}
    assert {name: (line.right, line.chains) for name, line in lines.items()} == {
        "Ada": ([True, None], [0]),
        "Max": ([False, None], [0]),
        "Mia": ([None, None], [2]),
    }
    assert [(line.correct, line.given) for line in lines.values()] == [(1, 1), (0, 1), (0, 0)]
    assert {result for line in lines.values() for _, result in line.games} == {"open"}
    done = {line.pupil.name: line for line in finished(room, {}).standings()}
    assert sorted((line.won, line.played) for line in done.values()) == [(0, 1), (1, 1), (1, 1)]
    with pytest.raises(NotNow, match="This lesson is over"):
        room.join("Tom", "Tom")
