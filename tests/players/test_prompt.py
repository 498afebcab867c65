"""The prompt tells a model all that it needs."""

import re

import pytest
from take_away import TakeAway
from tests.toy_games import GraphGame

from numduel.core.errors import SettingsError
from numduel.core.words import Last, replay_moves
from numduel.games import OUR_GAMES, game_type, new
from numduel.players.prompt import BARE_GRAPH, Prompt

MENU = new("double-or-add")
BOARD = new("multiplicity", size=20)


def test_the_rules_include_the_settings_and_how_a_move_is_written():
    text = Prompt(BOARD).rules
    assert text.startswith("Multiplicity, a game for two players.\n")
    assert BOARD.rules in text and "- size: 20 (how many numbers there are)" in text
    assert text.endswith("A move is written as the number that you choose.")
    assert Prompt(MENU).rules.endswith("1 for Double, 2 for Add One.")


@pytest.mark.parametrize("key", OUR_GAMES)
def test_the_prompt_has_every_setting_and_no_advice_for_people(key):
    game = new(key)
    text = Prompt(game).whole(game.start())
    assert (
        "if you like" not in text and "set a" not in text and "offered.\n\nThe target" not in text
    )
    assert not game_type(key).notes or game_type(key).notes not in text
    assert all(f"- {setting.name}: " in text for setting, _ in game.settings)


def test_the_rules_of_a_game_without_settings_are_alone():
    game = GraphGame({0: (1,)}, {1: "won"})
    assert Prompt(game).rules.split("\n\n")[1] == game.rules


def test_a_question_has_the_complete_position_and_the_moves_that_led_there():
    position, past = replay_moves(BOARD, 1, [7, 14])
    assert Prompt(BOARD, legal=True).question(position, past).splitlines() == [
        "Player 1 goes up to 7.",
        "Player 2 goes up to 14, which is 2 × 7.",
        "Current N: 14",
        "Numbers: 1 to 20",
        "Chosen: 1, 7, 14",
        "Position in notation: 14:1,7,14/1",
        "Legal moves: 2",
        "You are Player 1. What is your move?",
        "Think as long as you like, but end with a line of this form, and nothing after it:",
        "Move: …",
    ]
    assert "Legal moves" not in Prompt(BOARD).question(position)


def test_both_seats_are_asked_alike():
    first, second = (Prompt(MENU).question(MENU.read(f"5/{seat}")) for seat in (1, 2))
    assert first.replace("Player 1", "Player 2").replace("5/1", "5/2") == second


def test_a_disguise_is_asked_and_read_in_its_own_words():
    prompt = Prompt(MENU, legal=True, disguise=1)
    start = MENU.start()
    text = prompt.whole(MENU.play(start, 1), [Last(start, 1)])
    assert "Double" not in text and "notation" not in text
    label = text.partition("Player 1 plays ")[2][0]
    assert label in text.partition("Legal moves: ")[2].partition("\n")[0].split(", ")
    assert prompt.reader.read(start, f"**Move: {label.lower()}**").move == 1
    assert prompt.reader.read(start, "Move: 1").fault == "unreadable"


def test_a_bare_graph_has_no_arithmetic_and_not_every_game_is_one():
    text = Prompt(BOARD, disguise=BARE_GRAPH).whole(BOARD.start(), [])
    assert BOARD.title not in text
    assert not re.search("divisor|multiple|divides", text)
    with pytest.raises(SettingsError):
        Prompt(TakeAway(), disguise=BARE_GRAPH)


def test_another_form_of_answer_can_be_asked_for():
    prompt = Prompt(BOARD, answer_line="[…]")
    assert prompt.question(BOARD.start()).endswith("\n[…]")
    assert prompt.reader.read(BOARD.start(), "I think.\n[9]").strict
    assert not prompt.reader.read(BOARD.start(), "Move: 9").strict


def test_a_correction_says_why_the_move_is_illegal():
    prompt, why = Prompt(BOARD), BOARD.words.why_not(BOARD.start(), 21)
    reading = prompt.reader.read(BOARD.start(), "Move: 21")
    assert reading == (None, "illegal", why, True)
    assert prompt.correction(reading).startswith(f"That is not a legal move: {why}.\nThink")
