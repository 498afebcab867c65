"""The first page: the first game of each, and the games under way."""

import re

import pytest

import numduel
from numduel.games import game_type
from numduel.web.keys import new_name

KEYS = [key for key, _, _ in numduel.games()]


def pressed(visitor, key):
    """The game that the card's Play leads to; its path."""
    form = visitor.get("/").text.partition(f'action="/play/{key}"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    return visitor.post(f"/play/{key}", data=fields).headers["location"], fields


@pytest.mark.parametrize("key", KEYS)
def test_a_first_game_is_easy_with_the_coach_at_friendly_settings(visit, key):
    visitor = visit()
    path, fields = pressed(visitor, key)
    assert (fields["opponent"], fields["coach"]) == ("easy", "on")
    friendly = numduel.new(key, **game_type(key).friendly)
    texts = friendly.settings.texts()
    assert {n.removeprefix("set-"): t for n, t in fields.items() if n.startswith("set-")} == {
        name: texts[name] for name in friendly.settings.changed()
    }
    assert "easy" in visitor.get(path).text


def test_games_under_way_are_there_to_go_on_with(visit):
    one = visit()
    assert "Go on" not in one.get("/").text
    path, _ = pressed(one, "divisor-line")
    text = one.get("/").text
    assert f'href="{path}"' in text
    assert "Divisor Line against the computer (easy): your move." in text
    assert "Go on" not in visit().get("/").text
    one.post(f"{path}/resign")
    assert "Go on" not in one.get("/").text


def test_a_friend_finds_the_game_too(visit):
    one, two = visit(), visit()
    path = one.post("/play/multiplicity", data={"opponent": "link", "name1": "Ada"}).headers[
        "location"
    ]
    invite = re.search(r'id="invite" value="http://testserver(/[^"]+)"', one.get(path).text)[1]
    two.post(invite)
    assert "Multiplicity against Ada: their move." in two.get("/").text
    assert "Multiplicity: your move." in one.get("/").text


def test_the_latest_two_are_shown_and_what_is_gone_is_not(visit):
    one = visit()
    paths = [pressed(one, key)[0] for key in KEYS[:3]]
    text = one.get("/").text
    assert [path for path in paths if f'href="{path}"' in text] == paths[1:]
    one.cookies.clear()
    one.cookies.set("games", f"{new_name()}1.x9.1..{'y' * 70}1")
    assert "Go on" not in one.get("/").text
