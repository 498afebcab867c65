"""The coach: hints that win, and comments that are true, in whole sentences."""

from random import Random
from typing import NamedTuple

import pytest

import numduel
from numduel import Game, Outcome, TooLarge
from numduel.core.verdict import Verdict
from numduel.play.coach import (
    Swap,
    advice,
    advised,
    comment,
    comment_swap,
    fairness,
    hint,
    judge,
    judge_swap,
    outlook,
)
from numduel.players import Turn


class Stand(NamedTuple):
    place: str
    mover: int


class Drawn(Game[Stand]):
    """From a, move 1 draws and 2 loses; 3 goes to b, where they must draw and could lose."""

    key = "drawn"
    title = "Drawn"
    summary = rules = "For tests."

    def __init__(self, **ways):
        super().__init__()
        self.ways = ways or {"a": {1: "drawn", 2: "won", 3: "b"}, "b": {4: "drawn", 5: "won"}}

    def begin(self, first):
        return Stand("a", first)

    def moves(self, position):
        return tuple(self.ways.get(position.place, ()))

    def after(self, position, move):
        return Stand(self.ways[position.place][move], 3 - position.mover)

    def outcome(self, position):
        winner = {"drawn": None, "won": position.mover, "lost": 3 - position.mover}
        return Outcome(winner[position.place], "stuck") if position.place in winner else None


def asked(game, *moves, **given):
    position = game.start()
    for move in moves:
        position = game.play(position, move)
    return Turn(game, position, 1, moves, Random(1), **given)


def line(key, *moves, **settings):
    turn = asked(numduel.new(key, **settings), *moves)
    return hint(turn.game, turn.position).line


# Hints.


def test_advice_brings_the_pairs_that_a_win_rests_on():
    game = numduel.new("multiplicity")
    turn = asked(game, 36, 4, 12, 3, 15, 5)
    assert advised(turn, False)[1:] == (35, ((7, 49),))
    assert advised(asked(numduel.new("double-or-add", start=2)), False).pairs == ()
    assert advised(asked(Drawn()), False).pairs == ()
    assert advised(turn, True).move is None


def test_a_hint_names_the_only_move_that_wins_and_says_why():
    assert line("operation-duel", start=11) == (
        "Only Add 1 → 12 wins: 12 leaves them an even number above half the target: "
        "whatever they do, you reach 20 first."
    )


def test_a_hint_names_one_of_several_moves_that_win():
    assert line("multiplicity") == "Play 29: 29 leaves nothing to choose."


def test_a_hint_in_a_lost_position_sets_the_best_trap():
    assert line("operation-duel", start=12) == (
        "Every move loses against best play. Add 1 → 13 sets the best trap: "
        "1 of 2 answers would be a mistake."
    )


def test_a_hint_in_a_lost_position_never_calls_a_loss_at_once_as_good_as_any():
    game = numduel.new("multiplicity", size=400, start=6)
    for seconds in (None, 2, 0):
        found = hint(game, game.start(), seconds)
        assert found.move != 1  # to which there is an answer that ends the game
        assert "would be mistakes" in found.line


def test_a_hint_where_no_answer_can_go_wrong_holds_out_longest():
    ways = {"a": {1: "b", 2: "c"}, "b": {3: "lost"}, "c": {4: "d"}, "d": {5: "e"}, "e": {6: "lost"}}
    game = Drawn(**ways)
    assert hint(game, game.start()).line == (
        "Every move loses against best play. 2 holds out longest: "
        "they win with best play, 3 more moves away."
    )


def test_a_hint_of_which_nothing_more_is_known_is_as_good_as_any():
    found = hint(numduel.new("divisor-line", size=1_000_000), asked_line(500_001))
    assert found.line.startswith("Every move loses against best play. 1 is as good as any: ")


def asked_line(*moves):
    return asked(numduel.new("divisor-line", size=1_000_000), *moves).position


def test_a_hint_in_a_drawn_position_keeps_the_draw():
    game = Drawn()
    assert hint(game, game.start()).line == (
        "Nobody can force a win; 3 keeps the draw: with best play nobody wins. "
        "It sets a trap: 1 of 2 answers would be a mistake."
    )
    game = Drawn(a={1: "drawn", 2: "won"})
    assert hint(game, game.start()).line == (
        "Nobody can force a win; only 1 keeps the draw: with best play nobody wins."
    )


def test_a_hint_in_an_endless_position_is_safe():
    said = line("divisor-duel", start=6)
    assert said.startswith("Nobody can force an end; only Add 1 → 7 is safe: 7 leaves the rem")


def test_a_hint_says_where_there_is_only_one_move():
    said = line("multiplicity", size=14, start=7, opening="even")
    assert said.startswith("14 is the only move: ")


@pytest.mark.parametrize("size", [30, 1000])
def test_hints_keep_the_win_at_any_size(size):
    game = numduel.new("multiplicity", size=size, start=2)
    rng = Random(1)
    position = game.start()
    while game.moves(position):
        found = hint(game, position, seconds=1)
        assert found.verdict.value == numduel.solve(game, position).value
        if found.verdict.value == "win":
            assert numduel.evaluate(game, position)[found.move].value == "win"
        position = game.play(position, rng.choice(game.moves(position)))


# Judgements.


def said(key, move, **settings):
    game = numduel.new(key, **settings)
    return comment(game, game.start(), move)


def test_the_comment_on_a_move_that_keeps_the_win():
    assert said("operation-duel", 1, start=11) == "Good: that keeps the win."


def test_the_comment_on_a_move_that_gives_the_win_away():
    assert said("operation-duel", 2, start=11) == (
        "That gave the win away. Add 1 → 12 would have kept it: 12 leaves them an even number "
        "above half the target: whatever they do, you reach 20 first."
    )
    assert said("multiplicity", 5) == (
        "That gave the win away. 29 would have kept it: 29 leaves nothing to choose."
    )


def test_the_comment_where_nothing_could_be_done():
    assert said("operation-duel", 1) == "Nothing could be done: every move loses against best play."


def test_the_comments_in_endless_play():
    assert said("divisor-duel", 1, start=6) == "Sound: nobody can force an end."
    assert said("divisor-duel", 2, start=6).startswith("That loses. Add 1 → 7 would have held: 7 ")


def test_the_comments_in_a_drawn_game():
    game = Drawn()
    assert comment(game, game.start(), 1) == "Sound: that keeps the draw."
    assert comment(game, game.start(), 2) == (
        "That loses. 3 would have kept the draw: with best play nobody wins."
    )
    assert judge(game, game.start(), 1).sound
    won = Drawn(a={1: "drawn", 2: "lost"})
    assert comment(won, won.start(), 1) == (
        "That gave the win away. 2 would have kept it: you win at once."
    )


def test_a_draw_for_an_endless_game_gives_nothing_away():
    game = Drawn(a={1: "drawn", 2: "b"}, b={3: "a"})
    assert judge(game, game.start(), 2).sound


def test_the_comment_on_the_only_move():
    only = said("multiplicity", 14, size=14, start=7, opening="even")
    assert only == "It was the only move."


def test_the_outlook_names_the_player():
    assert outlook(Verdict("win", 1), 2) == "Player 2 wins in 1 move with best play."
    assert outlook(Verdict("loss", 14), 2) == "Player 1 wins in 14 moves with best play."
    assert outlook(Verdict("loss"), 1) == "Player 2 wins with best play."
    assert outlook(Verdict("endless"), 1) == "Neither player can force an end."
    assert outlook(Verdict("draw", 9), 1) == "With best play nobody wins."


def test_what_is_beyond_the_coach_is_said_in_whole_sentences():
    game = numduel.new("operation-duel", target=10**12, operations="+1,-1,x3")
    turn = asked(game)
    for words in (
        advice(turn, swap_open=False),
        advice(turn, swap_open=True),
        comment(game, turn.position, 1),
        comment_swap(game, turn.position, True),
    ):
        assert words.startswith("This is beyond ")
        assert words.endswith(".")
    with pytest.raises(TooLarge):
        hint(game, turn.position)


# The swap.

CHAIN = numduel.new("divisor-line", goal="chain")
WINS, LOSES = 2, 19  # two first moves


def test_advice_before_a_move_that_can_be_taken_over():
    hard = advice(asked(CHAIN, swap_ahead=True), swap_open=False)
    assert hard.startswith("A first move that wins will be taken over")
    ends = numduel.new("divisor-duel", divisor=4, start=2, ceiling=30)
    assert advice(asked(ends, swap_ahead=True), swap_open=False).startswith("Only Multiply")
    game = numduel.new("divisor-duel")
    assert "is safe" in advice(asked(game, swap_ahead=True), swap_open=False)


def test_advice_on_the_swap():
    assert numduel.evaluate(CHAIN, CHAIN.start())[WINS].value == "win"
    assert numduel.evaluate(CHAIN, CHAIN.start())[LOSES].value == "loss"
    assert advice(asked(CHAIN, WINS), swap_open=True) == "Yes: that move wins."
    assert advice(asked(CHAIN, LOSES), swap_open=True) == "No: that move does not win."
    endless = asked(numduel.new("divisor-duel"), 1)
    assert advice(endless, swap_open=True) == "Either will do: that move neither wins nor loses."


def test_comments_on_the_swap():
    def said(opening, taken):
        return comment_swap(CHAIN, asked(CHAIN, opening).position, taken)

    assert said(WINS, True) == "Good: that first move wins."
    assert said(LOSES, False) == "Good: that first move does not win."
    assert said(WINS, False) == "That first move wins: it was better to take it over."
    assert said(LOSES, True) == "That first move does not win: it was better to leave it."
    endless = asked(numduel.new("divisor-duel"), 1)
    for taken in (True, False):
        said = comment_swap(endless.game, endless.position, taken)
        assert said == "Sound: that first move neither wins nor loses."


def test_a_swap_is_judged():
    found = judge_swap(CHAIN, asked(CHAIN, WINS).position, 2, True)
    assert found == Swap(2, True, found.verdict)
    assert found.sound


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("multiplicity", "Whoever begins can win."),
        ("double-or-add", "Whoever goes second can win."),
        ("divisor-duel", "Neither player can force an end."),
    ],
)
def test_how_fair_a_game_is_before_anybody_begins(key, line):
    assert fairness(numduel.new(key)) == line


def test_how_fair_a_game_is_takes_no_longer_than_allowed():
    with pytest.raises(TooLarge):
        fairness(numduel.new("multiplicity", size=1_000_000), 1.0)
