"""What the two races share."""

import pytest

import numduel

both_races = pytest.mark.parametrize("key", ["operation-duel", "double-or-add"])


@both_races
def test_a_race_shows_the_number_and_the_target(key):
    game = numduel.new(key, target=10**61, start=10**59)
    scene = game.words.scene(game.start())
    assert scene.number == ("Current Number", f"1{'0' * 59}")
    assert scene.facts == (("Target Number", "100000000000…000000000000 (62 digits)"),)


@both_races
def test_only_the_target_itself_is_reached_and_no_multiple_of_it(key):
    for target, start, expected in (
        (6, 3, {6: (1, "reached"), 4: None}),
        (5, 4, {5: (1, "reached"), 8: (2, "overshot")}),
        (7, 6, {7: (1, "reached"), 12: (2, "overshot")}),
    ):
        game = numduel.new(key, target=target, start=start)
        after = [game.play(game.start(), move) for move in (1, 2)]
        assert {position.number: game.outcome(position) for position in after} == expected


def test_twice_the_target_is_overshot_though_the_target_divides_it():
    game = numduel.new("operation-duel", target=4, start=2, operations="x4")
    assert game.outcome(game.play(game.start(), 1)) == (2, "overshot")


@both_races
def test_what_is_said_after_a_move(key):
    game = numduel.new(key, start=4)
    move = {"operation-duel": 2, "double-or-add": 1}[key]
    label = {"operation-duel": "Multiply by 2", "double-or-add": "Double"}[key]
    said = game.words.follow(game.start(), move, game.play(game.start(), move))
    assert said == [f"You chose to {label}.", "New Current Number: 8", ""]
