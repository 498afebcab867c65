"""Operation Duel: its rulings. The games of its document are golden games."""

import pytest

import numduel
from numduel.games.tally.rules import Tally


def test_ruling_1_a_move_that_overshoots_is_offered_and_loses():
    game = numduel.new("operation-duel", start=19)
    assert game.moves(game.start(2)) == (1, 2)
    assert game.words.scene(game.start(2)).choices[1] == (
        2,
        "Multiply by 2",
        "38",
        "too far, you lose",
    )
    assert game.outcome(game.play(game.start(2), 2)) == (1, "overshot")
    assert game.outcome(game.play(game.start(2), 1)) == (2, "reached")


@pytest.mark.parametrize("key", ["operation-duel", "double-or-add"])
@pytest.mark.parametrize(("target", "start"), [(5, 5), (5, 6), (2, 10**99)])
def test_ruling_2_the_target_exceeds_the_start(key, target, start):
    with pytest.raises(
        numduel.SettingsError, match=f"target must be above the start, .* {target}$"
    ):
        numduel.new(key, target=target, start=start)


def test_ruling_4_operations_stand_in_the_menu_in_their_order():
    game = numduel.new("operation-duel", operations="x3,-1,+7", start=2)
    labels = [choice.label for choice in game.words.scene(game.start()).choices]
    assert labels == ["Multiply by 3", "Subtract 1", "Add 7"]
    assert game.words.turn(game.start())[3:] == ["1. Multiply by 3", "2. Subtract 1", "3. Add 7"]
    assert [game.play(game.start(), move).number for move in (1, 2, 3)] == [6, 1, 9]


def test_ruling_4_nine_operations_are_a_menu_and_ten_are_not():
    nine = ",".join(f"+{k}" for k in range(1, 10))
    game = numduel.new("operation-duel", operations=nine)
    assert game.moves(game.start()) == tuple(range(1, 10))
    with pytest.raises(numduel.SettingsError, match=r"1 to 9 different operations"):
        numduel.new("operation-duel", operations=f"{nine},+10")


@pytest.mark.parametrize(
    "operations",
    [
        *("", " ", ",", "+1,", "+1,,x2", "1", "+", "x", "/2", "^2", "2x", "+1 x2", "+1.5"),
        *("+0", "-0", "x0", "x1", "+-1", "--1", "+1,+1", "+1,+01", "x2,×2", "٣", "+٣"),
        pytest.param(f"+{'9' * 1001}", id="1001 digits"),
        *(None, 1, ["+1"], b"+1"),
    ],
)
def test_ruling_4_other_texts_and_repeated_or_idle_operations_are_refused(operations):
    with pytest.raises(numduel.SettingsError, match=r"^operations must be 1 to 9 different"):
        numduel.new("operation-duel", operations=operations)


def test_operations_have_one_form():
    typed = " + 1 , ×2,*03,-0004"
    assert numduel.new("operation-duel", operations=typed).settings.operations == "+1,x2,x3,-4"


def test_an_operation_of_a_thousand_digits_is_played_exactly():
    amount = 10**1000 - 1
    game = numduel.new("operation-duel", operations=f"+{amount},-1", target=10**999)
    assert game.play(game.start(), 1) == Tally(10**1000, 2, "overshot")
    assert game.words.label(1) == "Add 999999999999…999999999999 (1,000 digits)"


def test_ruling_4_a_result_below_1_is_not_a_legal_move():
    game = numduel.new("operation-duel", operations="+1,-2", start=2)
    assert game.moves(game.start()) == (1,)
    with pytest.raises(numduel.IllegalMove, match=r"^Subtract 2 would go below 1 \(number 2, "):
        game.play(game.start(), 2)
    three = game.play(game.start(), 1)
    assert game.moves(three) == (1, 2)
    assert game.play(three, 2).number == 1


@pytest.mark.parametrize("first", [1, 2])
def test_ruling_4_a_player_with_no_legal_move_loses(first):
    game = numduel.new("operation-duel", operations="-3", start=4)
    position = game.play(game.start(first), 1)
    assert game.moves(position) == ()
    assert game.outcome(position) == (first, "stuck")
    at_once = numduel.new("operation-duel", operations="-3", start=3)
    assert at_once.outcome(at_once.start(first)) == (3 - first, "stuck")


def test_the_prompt_offers_the_legal_moves():
    game = numduel.new("operation-duel", operations="+1,x2,-1", start=1)
    assert game.words.prompt(game.start()) == "Enter your choice (1 or 2): "
    assert game.words.prompt(game.play(game.start(), 1)) == "Enter your choice (1, 2 or 3): "
