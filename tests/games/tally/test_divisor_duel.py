"""Divisor Duel: its rulings, and numbers of any length. Its document's example is a golden game."""

import re
from decimal import Decimal, localcontext

import pytest
from tests.toy_games import position_after

import numduel
from numduel.games.tally.rules import Tally

EXAMPLE = (1, 2, 1, 2, 1, 2, 2, 1, 2, 1)


def test_ruling_1_46_in_turn_nine_does_not_win():
    game = numduel.new("divisor-duel")
    position = position_after(game, *EXAMPLE[:-2])
    assert position.number == 45
    assert game.outcome(game.play(position, 1)) is None


@pytest.mark.parametrize("start", [13, 26, 13 * 10**50])
def test_ruling_2_a_start_that_is_a_multiple_is_not_won(start):
    game = numduel.new("divisor-duel", start=start)
    position = game.start()
    assert game.outcome(position) is None
    assert game.moves(position) == (1, 2)
    assert game.outcome(game.play(position, 1)) is None
    assert game.outcome(game.play(position, 2)) == (1, "divisible")


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("move", [1, 2])
def test_ruling_3_with_divisor_1_the_first_move_wins(move, first):
    game = numduel.new("divisor-duel", divisor=1)
    assert game.outcome(game.start(first)) is None
    assert game.outcome(game.play(game.start(first), move)) == (first, "divisible")


def test_ruling_4_from_1_both_operations_are_offered_and_give_2():
    game = numduel.new("divisor-duel")
    assert game.moves(game.start()) == (1, 2)
    assert game.play(game.start(), 1) == game.play(game.start(), 2) == Tally(2, 2)
    assert [(c.move, c.label, c.gives) for c in game.words.scene(game.start()).choices] == [
        (1, "Add 1", "2"),
        (2, "Multiply by 2", "2"),
    ]


@pytest.mark.parametrize(("divisor", "start", "ceiling"), [(13, 1, 2), (7, 5, 30), (1000, 9, 60)])
def test_ruling_5_with_a_ceiling_every_game_ends(divisor, start, ceiling):
    game = numduel.new("divisor-duel", divisor=divisor, start=start, ceiling=ceiling)
    level, turns = {game.start()}, 0
    while level:
        level = {game.play(p, move) for p in level for move in game.moves(p)}
        turns += 1
    assert turns <= ceiling - start + 2  # each move adds at least 1


def test_ruling_5_a_move_above_the_ceiling_loses_even_to_a_multiple():
    game = numduel.new("divisor-duel", divisor=13, start=12, ceiling=20)
    assert game.outcome(game.play(game.start(), 1)) == (1, "divisible")
    game = numduel.new("divisor-duel", divisor=6, start=9, ceiling=17)
    assert game.outcome(game.play(game.start(), 2)) == (2, "overshot")


def test_a_move_to_the_ceiling_itself_is_not_above_it():
    game = numduel.new("divisor-duel", divisor=13, start=9, ceiling=18)
    position = game.play(game.start(), 2)
    assert game.outcome(position) is None
    assert game.outcome(game.play(position, 1)) == (1, "overshot")


def test_ruling_6_a_number_of_60_digits_is_shown_in_full_and_of_61_shortened():
    game = numduel.new("divisor-duel", divisor=7, start=10**60 - 1)
    assert game.words.turn(game.start())[1] == f"Current N: {'9' * 60}"
    after = game.play(game.start(), 1)
    shortened = "100000000000…000000000000 (61 digits, remainder 1)"
    assert game.words.turn(after)[1] == f"Current N: {shortened}"
    assert game.words.follow(game.start(), 1, after)[1] == f"Updated N: {shortened}"
    assert game.words.scene(after).number == ("Current N", shortened)
    assert game.words.describe(after) == f"number {shortened}, Player 2 to move"
    assert game.words.scene(game.start()).choices[0].gives == shortened


@pytest.fixture(scope="module")
def doubled():
    """Divisor Duel after 20,000 doublings."""
    game = numduel.new("divisor-duel")
    before = position_after(game, *[2] * 19_999)
    return game, (before, game.play(before, 2))


def test_ruling_6_the_number_is_exact_after_20000_doublings(doubled):
    game, (_, last) = doubled
    assert last == Tally(1 << 20_000, 1)
    assert game.play(last, 1).number == (1 << 20_000) + 1


def test_ruling_6_pythons_limit_on_printing_never_surfaces(doubled):
    game, (before, last) = doubled
    with pytest.raises(ValueError, match="Exceeds the limit"):
        str(last.number)  # otherwise this test would show nothing
    assert eval(repr(last), {"Tally": Tally}) == last
    remainder = pow(2, 20_000, 13)
    with localcontext(prec=7000):
        digits = format(Decimal(2) ** 20_000, "f")
    expected = f"{digits[:12]}…{digits[-12:]} ({len(digits):,} digits, remainder {remainder})"
    scene = game.words.scene(last)
    assert scene.number == ("Current N", expected)
    assert scene.facts[1] == ("Remainder", str(remainder))
    for text in (
        game.words.turn(last)[1],
        game.words.follow(before, 2, last)[1],
        game.words.welcome(last)[3],
        game.words.describe(last),
    ):
        assert expected in text
    for wrong in (3, 10**5000, "1"):
        with pytest.raises(numduel.IllegalMove, match=re.escape(expected)):
            game.play(last, wrong)


def test_a_very_long_number_can_still_win(doubled):
    game, (_, last) = doubled
    while last.number % 13 != 12:
        last = game.play(last, 1)
    won = game.play(last, 1)
    assert won.number % 13 == 0
    assert game.outcome(won) == (3 - won.mover, "divisible")
    assert game.words.scene(won).sentence == f"Player {3 - won.mover} wins"


@pytest.mark.parametrize("ceiling", [1, 5])
def test_the_ceiling_exceeds_the_start(ceiling):
    line = f"^ceiling must be above the start, 5, not {ceiling}$"
    with pytest.raises(numduel.SettingsError, match=line):
        numduel.new("divisor-duel", start=5, ceiling=ceiling)
    assert numduel.new("divisor-duel", start=5, ceiling=6).ceiling == 6


def test_a_move_outside_the_menu_is_refused_with_the_menu():
    game = numduel.new("divisor-duel")
    line = r"^3 is not in the menu \(number 1, Player 1 to move; allowed: 1 or 2\)$"
    with pytest.raises(numduel.IllegalMove, match=line):
        game.play(game.start(), 3)


def test_the_ceiling_is_shown_if_there_is_one():
    game = numduel.new("divisor-duel", ceiling=10**70)
    shortened = "100000000000…000000000000 (71 digits)"
    assert f"Ceiling: {shortened}" in game.words.welcome(game.start())
    assert game.words.scene(game.start()).facts[-1] == ("Ceiling", shortened)
