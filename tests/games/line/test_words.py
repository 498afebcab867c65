"""What is said in Divisor Line."""

import pytest

import numduel
from numduel.core.scene import Link
from numduel.core.words import Last, retraced
from numduel.games.line.words import divides_in_words


def ended(moves, first=1, **settings):
    """The words of a game, its last position and the last move."""
    game = numduel.new("divisor-line", **settings)
    position = game.start(first)
    for move in moves:
        before, position = position, game.play(position, move)
    return game.words, position, Last(before, moves[-1])


@pytest.mark.parametrize(
    ("numbers", "text"),
    [((4, 8), "4 divides 8"), ((2, 4, 12), "2 divides 4 and 4 divides 12"), ((), "")],
)
def test_numbers_that_divide_each_other_in_words(numbers, text):
    assert divides_in_words(numbers) == text


@pytest.mark.parametrize(
    ("moves", "goal", "why", "short"),
    [
        ((4, 5, 8, 9, 12), "pair", "4 divides 12", "4 divides 8"),
        ((4, 5, 8, 9, 7), "pair", "4 divides 8", "4 divides 8"),  # 7 only made it three
        ((12, 5, 4, 9, 2), "chain", "2 divides 4 and 4 divides 12", "2 divides 4 and 4 divides 12"),
        (
            (3, 5, 6, 7, 2, 11, 12),
            "chain",
            "2 divides 6 and 6 divides 12",
            "2 divides 6 and 6 divides 12",
        ),
    ],
)
def test_the_result_names_the_numbers_that_decided_the_last_one_among_them(moves, goal, why, short):
    words, position, last = ended(moves, goal=goal)
    outcome = words.game.outcome(position)
    assert words.result(position, outcome, last) == why
    assert words.result(position, outcome) == short


def test_a_claim_is_said():
    words, position, last = ended((4, 5, 8))
    assert words.moved(*last, position, "Ada") == "Ada claims 8"
    assert words.move_label(position, 12) == "12"


def test_a_player_who_does_not_read_what_they_typed_is_named():
    words, position, _ = ended((4, 5, 8, 9, 12), first=2)
    outcome = words.game.outcome(position)
    assert words.closing(position, outcome)[-1].startswith("Congratulations, Player 2! You have")
    assert words.closing(position, outcome, typed=False)[-1].startswith("Player 2 has won")


def test_what_is_free_is_offered_as_ranges():
    words, position, _ = ended((4, 5))
    assert words.scene(position).offers == (("Available", "1-3,6-20"),)
    assert words.scene(position).line


def links(moves, **settings):
    game = numduel.new("divisor-line", **settings)
    position, past = retraced(game, 1, moves)
    return game.words.scene(position, past).links


def test_pairs_that_a_player_holds_are_linked_and_those_that_would_win():
    assert links((4, 5, 9)) == ()
    held, *threats = links((4, 5, 9, 10))
    assert held == Link(5, 10, "divides", 2, "5 divides 10")
    assert {link.kind for link in threats} == {"threat"}
    assert {link.label for link in threats} >= {"4 divides 12", "9 divides 18", "2 divides 4"}
    assert {link.seat for link in threats} == {1}


def test_the_link_that_decided_comes_first():
    decisive, other = links((4, 5, 9, 10, 12))
    assert decisive == Link(4, 12, "divides", 1, "4 divides 12", decides=True)
    assert other == Link(5, 10, "divides", 2, "5 divides 10")
    chain = links((12, 5, 4, 9, 2), goal="chain")
    assert [(link.label, link.decides) for link in chain] == [
        ("2 divides 4", True),
        ("4 divides 12", True),
        ("2 divides 12", False),
    ]


def test_long_lines_are_linked_without_threats_and_the_longest_not_at_all():
    assert links((4, 5, 9, 10), size=61) == (Link(5, 10, "divides", 2, "5 divides 10"),)
    assert links((4, 5, 9, 10), size=401) == ()


def test_a_pair_that_is_held_already_needs_no_other():
    found = links((4, 5, 8, 9))
    assert found[0] == Link(4, 8, "divides", 1, "4 divides 8")
    assert {link.label for link in found[1:]} == {"1 divides 4", "2 divides 4"}  # the first found
