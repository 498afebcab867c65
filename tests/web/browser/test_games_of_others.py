"""A game from somebody else's package is played in the browser like ours."""

from pathlib import Path

from playwright.sync_api import expect

EXAMPLE = Path(__file__).parents[3] / "examples/take-away/take_away.py"


def test_take_away_is_played_to_the_end(serve, visit, package, tmp_path):
    package("take_away", EXAMPLE.read_text(), **{"take-away": "TakeAway"})
    server = serve(f"sqlite:///{tmp_path / 'games.sqlite'}")
    one = visit(server.url.rstrip("/")).play("take-away")
    one.move(1)
    one.play_on(21)
    one.link("See where it turned").click()
    expect(one.page.get_by_role("region", name="Who was winning")).to_be_visible()

    one.begin("take-away", opponent="perfect", coach=True, set_stones=5, set_most=4)
    expect(one.moves.locator(".sign.loss")).to_have_count(4)
    one.move(2)
    expect(one.turn).to_have_text("The computer wins")
