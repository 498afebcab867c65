"""The pages of the puzzles, and today's on the first page, without scripts."""

import re
from datetime import date, timedelta
from html import unescape

import pytest

from numduel.games import OURS
from numduel.play.puzzle import FIRST_DAY, daily, puzzle, today

MONDAY = date(2026, 11, 9)
WEEK = [MONDAY + timedelta(days) for days in range(7)]


def moves(text):
    """The moves that a page has buttons for."""
    return [int(move) for move in re.findall(r'name="move" value="(\d+)"', text)]


def wrong(one):
    return next(move for move in one.game.moves(one.position) if move != one.answer)


def shown(answer):
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def answered(visitor, path, **form):
    """The page to which an answer leads."""
    answer = visitor.post(path, data=form)
    assert answer.status_code == 303
    return shown(visitor.get(answer.headers["location"]))


@pytest.mark.parametrize("day", WEEK, ids=str)
def test_each_day_poses_its_puzzle_with_every_move(visit, day):
    one = daily(day)
    text = shown(visit().get(f"/puzzle/{day}"))
    assert one.task in text
    assert one.game.title in text
    assert moves(text) == list(one.game.moves(one.position))


def test_a_wrong_answer_is_told_why_and_tried_again_in_place(visit):
    one = daily(MONDAY)
    text = answered(visit(), f"/puzzle/{MONDAY}", move=wrong(one))
    assert "Not that one." in text
    assert one.answered(wrong(one)).line in text
    assert one.answered(one.answer).line not in text
    assert moves(text) == list(one.game.moves(one.position))


def test_the_right_answer_is_told_why_and_kept_as_solved(visit):
    one, visitor = daily(MONDAY), visit()
    text = answered(visitor, f"/puzzle/{MONDAY}", move=one.answer)
    assert "Right!" in text
    assert one.answered(one.answer).line in text
    assert not moves(text)
    assert f'{MONDAY.day}<span class="unseen">, {one.game.title}, solved' in text
    assert ", solved" in visitor.get("/puzzles?month=2026-11").text
    assert ", solved" not in visit().get("/puzzles?month=2026-11").text


def test_the_answer_can_be_asked_for_and_does_not_count_as_solved(visit):
    one, visitor = daily(MONDAY), visit()
    text = shown(visitor.get(f"/puzzle/{MONDAY}?show=answer"))
    assert one.answered(one.answer).line in text
    assert "Right!" not in text
    assert ", solved" not in visitor.get(f"/puzzle/{MONDAY}").text


@pytest.mark.parametrize("typed", ["", "x", "999", "-1", "9" * 2000, "<b>"])
def test_what_is_no_move_is_said(visit, typed):
    answer = visit().post(f"/puzzle/{MONDAY}", data={"move": typed})
    text = visit().get(answer.headers["location"]).text
    assert "is no move here." in text
    assert "<b>" not in text


def test_today_is_the_first_page_and_answered_there(visit):
    one, visitor = daily(today()), visit()
    assert one.task in shown(visitor.get("/"))
    assert one.task in shown(visitor.get("/puzzle"))
    text = answered(visitor, "/", move=wrong(one))
    assert "Not that one." in text and "cards" in text
    assert one.answered(wrong(one)).line in answered(visitor, "/puzzle", move=wrong(one))
    text = answered(visitor, "/", move=one.answer)
    assert "Right!" in text and "cards" in text
    assert ", solved" in visitor.get("/puzzle").text


@pytest.mark.parametrize("key", OURS)
def test_each_game_has_puzzles_of_its_own(visit, key):
    visitor = visit()
    there = visitor.get(f"/puzzle/{key}?level=2").headers["location"]
    assert re.fullmatch(rf"/puzzle/{key}/\d+\?level=2", there)
    one = puzzle(key, 7, 2)
    text = shown(visitor.get(f"/puzzle/{key}/7?level=2"))
    assert one.task in text
    text = answered(visitor, f"/puzzle/{key}/7", move=one.answer, level="2")
    assert one.answered(one.answer).line in text
    assert f'href="/puzzle/{key}?level=2"' in text


def test_who_solves_a_puzzle_is_you_and_the_other_your_opponent(visit):
    one, path = puzzle("divisor-line", 1), "/puzzle/divisor-line/1"
    before, after = (shown(visit().get(path + move)) for move in ("", f"?move={one.answer}"))
    assert ", Your opponent</span>" in before and ", You</span>" in after
    assert "Player" not in before + after


@pytest.mark.parametrize(
    "path",
    [
        "/puzzle/soon",
        f"/puzzle/{today() + timedelta(1)}",
        f"/puzzle/{FIRST_DAY - timedelta(1)}",
        "/puzzle/chess/1",
        "/puzzle/multiplicity/x",
        "/puzzles?month=2025-12",
        "/puzzles?month=soon",
        "/puzzles/sheet/0",
        "/puzzles/sheet/x",
    ],
)
def test_what_there_is_not_is_one_line(visit, path):
    answer = visit().get(path)
    assert answer.status_code == 404
    assert re.search(r"There is |A day is written like", answer.text)


def test_a_level_or_a_number_out_of_bounds_is_one_line(visit):
    answer = visit().get("/puzzle/multiplicity/1?level=9")
    assert answer.status_code == 422
    assert "A puzzle's level is from 1 to 5, not 9." in unescape(answer.text)
    assert visit().get("/puzzle/multiplicity/0").status_code == 422


def test_the_archive_goes_back_to_the_first_day_and_no_further(visit):
    text = visit().get("/puzzles").text
    assert f'href="/puzzle/{today()}"' in text
    assert f'href="/puzzle/{today() + timedelta(1)}"' not in text
    first = visit().get(f"/puzzles?month={FIRST_DAY:%Y-%m}").text
    assert f'href="/puzzle/{FIRST_DAY}"' in first
    assert "The month before" not in first


def test_a_sheet_has_six_puzzles_and_the_answers_on_a_page_of_their_own(visit):
    text = shown(visit().get("/puzzles/sheet/7"))
    sheet, _, answers = text.partition("Answers to sheet 7")
    assert sheet.count("I play ") == answers.count("<li>") == 6
    assert 'class="paper answers"' in text
    assert "Only " in answers and "Only " not in sheet
    assert text == shown(visit().get("/puzzles/sheet/7"))


@pytest.mark.parametrize("kept", ["x", "1", "1.ff", "9999999.1", "739570.x", f"739570.{'f' * 120}"])
def test_a_damaged_cookie_is_no_matter(visit, kept):
    visitor = visit()
    visitor.cookies.set("solved", kept)
    assert visitor.get(f"/puzzle/{MONDAY}").status_code == 200


def test_what_was_solved_before_stays_solved(visit):
    visitor = visit()
    for day in (WEEK[3], WEEK[0], WEEK[5]):
        answered(visitor, f"/puzzle/{day}", move=daily(day).answer)
    text = visitor.get("/puzzles?month=2026-11").text
    solved = re.findall(r'/puzzle/([-0-9]+)" class="solved"', text)
    assert solved == [str(WEEK[0]), str(WEEK[3]), str(WEEK[5])]
