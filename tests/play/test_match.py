"""A match: who begins, who is ahead, what undo takes back, and its random numbers."""

import pytest

import numduel
from numduel import Outcome
from numduel.play.event import Move, Resign, Swap, Undo
from numduel.play.match import Match, score_line
from numduel.play.setup import Setup
from numduel.play.table import TURN_LIMIT

STARTED = "2026-01-02T03:04:05+00:00"


def setup(key="double-or-add", settings=(), **agreed):
    fields = {
        "players": ("human", "human"),
        "first": 1,
        "rounds": 1,
        "swap": False,
        "turn_limit": None,
        "seed": 7,
        "started": STARTED,
    }
    return Setup(game=numduel.new(key, **dict(settings)), **{**fields, **agreed})


def match(**agreed):
    return Match(setup(**agreed))


def played(match, *moves):
    for move in moves:
        match.apply(Move(move))
    return match


QUICK = {"target": 2}  # whoever begins wins with the first move


@pytest.mark.parametrize("first", [1, 2])
def test_rounds_alternate_who_begins(first):
    rounds = played(match(settings=QUICK, first=first, rounds=4), 1, 1, 1, 1)
    other = 3 - first
    assert [record.first for record in rounds.finished] == [first, other, first, other]
    assert [record.outcome.winner for record in rounds.finished] == [first, other, first, other]


def test_the_score_runs_and_a_tie_is_a_tied_match():
    rounds = match(settings=QUICK, rounds=2)
    assert score_line(rounds.wins) == "Score: Player 1: 0, Player 2: 0"
    played(rounds, 1)
    assert (score_line(rounds.wins), rounds.over) == ("Score: Player 1: 1, Player 2: 0", False)
    played(rounds, 1)
    assert (score_line(rounds.wins), rounds.over) == ("Score: Player 1: 1, Player 2: 1", True)
    assert (rounds.champion, rounds.result_line()) == (None, "The match is tied, 1 to 1.")


@pytest.mark.parametrize("champion", [1, 2])
def test_the_winner_of_more_rounds_is_the_champion(champion):
    rounds = played(match(settings=QUICK, first=champion, rounds=3), 1, 1, 1)
    assert rounds.champion == champion
    assert rounds.result_line() == f"Player {champion} is the champion, 2 to 1!"
    assert rounds.result_line(("You", "You")) == "You are the champion, 2 to 1!"


def resigned(match, *losers):
    for seat in losers:
        match.apply(Resign(seat))
    return match


@pytest.mark.parametrize(
    ("losers", "over"),
    [([2], False), ([2, 2], True), ([2, 1], False), ([1, 2, 2], True), ([1, 1], True)],
)
def test_the_best_of_three_ends_when_it_is_decided(losers, over):
    assert resigned(match(rounds=3, best_of=True), *losers).over == over
    assert not resigned(match(rounds=4), *losers).over


def test_rounds_without_a_winner_count_as_played_in_the_best_of_them():
    rounds = played(match(rounds=5, best_of=True, turn_limit=1), 1, 1)
    assert not resigned(rounds, 1).over  # 1 to 0, and two to play
    assert resigned(rounds, 1).over  # 2 to 0, and one to play
    assert rounds.result_line() == "Player 2 is the champion, 2 to 0!"
    assert played(match(rounds=3, best_of=True, turn_limit=1), 1, 1, 1).over
    tied = resigned(played(match(rounds=3, best_of=True, turn_limit=1), 1), 1, 2)
    assert (tied.over, tied.result_line()) == (True, "The match is tied, 1 to 1.")


@pytest.mark.parametrize("rounds_won", [0, 1, 2])
def test_a_player_who_leaves_loses_the_match_whatever_the_score(rounds_won):
    rounds = match(rounds=5)
    for _ in range(rounds_won):
        rounds.apply(Resign(1))
    rounds.leave(2)
    assert (rounds.over, rounds.champion, rounds.left) == (True, 1, 2)
    assert rounds.result_line() == "Player 1 is the champion: Player 2 has left."
    assert rounds.result_line(("You", "Ada")) == "You are the champion: Ada has left."
    again = rounds.copy()
    again.leave(1)
    assert (again.champion, again.finished) == (1, rounds.finished)


def test_a_match_counts_as_played_after_a_move_or_a_round():
    moved, resigned = match(), match(rounds=2)
    assert not moved.played and not resigned.played
    moved.apply(Move(moved.table.game.moves(moved.table.position)[0]))
    resigned.apply(Resign(1))
    assert moved.played and resigned.played


def test_a_player_who_leaves_resigns_the_current_round():
    rounds = played(match(rounds=2), 1)
    rounds.leave(1)
    assert [record.outcome for record in rounds.finished] == [Outcome(2, "resigned")]


def test_a_round_says_which_it_is_of_how_many():
    assert match(rounds=3).round_line() == "Round 1 of 3"
    rounds = resigned(match(rounds=3, best_of=True), 1)
    rounds.begin_due_rounds()
    assert rounds.round_line() == "Round 2, best of 3"


def test_a_copy_stays_as_it_was():
    rounds = played(match(settings=QUICK, rounds=3, first=2), 1)
    rounds.begin_due_rounds()
    before = rounds.copy()
    seen = [(one.round, [*one.finished], {**one.wins}, [*one.table.moves]) for one in (before,)]
    played(rounds, 1)
    rounds.begin_due_rounds()
    assert (before.round, before.finished, before.wins, before.table.moves) == seen[0]
    assert rounds.wins == {1: 1, 2: 1}
    laid = played(match(), 1)
    table = laid.table.copy()
    played(laid, 2)
    assert (table.moves, table.movers, table.position.number) == ([1], [1], 2)


def test_a_resigned_round_counts_and_one_without_a_winner_does_not():
    rounds = match(rounds=3, turn_limit=1)
    rounds.apply(Resign(1))
    played(rounds, 1, 1)
    assert rounds.wins == {1: 0, 2: 1}
    assert [record.outcome for record in rounds.finished] == [
        Outcome(2, "resigned"),
        Outcome(None, "turn-limit"),
        Outcome(None, "turn-limit"),
    ]


def test_a_game_that_is_over_before_the_first_move_is_a_round():
    stuck = match(key="multiplicity", settings={"size": 1}, rounds=3)
    assert (stuck.round, stuck.over) == (1, False)
    stuck.begin_due_rounds()
    assert (stuck.round, stuck.over, stuck.wins) == (3, True, {1: 1, 2: 2})


def test_no_round_begins_while_another_goes_on():
    rounds = played(match(rounds=2), 1)
    rounds.begin_due_rounds()
    assert (rounds.round, rounds.table.moves) == (1, [1])


@pytest.mark.parametrize(
    ("players", "given", "limit"),
    [
        (("random", "random"), None, TURN_LIMIT),
        (("random", "random"), 5000, 5000),
        (("human", "random"), None, 100_000),
        (("random", "human"), 3, 3),
    ],
)
def test_between_computers_the_limit_is_1000_turns(players, given, limit):
    assert match(players=players, turn_limit=given).table.turn_limit == limit
    assert TURN_LIMIT == 1000


@pytest.mark.parametrize(
    ("players", "moves", "counts"),
    [
        (("human", "human"), [1, 2, 1], [0, 1, 1, 1]),
        (("human", "random"), [1, 2, 1], [0, 1, 2, 1]),
        (("random", "human"), [1, 2, 1, 2], [0, 0, 1, 2, 1]),
        (("random", "random"), [1, 2], [0, 0, 0]),
    ],
)
def test_undo_takes_back_the_last_move_of_a_person_and_the_answer(players, moves, counts):
    going = match(players=players)
    found = [going.undo_count()]
    for move in moves:
        played(going, move)
        found.append(going.undo_count())
    assert found == counts


@pytest.mark.parametrize("players", [("human", "random"), ("random", "human")])
@pytest.mark.parametrize("taken", [True, False])
def test_undo_takes_back_a_swap_that_a_person_took_part_in(players, taken):
    going = played(match(players=players, swap=True), 1)
    going.apply(Swap(taken))
    assert going.undo_count() == 1
    going.apply(Undo(1))
    assert (going.table.moves, going.table.swapped) == ([], None)


def test_there_is_no_undo_of_a_swap_among_computers():
    going = played(match(players=("random", "random"), swap=True), 1)
    going.apply(Swap(True))
    assert going.undo_count() == 0


def test_the_mover_is_the_player_of_the_seat_to_move():
    going = match(players=("human", "random"), first=2)
    assert going.mover == "random"
    assert played(going, 1).mover == "human"


def test_the_random_numbers_of_a_turn_depend_on_seed_round_and_turn_alone():
    def draws(**agreed):
        going = played(match(rounds=2, turn_limit=2, **agreed))
        seen = [going.table.turn().rng.random()]
        for move in (1, 1, 1):
            played(going, move)
            going.begin_due_rounds()
            seen.append(going.table.turn().rng.random())
        return seen

    assert draws() == draws()
    assert len(set(draws())) == 4
    assert not set(draws()) & set(draws(seed=8))


def test_undo_brings_back_the_same_random_numbers():
    going = played(match(), 1)
    before = going.table.turn().rng.random()
    played(going, 1)
    going.apply(Undo(1))
    assert going.table.turn().rng.random() == before


def test_a_turn_holds_everything_that_has_happened():
    going = played(match(first=2), 1, 2)
    turn = going.table.turn()
    assert (turn.game, turn.position) == (going.setup.game, going.table.position)
    assert (turn.first, turn.moves) == (2, (1, 2))


def test_the_record_of_a_round_says_who_moved_first_after_the_swap():
    going = played(match(swap=True, players=("human", "random")), 1)
    going.apply(Swap(True))
    record = going.record()
    assert (record.first, record.moves, record.players) == (2, (1,), ("human", "random"))
    assert (record.outcome, record.started) == (None, STARTED)
    assert list(record.positions(numduel.new("double-or-add")))[-1] == going.table.position

    assert match(names=(None, "Ada")).record().players == ("human", "Ada")
