"""The sentences of Divisor Line."""

import pytest

import numduel
from numduel.core.scene import Link
from numduel.core.words import replay_moves
from numduel.games.divisor_line.words import relation_sentence


def after_moves(moves, first=1, **settings):
    """Return the words of a game, its last position and the last move."""
    game = numduel.new("divisor-line", **settings)
    position, past = replay_moves(game, first, moves)
    return game.words, position, past[-1]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [((4, 8), "4 divides 8"), ((2, 4, 12), "2 divides 4 and 4 divides 12"), ((), "")],
)
def test_a_relation_is_a_sentence(numbers, text):
    assert relation_sentence(numbers) == text


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
def test_the_result_names_the_deciding_numbers_with_the_last_one_among_them(
    moves, goal, why, short
):
    words, position, last = after_moves(moves, goal=goal)
    outcome = words.game.outcome(position)
    assert words.result(position, outcome, last) == why
    assert words.result(position, outcome) == short


def test_a_claim_is_described():
    words, position, last = after_moves((4, 5, 8))
    assert words.moved(*last, position, "Ada") == "Ada claims 8"
    assert words.move_label(position, 12) == "12"


def test_a_player_who_is_not_the_reader_is_named():
    words, position, _ = after_moves((4, 5, 8, 9, 12), first=2)
    outcome = words.game.outcome(position)
    assert words.closing(position, outcome)[-1].startswith("Congratulations, Player 2! You have")
    assert words.closing(position, outcome, typed=False)[-1].startswith("Player 2 has won")


def test_free_numbers_are_offered_as_ranges():
    words, position, _ = after_moves((4, 5))
    assert words.scene(position).offers == (("Available", "1-3,6-20"),)
    assert words.scene(position).line


def links(moves, **settings):
    game = numduel.new("divisor-line", **settings)
    position, past = replay_moves(game, 1, moves)
    return game.words.scene(position, past).links


def test_pairs_that_a_player_holds_or_threatens_are_linked():
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


def test_a_player_with_a_pair_threatens_with_any_number():
    found = links((4, 5, 8, 9))
    assert found[0] == Link(4, 8, "divides", 1, "4 divides 8")
    assert {link.label for link in found[1:]} == {"1 divides 4", "2 divides 4"}  # the first found


def test_a_position_is_described_to_the_mover_with_the_goal():
    game = numduel.new("divisor-line", goal="chain")
    assert game.words.position_text(game.read("1,6:5/2")) == (
        "The line goes from 1 to 20. You play O and hold 5. Your opponent plays X and holds 1, 6. "
        "To win, be the first to hold three numbers, each dividing the next."
    )
    assert "hold nothing" in game.words.position_text(game.start())
    assert game.words.summary().endswith("win with three numbers, each dividing the next.")
    pair = numduel.new("divisor-line").words
    assert pair.summary().endswith("win with three numbers, one of which divides another.")


@pytest.mark.parametrize(
    ("moves", "claim", "because", "idea"),
    [
        ((6, 1), 12, "12 makes a fork: 2 and 3 both win, and they can stop only one.", "Make a f"),
        ((17, 1, 16), 7, "7 threatens 14: they must take it, and you still win.", "Make a threat"),
        ((13, 3, 5, 15), 1, "They needed 1: without it they are too late.", "Look at what they"),
        ((6, 1), 2, "2 is too slow: they can claim 12 and be first.", "Take a number that divides"),
        ((), 6, "Whatever they claim after 6, you make a fork next: two numbers that win.", "Take"),
        ((3, 9, 14), 1, "After 1 you win in at most 4 of your moves, whatever they claim.", "Take"),
    ],
)
def test_the_coach_names_a_fork_a_threat_and_a_number_that_the_opponent_needed(
    moves, claim, because, idea
):
    game = numduel.new("divisor-line", size=20 if moves[:1] == (17,) else 16, goal="chain")
    position, _ = replay_moves(game, 1, moves)
    found = game.theory.explanation(position, claim)
    assert game.words.because(position, claim, found) == because
    assert game.words.idea(position, claim, found).startswith(idea)


@pytest.mark.parametrize("goal", ["pair", "chain"])
def test_after_a_winning_opening_every_reply_allows_a_fork(goal):
    game = numduel.new("divisor-line", size=16, goal=goal)

    def wins(line):
        return sum(game.outcome(game.play(line, n)) is not None for n in game.moves(line))

    opened, _ = replay_moves(game, 1, (6,))
    for reply in game.moves(opened):
        answered = game.play(opened, reply)
        held = [game.play(answered, claim) for claim in game.moves(answered)]
        assert any(wins(line._replace(mover=1)) >= 2 for line in held)
