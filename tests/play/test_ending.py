"""How a game ended, in a sentence."""

import numduel
from numduel.core.game import Outcome
from numduel.core.record import Record
from numduel.play.ending import ending, table_ending
from numduel.play.event import Move, Resign
from numduel.play.match import Match
from numduel.play.setup import arrange


def record(game, moves, outcome):
    return Record(game.key, dict(game.settings.values), ("a", "b"), 1, moves, outcome, "2026-01-01")


def test_the_end_is_told_with_its_reason_in_numbers():
    game = numduel.new("operation-duel", target=6, start=3)
    end = ending(game, record(game, (2,), Outcome(1, "reached")))
    assert end.ruled
    assert end.sentence(game) == "Player 1 wins: 3 × 2 = 6."
    assert end.sentence(game, ("Ada", "Bob")) == "Ada wins: 3 × 2 = 6."
    assert end.sentence(game, ("You", "The computer")) == "You win: 3 × 2 = 6."
    past = ending(game, record(game, (1, 2), Outcome(1, "overshot")))
    assert past.sentence(game, ("Ada", "Bob")) == "Ada wins: Bob went past 6: 4 × 2 = 8."


def test_a_relation_is_told_with_the_last_number_claimed():
    game = numduel.new("divisor-line")
    end = ending(game, record(game, (4, 5, 8, 9, 12), Outcome(1, "relation")))
    assert end.sentence(game) == "Player 1 wins: 4 divides 12."


def test_a_game_that_was_ended_otherwise_says_so():
    game = numduel.new("double-or-add")
    limit = ending(game, record(game, (1,), Outcome(None, "turn-limit")))
    assert not limit.ruled
    assert limit.sentence(game) == "Nobody wins: the limit of 1 turn is reached."
    gone = ending(game, record(game, (), Outcome(2, "resigned")))
    assert gone.last is None
    assert gone.sentence(game, ("Ada", "Bob")) == "Bob wins: Ada resigned."


def test_an_unfinished_game_has_no_end():
    game = numduel.new("double-or-add")
    assert ending(game, record(game, (1,), None)) is None


def test_the_end_at_a_table_is_that_of_its_record():
    game = numduel.new("divisor-line")
    match = Match(arrange(game))
    assert table_ending(match.table, match.table.outcome) is None
    for move in (4, 5, 8, 9, 12):
        match.apply(Move(move))
    assert table_ending(match.table, match.table.outcome) == ending(game, match.record())
    resigned = Match(arrange(game))
    resigned.apply(Resign(1))
    assert table_ending(resigned.table, resigned.table.outcome) == ending(game, resigned.record())
