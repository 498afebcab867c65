"""Games from somebody else's packages are played in the browser like ours, and look right.

One has plain positions, one can be drawn, and in one a player may move twice.
"""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

EXAMPLES = Path(__file__).parents[3] / "examples"

GAMES = {
    "take-away": "take_away:TakeAway",
    "fifteen": "fifteen:Fifteen",
    "stepping-stones": "stepping_stones:SteppingStones",
}


@pytest.fixture(scope="module")
def site(serve_site, tmp_path_factory):
    """Return a server with the examples installed, as a package of games would be."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "examples-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: examples\nVersion: 1.0\n")
    points = "".join(f"{key} = {target}\n" for key, target in GAMES.items())
    (info / "entry_points.txt").write_text(f"[numduel.games]\n{points}")
    path = [folder, *(EXAMPLES / key for key in GAMES)]
    return serve_site(PYTHONPATH=os.pathsep.join(map(str, path)))


@pytest.mark.soak
def test_the_first_page_has_a_card_for_each(visit, check_page):
    one = visit().open()
    for key in GAMES:
        card = one.page.locator(".card", has=one.page.locator(f"[action='/path/{key}/1']"))
        expect(card.locator("svg.picture")).to_be_visible()
    check_page(one.page, "others-home")


@pytest.mark.soak
def test_take_away_is_played_to_the_end(visit, check_page):
    one = visit().play("take-away")
    one.move(1)
    expect(one.page.locator(".facts")).to_contain_text(re.compile(r"Left\s*\d"))
    expect(one.moves).to_have_count(3)
    check_page(one.page, "others-take-away")
    one.play_on(21)
    one.look_back()
    expect(one.page.get_by_role("region", name="Who was winning")).to_be_visible()

    one.begin("take-away", opponent="perfect", coach=True, set_stones=5, set_most=4)
    one.page.locator("#switch-colours").click()
    expect(one.moves.locator(".sign.loss")).to_have_count(4)
    one.move(2)
    expect(one.turn).to_have_text("Otto wins")


@pytest.mark.soak
def test_fifteen_is_drawn(visit, check_page):
    one = visit().begin("fifteen", opponent="here", coach=True)
    expect(one.page.locator(".cells li")).to_have_count(9)
    for number in (5, 8, 6, 4):
        one.move(number)
    expect(one.page.locator(".cells .owned")).to_have_count(4)
    expect(one.moves).to_have_count(5)
    one.page.locator("#switch-colours").click()
    expect(one.moves.locator(".sign.draw").first).to_be_visible()
    check_page(one.page, "others-fifteen")
    for number in (3, 7, 9, 1, 2):
        one.move(number)
    expect(one.turn).to_have_text("Nobody wins")
    expect(one.page.locator(".ending")).to_contain_text("All nine numbers are taken.")
    check_page(one.page, "others-drawn")
    one.look_back()
    expect(one.page.locator(".bar li")).to_have_count(10)
    check_page(one.page, "others-drawn-review")


@pytest.mark.soak
def test_a_player_of_stepping_stones_can_move_twice(visit, check_page):
    one = visit().begin("stepping-stones", opponent="here")
    for step in (3, 2):
        one.move(step)
    expect(one.turn).to_have_text("Player 2's turn")  # who came to a warm stone
    expect(one.page.locator(".picture.track")).not_to_have_count(0)
    expect(one.moves).to_have_count(3)
    one.move(1)
    expect(one.turn).to_have_text("Player 1's turn")
    one.move(3)
    expect(one.page.locator(".moves .seat2")).to_have_count(2)
    expect(one.moves.nth(0)).to_contain_text("you step again")
    check_page(one.page, "others-stepping-stones")
