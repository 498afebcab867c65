"""Challenges: the link to a position, its picture, and the game that is played from it."""

import re
import struct
from html import unescape

import pytest
from tests.web.forms import hidden_fields, legal_moves

import numduel
from numduel.core.words import replay_moves
from numduel.games import OUR_GAMES
from numduel.picture import card
from numduel.play.puzzle import daily, today
from numduel.web.sharing import MAX_POSITION_CHARACTERS, challenge_address, picture_address

GAME = numduel.new("double-or-add", target=10)


def position(*moves, game=GAME):
    return replay_moves(game, 1, moves)[0]


def shown(answer):
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def picture(answer):
    """Return the width and the height of a PNG."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", answer.content[16:24])


def preview(text):
    """Return what a page tells messengers that show previews of links."""
    return dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)">', text))


def test_a_challenge_is_played_against_the_computer_to_its_end(visit):
    visitor, address = visit(), challenge_address(GAME, position(2))  # 2; Player 2 is to move
    text = shown(visitor.get(address))
    assert "Can you win from here?" in text
    for _ in range(10):
        moves = legal_moves(text)
        if not moves:
            break
        form = {**hidden_fields(text), "move": moves[0]}
        answer = visitor.post("/challenge/double-or-add", data=form)
        assert answer.status_code == 303
        text = shown(visitor.get(answer.headers["location"]))
    assert re.search(r"<h1[^>]*>(You win!|The computer wins)</h1>", text)
    assert "Start again" in text and unescape(address) in text


def test_a_winning_position_is_won_by_perfect_play(visit):
    game = numduel.new("operation-duel", target=11)
    start = next(
        one
        for one in (game.start(), position(1, game=game))
        if numduel.solve(game, one).value == "win"
    )
    visitor, now, played = visit(), start, []
    while game.outcome(now) is None:
        sound = [m for m, v in numduel.evaluate(game, now).items() if v.value == "win"]
        form = {"position": game.notation(start), "set-target": "11", "moves": ",".join(played)}
        answer = visitor.post("/challenge/operation-duel", data={**form, "move": sound[0]})
        text = shown(visitor.get(answer.headers["location"]))
        played = re.search(r"moves=([\d,%C]+)", answer.headers["location"])[1].split(",")
        now = start
        for move in played:
            now = game.play(now, int(move))
    assert ">You win!</h1>" in text


@pytest.mark.parametrize("key", OUR_GAMES)
def test_every_game_has_a_picture_of_its_positions(visit, key):
    address = challenge_address(numduel.new(key), numduel.new(key).start())
    visitor = visit()
    assert picture(visitor.get(picture_address(address))) == (1200, 630)
    found = preview(visitor.get(address).text)
    assert found["og:title"].startswith("Can you win from here?")
    assert unescape(found["og:image"]).endswith(picture_address(address))


def test_a_card_fits_its_words_and_escapes_them():
    drawn = card(GAME.words.scene(position(2)), "<b>" * 200, "a & b")
    assert "<b>" not in drawn and "&lt;b&gt;" in drawn and "a &amp; b" in drawn
    assert len(re.search(">((?:&lt;b&gt;)+)", drawn)[1]) < 90 * len("&lt;")


def test_an_invalid_position_is_refused_in_one_line(visit):
    for query in (
        *("", "position=nonsense", "position=2/2&moves=7", "position=2/2&moves=x"),
        *("position=2/2&set-target=1", f"position={'9' * (MAX_POSITION_CHARACTERS + 1)}"),
        "position=1/1&moves=" + ",".join("1" * 201),
    ):
        for path in ("", "/picture.png"):
            answer = visit().get(f"/challenge/double-or-add{path}?{query}")
            assert answer.status_code == 422, answer.text
            assert len(re.findall('role="alert">([^<]+)<', answer.text)) == 1


def test_an_illegal_move_is_reported_above_the_same_position(visit):
    form = {"position": GAME.notation(position(2)), "set-target": "10", "move": "7"}
    answer = visit().post("/challenge/double-or-add", data=form)
    assert answer.status_code == 422
    assert 'name="move" value="1"' in answer.text


def test_a_position_too_long_to_be_sent_has_no_link():
    game = numduel.new("multiplicity", size=10_000)
    now = game.start()._replace(chosen=frozenset(range(1, 9_000, 2)))
    assert challenge_address(game, now) == ""


def test_the_first_page_and_the_puzzles_have_the_daily_position_as_their_preview(visit):
    one = daily(today())
    expected = picture_address(challenge_address(one.game, one.position))
    for path in ("/", "/puzzle"):
        assert unescape(preview(visit().get(path).text)["og:image"]).endswith(expected)
