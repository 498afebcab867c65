"""Multiplicity: its rulings and its settings. Its document's examples are golden games."""

from random import Random

import pytest
from tests.toy_games import position_after

import numduel
from numduel.core.explore import playout
from numduel.games.multiplicity.rules import Walk


@pytest.mark.parametrize("start", [1, 2, 6])
def test_ruling_1_the_start_counts_as_chosen(start):
    game = numduel.new("multiplicity", size=12, start=start)
    assert game.start() == Walk(start, frozenset({start}), 1)
    position = game.play(game.start(), 12)
    assert start not in game.moves(position)
    with pytest.raises(numduel.IllegalMove, match=f"^{start} is already chosen"):
        game.play(position, start)


def test_ruling_1_start_open_leaves_the_start_to_be_chosen_once():
    game = numduel.new("multiplicity", size=6, start_open=True)
    assert game.start() == Walk(1, frozenset(), 1)
    assert game.moves(game.start()) == (2, 3, 4, 5, 6)
    five = game.play(game.start(), 5)
    assert game.moves(five) == (1,)
    one = game.play(five, 1)
    assert game.moves(one) == (2, 3, 4, 6)
    assert 1 not in game.moves(game.play(one, 6))


def test_the_current_number_cannot_be_chosen_even_with_start_open():
    game = numduel.new("multiplicity", start_open=True)
    with pytest.raises(numduel.IllegalMove, match=r"^1 is already chosen"):
        game.play(game.start(), 1)


@pytest.mark.parametrize("moves", [(5, 10), (7, 14), (4, 12, 6)])
def test_ruling_2_chosen_numbers_are_never_offered(moves):
    game = numduel.new("multiplicity", size=20)
    position = position_after(game, *moves)
    assert not set(moves) & set(game.moves(position))
    with pytest.raises(numduel.IllegalMove, match=f"^{moves[0]} is already chosen"):
        game.play(position, moves[0])


@pytest.mark.parametrize("first", [1, 2])
def test_ruling_4_the_very_first_player_can_be_stuck(first):
    game = numduel.new("multiplicity", size=1)
    assert game.moves(game.start(first)) == ()
    assert game.outcome(game.start(first)) == (3 - first, "stuck")
    even = numduel.new("multiplicity", size=9, start=5, opening="even")
    assert even.outcome(even.start(first)) == (3 - first, "stuck")


def offered_lines(game, position):
    return [line for line in game.words.turn(position)[3:] if line]


def test_ruling_5_all_numbers_are_named_only_if_all_are_free():
    game = numduel.new("multiplicity", size=6, start=3)
    assert offered_lines(game, position_after(game, 1)) == ["Proper multiples of 1: [2, 4, 5, 6]"]
    game = numduel.new("multiplicity", size=6, start=3, start_open=True)
    assert offered_lines(game, position_after(game, 1)) == ["[All numbers from 2 to 6]"]
    game = numduel.new("multiplicity", size=6, start_open=True)
    assert offered_lines(game, game.start()) == ["[All numbers from 2 to 6]"]
    assert offered_lines(game, position_after(game, 5, 1)) == [
        "Proper multiples of 1: [2, 3, 4, 6]"
    ]


def test_an_even_opening_binds_the_first_choice_only():
    game = numduel.new("multiplicity", size=12, opening="even")
    assert game.moves(game.start()) == (2, 4, 6, 8, 10, 12)
    assert offered_lines(game, game.start()) == ["[All even numbers from 2 to 12]"]
    with pytest.raises(numduel.IllegalMove, match=r"^7 is odd, and the first move must"):
        game.play(game.start(), 7)
    six = game.play(game.start(), 6)
    assert game.moves(six) == (2, 3, 12)
    assert ("Opening", "the first move must go to an even number") in game.words.scene(
        game.start()
    ).facts
    assert len(game.words.scene(six).facts) == 2


def test_an_even_opening_with_the_start_open():
    game = numduel.new("multiplicity", size=12, start=3, opening="even", start_open=True)
    assert game.moves(game.start()) == (6, 12)
    assert game.moves(game.play(game.start(), 6)) == (1, 2, 3, 12)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (0, "0 is not one of the numbers from 1 to 20"),
        (-7, "-7 is not one of the numbers from 1 to 20"),
        (21, "21 is not one of the numbers from 1 to 20"),
        (6, "6 is already chosen"),
        (1, "1 is already chosen"),
        (4, "4 is neither a multiple nor a divisor of 6"),
        (20, "20 is neither a multiple nor a divisor of 6"),
    ],
)
def test_a_refusal_says_which_rule_was_broken(move, why):
    game = numduel.new("multiplicity", size=20)
    line = rf"^{why} \(N = 6, Player 2 to move; allowed: 2, 3, 12, 18\)$"
    with pytest.raises(numduel.IllegalMove, match=line):
        game.play(position_after(game, 6), move)


@pytest.mark.parametrize("size", [1, 2, 12, 36, 97])
def test_neighbours_are_the_proper_divisors_and_multiples_ascending(size):
    game = numduel.new("multiplicity", size=size)
    for n in range(1, size + 1):
        expected = [m for m in range(1, size + 1) if m != n and (m % n == 0 or n % m == 0)]
        assert list(game.neighbours(n)) == expected


def test_the_start_is_one_of_the_numbers():
    line = r"^start must be at most the size, 1,000, not 1,001$"
    with pytest.raises(numduel.SettingsError, match=line):
        numduel.new("multiplicity", size=1000, start=1001)
    for name in ("size", "start"):
        for value in (0, 10_000_001):
            with pytest.raises(numduel.SettingsError, match=f"^{name} must be a whole number from"):
                numduel.new("multiplicity", **{name: value})


def test_the_largest_pool_is_playable():
    game = numduel.new("multiplicity", size=1_000_000)
    position = game.play(game.start(), 999_983)  # the largest prime there
    assert game.outcome(position) == (1, "stuck")
    scene = game.words.scene(game.start())
    assert scene.cells == ()
    (offer,) = scene.offers
    assert offer.label == "Proper multiples of 1"
    assert offer.value.endswith(", 40, …, 1000000 (999999 numbers)")


def test_a_pool_of_up_to_400_is_drawn_number_by_number():
    for size, cells in ((400, 400), (401, 0)):
        game = numduel.new("multiplicity", size=size)
        assert len(game.words.scene(game.start()).cells) == cells


def test_the_scene_lists_up_to_40_chosen_numbers():
    game = numduel.new("multiplicity", size=50)
    for last, text in ((40, ", 38, 39, 40"), (41, ", 38, 39, …, 41 (41 numbers)")):
        facts = dict(game.words.scene(Walk(2, frozenset(range(1, last + 1)), 1)).facts)
        assert facts["Chosen"].startswith("1, 2, 3, 4, 5, 6, 7, 8, 9, ")
        assert facts["Chosen"].endswith(text)


def test_the_scene_shows_chosen_current_and_legal_numbers():
    game = numduel.new("multiplicity", size=4)
    cells = game.words.scene(position_after(game, 4)).cells
    assert [(c.number, c.chosen, c.current, c.legal) for c in cells] == [
        (1, True, False, False),
        (2, False, False, True),
        (3, False, False, False),
        (4, True, True, False),
    ]


@pytest.mark.parametrize("opening", ["any", "even"])
def test_the_largest_moves_come_in_descending_order(opening):
    for start in range(1, 31):
        game = numduel.new("multiplicity", size=30, start=start, opening=opening)
        for position, _ in playout(game, Random(start)):
            assert tuple(game.largest_moves(position)) == game.moves(position)[::-1]
