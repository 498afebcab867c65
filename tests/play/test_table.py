"""The table: moves, undo, the swap, resigning, the limit of turns, and how a game ended."""

from collections import Counter

import pytest
from stepping_stones import SteppingStones

import numduel
from numduel import IllegalMove, Outcome
from numduel.core.record import MAX_GAME_MOVES, Record
from numduel.games.tally.games import DivisorDuel
from numduel.play.event import Ask, Forfeited, Move, Next, Refuse, Rematch, Resign, Swap, Undo
from numduel.play.match import Match
from numduel.play.setup import arrange
from numduel.play.table import CHECKPOINT_MOVES, Table, record_ending, table_ending


def table(first=1, turn_limit=None, swap=False, **settings):
    return Table(numduel.new("double-or-add", **settings), first, turn_limit, swap)


def played(table, *moves):
    for move in moves:
        table.apply(Move(move))
    return table


def test_a_move_changes_the_position_and_is_kept_with_its_mover():
    laid = played(table(first=2), 1, 2, 1)
    assert (laid.moves, laid.movers) == ([1, 2, 1], [2, 1, 2])
    assert (laid.position.number, laid.position.mover) == (6, 1)
    assert laid.outcome is None


def test_an_illegal_move_changes_nothing():
    laid = played(table(), 1)
    before = laid.position
    with pytest.raises(IllegalMove, match="3 is not in the menu"):
        laid.apply(Move(3))
    assert (laid.position, laid.moves, laid.movers) == (before, [1], [1])


def test_the_rules_end_the_game_and_nothing_can_happen_after():
    laid = played(table(target=2), 1)
    assert laid.outcome == Outcome(1, "reached")
    for event in (Move(1), Undo(1), Resign(2)):
        with pytest.raises(IllegalMove, match="the game is over"):
            laid.apply(event)
    assert laid.outcome == Outcome(1, "reached")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_undo_takes_back_its_number_of_moves(count):
    laid = played(table(), 1, 2, 1)
    laid.apply(Undo(count))
    assert laid.moves == [1, 2, 1][: 3 - count]
    assert laid.movers == [1, 2, 1][: 3 - count]
    assert laid.position == played(table(), *[1, 2, 1][: 3 - count]).position


@pytest.mark.parametrize("count", [0, -1, 3])
def test_undo_of_more_moves_than_were_made_is_refused(count):
    laid = played(table(), 1, 2)
    with pytest.raises(IllegalMove, match="there are 2 moves to take back"):
        laid.apply(Undo(count))
    assert laid.moves == [1, 2]


@pytest.mark.parametrize("seat", [1, 2])
def test_resigning_or_forfeiting_gives_the_game_to_the_other(seat):
    laid = played(table(), 1)
    laid.apply(Resign(seat))
    assert laid.outcome == Outcome(3 - seat, "resigned")
    failed = played(table(), 1)
    failed.apply(Forfeited(seat))
    assert failed.outcome == Outcome(3 - seat, "forfeited")


def test_nobody_wins_at_the_limit_of_turns():
    laid = played(table(turn_limit=2), 1)
    assert laid.outcome is None
    laid.apply(Move(2))
    assert laid.outcome == Outcome(None, "turn-limit")
    with pytest.raises(IllegalMove, match="the game is over"):
        laid.apply(Move(1))


def test_a_win_with_the_last_turn_of_the_limit_is_a_win():
    assert played(table(turn_limit=1, target=2), 1).outcome == Outcome(1, "reached")


def test_without_a_limit_a_game_is_as_long_as_a_record_may_be():
    assert table().turn_limit == MAX_GAME_MOVES


def test_the_swap_is_open_after_the_first_move_only():
    laid = table(swap=True)
    assert not laid.swap_open
    laid.apply(Move(1))
    assert laid.swap_open
    with pytest.raises(IllegalMove, match="the swap must be decided first"):
        laid.apply(Move(1))
    laid.apply(Swap(False))
    assert not laid.swap_open
    with pytest.raises(IllegalMove, match="once"):
        laid.apply(Swap(True))
    laid.apply(Move(2))
    assert not laid.swap_open


def test_the_swap_gives_the_first_move_to_the_second_player():
    laid = played(table(first=1, swap=True), 1)
    laid.apply(Swap(True))
    assert (laid.first, laid.moves, laid.movers) == (2, [1], [2])
    assert (laid.position.number, laid.position.mover) == (2, 1)
    laid.apply(Move(2))
    assert laid.movers == [2, 1]


def test_a_declined_swap_changes_nothing():
    laid = played(table(first=2, swap=True), 1)
    before = laid.position
    laid.apply(Swap(False))
    assert (laid.first, laid.position, laid.movers) == (2, before, [2])


def test_there_is_no_swap_unless_agreed_and_none_after_a_winning_first_move():
    for laid in (played(table(), 1), played(table(swap=True, target=2), 1), table(swap=True)):
        with pytest.raises(IllegalMove, match="only after the first turn, once"):
            laid.apply(Swap(True))


def test_undo_before_the_swap_takes_back_the_swap_too():
    laid = played(table(first=1, swap=True), 1)
    laid.apply(Swap(True))
    laid.apply(Move(2))
    laid.apply(Undo(1))
    assert (laid.first, laid.swap_open, laid.movers) == (2, False, [2])
    laid.apply(Undo(1))
    assert (laid.first, laid.position.mover, laid.swapped) == (1, 1, None)
    laid.apply(Move(2))
    assert laid.swap_open


def test_the_swap_is_about_the_whole_first_turn():
    laid = Table(SteppingStones(warm=3), 1, None, swap=True)
    laid.apply(Move(3))
    assert (laid.swap_open, laid.turn().swap_ahead) == (False, True)
    laid.apply(Move(2))
    assert (laid.swap_open, laid.position.mover, laid.turn().swap_ahead) == (True, 2, False)
    laid.apply(Swap(True))
    assert (laid.moves, laid.movers, laid.position.mover) == ([3, 2], [2, 2], 1)
    laid.apply(Move(2))
    laid.apply(Undo(2))
    assert (laid.moves, laid.movers, laid.swapped, laid.first) == ([3], [1], None, 1)


@pytest.mark.parametrize("event", [Next(), Rematch(), Ask(1), Refuse(2)])
def test_events_of_a_duel_are_refused_at_a_table(event):
    with pytest.raises(IllegalMove, match="is not possible: it does not happen at a table"):
        table().apply(event)


LONG = 2 * CHECKPOINT_MOVES + 7


@pytest.fixture
def long_game():
    """Return a game longer than two checkpoints, and a counter of the moves that are replayed."""
    counted = Counter()

    class Counting(DivisorDuel):
        def after(self, position, move):
            counted["after"] += 1
            return super().after(position, move)

    laid = played(Table(Counting(divisor=10**9 + 7), 1, None, False), *[1] * LONG)
    counted.clear()
    return laid, counted


def test_any_earlier_position_is_found_by_replaying_few_moves(long_game):
    laid, counted = long_game
    start = laid.position.number - LONG
    for count in range(LONG + 1):
        counted.clear()
        assert laid.position_at(count).number == start + count
        assert counted["after"] < CHECKPOINT_MOVES
    numbers = [position.number for position in laid.positions(LONG - 60)]
    assert numbers == [*range(start + LONG - 60, start + LONG + 1)]


@pytest.mark.parametrize(
    "count", [1, 7, 8, CHECKPOINT_MOVES + 7, CHECKPOINT_MOVES + 8, LONG - 1, LONG]
)
def test_undo_of_a_long_game_replays_little_and_leaves_the_game_as_it_was(long_game, count):
    laid, counted = long_game
    other = laid.copy()
    laid.apply(Undo(count))
    assert counted["after"] < CHECKPOINT_MOVES
    played(laid, *[2, 1] * 40)
    again = played(Table(laid.game, 1, None, False), *[1] * (LONG - count), *[2, 1] * 40)
    assert [*laid.positions()] == [*again.positions()]
    assert other.position_at(LONG) == other.position
    assert other.position_at(LONG - 1).number == other.position.number - 1


def test_the_past_is_each_move_with_the_position_before_it():
    game = numduel.new("operation-duel", target=200, operations="+1")
    one = Table(game, 1, None, False)
    for _ in range(120):
        one.apply(Move(1))
    assert [(last.before.number, last.move) for last in one.past()] == [
        (number, 1) for number in range(1, 121)
    ]
    assert one.past(115) == one.past()[115:]


# How a game ended, in a sentence.


def record_of(game, moves, outcome):
    return Record(game.key, dict(game.settings.values), ("a", "b"), 1, moves, outcome, "2026-01-01")


def test_the_end_is_told_with_its_reason_in_numbers():
    game = numduel.new("operation-duel", target=6, start=3)
    end = record_ending(game, record_of(game, (2,), Outcome(1, "reached")))
    assert end.ruled
    assert end.sentence(game) == "Player 1 wins: 3 × 2 = 6."
    assert end.sentence(game, ("Ada", "Bob")) == "Ada wins: 3 × 2 = 6."
    assert end.sentence(game, ("You", "The computer")) == "You win: 3 × 2 = 6."
    past = record_ending(game, record_of(game, (1, 2), Outcome(1, "overshot")))
    assert past.sentence(game, ("Ada", "Bob")) == "Ada wins. Bob went past 6: 4 × 2 = 8."


def test_a_relation_is_told_with_the_last_number_claimed():
    game = numduel.new("divisor-line")
    end = record_ending(game, record_of(game, (4, 5, 8, 9, 12), Outcome(1, "relation")))
    assert end.sentence(game) == "Player 1 wins: 4 divides 12."


def test_a_game_that_the_rules_did_not_end_says_why():
    game = numduel.new("double-or-add")
    limit = record_ending(game, record_of(game, (1,), Outcome(None, "turn-limit")))
    assert not limit.ruled
    assert limit.sentence(game) == "Nobody wins: the limit of 1 turn is reached."
    gone = record_ending(game, record_of(game, (), Outcome(2, "resigned")))
    assert gone.last is None
    assert gone.sentence(game, ("Ada", "Bob")) == "Bob wins: Ada resigned."


def test_an_unfinished_game_has_no_end():
    game = numduel.new("double-or-add")
    assert record_ending(game, record_of(game, (1,), None)) is None


def test_the_end_at_a_table_is_that_of_its_record():
    game = numduel.new("divisor-line")
    match = Match(arrange(game))
    assert table_ending(match.table, match.table.outcome) is None
    for move in (4, 5, 8, 9, 12):
        match.apply(Move(move))
    assert table_ending(match.table, match.table.outcome) == record_ending(game, match.record())
    resigned = Match(arrange(game))
    resigned.apply(Resign(1))
    assert table_ending(resigned.table, resigned.table.outcome) == record_ending(
        game, resigned.record()
    )
