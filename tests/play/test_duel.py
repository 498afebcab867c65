"""What each person in a duel may do when, and that the log of a duel gives the same duel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel import IllegalMove, NumduelError
from numduel.play.duel import WISH_WORDS, Duel, Refused, Watching, without_undone
from numduel.play.event import (
    Ask,
    Away,
    Back,
    Come,
    Leave,
    Move,
    Next,
    Refuse,
    Rematch,
    Resign,
    Swap,
    Undo,
    dump,
    load,
)
from numduel.play.setup import MAX_SEED, Setup

NOBODY, ONE, TWO, BOTH = map(frozenset, ((), {1}, {2}, {1, 2}))
PEOPLE = ("human", "human")


def new_duel(key="double-or-add", players=PEOPLE, settings=(), **setup):
    """Return a duel, by default between two people."""
    usual = {"first": 1, "rounds": 1, "swap": False, "turn_limit": 40, "seed": 7, "started": ""}
    game = numduel.new(key, **dict(settings))
    return Duel(Setup(game=game, players=players, **{**usual, **setup}))


def fulfil(duel, seats, wish):
    """Fulfil a wish of these seats, as a front end does, and return the event."""
    event = duel.event(seats, wish)
    duel.apply(event)
    return event


def refusal(duel, seats, wish, error=Refused):
    """Return the message to a person whose wish is refused."""
    before = visible_state(duel)
    with pytest.raises(error) as caught:
        fulfil(duel, seats, wish)
    assert visible_state(duel) == before
    return str(caught.value)


def visible_state(duel):
    """Return everything that can be seen of a duel."""
    table, match = duel.table, duel.match
    return (
        (duel.version, duel.asking, duel.deciding, duel.computer, duel.rounds, match.setup),
        (match.round, match.over, match.champion, dict(match.wins), list(match.finished)),
        (table.first, table.position, list(table.moves), list(table.movers)),
        (table.outcome, table.swapped, table.swap_open),
    )


def test_spectators_can_do_nothing():
    duel = new_duel()
    for wish in (Move(1), Swap(True), *WISH_WORDS):
        line = refusal(duel, NOBODY, wish, Watching)
        assert line == "You are watching: only the players can do that."


def test_only_the_player_to_move_can_move():
    duel = new_duel()
    assert (duel.deciding, duel.computer, duel.version) == (1, None, 0)
    assert refusal(duel, TWO, Move(1)) == "It is not your turn: Player 1 is to move."
    assert fulfil(duel, ONE, Move(2)) == Move(2)
    assert (duel.deciding, duel.version, duel.table.moves) == (2, 1, [2])
    assert refusal(duel, ONE, Move(1)) == "It is not your turn: Player 2 is to move."
    fulfil(duel, BOTH, Move(1))
    fulfil(duel, BOTH, Move(1))
    assert duel.table.movers == [1, 2, 1]


@pytest.mark.parametrize("move", [0, 3, -1, 10**4000, True])
def test_a_move_that_the_rules_forbid_changes_nothing(move):
    refusal(new_duel(), ONE, Move(move), IllegalMove)


def test_the_computer_is_named_while_it_is_to_decide():
    duel = new_duel(players=("human", "hard"))
    assert duel.computer is None
    fulfil(duel, ONE, Move(1))
    assert (duel.deciding, duel.computer) == (2, "hard")
    assert refusal(duel, ONE, Move(1)) == "It is not your turn: Player 2 is to move."
    duel.apply(Resign(2))
    assert (duel.deciding, duel.computer) == (None, None)


def test_against_a_computer_a_move_is_taken_back_at_once_with_its_answer():
    duel = new_duel(players=("human", "easy"))
    assert not duel.must_ask(ONE)
    assert refusal(duel, ONE, "undo") == "There is nothing to take back yet."
    for move in (1, 2, 1, 1):
        duel.apply(Move(move))
    assert fulfil(duel, ONE, "undo") == Undo(2)
    assert (duel.table.moves, duel.deciding, duel.asking) == ([1, 2], 1, None)


def test_two_at_one_screen_take_back_one_move_at_a_time_without_asking():
    duel = new_duel()
    assert not duel.must_ask(BOTH)
    fulfil(duel, BOTH, Move(1))
    fulfil(duel, BOTH, Move(2))
    assert fulfil(duel, BOTH, "undo") == Undo(1)
    assert fulfil(duel, BOTH, "undo") == Undo(1)
    assert refusal(duel, BOTH, "undo") == "There is nothing to take back yet."


def duel_with_request():
    """Return a duel in which seat 1 asks to take back its move, to which seat 2 has replied."""
    duel = new_duel()
    fulfil(duel, ONE, Move(1))
    fulfil(duel, TWO, Move(2))
    assert fulfil(duel, ONE, "undo") == Ask(1)
    assert duel.asking == 1
    assert duel.table.moves == [1, 2]
    return duel


def test_another_person_is_asked_and_grants_it():
    duel = duel_with_request()
    assert refusal(duel, ONE, "undo") == "You have asked already: wait for the answer."
    assert refusal(duel, ONE, "refuse") == "Nobody has asked to take a move back."
    assert fulfil(duel, TWO, "undo") == Undo(2)
    assert (duel.table.moves, duel.asking, duel.deciding) == ([], None, 1)


def test_another_person_is_asked_and_refuses():
    duel = duel_with_request()
    assert fulfil(duel, TWO, "refuse") == Refuse(1)
    assert (duel.table.moves, duel.asking) == ([1, 2], None)
    assert refusal(duel, TWO, "refuse") == "Nobody has asked to take a move back."
    assert fulfil(duel, ONE, "undo") == Ask(1)  # seat 1 may ask again


@pytest.mark.parametrize(("seats", "wish"), [(ONE, Move(1)), (TWO, "resign"), (ONE, "resign")])
def test_a_question_is_void_once_the_game_goes_on(seats, wish):
    duel = duel_with_request()
    fulfil(duel, seats, wish)
    assert duel.asking is None


def test_the_last_mover_can_ask_too_and_only_for_the_last_move():
    duel = new_duel()
    fulfil(duel, ONE, Move(1))
    assert refusal(duel, TWO, "undo") == "There is nothing to take back yet."
    assert fulfil(duel, ONE, "undo") == Ask(1)
    assert fulfil(duel, TWO, "undo") == Undo(1)
    assert duel.table.moves == []


def test_the_swap_is_offered_once_after_the_first_move():
    duel = new_duel(swap=True)
    refusal(duel, ONE, Swap(True), IllegalMove)
    fulfil(duel, ONE, Move(2))
    assert (duel.deciding, duel.table.swap_open) == (2, True)
    refusal(duel, TWO, Move(1), IllegalMove)
    assert refusal(duel, ONE, Swap(True)) == "It is not your turn: Player 2 is to move."
    assert fulfil(duel, TWO, Swap(True)) == Swap(True)
    assert (duel.table.movers, duel.deciding) == ([2], 1)
    refusal(duel, ONE, Swap(True), IllegalMove)


@pytest.mark.parametrize(
    ("seats", "loser"), [(ONE, 1), (TWO, 2), (BOTH, 1)], ids=["mover", "other", "both"]
)
def test_either_player_resigns_at_any_time(seats, loser):
    duel = new_duel()
    assert fulfil(duel, seats, "resign") == Resign(loser)
    assert duel.table.outcome == (3 - loser, "resigned")
    assert duel.deciding is None
    for wish in (Move(1), Swap(True), "undo", "refuse", "resign"):
        assert refusal(duel, seats, wish) == "This round is over."
    for event in (Move(1), Swap(True), Undo(1), Resign(1)):
        with pytest.raises(Refused, match="This round is over"):
            duel.apply(event)


def test_the_next_round_is_begun_by_the_other_seat_and_once():
    duel = new_duel(rounds=2)
    assert refusal(duel, ONE, "next") == "The next round has begun already."
    fulfil(duel, ONE, "resign")
    assert refusal(duel, ONE, "rematch") == "The rematch has begun already."
    assert fulfil(duel, TWO, "next") == Next()
    assert (duel.match.round, duel.deciding, duel.table.moves) == (2, 2, [])
    assert refusal(duel, ONE, "next") == "The next round has begun already."
    fulfil(duel, ONE, "resign")
    assert duel.match.over
    assert refusal(duel, TWO, "next") == "The next round has begun already."
    assert len(duel.rounds) == 2


def test_a_person_who_arrives_is_an_event_that_changes_no_game():
    duel = new_duel()
    assert duel.latest is None
    duel.apply(Come(2))
    assert (duel.latest, duel.version, duel.table.moves) == (Come(2), 1, [])


def test_a_seat_can_leave_at_any_time_and_then_nothing_more_is_played():
    duel = new_duel(rounds=3)
    fulfil(duel, ONE, Move(1))
    fulfil(duel, ONE, "undo")
    duel.apply(Leave(2))
    assert (duel.asking, duel.deciding, duel.match.champion, duel.version) == (None, None, 1, 3)
    for wish in ("next", "resign", Move(1)):
        refusal(duel, ONE, wish)
    duel.apply(Leave(1))  # this does not change a match that is over
    assert (duel.match.champion, len(duel.rounds)) == (1, 1)


def test_a_rematch_has_another_seed_the_other_seat_begins_and_the_rounds_are_kept():
    duel = new_duel(seed=MAX_SEED - 1)
    fulfil(duel, ONE, "resign")
    fulfil(duel, BOTH, "rematch")
    assert (duel.match.setup.first, duel.match.setup.seed) == (2, 0)
    assert (duel.deciding, len(duel.rounds), duel.match.wins) == (2, 1, {1: 0, 2: 0})
    fulfil(duel, TWO, "resign")
    assert [record.outcome.winner for record in duel.rounds] == [2, 1]


def test_a_rematch_is_begun_without_a_coin():
    duel = new_duel(coin=True)
    fulfil(duel, ONE, "resign")
    assert fulfil(duel, BOTH, "rematch") == Rematch()
    assert not duel.match.setup.coin


def test_between_two_people_a_rematch_begins_when_both_want_it():
    duel = new_duel()
    fulfil(duel, ONE, "resign")
    assert fulfil(duel, TWO, "rematch") == Ask(2)
    assert (duel.asking, duel.match.over) == (2, True)
    assert refusal(duel, TWO, "rematch") == "You have asked already: wait for the answer."
    assert fulfil(duel, ONE, "rematch") == Rematch()
    assert (duel.asking, duel.match.over) == (None, False)
    alone = new_duel(players=("human", "easy"))
    fulfil(alone, ONE, "resign")
    assert fulfil(alone, ONE, "rematch") == Rematch()


def test_presence_is_recorded_and_changes_nothing_else():
    duel = new_duel()
    fulfil(duel, ONE, Move(1))
    for event, away in ((Away(2), {2}), (Away(1), {1, 2}), (Back(2), {1})):
        duel.apply(event)
        assert (duel.away, duel.changed, duel.latest) == (away, 1, event)
    assert duel.version == 4
    fulfil(duel, TWO, Move(1))
    assert duel.changed == duel.version == 5


def test_a_duel_knows_until_the_rematch_whether_a_move_was_taken_back():
    duel, log = new_duel(players=("human", "easy")), []
    for event in (Move(1), Move(1), Undo(2), Away(1), Move(1), Resign(1)):
        duel.apply(event)
        log.append(event)
    for again in (duel, new_duel(players=("human", "easy"))):
        again.recount(log)
        assert (again.undone, again.version, again.changed) == (True, 6, 6)
    duel.apply(Rematch())
    assert not duel.undone
    again.recount([*log, Rematch()])
    assert not again.undone
    again.recount([])
    assert (again.version, again.changed, again.latest) == (0, 0, None)


def test_a_copy_stays_as_it_was():
    duel = new_duel(rounds=2)
    fulfil(duel, ONE, Move(1))
    fulfil(duel, ONE, "undo")
    before, seen = duel.copy(), visible_state(duel)
    fulfil(duel, TWO, "undo")
    fulfil(duel, ONE, "resign")
    fulfil(duel, ONE, "next")
    fulfil(duel, ONE, "resign")
    fulfil(duel, BOTH, "rematch")
    fulfil(duel, TWO, Move(2))
    assert visible_state(before) == seen
    assert len(duel.rounds) == 2


def test_no_move_of_a_finished_round_can_be_taken_back():
    duel = new_duel()
    fulfil(duel, ONE, Move(1))
    assert duel.undo_count(ONE) == 1
    fulfil(duel, ONE, "resign")
    assert duel.undo_count(ONE) == duel.undo_count(BOTH) == 0


def test_undone_moves_are_left_out_of_the_log_with_the_requests_before_them():
    log = [Move(1), Ask(1), Refuse(1), Move(2), Move(1), Ask(1), Undo(2), Move(1), Resign(1)]
    assert without_undone(log) == [Move(1), Move(1), Resign(1)]
    assert without_undone([Ask(2), Move(1), Swap(True), Undo(1)]) == []
    assert without_undone([Move(1), Away(2), Undo(1), Back(2)]) == [Away(2), Back(2)]


KEYS = [key for key, _, _ in numduel.games()]
WISHES = st.lists(
    st.tuples(
        st.sampled_from([NOBODY, ONE, TWO, BOTH]),
        st.sampled_from([*WISH_WORDS, "swap", *["move"] * 7, *["undo"] * 2]),
        st.integers(-1, 60),
    ),
    max_size=60,
)


def _wish(duel, word, number):
    """Return a wish, which is a legal move more often than not."""
    if word == "swap":
        return Swap(number % 2 == 0)
    if word != "move":
        return word
    moves = duel.table.game.moves(duel.table.position)
    return Move(moves[number % len(moves)] if moves and number % 5 else number)


@given(
    WISHES,
    st.sampled_from(KEYS),
    st.booleans(),
    st.integers(1, 3),
    st.sampled_from([PEOPLE, ("human", "easy"), ("easy", "human")]),
)
def test_a_log_gives_the_same_duel_and_refused_wishes_leave_no_trace(
    wishes, key, swap, rounds, players
):
    setup = {"swap": swap, "rounds": rounds, "players": players, "turn_limit": 12}
    duel, log, seen = new_duel(key, **setup), [], []
    for seats, word, number in wishes:
        if duel.computer is not None:  # which can do nothing but move
            seats = frozenset({duel.deciding})
        before, deciding = visible_state(duel), duel.deciding
        try:
            event = fulfil(duel, seats, _wish(duel, word, number))
        except NumduelError:
            assert visible_state(duel) == before
        else:
            log.append(dump(event))
            seen.append(visible_state(duel))
            assert duel.version == len(log)
            assert seats
            assert deciding in seats or not isinstance(event, Move | Swap)
    again = new_duel(key, **setup)
    for body, expected in zip(log, seen, strict=True):
        again.apply(load(body))
        assert visible_state(again) == expected
    shorter = new_duel(key, **setup)
    for event in without_undone(map(load, log)):
        shorter.apply(event)
    shorter.version = duel.version  # which also counts the moves that were taken back
    assert visible_state(shorter) == visible_state(duel)


def test_each_finished_round_remembers_whether_its_first_move_was_taken_over():
    game = numduel.new("double-or-add", target=4)
    duel = Duel(Setup(game, ("human", "human"), 1, 2, True, None, 0, "2026-01-01T00:00:00+00:00"))
    for event in (Move(1), Swap(True), Move(1), Next(), Move(1), Swap(False), Move(1), Rematch()):
        duel.apply(event)
    assert duel.swaps == [True, False]
    duel.apply(Resign(1))
    assert duel.copy().swaps == [True, False, None]
    assert len(duel.rounds) == len(duel.swaps)
