"""Puzzles, the longest chain and a game looked back on, in a browser."""

import re
import struct
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from numduel import games, new
from numduel.play.puzzle import answered, daily, daily_key, today
from numduel.web.app import create_app
from numduel.web.live.site import Config
from numduel.web.pages import home

KEYS = [key for key, _, _ in games()]

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
    one.page.locator(f"#m{puzzle.answer}").click()
    expect(task).to_have_text("Right!")
    expect(one.page.locator(".cards")).to_be_visible()
    one.link("All puzzles").click()
    expect(one.page.locator(".calendar .solved")).to_have_count(1)


def test_the_first_page_is_in_one_view_with_a_game_under_way(visit):
    one = visit(viewport={"width": 1280, "height": 800}).open()
    one.page.locator("form[action='/play/multiplicity'] button").click()
    expect(one.turn).to_be_visible()
    one.open()
    expect(one.page.locator(".goon")).to_contain_text("Multiplicity")
    assert one.page.evaluate("document.documentElement.scrollHeight") <= 800


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("key", KEYS)
def test_opponent_who_begins_and_start_are_in_view(visit, key):
    one = visit(viewport={"width": 1280, "height": 800}).open(f"/new/{key}")
    for what in (one.page.locator("#opponent"), one.page.locator("#first")):
        expect(what).to_be_in_viewport(ratio=1)
    expect(one.button("Start the game")).to_be_in_viewport(ratio=1)


@pytest.mark.soak
def test_the_first_page_is_in_one_view_on_any_day(visit, tmp_path, monkeypatch):
    one = visit(viewport={"width": 1280, "height": 800})
    shown, heights = {}, {}
    one.page.route(
        lambda address: address in shown,
        lambda route: route.fulfill(body=shown[route.request.url], content_type="text/html"),
    )
    config = Config(f"sqlite:///{tmp_path / 'numduel.sqlite'}", rates=None)
    with TestClient(create_app(config)) as other:  # a server of its own, for it has other days
        for key in KEYS[:2]:  # as many games under way as are shown
            other.post(f"/play/{key}", data={"opponent": "easy"})
        for day in (today() + timedelta(days) for days in range(2 * len(KEYS))):
            monkeypatch.setattr(home, "today", lambda day=day: day)
            text = other.get("/").text
            assert text.count('class="goon"') == 2
            shown[f"{one.site}/?{day}"] = text
            one.open(f"/?{day}")
            expect(one.page.locator(".posing :is(.picture, .cells)").first).to_be_visible()
            heights[daily_key(day), day] = one.page.evaluate(
                "document.documentElement.scrollHeight"
            )
    assert {day: height for day, height in heights.items() if height > 800} == {}


@EITHER
def test_a_chain_grows_turns_and_is_taken_back(visit, scripts):
    one = visit(java_script_enabled=scripts).open("/chain?n=12")
    turn = one.page.locator("#turn")
    for number in (6, 3, 9):
        one.page.locator(f"#m{number}").click()
        expect(one.page.locator(".cells .now")).to_contain_text(str(number))
    one.button("Turn it round").click()
    expect(one.page.locator(".cells .now")).to_contain_text("6")
    one.button("Take back").click()
    expect(turn).to_have_text(re.compile("^2 numbers"))
    expect(one.page.get_by_text("Your best with 12 numbers: 3")).to_be_visible()


@pytest.mark.soak
def test_a_mistake_is_tried_again_and_the_right_answer_shows_its_reason(visit):
    one = visit().begin("double-or-add", opponent="here")
    for move in (1, 1, 1):  # of which the second was a mistake
        one.move(move)
    one.resign()
    one.link("See where it turned").click()
    one.page.locator(".bar .mistake a").first.click()
    expect(one.page.locator("#turned")).to_contain_text("played")
    game = new("double-or-add")
    right = answered(game, game.play(game.start(), 1), 2)
    one.page.locator("#m2").click()
    expect(one.page.locator("#turned")).to_have_text("Right!")
    expect(one.page.get_by_text(right.line, exact=True)).to_be_visible()


@pytest.mark.soak
def test_the_picture_to_share_is_that_of_the_link_preview(visit):
    one = visit().begin("divisor-line", opponent="here")
    one.move(4)
    one.move(7)
    one.resign()
    one.link("See where it turned").click()
    image = one.page.locator("meta[property='og:image']").get_attribute("content")
    size = [
        int(one.page.locator(f"meta[property='og:image:{side}']").get_attribute("content"))
        for side in ("width", "height")
    ]
    with one.page.expect_download() as download:
        one.link("Download the picture").click()
    assert download.value.suggested_filename == "numduel.png"
    picture = Path(download.value.path()).read_bytes()
    assert picture.startswith(b"\x89PNG\r\n")
    assert list(struct.unpack(">II", picture[16:24])) == size
    assert one.context.request.get(image).body() == picture


def test_left_and_right_step_through_a_game(visit):
    one = visit().begin("double-or-add", opponent="here")
    one.move(1)
    one.move(1)
    one.resign()
    one.link("See where it turned").click()
    replay = one.page.locator("#replay")
    expect(replay).to_have_text("After move 2 of 2")
    one.page.keyboard.press("ArrowLeft")
    expect(replay).to_have_text("After move 1 of 2")
    one.page.keyboard.press("ArrowLeft")
    expect(replay).to_have_text("The start")
    one.page.keyboard.press("ArrowRight")
    expect(replay).to_have_text("After move 1 of 2")
