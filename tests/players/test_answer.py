"""An answer is read as it was meant, or not at all."""

import json
import re
from pathlib import Path

from numduel.core.game_text import GameText
from numduel.games import new
from numduel.players.answer import MAX_ANSWER_CHARACTERS, MAX_READ_CHARACTERS, AnswerReader

MENU = new("double-or-add")
BOARD = new("multiplicity", size=20)
MENU_READER, BOARD_READER = AnswerReader(GameText(MENU)), AnswerReader(GameText(BOARD))

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
        reading = AnswerReader(GameText(game)).read(position, answer)
        fault = "unreadable" if move is None else "" if game.allows(position, move) else "illegal"
        assert (reading.fault, reading.strict) == (fault, strict), line
        assert reading.move == (None if fault else move), line
        if move is None:
            assert re.fullmatch("no move can be read in .{1,150}", reading.why)


def test_the_end_of_a_long_answer_is_read_and_one_that_is_too_long_is_not():
    text = "Hm. " * MAX_READ_CHARACTERS + "\nMove: 9"
    assert BOARD_READER.read(BOARD.start(), text) == (9, "", "", True)
    for text in ("1" * 2000, "Move: 9" + " " * MAX_ANSWER_CHARACTERS):
        assert BOARD_READER.read(BOARD.start(), text).fault == "unreadable"


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
        assert MENU_READER.read(start, text).move == 1, text
    for text in ("Move: Add One", "Move: add one, which is safe", "Move: +1", "[add one]"):
        assert MENU_READER.read(start, text).move == 2, text


def test_markup_without_end_is_unreadable():
    for part in ("_a ", "**", "`* ", "[", "move: "):
        text = (part * MAX_ANSWER_CHARACTERS)[:MAX_ANSWER_CHARACTERS]
        assert BOARD_READER.read(BOARD.start(), text).move is None


def test_a_number_below_1_is_illegal_rather_than_unreadable():
    assert BOARD_READER.read(BOARD.start(), "Move: -3").fault == "illegal"
