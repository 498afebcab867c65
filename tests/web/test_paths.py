"""The pages of a path: its steps, and what winning them earns."""

import re

import pytest

import numduel
from numduel.games import game_type
from numduel.play.path import path_of
from numduel.web.cookies import parse_progress

KEYS = [key for key, _, _ in numduel.games()]


def begun(visitor, key, number):
    answer = visitor.post(f"/path/{key}/{number}")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def best(visitor, path):
    """A move that wins, from what the page shows; None at the end."""
    text = visitor.get(path).text
    return [int(move) for move in re.findall(r'name="move" value="(\d+)"', text)]


def win(visitor, path, game, moves=(), *, first=1):
    """Win a game by best play, from the start or after these moves."""
    position = game.start(first)
    for move in moves:
        position = game.play(position, move)
    while game.outcome(position) is None:
        found = numduel.evaluate(game, position)
        move = max(found, key=lambda one: found[one].rank)
        assert visitor.post(f"{path}/move", data={"move": move}).status_code == 303
        text = visitor.get(path).text
        made = [int(n) for n in re.findall(r"Move \d+, [^:]+: (?:.*→ )?(\d+)<", text)]
        position = game.start(first)
        for number in made:
            position = game.play(position, number)
    return visitor.get(path).text


@pytest.mark.parametrize("key", KEYS)
def test_the_page_of_a_path_has_its_steps_and_the_next_one(visit, key):
    one = visit()
    text = one.get(f"/path/{key}").text
    steps = path_of(game_type(key)).steps
    for number, step in enumerate(steps, 1):
        assert f'action="/path/{key}/{number}"' in text
        assert f'<span class="title">{step.title}</span>' in text
    assert "Step 1: First game" in text and "of 30" in text
    one.cookies.set("stars", f"1.{key}_{'3' * len(steps)}_")
    assert f"Step {len(steps)}: Beat Otto" in one.get(f"/path/{key}").text


@pytest.mark.parametrize("number", ["0", "11", "x", "99999999999999999999"])
def test_there_are_no_other_steps(visit, number):
    assert visit().post(f"/path/multiplicity/{number}").status_code == 404
    assert visit().get("/path/nowhere").status_code == 404


def test_the_first_game_is_a_lesson_that_is_won_and_leads_on(visit):
    one = visit()
    path = begun(one, "multiplicity", 1)
    for number in (18, 3, 17):
        text = one.get(path).text
        assert best(one, path) == [number] and f"Tap {number}." in text
        one.post(f"{path}/move", data={"move": number})
    text = one.get(path).text
    assert "You win!" in text and 'action="/path/multiplicity/2"' in text
    assert parse_progress(one.cookies).of("multiplicity").stars == (3,)
    assert "3 of 3 stars" in one.get("/path/multiplicity").text


def test_a_lesson_earns_stars_but_no_medal(visit):
    one = visit()
    path = begun(one, "divisor-line", 1)  # at the settings of the game against the same opponent
    for number in (3, 6, 12):
        one.post(f"{path}/move", data={"move": number})
    text = one.get(path).text
    assert "You win!" in text and "A medal!" not in text
    mastered = parse_progress(one.cookies).of("divisor-line")
    assert (mastered.stars, mastered.beaten) == ((3,), frozenset())


def test_a_step_says_its_idea_and_gives_three_stars_where_nothing_helped(visit):
    one, game = visit(), numduel.new("multiplicity", size=12, start=4)
    path = begun(one, "multiplicity", 6)
    assert "2 and 8 are a domino" in one.get(path).text
    text = win(one, path, game, (1, 12))
    assert "Next: step 7" in text
    assert parse_progress(one.cookies).of("multiplicity").stars == (0, 0, 0, 0, 0, 3)


def test_a_hint_and_a_move_taken_back_cost_a_star_each(visit):
    one, game = visit(), numduel.new("multiplicity", size=15, start=2)
    path = begun(one, "multiplicity", 8)
    for hinted, undone, stars in ((True, False, 2), (False, True, 2), (True, True, 1)):
        if undone:
            one.post(f"{path}/move", data={"move": 4})
            assert one.post(f"{path}/undo").status_code == 303
        if hinted:
            one.get(f"{path}?hint=1")
        one.cookies.delete("stars")
        win(one, path, game)
        assert parse_progress(one.cookies).of("multiplicity").at(8) == stars
        one.post(f"{path}/rematch")  # in which what helped before does not count


def test_a_lost_game_is_tried_again_from_where_it_turned_for_one_star(visit):
    one, game = visit(), numduel.new("multiplicity", size=12, start=4)
    path = begun(one, "multiplicity", 6)
    one.post(f"{path}/move", data={"move": 2})
    while moves := best(one, path):
        one.post(f"{path}/move", data={"move": moves[0]})
    text = one.get(path).text
    assert "So close! It turned when you chose " in text and "Try again from move 3" in text
    assert f'href="{path}/round/1?move=2"' in text
    again = one.post(f"{path}/again", data={"from": 2}).headers["location"]
    assert again != path
    win(one, again, game, (1, 12))
    assert parse_progress(one.cookies).of("multiplicity").at(6) == 3  # it is where the step begins
    beaten = begun(one, "multiplicity", 2)
    one.post(f"{beaten}/resign")
    for wrong in ("x", "-1", "99"):
        assert one.post(f"{beaten}/again", data={"from": wrong}).status_code == 409
    assert visit().post(f"{beaten}/again", data={"from": 0}).status_code == 409


def test_a_medal_is_for_the_friendly_start_alone(visit):
    one = visit()
    friendly = game_type("multiplicity").friendly
    game = numduel.new("multiplicity", **friendly)
    path = begun(one, "multiplicity", 2)
    text = win(one, path, game)
    assert "A medal!" in text and "You beat Pip in Multiplicity." in text
    assert parse_progress(one.cookies).of("multiplicity").beaten == {"random"}
    form = {"opponent": "perfect", "first": "1", "set-size": "50"}
    easy = one.post("/play/multiplicity", data=form).headers["location"]
    one.post(f"{easy}/move", data={"move": 47})
    assert "You win!" in one.get(easy).text
    assert parse_progress(one.cookies).of("multiplicity").beaten == {"random"}
