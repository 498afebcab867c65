"""Divisor Line: its rulings, and why short lines are refused. Its example is a golden game."""

from itertools import combinations

import pytest
from tests.toy_games import position_after

import numduel
from numduel.games.divisor_line.rules import DivisorLine, Line, completes_chain, completes_pair


def test_a_number_is_occupied_only_once():
    game = numduel.new("divisor-line")
    position = position_after(game, 4, 5)
    assert game.moves(position) == (1, 2, 3, *range(6, 21))
    for move, why in (
        (4, "4 is occupied by Player 1"),
        (5, "5 is occupied by Player 2"),
        (0, "0 is not on the line from 1 to 20"),
        (21, "21 is not on the line from 1 to 20"),
    ):
        line = rf"^{why} \(X on 4, O on 5, Player 1 to move; allowed: 1-3,6-20\)$"
        with pytest.raises(numduel.IllegalMove, match=line):
            game.play(position, move)


@pytest.mark.parametrize(
    ("held", "number", "wins"),
    [
        ([4, 8], 12, True),  # the document's
        ([8, 12], 20, False),  # 8 does not divide 12
        ([8, 12], 4, True),
        ([4, 8], 7, True),  # the relation may be between the two that were held
        ([4], 8, False),  # a relation, but of two numbers
        ([], 1, False),
        ([7, 11, 13], 17, False),
        ([7, 11, 13], 14, True),
        ([7, 11], 1, True),
    ],
)
def test_ruling_1_three_numbers_of_which_one_divides_another(held, number, wins):
    assert completes_pair(frozenset(held), number) is wins


@pytest.mark.parametrize(
    ("held", "number", "wins"),
    [
        ([2, 4], 12, True),
        ([2, 12], 4, True),
        ([4, 12], 2, True),
        ([4, 8], 12, False),
        ([4, 6], 12, False),
        ([8, 12], 4, False),
        ([2, 4, 7], 3, False),
        ([2, 3, 5], 12, False),
        ([1, 9], 3, True),
        ([], 1, False),
    ],
)
def test_a_chain_is_three_numbers_each_dividing_the_next(held, number, wins):
    assert completes_chain(frozenset(held), number) is wins


def test_the_goal_decides_which_relation_wins():
    moves = [4, 1, 12, 7, 8]  # X holds 4, 8 and 12
    assert numduel.new("divisor-line").outcome(position_after(DivisorLine(), *moves)) == (
        1,
        "relation",
    )
    chain = numduel.new("divisor-line", goal="chain")
    assert chain.outcome(position_after(chain, *moves)) is None
    assert chain.outcome(position_after(chain, *moves, 11, 16)) == (1, "relation")


def test_ruling_2_a_longer_line_is_folded_into_rows_of_at_most_80():
    game = numduel.new("divisor-line", size=400)
    rows = game.words.line_rows(position_after(game, 21, 400))
    assert len(rows) == 20
    assert max(map(len, rows)) <= 80
    assert rows[1].startswith("[X] 22  23")
    assert rows[-1].endswith("398 399 [O]")


def test_a_line_of_more_than_400_is_drawn_as_a_summary():
    game = numduel.new("divisor-line", size=401)
    assert game.words.line_rows(position_after(game, 7, 400)) == ["1-6 7[X] 8-399 400[O] 401"]
    assert game.words.scene(game.start()).cells == ()
    largest = numduel.new("divisor-line", size=400)
    assert len(largest.words.scene(largest.start()).cells) == 400


@pytest.mark.parametrize(
    ("moves", "ranges"),
    [
        ((), "1-20"),
        ((4,), "1-3,5-20"),
        ((4, 5), "1-3,6-20"),
        ((4, 5, 8, 9), "1-3,6-7,10-20"),
        ((1, 20), "2-19"),
        ((2, 19), "1,3-18,20"),
    ],
)
def test_ruling_3_available_numbers_are_given_as_ranges(moves, ranges):
    game = numduel.new("divisor-line")
    position = position_after(game, *moves)
    line = f"Player {position.mover}'s turn. Available numbers: {ranges}"
    assert game.words.turn(position) == [line]


def test_a_long_list_of_ranges_is_cut_short():
    game = numduel.new("divisor-line", size=1000)
    every_second = Line(frozenset(range(100, 200, 4)), frozenset(range(102, 202, 4)), 1)
    allowed = game.words.allowed(every_second)
    assert allowed.startswith("1-99,101,103,")
    assert allowed.endswith(",137,… up to 1000")


def filled_without_winner(size, wins):
    """Return a full line on which neither side has won, or None if there is none."""
    numbers = range(1, size + 1)
    for crosses in combinations(numbers, (size + 1) // 2):
        sides = (crosses, [n for n in numbers if n not in crosses])
        if not any(wins(side, number) for side in sides for number in side):
            return sides
    return None


def won_with_pair(side, number):
    return completes_pair([one for one in side if one != number], number)


def won_with_chain(side, number):
    return completes_chain([one for one in side if one != number], number)


def test_ruling_5_a_line_of_5_can_fill_up_with_no_pair():
    assert filled_without_winner(5, won_with_pair) == ((2, 3, 5), [1, 4])


def test_ruling_5_from_6_on_no_line_fills_up_without_a_pair():
    for size in range(6, 11):
        assert filled_without_winner(size, won_with_pair) is None


def test_ruling_5_whoever_holds_1_and_two_more_numbers_has_won():
    # So no line of 6 or more fills up without a winner: both players then hold at least three.
    for two in combinations(range(2, 60), 2):
        assert completes_pair(two, 1)
        assert completes_pair((1, two[0]), two[1])


def test_ruling_5_a_line_of_15_can_fill_up_with_no_chain():
    assert filled_without_winner(15, won_with_chain) is not None


def test_ruling_5_at_16_no_line_fills_up_without_a_chain():
    assert filled_without_winner(16, won_with_chain) is None
    # And so at any larger size: of 1, 2, 4, 8 and 16 somebody holds three.
    for three in combinations((1, 2, 4, 8, 16), 3):
        assert completes_chain(three[:2], three[2])


@pytest.mark.parametrize(("goal", "smallest"), [("pair", 6), ("chain", 16)])
def test_ruling_5_shorter_lines_are_refused_saying_why(goal, smallest):
    for size in (-1, 0, 1, 5, smallest - 1):
        with pytest.raises(numduel.SettingsError, match=r"^size must be .*a shorter line can fill"):
            numduel.new("divisor-line", size=size, goal=goal)
    assert numduel.new("divisor-line", size=smallest, goal=goal).settings.size == smallest


def test_the_size_and_the_goal_are_bounded():
    with pytest.raises(numduel.SettingsError, match=r"^size must be .* not 1000001$"):
        numduel.new("divisor-line", size=1_000_001)
    with pytest.raises(numduel.SettingsError, match=r"^goal must be pair or chain, not 'triple'$"):
        numduel.new("divisor-line", goal="triple")
    game = numduel.new("divisor-line", size=1_000_000)
    assert game.moves(game.start())[-1] == 1_000_000


def test_the_scene_shows_the_owner_of_each_number():
    game = numduel.new("divisor-line", size=6)
    scene = game.words.scene(position_after(game, 2, 3))
    assert [(cell.number, cell.owner, cell.legal) for cell in scene.cells] == [
        (1, 0, True),
        (2, 1, False),
        (3, 2, False),
        (4, 0, True),
        (5, 0, True),
        (6, 0, True),
    ]
    assert scene.facts == (
        ("Number line", "1 to 6"),
        ("Goal", "three numbers, one of which divides another"),
        ("Player 1 (X)", "2"),
        ("Player 2 (O)", "3"),
    )
    won = game.words.scene(position_after(game, 2, 3, 1, 5, 4))
    assert not any(cell.legal for cell in won.cells)
