"""The coach before a move: hints in steps, who can win, and advice on the swap."""

from random import Random

import pytest
from tests.toy_games import Places, asked

import numduel
from numduel import TooLarge
from numduel.core.verdict import Verdict
from numduel.play.coach import advise, hint, outlook


def steps(key, *moves, **settings):
    turn = asked(numduel.new(key, **settings), *moves)
    return hint(turn.game, turn.position).steps


# Hints.


def test_a_hint_has_four_steps_and_the_last_says_why():
    turn = asked(numduel.new("multiplicity", size=40), 14, 28, 2, 30, 5, 20, 4, 24)
    found = advise(turn, False)
    assert found.steps == (
        "1 of your 4 moves wins.",
        "Keep the numbers in pairs: whatever they step on, you need one more step from there.",
        "It is 8 or 12.",
        "Play 8. 8 leaves them 16, 32 or 40: each is half of a domino, "
        "and you step on the other half.",
    )
    assert [found.notes(step) for step in (1, 2, 3)] == [()] * 3
    assert found.notes(4) == ("Dominoes: 16-32, 10-40",)
    assert found.line == found.steps[-1]


def test_the_reason_of_a_race_is_its_ladder():
    game = numduel.new("double-or-add", start=14)
    found = hint(game, game.start())
    assert found.steps == (
        "1 of your 2 moves wins.",
        "Leave an odd number.",
        "It is Double → 28 or Add One → 15.",
        "Play Add One → 15. 15 is odd: whatever they do makes it even, and you make it odd again.",
    )
    assert found.notes == ("Good numbers to land on: 15, 17, 19, 21, 23, 25, 27, 29, 31",)


def test_the_reason_of_divisor_line_is_a_fork():
    found = steps("divisor-line", 6, 1, goal="chain", size=16)
    assert found[1].startswith("Make a fork: ")
    assert found[3] == "Play 12. 12 makes a fork: 2 and 3 both win, and they can stop only one."


def test_the_reason_of_divisor_duel_is_on_the_dial():
    game = numduel.new("divisor-duel", start=6)
    found = hint(game, game.start())
    assert found.steps[1] == "Do not leave the remainder 12: from there they can win."
    assert found.notes == ("Bad remainders to leave: 12",)
    assert found.steps[3].startswith("Play Add 1 → 7. 7 is safe")


def test_if_several_moves_win_the_candidates_are_one_of_them_and_another_move():
    found = steps("multiplicity", size=20, start=1)
    assert found[0] == "18 of your 19 moves win."
    assert found[2].startswith("One of these wins: ")


def test_a_hint_in_a_lost_position_sets_the_most_traps():
    assert steps("operation-duel", start=3, target=30, operations="+1,+3,x2") == (
        "None of your 3 moves wins if they play their best.",
        "Set a trap: leave them as many wrong answers as you can.",
        "Look at Add 1 → 4 and Add 3 → 6.",
        "Play Add 3 → 6. It sets the most traps: 2 of 3 answers to it are wrong.",
    )
    safe = steps("divisor-duel", start=3)
    assert safe[-1].endswith("It sets a trap: 1 of 2 answers to it is wrong.")


def test_a_hint_says_if_all_moves_are_equally_good():
    found = steps("operation-duel", target=12, start=2, operations="+1,+2,x2")
    assert found[-1] == "Play Add 1 → 3. Your moves are equally good here."


def test_a_hint_in_a_lost_position_never_advises_a_loss_at_once():
    game = numduel.new("multiplicity", size=400, start=6)
    for seconds in (None, 2, 0):
        found = advise(asked(game, seconds=seconds), False).hint
        assert found.move != 1  # one answer to it ends the game
        assert "answers to it are wrong" in found.steps[-1]


def test_if_no_answer_can_be_wrong_a_hint_holds_out_longest():
    ways = {"a": {1: "b", 2: "c"}, "b": {3: "lost"}, "c": {4: "d"}, "d": {5: "e"}, "e": {6: "lost"}}
    game = Places(**ways)
    found = hint(game, game.start()).steps
    assert found[1] == "Make the game last: they may still make a mistake."
    assert found[3] == "Play 2. It holds out longest."


def test_if_not_all_verdicts_are_known_no_candidates_are_named():
    found = hint(numduel.new("divisor-line", size=1_000_000), asked_line(500_001)).steps
    assert found == (
        "They can win, whatever you do.",
        "Make the game last: they may still make a mistake.",
        "Play 1. No other move is known to be better.",
    )
    won = hint(numduel.new("divisor-line", size=1_000_000), asked_line()).steps
    assert won[0] == "You can win from here."


def asked_line(*moves):
    return asked(numduel.new("divisor-line", size=1_000_000), *moves).position


def test_a_hint_in_a_drawn_position_keeps_the_draw():
    game = Places()
    assert hint(game, game.start()).steps == (
        "2 of your 3 moves are safe.",
        "Try each move in your head: can they win after it?",
        "Both of these are safe: 1 and 3.",
        "Play 3. After 3 nobody can force a win.",
    )


def test_a_hint_says_if_every_move_is_good():
    game = Places(a={1: "b", 2: "c"}, b={3: "a"}, c={3: "a"})
    found = hint(game, game.start()).steps
    assert found[0] == "Neither of your moves loses, and neither wins if they play their best."
    assert found[2] == "Both of these are safe: 1 and 2."
    game = Places(a={1: "lost", 2: "b"}, b={3: "c"}, c={4: "lost"})
    assert hint(game, game.start()).steps[0] == "Both of your moves win."


def test_the_idea_of_a_race_is_to_land_on_the_target():
    race = numduel.new("double-or-add", start=10, target=20)
    assert hint(race, race.start()).idea == "Can you land on 20 now?"


def test_the_idea_of_a_menu_is_the_numbers_to_go_on_to():
    menu = {"target": 30, "start": 2, "operations": "+1,+3,x2"}
    found = steps("operation-duel", 3, 3, **menu)  # 8
    assert found[1] == "Leave a number from which you always get to 18 or 22."
    assert found[3].startswith("Play Multiply by 2 → 16. From 16 they can go to 17 or 19: ")
    found = steps("operation-duel", 3, 3, 3, 1, **menu)  # 17
    assert found[1] == "Leave a number from which you always get to 22."
    assert found[3] == (
        "Play Add 1 → 18. From 18 they can go to 19 or 21: you answer both with 22."
    )
    found = steps("operation-duel", target=42, start=10, operations="+1,+4,+5,+6,x2,x3")
    assert found[1].startswith("Look for a move that leaves you an answer to everything")
    found = steps("divisor-duel", 2, 1, 1, 1, 1, start=8, ceiling=21)
    assert found[1] == "Leave a number from which every move goes past 21."


def test_a_candidate_that_loses_at_once_is_not_named_beside_two_that_win():
    found = steps("operation-duel", 3, 3, 3, 1, target=30, start=2, operations="+1,+3,x2")
    assert found[0] == "2 of your 3 moves win."
    assert found[2] == "Both of these win: Add 1 → 18 and Add 3 → 20."


def test_if_all_moves_lead_to_the_same_position_any_move_will_do():
    assert steps("double-or-add") == ("It is all the same: choose any move.",)


def test_a_hint_says_if_there_is_only_one_move():
    found = steps("multiplicity", size=14, start=7, opening="even")
    assert found == ("14 is your only move.",)


@pytest.mark.no_cover
@pytest.mark.parametrize("size", [30, 1000])
def test_hints_keep_the_win_at_any_size(size):
    game = numduel.new("multiplicity", size=size, start=2)
    rng = Random(1)
    position = game.start()
    while game.moves(position):
        found = hint(game, position)
        assert found.decision.verdict.value == numduel.solve(game, position).value
        if found.decision.verdict.value == "win":
            assert numduel.evaluate(game, position)[found.move].value == "win"
        position = game.play(position, rng.choice(game.moves(position)))


# Who can win.


def test_the_outlook_names_the_player_and_counts_their_own_moves():
    game = numduel.new("double-or-add")
    assert outlook(game, Verdict("win", 1), 2) == "Player 2 wins at once."
    assert outlook(game, Verdict("loss", 2), 2) == "Player 1 wins with their next move."
    assert outlook(game, Verdict("loss", 14), 2) == (
        "Player 1 wins in 7 of their moves with best play."
    )
    assert outlook(game, Verdict("loss"), 1) == "Player 2 wins with best play."
    assert outlook(game, Verdict("endless"), 1) == "Neither player can force an end."
    assert outlook(game, Verdict("draw", 9), 1) == "With best play nobody wins."


def test_if_players_can_move_twice_the_moves_of_both_sides_are_counted():
    said = outlook(Places(), Verdict("win", 5), 1)
    assert said == "Player 1 wins in 5 moves of both sides with best play."


def test_if_a_game_is_too_large_the_coach_says_so_in_a_sentence():
    game = numduel.new("operation-duel", target=10**12, operations="+1,-1,x3")
    turn = asked(game)
    for swap_open in (False, True):
        assert advise(turn, swap_open).line.startswith("The coach cannot help here: ")
    with pytest.raises(TooLarge):
        hint(game, turn.position)


# The swap.

CHAIN = numduel.new("divisor-line", goal="chain")
WINS, LOSES = 2, 19  # two first moves


def test_advice_before_a_move_that_can_be_taken_over():
    hard = advise(asked(CHAIN, swap_ahead=True), swap_open=False).line
    assert hard.startswith("A first move that wins will be taken over")
    ends = numduel.new("divisor-duel", divisor=4, start=2, ceiling=30)
    assert advise(asked(ends, swap_ahead=True), swap_open=False).line.startswith("Play Multiply")
    game = numduel.new("divisor-duel", start=2)
    assert "is safe" in advise(asked(game, swap_ahead=True), swap_open=False).line


def test_advice_on_the_swap():
    assert numduel.evaluate(CHAIN, CHAIN.start())[WINS].value == "win"
    assert numduel.evaluate(CHAIN, CHAIN.start())[LOSES].value == "loss"
    assert advise(asked(CHAIN, WINS), swap_open=True).line == "Yes: that move wins."
    assert advise(asked(CHAIN, LOSES), swap_open=True).line == "No: that move does not win."
    endless = asked(numduel.new("divisor-duel"), 1)
    assert (
        advise(endless, swap_open=True).line == "Either will do: that move neither wins nor loses."
    )
