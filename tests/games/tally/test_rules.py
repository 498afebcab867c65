"""The tally rule: operations and their text, the one position type, the menu."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel.games.tally.rules import Operation, Tally, parse_operation


@pytest.mark.parametrize(
    ("text", "operation", "label", "from_seven"),
    [
        ("+1", Operation("+", 1), "Add 1", 8),
        ("-3", Operation("-", 3), "Subtract 3", 4),
        ("x2", Operation("x", 2), "Multiply by 2", 14),
        ("+12345", Operation("+", 12345), "Add 12345", 12352),
    ],
)
def test_an_operation_has_a_text_a_label_and_a_step(text, operation, label, from_seven):
    assert parse_operation(text) == operation
    assert operation.text == text
    assert operation.label == label
    assert operation.step(7) == from_seven


@pytest.mark.parametrize("text", ["×2", "*2", " x2 ", "x 2", "x002"])
def test_multiplication_can_be_typed_in_several_ways(text):
    assert parse_operation(text) == Operation("x", 2)


@given(st.builds(Operation, st.sampled_from("+-x"), st.integers(2, 10**1000 - 1)))
def test_an_operation_can_be_read_back_from_its_text(operation):
    assert parse_operation(operation.text) == operation


@pytest.mark.parametrize("digits", [1, 59, 60, 61, 6000])
@pytest.mark.parametrize("ended", ["", "overshot"])
def test_the_repr_of_a_position_round_trips_at_any_length(digits, ended):
    position = Tally(10**digits - 1, 2, ended)
    assert eval(repr(position), {"Tally": Tally}) == position


def test_the_repr_of_a_position_is_decimal_up_to_60_digits():
    assert repr(Tally(10**60 - 1, 1)) == f"Tally(number={'9' * 60}, mover=1, ended='')"
    assert repr(Tally(10**60, 1)) == f"Tally(number={hex(10**60)}, mover=1, ended='')"


@pytest.mark.parametrize("key", ["divisor-duel", "operation-duel", "double-or-add"])
def test_every_tally_game_has_a_menu_of_two_unless_set_otherwise(key):
    game = numduel.new(key)
    assert game.moves(game.start()) == (1, 2)
    assert game.words.allowed(game.start()) == "1 or 2"
    assert len(game.words.menu_lines(game.start())) == 2


def test_a_refusal_tells_what_is_not_in_the_menu_from_what_goes_below_1():
    game = numduel.new("operation-duel", operations="-2,+1,-1")
    start = game.start()
    assert game.words.why_not(start, 0) == "0 is not in the menu"
    assert game.words.why_not(start, 1) == "Subtract 2 would go below 1"
    assert game.words.why_not(start, 3) == "Subtract 1 would go below 1"
    assert game.words.why_not(start, 4) == "4 is not in the menu"


def test_nothing_is_left_to_do_after_the_end():
    game = numduel.new("operation-duel", start=19)
    over = game.play(game.start(), 1)
    assert game.moves(over) == ()
    assert game.words.allowed(over) == "nothing"
    assert game.words.scene(over).choices == ()
    line = r"^1 cannot be played: the game is over \(number 20, Player 2 to move\)$"
    with pytest.raises(numduel.IllegalMove, match=line):
        game.play(over, 1)
