"""What a model is asked tells all that it needs, and an answer is read as it was meant or not."""

import json
import re
from pathlib import Path

import pytest
from take_away import TakeAway
from tests.toy_games import GraphGame

from numduel.core.errors import SettingsError
from numduel.core.words import Last, replay_moves
from numduel.games import OUR_GAMES, game_type, new
from numduel.players.prompt import (
    BARE_GRAPH,
    MAX_ANSWER_CHARACTERS,
    MAX_READ_CHARACTERS,
    Prompt,
)

MENU = new("double-or-add")
BOARD = new("multiplicity", size=20)


def test_the_rules_come_with_the_settings_and_how_a_move_is_written():
    text = Prompt(BOARD).rules
    assert text.startswith("Multiplicity, a game for two players.\n")
    assert BOARD.rules in text and "- size: 20 (how many numbers there are)" in text
    assert text.endswith("A move is written as the number that you choose.")
    assert Prompt(MENU).rules.endswith("1 for Double, 2 for Add One.")


@pytest.mark.parametrize("key", OUR_GAMES)
def test_there_is_no_advice_for_people_and_each_setting_is_told(key):
    game = new(key)
    text = Prompt(game).whole(game.start())
    assert (
        "if you like" not in text and "set a" not in text and "offered.\n\nThe target" not in text
    )
    assert not game_type(key).notes or game_type(key).notes not in text
    assert all(f"- {setting.name}: " in text for setting, _ in game.settings)


def test_a_game_without_settings_tells_its_rules_alone():
    game = GraphGame({0: (1,)}, {1: "won"})
    assert Prompt(game).rules.split("\n\n")[1] == game.rules


def test_a_question_tells_the_whole_position_and_what_led_there():
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
    assert prompt.read(start, f"**Move: {label.lower()}**").move == 1
    assert prompt.read(start, "Move: 1").fault == "unreadable"


def test_a_bare_graph_has_no_arithmetic_and_not_every_game_is_one():
    text = Prompt(BOARD, disguise=BARE_GRAPH).whole(BOARD.start(), [])
    assert BOARD.title not in text
    assert not re.search("divisor|multiple|divides", text)
    with pytest.raises(SettingsError):
        Prompt(TakeAway(), disguise=BARE_GRAPH)


ANSWERS = Path(__file__).parents[1] / "data" / "answers.jsonl"
POSITIONS = {
    "multiplicity": BOARD.start(),
    "double-or-add": MENU.read("5/1"),
    "operation-duel": new("operation-duel").read("5/1"),
    "divisor-line": new("divisor-line").read("4:5/1"),
}


def test_answers_as_models_write_them_are_read_as_they_were_meant():
    lines = ANSWERS.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 200
    for line in lines:
        at, move, strict, answer = json.loads(line).values()
        game, position = BOARD if at == BOARD.key else new(at), POSITIONS[at]
        reading = Prompt(game).read(position, answer)
        fault = "unreadable" if move is None else "" if game.allows(position, move) else "illegal"
        assert (reading.fault, reading.strict) == (fault, strict), line
        assert reading.move == (None if fault else move), line
        if move is None:
            assert re.fullmatch("no move can be read in .{1,150}", reading.why)


def test_the_end_of_a_long_answer_is_read_and_one_that_is_too_long_is_not():
    text = "Hm. " * MAX_READ_CHARACTERS + "\nMove: 9"
    assert Prompt(BOARD).read(BOARD.start(), text) == (9, "", "", True)
    for text in ("1" * 2000, "Move: 9" + " " * MAX_ANSWER_CHARACTERS):
        assert Prompt(BOARD).read(BOARD.start(), text).fault == "unreadable"


def test_another_form_can_be_asked_for():
    prompt = Prompt(BOARD, answer_line="[…]")
    assert prompt.question(BOARD.start()).endswith("\n[…]")
    assert prompt.read(BOARD.start(), "I think.\n[9]").strict
    assert not prompt.read(BOARD.start(), "Move: 9").strict


def test_a_move_can_be_given_in_the_words_of_the_game():
    start = MENU.start()
    for text in (
        "Move: double",
        "MOVE: **Double**",
        "Double",
        "Move: x2",
        "Move: *2",
        "Move: 1 (Double)",
    ):
        assert Prompt(MENU).read(start, text).move == 1, text
    for text in ("Move: Add One", "Move: add one, which is safe", "Move: +1", "[add one]"):
        assert Prompt(MENU).read(start, text).move == 2, text


def test_a_number_that_is_no_legal_move_is_illegal_and_told_why():
    prompt, why = Prompt(BOARD), BOARD.words.why_not(BOARD.start(), 21)
    reading = prompt.read(BOARD.start(), "Move: 21")
    assert reading == (None, "illegal", why, True)
    assert prompt.correction(reading).startswith(f"That is not a legal move: {why}.\nThink")
    assert prompt.read(BOARD.start(), "Move: -3").fault == "illegal"


def test_markup_without_end_is_unreadable():
    for part in ("_a ", "**", "`* ", "[", "move: "):
        text = (part * MAX_ANSWER_CHARACTERS)[:MAX_ANSWER_CHARACTERS]
        assert Prompt(BOARD).read(BOARD.start(), text).move is None
