"""A game from somebody else's package is played in the browser like ours."""

import shutil
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import expect

EXAMPLE = Path(__file__).parents[3] / "examples/take-away"


@pytest.fixture
def installed(environment, tmp_path):
    """The example of such a package, on the path of the server."""
    folder = tmp_path / "packages"
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = project["entry-points"]["numduel.games"]
    lines = "".join(f"{key} = {target}\n" for key, target in points.items())
    (info / "entry_points.txt").write_text(f"[numduel.games]\n{lines}")
    shutil.copy(EXAMPLE / "take_away.py", folder)
    environment["PYTHONPATH"] = str(folder)


@pytest.mark.usefixtures("installed")
def test_take_away_is_played_to_the_end(serve, visit, tmp_path):
    server = serve(f"sqlite:///{tmp_path / 'games.sqlite'}")
    one = visit(server.url.rstrip("/")).open()
    one.page.locator("form[action='/play/take-away'] button").click()
    one.move(1)
    one.play_on(21)
    one.link("Look at the game").click()
    expect(one.page.get_by_role("img", name="The line of who was winning")).to_be_visible()

    one.begin("take-away", opponent="perfect", coach=True, set_stones=5, set_most=4)
    one.link("What each move leads to").click()
    expect(one.moves.locator(".sign")).to_have_text(["✗"] * 4)
    one.move(2)
    expect(one.turn).to_have_text("Player 2 wins!")
