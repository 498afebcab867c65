"""The coach after a move: its comments are true; and its closing remark after a game."""

from tests.play.test_coach import CHAIN, LOSES, WINS
from tests.toy_games import Places, asked

import numduel
from numduel.core.game import Outcome
from numduel.core.words import Last, replay_moves
from numduel.play.judgement import (
    ClosingRemark,
    Remark,
    closing_remark,
    comment_on_move,
    comment_on_swap,
    judge_move,
    remark,
)


def said(key, move, **settings):
    game = numduel.new(key, **settings)
    return comment_on_move(game, [Last(game.start(), move)])


def test_praise_names_the_idea_and_the_number():
    assert said("operation-duel", 1, start=4) == "5 is on your ladder to 20."
    ceiling = said("divisor-duel", 2, start=3, divisor=10, ceiling=40)
    assert ceiling == "6 is a good number: you can answer all that they do."
    assert said("multiplicity", 25, size=40, start=5) == "25 leaves only 1: well spotted."
    assert said("multiplicity", 2, size=14, start=1).startswith("2 is right: each of the ")
    assert said("divisor-duel", 1, start=6) == "Well chosen: 7 is safe, and not every number was."


def test_blame_names_the_answer_and_what_was_better():
    assert said("double-or-add", 1, start=14) == (
        "From 28 they can go to 29, a good number to land on. "
        "Add One → 15 instead of Double → 28 would have won."
    )
    assert said("multiplicity", 5) == (
        "5 and 35 are a domino: they can step on 35, and then they have an answer to everything. "
        "29 instead of 5 would have won."
    )
    assert said("divisor-duel", 2, start=6) == (
        "From 12 they can go to 13 and win. "
        "Add 1 → 7 instead of Multiply by 2 → 12 would have been safe."
    )


def test_there_is_no_comment_if_there_was_no_choice():
    assert said("multiplicity", 14, size=14, start=7, opening="even") == ""
    assert said("divisor-line", 7) == ""  # every number wins
    assert said("multiplicity", 29) == ""  # the game is over: there will be a last word
    assert said("operation-duel", 1, start=11) == ""  # to double would lose at once


def test_if_every_move_loses_the_coach_says_which_sets_the_most_traps():
    menu = {"start": 3, "target": 30, "operations": "+1,+3,x2"}
    traps = "2 of 3 answers to it are wrong."
    assert said("operation-duel", 2, **menu) == f"Add 3 → 6 sets the most traps: {traps}"
    assert said("operation-duel", 1, **menu).endswith(f"more traps than Add 1 → 4: {traps}")
    assert said("operation-duel", 1, start=5) == ""  # they are alike: doubling loses at once
    assert said("multiplicity", 1, size=400, start=6).startswith(
        "2 would have set more traps than 1"
    )
    lost = Places(a={1: "b", 2: "c"}, b={3: "lost"}, c={3: "lost"})
    assert comment_on_move(lost, [Last(lost.start(), 1)]) == ""


def test_the_comments_in_a_drawn_game():
    game = Places()
    assert comment_on_move(game, [Last(game.start(), 1)]) == ""  # the game is over
    assert comment_on_move(game, [Last(game.start(), 3)]) == ""  # the other moves end it
    draw = Places(a={1: "b", 2: "c"}, b={3: "drawn", 4: "won"}, c={5: "lost", 6: "lost"})
    assert comment_on_move(draw, [Last(draw.start(), 1)]) == "After 1 nobody can force a win."
    assert judge_move(game, game.start(), 1)[1]
    won = Places(a={1: "drawn", 2: "lost", 3: "b"}, b={4: "drawn", 5: "drawn"})
    assert comment_on_move(won, [Last(won.start(), 3)]) == (
        "After 3 nobody can force a win. 2 instead of 3 would have won."
    )
    drawn = Places(a={1: "drawn", 2: "b"}, b={3: "lost", 4: "lost"})
    assert comment_on_move(drawn, [Last(drawn.start(), 2)]) == (
        "2 lets them win at once with 3. 1 instead of 2 would have kept the draw."
    )


def test_a_draw_for_an_endless_game_gives_nothing_away():
    game = Places(a={1: "drawn", 2: "b"}, b={3: "a"})
    assert judge_move(game, game.start(), 2)[1]


def test_no_sentence_about_an_earlier_move_is_repeated():
    game = numduel.new("operation-duel", target=12, start=4, operations="+1,-2,x2")
    _, past = replay_moves(game, 1, (1, 2, 3, 2, 3, 2, 2, 1, 2))
    assert comment_on_move(game, past[:2]) == "Well chosen: 3 is safe, and not every number was."
    assert remark(game, *past[8]).sentences == (
        "Well chosen: 3 is safe, and not every number was.",
    )
    assert comment_on_move(game, past) == ""


def test_the_coach_says_once_that_a_game_is_too_large():
    game = numduel.new("operation-duel", target=10**12, operations="+1,-1,x3")
    _, past = replay_moves(game, 1, (1, 1))
    assert comment_on_move(game, past[:1]).startswith("I cannot judge this: ")
    assert comment_on_move(game, past) == ""
    assert comment_on_swap(game, past[1].before, True).startswith("I cannot judge this: ")


def test_a_move_is_not_praised_if_not_all_moves_can_be_judged():
    game = numduel.new("divisor-line", size=1_000_000)
    _, past = replay_moves(game, 1, (500_001, 3, 5, 7))
    assert remark(game, *past[2]) == Remark()


# The closing remark.


def last(key, moves, seat, **settings):
    game = numduel.new(key, **settings)
    position, past = replay_moves(game, 1, moves)
    return closing_remark(game, past, game.outcome(position), seat)


def test_the_closing_remark_to_a_winner_says_what_won():
    assert last("multiplicity", (29,), 1) == ClosingRemark("You won: 29 left nothing.")
    assert last("double-or-add", (2,), 1, start=30).line == "You won: you landed on 31."
    assert last("divisor-duel", (1,), 1, start=6, divisor=7).line == "You won: you landed on 7."
    assert last("divisor-line", (2, 5, 4, 7, 8), 1).line == "You won: 2 divides 8."
    stuck = last("operation-duel", (1,), 1, start=3, operations="-2", target=20)
    assert stuck.line == "You won: 1 left them no move."


def test_a_winner_by_a_mistake_gets_no_closing_remark():
    assert last("double-or-add", (1,), 2, start=20) == ClosingRemark()


def test_the_closing_remark_to_a_loser_says_where_the_game_turned():
    moves = (2, 2, 1, 1, 2, 2, 1, 2, 2, 2)
    line, turned, best = last("double-or-add", moves, 1, start=1)
    assert (line, turned, best.move) == ("So close! It turned when you chose Double → 28.", 6, 2)
    assert last("divisor-line", (2, 5, 7, 10, 9, 20), 1).line.endswith("you chose 9.")


def test_a_loser_without_a_mistake_is_told_so():
    said = "You made no mistake: they could win from the start."
    assert last("multiplicity", (3,), 2, size=3) == ClosingRemark(said)


def test_there_is_no_closing_remark_if_nothing_was_decided_or_known():
    game = numduel.new("double-or-add")
    _, past = replay_moves(game, 1, (1, 1))
    assert closing_remark(game, past, Outcome(None, "turn-limit"), 1) == ClosingRemark()
    assert closing_remark(game, past, Outcome(2, "resigned"), 1) == ClosingRemark()
    assert closing_remark(game, past * 300, Outcome(2, "reached"), 1) == ClosingRemark()
    large = numduel.new("operation-duel", target=10**12, operations="+1,-1,x3")
    _, past = replay_moves(large, 1, (1, 1))
    assert closing_remark(large, past, Outcome(2, "reached"), 1) == ClosingRemark()


# The swap.


def test_comments_on_the_swap():
    def said(opening, taken):
        return comment_on_swap(CHAIN, asked(CHAIN, opening).position, taken)

    assert said(WINS, True) == "Good: that first move wins."
    assert said(LOSES, False) == "Good: that first move does not win."
    assert said(WINS, False) == "That first move wins: it was better to take it over."
    assert said(LOSES, True) == "That first move does not win: it was better to leave it."
    endless = asked(numduel.new("divisor-duel"), 1)
    for taken in (True, False):
        said = comment_on_swap(endless.game, endless.position, taken)
        assert said == "Sound: that first move neither wins nor loses."
