"""The pages of the puzzles, and the puzzle on the first page, without scripts."""

import re
from datetime import date, timedelta
from html import unescape

import pytest
from tests.web.forms import legal_moves

from numduel.games import OUR_GAMES
from numduel.play.puzzle import FIRST_DAY, daily, numbered_puzzle, today

MONDAY = date(2026, 11, 9)
WEEK = [MONDAY + timedelta(days) for days in range(7)]


def wrong_move(one, turn=0):
    before, right = one.answers[turn]
    return next(move for move in one.game.moves(before) if move != right)


def comment_on(one, *moves):
    """Return the comment on the last of these moves."""
    return one.attempt(moves).answer.reason


def right_moves(one):
    """Return the query of a puzzle's right moves."""
    return "?moves=" + ",".join(str(last.move) for last in one.answers)


def shown(answer):
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def answered(visitor, path, **form):
    """Return the page to which an answer leads."""
    answer = visitor.post(path, data=form)
    assert answer.status_code == 303
    return shown(visitor.get(answer.headers["location"]))


def test_each_day_shows_its_puzzle_with_every_move(visit):
    for day in WEEK:
        one = daily(day)
        text = shown(visit().get(f"/puzzle/{day}"))
        assert one.task in text
        assert one.game.title in text
        assert legal_moves(text) == list(one.game.moves(one.position))


def test_a_wrong_answer_is_refuted_and_tried_again(visit):
    one = daily(MONDAY)
    text = answered(visit(), f"/puzzle/{MONDAY}", move=wrong_move(one))
    assert "Not that one." in text and comment_on(one, wrong_move(one)) in text
    assert comment_on(one, one.answer) not in text
    assert "The end: " in text and not legal_moves(text)
    again = re.search(r'href="([^"]+)">(?:<svg.*?</svg>)?Try again', text)[1]
    assert legal_moves(shown(visit().get(again))) == list(one.game.moves(one.position))


def test_right_moves_are_explained_and_the_day_is_kept_as_solved(visit):
    for day in WEEK:
        one, visitor, found = daily(day), visit(), []
        for _, move in one.answers:
            text = answered(visitor, f"/puzzle/{day}", found=",".join(found), move=move)
            found.append(str(move))
            assert comment_on(one, *map(int, found)) in text
            if len(found) < one.turns:
                assert "Right!" in text and f"Find move {len(found) + 1} of {one.turns}." in text
                following = one.answers[len(found)].before
                assert legal_moves(text) == list(one.game.moves(following))
        assert "Solved!" in text and not legal_moves(text)
        assert f'{day.day}<span class="unseen">, {one.game.title}, solved' in text
        assert ", solved" in visitor.get("/puzzles?month=2026-11").text
        assert ", solved" not in visit().get("/puzzles?month=2026-11").text


def test_right_moves_before_a_wrong_one_stay_found(visit):
    one = next(one for day in WEEK if (one := daily(day)).turns > 1)
    path = f"/puzzle/{next(day for day in WEEK if daily(day) == one)}"
    text = answered(visit(), path, found=one.answer, move=wrong_move(one, 1))
    again = re.search(r'href="([^"]+)">(?:<svg.*?</svg>)?Try again', text)[1]
    assert again == f"{path}?moves={one.answer}"
    assert legal_moves(shown(visit().get(again))) == list(one.game.moves(one.answers[1].before))


def test_no_verdict_is_drawn_on_what_the_opponent_can_do_next(visit):
    for day in WEEK:
        one = daily(day)
        text = shown(visit().get(f"/puzzle/{day}{right_moves(one)}"))
        assert not re.search(r'class="(option|verdict)', text)
        played = re.findall(r'<li class="seat\d"><span class="unseen">([^:]+): ', text)
        found = one.attempt([last.move for last in one.answers])
        assert len(played) == len(found.past + found.ending) and played[0] == "You"
        assert text.count("<div hidden>") == min(len(found.ending), 15)


def test_a_solved_puzzle_leads_to_the_next_and_can_be_shared_and_played_out(visit):
    one, visitor = daily(MONDAY), visit()
    text = shown(visitor.get(f"/puzzle/{MONDAY}{right_moves(one)}"))
    assert f'href="/puzzle/{today()}">Next puzzle' in text
    shared = re.search(r'id="share" value="([^"]+)"', text)[1]
    assert shared.endswith(f"/puzzle/{MONDAY}") and one.game.title in shared
    out = shown(visitor.get(re.search(r'href="([^"]+)"><svg[^\n]*</svg>Play it out', text)[1]))
    found = one.attempt([last.move for last in one.answers])
    assert legal_moves(out) == list(one.game.moves(found.ending[1].before))
    assert "Share" not in shown(visit().get(f"/puzzle/{MONDAY}?show=answer"))


def test_the_next_puzzle_is_the_latest_day_that_is_not_solved_or_any(visit):
    visitor = visit()
    text = shown(visitor.get(f"/puzzle/{today()}{right_moves(daily(today()))}"))
    assert f'href="/puzzle/{today() - timedelta(1)}">Next puzzle' in text
    visitor = visit()
    visitor.cookies.set("solved", f"{today().toordinal()}.{'f' * 100}")
    text = shown(visitor.get(f"/puzzle/{today()}"))
    assert re.search('href="/puzzle/[a-z-]+">Next puzzle', text)


def test_a_solved_day_stays_solved_and_can_be_solved_once_more(visit):
    one, visitor = daily(today()), visit()
    visitor.get(f"/{right_moves(one)}")
    for path in ("/", f"/puzzle/{today()}"):
        text = shown(visitor.get(path))
        assert "Solved!" in text
        once_more = re.search(r'href="([^"]+)">Once more', text)[1]
        assert one.task in shown(visitor.get(once_more))


def test_the_days_of_this_week_are_dots_on_the_first_page(visit):
    visitor = visit()
    assert "This week: 0 of 7 solved" in visitor.get("/").text
    text = visitor.get(f"/{right_moves(daily(today()))}").text
    assert "This week: 1 of 7 solved" in text
    assert text.count('<li class="done today">') == 1
    dots = text.partition('<ol class="week"')[2].partition("</ol>")[0]
    assert dots.count("<li ") == 7
    assert dots.count('class="ahead"') == 6 - today().weekday()


def test_the_intro_fits_the_goal_of_the_puzzle(visit):
    day = next(day for day in WEEK if daily(day).game.key == "divisor-line")
    text = shown(visit().get(f"/puzzle/{day}"))
    assert "three numbers, each dividing the next" in text
    assert "one of which divides another" not in text and "of which one divides" not in text


def test_an_address_that_an_earlier_version_wrote_is_still_read(visit):
    one = daily(MONDAY)
    assert comment_on(one, one.answer) in shown(visit().get(f"/puzzle/{MONDAY}?move={one.answer}"))
    assert "Not that one." in shown(visit().get(f"/puzzle/{MONDAY}?move={wrong_move(one)}"))


def test_the_answer_can_be_asked_for_and_does_not_count_as_solved(visit):
    one, visitor = daily(MONDAY), visit()
    text = shown(visitor.get(f"/puzzle/{MONDAY}?show=answer"))
    assert comment_on(one, *(last.move for last in one.answers)) in text
    assert "The answer" in text and "Solved!" not in text
    assert ", solved" not in visitor.get(f"/puzzle/{MONDAY}").text


def test_an_invalid_move_is_reported(visit):
    for typed in ("", "x", "999", "-1", "9" * 2000, "<b>"):
        answer = visit().post(f"/puzzle/{MONDAY}", data={"move": typed})
        text = visit().get(answer.headers["location"]).text
        assert "is not a move that can be made here." in text
        assert "<b>" not in text


def test_the_puzzle_of_today_is_on_the_first_page_and_answered_there(visit):
    one, visitor = daily(today()), visit()
    assert one.task in shown(visitor.get("/"))
    assert one.task in shown(visitor.get("/puzzle"))
    text = answered(visitor, "/", move=wrong_move(one))
    assert "Not that one." in text and "cards" in text
    *found, last = (str(last.move) for last in one.answers)
    text = answered(visitor, "/", found=",".join(found), move=last)
    assert "Solved!" in text and "cards" in text
    assert ", solved" in visitor.get("/puzzle").text


@pytest.mark.parametrize("key", OUR_GAMES)
def test_each_game_has_puzzles_of_its_own(visit, key):
    visitor = visit()
    there = visitor.get(f"/puzzle/{key}?level=2").headers["location"]
    assert re.fullmatch(rf"/puzzle/{key}/\d+\?level=2", there)
    one = numbered_puzzle(key, 7, 2)
    text = shown(visitor.get(f"/puzzle/{key}/7?level=2"))
    assert one.task in text
    assert f'href="/puzzle/{key}?level=2">Another one' in text
    text = answered(visitor, f"/puzzle/{key}/7", move=one.answer, level="2")
    assert comment_on(one, one.answer) in text
    text = shown(visitor.get(f"/puzzle/{key}/7{right_moves(one)}&level=2"))
    assert f'href="/puzzle/{key}?level=2">Next puzzle' in text


def test_the_players_of_a_puzzle_are_you_and_your_opponent(visit):
    one, path = numbered_puzzle("divisor-line", 1), "/puzzle/divisor-line/1"
    before, after = (shown(visit().get(path + move)) for move in ("", f"?move={one.answer}"))
    assert ", Your opponent</span>" in before and ", You</span>" in after
    assert "Player" not in before + after


def test_unknown_puzzles_are_refused_in_one_line(visit):
    days = today() + timedelta(1), FIRST_DAY - timedelta(1)
    for path in (
        *("/puzzle/soon", *(f"/puzzle/{day}" for day in days)),
        *("/puzzle/chess/1", "/puzzle/multiplicity/x"),
        *("/puzzles?month=2025-12", "/puzzles?month=soon", "/puzzles/sheet/0", "/puzzles/sheet/x"),
    ):
        answer = visit().get(path)
        assert answer.status_code == 404
        assert re.search(r"There is |A day is written like", answer.text)
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
