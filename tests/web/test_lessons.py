"""The pages of lesson plans, sheets and grids."""

import re
from html import unescape

import pytest

from numduel import new
from numduel.play.lesson import lessons
from numduel.web.board import settings_words


def shown(answer):
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", unescape(answer.text))


def test_a_lesson_has_its_questions_solutions_and_cards(visit):
    visitor = visit()
    listed = shown(visitor.get("/class"))
    for lesson in lessons():
        assert f'href="/lesson/{lesson.age}"' in listed and lesson.title in listed
        text = shown(visitor.get(f"/lesson/{lesson.age}"))
        for part in (lesson.goal, lesson.introduction, lesson.play, lesson.talk):
            assert part in text
        assert all(solution in text for solution in lesson.solutions)
        assert all(
            f"<summary>{ask}</summary><p>{answer}" in text for ask, answer in lesson.cards.items()
        )
        form = text.partition(f'action="/rooms/{lesson.game.key}"')[2].partition("</form>")[0]
        fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
        room = visitor.post(f"/rooms/{lesson.game.key}", data=fields).headers["location"]
        assert settings_words(lesson.game) in visitor.get(f"{room}/manage").text


@pytest.mark.parametrize("path", ["/lesson/9", "/lesson/x", "/grid/23", "/grid/x"])
def test_unknown_lessons_and_grids_are_not_found(visit, path):
    answer = visit().get(path)
    assert answer.status_code == 404 and 'role="alert"' in answer.text


def test_a_sheet_has_six_puzzles_and_separate_answers(visit):
    for path, game in (("/puzzles/sheet/7", None), ("/puzzles/sheet/7?game=divisor-line", "only")):
        text = shown(visit().get(path))
        sheet, _, answers = text.partition("Answers to sheet 7")
        assert sheet.count(" because ") == answers.count("<li>") == 6
        assert sheet.count(f"</b> {new('divisor-line').title}</h2>") in ((6,) if game else (1, 2))
        assert answers.count("Play ") >= 6 and "Play " not in sheet
        assert text == shown(visit().get(path))


def test_a_puzzle_of_several_moves_has_the_replies_in_its_answer(visit):
    sheet, _, answers = shown(visit().get("/puzzles/sheet/7?game=double-or-add")).partition(
        "Answers to sheet 7"
    )
    assert sheet.count("moves in a row.") == 6  # two moves alone are guessed too easily
    assert sheet.count("They play ") == answers.count("They play ") >= 6
    assert answers.count(" Play ") == 6 + answers.count("They play ")


@pytest.mark.parametrize("size", [24, 40, 50, 100])
def test_a_grid_has_each_number_once_on_each_board(visit, size):
    boards = re.findall('<ol class="number-grid.*?</ol>', shown(visit().get(f"/grid/{size}")))
    assert boards
    for board in boards:
        assert re.findall(r"<li>(\d+)</li>", board) == [str(n) for n in range(1, size + 1)]
