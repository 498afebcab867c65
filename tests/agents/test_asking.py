"""What is asked tells all, and an answer is read strictly and marked by the truth."""

import pytest

from numduel import SettingsError, TooLarge, evaluate
from numduel.agents.asking import problem, question, read_answer, regret, rules, scores, told
from numduel.core.words import Last
from numduel.games import OURS, new

MENU = new("double-or-add")
BOARD = new("multiplicity", size=20)


def test_the_rules_come_with_the_settings_and_the_form_of_an_answer():
    text = rules(BOARD)
    assert text.startswith("Multiplicity, a game for two players.\n")
    assert BOARD.rules in text
    assert "- size: 20 (how many numbers there are)" in text
    assert "like `Move: 7`" in text


def test_a_question_tells_what_a_position_holds_and_what_each_choice_does():
    assert question(MENU, MENU.read("5/2")).splitlines() == [
        "Current Number: 5",
        "Target Number: 31",
        "Move 1: Double",
        "Move 2: Add One",
        "Position in notation: 5/2",
        "You are Player 2. What is your move?",
    ]


def test_legal_moves_are_listed_only_where_that_is_asked_for():
    position = BOARD.read("14:1,7,14/1")
    assert "Legal" not in question(BOARD, position)
    assert "Legal moves: 2\n" in question(BOARD, position, legal=True)


def test_the_moves_that_led_there_are_told():
    past = [Last(BOARD.start(), 7)]
    asked = question(BOARD, BOARD.play(BOARD.start(), 7), past)
    assert asked.startswith(f"{told(BOARD, past[0])}\n")
    assert told(BOARD, past[0]) == "Player 1 goes up to 7, which is 7 × 1."


@pytest.mark.parametrize("text", ["Move: 7", "7", "I see 3 ways.\nMove: 7\n", " Move:7 "])
def test_a_move_stands_alone_in_the_last_line(text):
    assert read_answer(BOARD, BOARD.start(), text) == (7, "", "")


@pytest.mark.parametrize(
    "text", ["", "seven", "Move: 7 or 8", "Move: 7\nor not", "7.0", "1" * 2000]
)
def test_what_is_no_number_is_unreadable(text):
    move, fault, why = read_answer(BOARD, BOARD.start(), text)
    assert (move, fault) == (None, "unreadable") and "\n" not in why and len(why) < 200


def test_a_number_that_is_no_legal_move_is_illegal_and_told_why():
    answer = read_answer(BOARD, BOARD.start(), "Move: 21")
    assert answer == (None, "illegal", BOARD.words.why_not(BOARD.start(), 21))


@pytest.mark.parametrize("key", OURS)
def test_problems_have_right_and_wrong_moves_and_the_same_seed_gives_the_same(key):
    game = new(key)
    for seed in range(5):
        found = problem(game, seed)
        assert found == problem(new(key), seed)
        assert 0 < len(found.gold) < len(found.worth)
        truth = {m: verdict.score for m, verdict in evaluate(game, found.position).items()}
        assert found.worth == truth == scores(game, found.position)
        for move, worth in truth.items():
            lost = max(truth.values()) - worth
            assert regret(game, found.position, move) == lost
            assert found.mark(f"Move: {move}") == 1 - lost
            assert (move in found.gold) == (lost == 0)
        assert found.mark("Move: 0") == found.mark("no") == 0
        assert game.notation(found.position) in found.asked()


def test_a_game_without_decisions_has_no_problems():
    with pytest.raises(SettingsError, match="no problems at these settings"):
        problem(new("divisor-duel", divisor=1), 1)


def test_what_takes_too_long_to_judge_is_refused():
    game = new("multiplicity", size=1_000_000)
    with pytest.raises(TooLarge, match="too long to judge"):
        scores(game, game.start())
