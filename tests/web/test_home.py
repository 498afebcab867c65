"""The first page: what to continue, a first game of each kind, and the stars."""

import re

import pytest

import numduel
from numduel.web.identity import new_name

KEYS = [key for key, _, _ in numduel.games()]


def begin(visitor, key, **form):
    return visitor.post(f"/play/{key}", data={"opponent": "easy", **form}).headers["location"]


@pytest.mark.parametrize("key", KEYS)
def test_a_first_game_is_the_first_step_of_the_path(visit, key):
    visitor = visit()
    text = visitor.get("/").text
    assert f'action="/path/{key}/1"' in text and "Learn it" in text and "New for you" in text
    for place in ("new/{}?opponent=here", "class/{}"):
        assert f'href="/{place.format(key)}"' in text
    lesson = visitor.get(visitor.post(f"/path/{key}/1").headers["location"]).text
    assert "Skip the lesson" in lesson and lesson.count('name="move" value=') == 1


def test_a_game_in_progress_can_be_continued(visit):
    one = visit()
    assert "Continue" not in one.get("/").text
    path = begin(one, "divisor-line")
    text = one.get("/").text
    assert f'href="{path}"' in text and "Dot waits in Divisor Line." in text
    assert "Continue" not in visit().get("/").text
    one.post(f"{path}/resign")
    assert "Continue" not in one.get("/").text


def test_a_friend_finds_the_game_too(visit):
    one, two = visit(), visit()
    path = begin(one, "multiplicity", opponent="link", name1="Ada")
    invite = re.search(r'id="invite" value="http://testserver(/[^"]+)"', one.get(path).text)[1]
    two.post(invite)
    assert "Ada is to move" in two.get("/").text
    assert "Your friend waits in Multiplicity." in one.get("/").text


def test_a_game_that_waits_for_the_visitor_comes_first_and_a_deleted_one_is_ignored(visit):
    one = visit()
    mine = begin(one, KEYS[0])
    begin(one, KEYS[1], opponent="link", first="2")  # the friend is to move
    assert f'href="{mine}"' in one.get("/").text
    one.cookies.clear()
    one.cookies.set("games", f"{new_name()}1.x9.1..{'y' * 70}1")
    assert "Continue" not in one.get("/").text


def test_a_visitor_with_stars_can_continue_with_the_next_step(visit):
    one = visit()
    one.cookies.set("stars", "1.gone_3_.multiplicity_332_01.double-or-add_3_0")
    text = one.get("/").text
    assert 'action="/path/double-or-add/2"' in text and "Double or Add, step 2 of 10" in text
    assert "Step 4 of 10" in text and "3 of 25." in text
    one.cookies.set("stars", "1.gone_3_")
    assert "Continue" not in one.get("/").text
