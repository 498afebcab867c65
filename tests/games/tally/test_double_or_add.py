"""Double or Add: its document's example and its rulings."""

import pytest

import numduel


def test_the_example_game():
    game = numduel.new("double-or-add")
    position, numbers = game.start(), []
    for move in (1, 1, 1, 2, 1, 1):
        assert game.outcome(position) is None
        position = game.play(position, move)
        numbers.append(position.number)
    assert numbers == [2, 4, 8, 9, 18, 36]
    assert game.outcome(position) == (1, "overshot")


def test_ruling_1_the_menu_is_double_then_add_one():
    game = numduel.new("double-or-add", start=5)
    assert [choice[:3] for choice in game.words.menu(game.start())] == [
        (1, "Double", "10"),
        (2, "Add One", "6"),
    ]
    assert game.play(game.start(), 1).number == 10
    assert game.play(game.start(), 2).number == 6


def test_ruling_2_the_default_target_is_31():
    game = numduel.new("double-or-add", start=30)
    assert game.outcome(game.play(game.start(), 2)) == (1, "reached")
    assert game.words.scene(game.start()).facts == (("Target Number", "31"),)


def test_ruling_2_another_target_exceeds_the_start():
    with pytest.raises(
        numduel.SettingsError, match=r"^target must be above the start, 31, not 31$"
    ):
        numduel.new("double-or-add", start=31)
    with pytest.raises(numduel.SettingsError, match=r"^target must be a whole number from 2, of"):
        numduel.new("double-or-add", target=1)


def test_another_target_is_said_at_the_start():
    assert numduel.new("double-or-add").words.welcome(numduel.new("double-or-add").start()) == []
    game = numduel.new("double-or-add", target=40)
    assert game.words.welcome(game.start()) == ["Target Number: 40", ""]


def test_reaching_the_target_is_said_so():
    game = numduel.new("double-or-add", target=2)
    position = game.play(game.start(), 2)
    assert game.words.closing(position, game.outcome(position)) == [
        "Current Number: 2 is the target.",
        "Player 1 wins the game!",
    ]
