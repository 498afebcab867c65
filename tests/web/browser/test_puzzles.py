"""Puzzles, the longest chain and the review of a game, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from numduel.play.puzzle import daily, today
from numduel.web.puzzles.view import MAX_BOARDS

LARGE_BOARDS = ("2026-11-09", "2026-11-22")  # the days whose puzzles have the largest boards

EITHER = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])


def wrong(one):
    return next(move for move in one.game.moves(one.position) if move != one.answer)


@EITHER
def test_todays_puzzle_is_solved_on_the_first_page(visit, scripts):
    one, puzzle = visit(java_script_enabled=scripts).open(), daily(today())
    task = one.page.locator("#task")
    expect(task).to_have_text(puzzle.task)
    one.page.locator(f"#m{wrong(puzzle)}").click()
    expect(task).to_have_text("Not that one.")
    one.link("Try again").click()
    for found, last in enumerate(puzzle.answers, 1):
        one.page.locator(f"#m{last.move}").click()
        expect(task).to_have_text("Solved!" if found == puzzle.turns else "Right!")
        if found < puzzle.turns:
            expect(one.page.get_by_text(f"Find move {found + 1} of")).to_be_visible()
    expect(one.page.locator(".week .done")).to_have_count(1)
    expect(one.page.locator(".cards")).to_be_visible()
    one.open()
    expect(task).to_have_text("Solved!")
    one.link("All puzzles").click()
    expect(one.page.locator(".calendar .solved")).to_have_count(1)


@EITHER
def test_a_solved_puzzle_plays_itself_out_to_its_end(visit, scripts):
    puzzle = daily(today())
    moves = [last.move for last in puzzle.answers]
    found, one = puzzle.attempt(moves), visit(java_script_enabled=scripts)
    one.open(f"/puzzle/{today()}?moves={','.join(map(str, moves))}")
    boards = one.page.locator("[data-frames] > *")
    expect(boards).to_have_count(min(MAX_BOARDS, 1 + len(found.ending)))
    expect(boards.last).to_be_visible()
    expect(boards.first).to_be_hidden()
    expect(one.page.locator(".strip [class^=seat]")).to_have_count(len(found.past + found.ending))


@pytest.mark.parametrize(
    ("size", "day"),
    [((390, 844), today()), *(((1280, 800), day) for day in (today(), *LARGE_BOARDS))],
)
def test_the_buttons_are_in_the_first_view(serve_site, visit, size, day):
    site = serve_site(NUMDUEL_TODAY=str(day))
    one = visit(site, viewport={"width": size[0], "height": size[1]}).play("multiplicity")
    one.open()
    fits = "all => all.every(one => parseFloat(getComputedStyle(one).fontSize) < one.clientHeight)"
    assert one.page.locator(".daily .cells .now > span").evaluate_all(fits)
    expect(one.page.locator(".go-on")).to_contain_text("Dot waits in Multiplicity.")
    expect(one.page.locator(".cards .primary").first).to_be_in_viewport(ratio=1)
    tallest = one.page.locator(".card").evaluate_all(
        "cards => Math.max(...cards.map(card => card.getBoundingClientRect().height))"
    )
    assert tallest <= (180 if size[0] < 400 else 460)
    bar = one.page.locator(".top").bounding_box()
    assert bar["height"] < 70  # one line
    one.open("/new/multiplicity")
    expect(one.page.locator("#opponent")).to_be_in_viewport(ratio=1)
    expect(one.page.locator("[data-play]")).to_be_in_viewport(ratio=1)


@EITHER
def test_a_chain_grows_turns_and_is_taken_back(visit, scripts):
    one = visit(java_script_enabled=scripts).open("/chain?n=12")
    turn = one.page.locator("#turn")
    for number in (6, 3, 9):
        one.page.locator(f"#m{number}").click()
        expect(one.page.locator(".cells .now")).to_contain_text(str(number))
    one.button("Go on at the other end").click()
    expect(one.page.locator(".cells .now")).to_contain_text("6")
    one.button("Take back").click()
    expect(turn).to_have_text(re.compile("^2 numbers"))
    expect(
        one.page.get_by_text("Your longest so far, with the numbers from 1 to 12: 3")
    ).to_be_visible()


def test_left_and_right_step_through_a_game(visit):
    one = visit().begin("double-or-add", opponent="here")
    one.move(1)
    one.move(1)
    one.resign()
    one.look_back()
    replay = one.page.locator("#replay")
    expect(replay).to_have_text("After move 2 of 2")
    one.page.keyboard.press("ArrowLeft")
    expect(replay).to_have_text("After move 1 of 2")
    one.page.keyboard.press("ArrowLeft")
    expect(replay).to_have_text("The start")
    one.page.keyboard.press("ArrowRight")
    expect(replay).to_have_text("After move 1 of 2")
