"""With scripts off: a game against the computer, and one between two, by link and at one screen."""

import re

import pytest
from playwright.sync_api import expect

from numduel import games


@pytest.fixture
def plain(visit):
    """Return a visitor whose browser runs no scripts."""

    def plain():
        return visit(java_script_enabled=False)

    return plain


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("key", [key for key, _, _ in games()])
def test_a_game_against_the_computer(plain, key):
    one = plain().play(key)
    one.play_on(12)
    one.look_back()
    one.link("First").click()
    expect(one.page.locator("#replay")).to_have_text("The start")
    expect(one.button("Copy")).to_have_count(0)  # it would do nothing


def test_two_play_by_link_and_a_third_watches(plain):
    one = plain().begin("operation-duel", opponent="link", set_target=4)
    two = plain().open(one.page.locator("#invite").input_value())
    two.button("Play").click()
    third = plain().open(one.page.url)
    one.move(1)
    expect(two.turn).to_have_text("Your turn")  # the page comes anew by itself
    two.move(2)
    for visitor, words in (
        (one, "Player 2 wins"),
        (two, "You win!"),
        (third, "Player 2 wins"),
    ):
        expect(visitor.turn).to_have_text(words)
    one.act(one.button("Rematch"))
    expect(two.page.locator(".ask")).to_have_text("Player 1 wants a rematch.")
    two.act(two.button("Rematch"))
    expect(two.turn).to_have_text("Your turn")


def test_a_typed_move_hints_and_an_upload(plain, tmp_path):
    one = plain().begin("multiplicity", opponent="here", coach=True, set_size=500)
    one.page.get_by_label(re.compile("Your move")).fill("7")
    one.act(one.button("Play"))
    expect(one.history).to_have_text([re.compile("7")])
    one.link("Hint").click()
    expect(one.page.locator(".coach .hint")).to_be_visible()
    one.resign()
    one.look_back()
    with one.page.expect_download() as download:
        one.link("Download the record").click()
    path = tmp_path / "record.json"
    download.value.save_as(path)
    one.open("/analyze").page.locator("#record").set_input_files(path)
    one.enter("Analyse", "/record/")
    expect(one.page.locator("#replay")).to_have_text("After move 1 of 1")
