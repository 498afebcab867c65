"""The pages on which people begin a game and play it, as a browser without scripts sees them."""

import re
from html import unescape
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from pathlib import Path
from unittest.mock import AsyncMock

import httpx2
import pytest
from tests.web.forms import legal_moves

import numduel
from numduel.games import game_type
from numduel.play.duel import WISH_WORDS
from numduel.play.friendly_settings import friendly_game
from numduel.web.duels import pages, setup_pages
from numduel.web.errors import Busy
from numduel.web.sharing import qr
from numduel.web.thinking.pool import ThinkingPool

KEYS = [key for key, _, _ in numduel.games()]

SIGNED = re.compile('class="sign (win|loss|draw|endless)"')
"""The sign of a verdict on a page."""


def begin(visitor, key="double-or-add", **form):
    """Begin a game; return its path."""
    answer = visitor.post(f"/play/{key}", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def version(text):
    return re.search(r'data-version="(\d+)"', text)[1]


def move(visitor, path, number, **form):
    return visitor.post(f"{path}/move", data={"move": number, **form})


def secret_of(visitor, name="seat"):
    [cookie] = [cookie for cookie in visitor.cookies.jar if cookie.name == name]
    return cookie.value


def invited(visit, **form):
    """Return two friends in a game by a link, and its path."""
    one, two = visit(), visit()
    path = begin(one, opponent="link", **form)
    link = re.search(r'id="invite" value="http://testserver(/[^"]+)"', one.get(path).text)[1]
    assert two.post(link).headers["location"] == path
    return one, two, path


# From the first page to the last move.


@pytest.mark.parametrize("key", KEYS)
def test_every_game_is_played_to_its_end_against_the_computer(visit, key):
    visitor = visit()
    path = begin(visitor, key, opponent="easy", **{"turn-limit": "60"})
    for _ in range(60):
        text = visitor.get(path).text
        if not legal_moves(text):
            break
        answer = move(visitor, path, legal_moves(text)[-1], at=version(text))
        assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert 'class="ending' in text
    assert "Player 2" not in text
    assert f'href="{path}/round/1' in text
    assert visitor.post(f"{path}/rematch").status_code == 303
    assert "Move 1, Dot: " in visitor.get(path).text


@pytest.mark.parametrize("key", KEYS)
def test_two_share_one_browser(visit, key):
    visitor = visit()
    path = begin(visitor, key, opponent="here", **{"turn-limit": "5"})
    for seat in (1, 2, 1):
        text = visitor.get(path).text
        assert f">Player {seat}'s turn" in text.replace("&#39;", "'")
        move(visitor, path, legal_moves(text)[0])
    assert visitor.post(f"{path}/undo").status_code == 303
    assert visitor.post(f"{path}/resign").status_code == 303
    assert " wins</h2>" in visitor.get(path).text


def test_two_friends_play_by_a_link(visit):
    one, two, path = invited(visit)
    assert ">Your turn</h2>" in one.get(path).text
    assert legal_moves(two.get(path).text) == []
    assert move(one, path, 1).status_code == 303
    assert ">Your turn</h2>" in two.get(path).text
    assert move(one, path, 1).status_code == 409
    assert move(two, path, 2).status_code == 303
    assert one.post(f"{path}/undo").status_code == 303
    assert "asks to take back" in two.get(path).text
    assert "Waiting for the answer" in one.get(path).text
    assert two.post(f"{path}/refuse").status_code == 303
    assert one.post(f"{path}/undo").status_code == 303
    assert two.post(f"{path}/undo").status_code == 303
    assert "No moves yet. You begin." in one.get(path).text
    assert two.post(f"{path}/resign").status_code == 303
    assert ">You win!</h2>" in one.get(path).text


def test_the_swap_is_a_question_with_two_buttons(visit):
    one, two, path = invited(visit, swap="on")
    move(one, path, 1)
    assert 'name="swap" value="yes"' in two.get(path).text
    assert two.post(f"{path}/swap", data={"swap": "yes"}).status_code == 303
    assert ">Your turn</h2>" in one.get(path).text
    assert two.post(f"{path}/swap", data={"swap": "no"}).status_code == 409


def test_moves_can_be_typed_on_a_large_board(visit):
    visitor = visit()
    path = begin(visitor, "multiplicity", **{"set-size": "500", "opponent": "here"})
    assert 'id="typed"' in visitor.get(path).text
    assert move(visitor, path, " 7 ").status_code == 303
    wrong = move(visitor, path, "seven")
    assert wrong.status_code == 422
    assert "A move is a whole number, not &#39;seven&#39;." in wrong.text
    assert visitor.post(f"{path}/move").status_code == 422


def test_a_page_that_is_out_of_date_makes_no_move(visit):
    one, two, path = invited(visit)
    move(one, path, 1, at=1)
    late = move(two, path, 1, at=1)
    assert late.status_code == 409
    assert "The game has moved on since that page was shown." in late.text
    assert move(two, path, 1, at=99).status_code == 409
    assert move(two, path, 1, at=2).status_code == 303


@pytest.mark.parametrize("at", ["x", "", "-1", "9" * 2000])
def test_an_invalid_version_is_out_of_date(visit, at):
    visitor = visit()
    path = begin(visitor, opponent="here")
    assert visitor.post(f"{path}/resign", data={"at": at}).status_code == 409
    assert "Player 1&#39;s turn" in visitor.get(path).text


def test_an_illegal_move_is_reported_on_the_page(visit):
    visitor = visit()
    path = begin(visitor)
    answer = move(visitor, path, 9)
    assert answer.status_code == 422
    assert 'role="alert">9 is not in the menu' in answer.text
    assert version(answer.text) == "0"


def test_the_coach_speaks_to_players_who_agreed_on_it(visit):
    one, two, path = invited(visit, coach="on", **{"set-start": "2"})
    watcher = visit()
    assert '<p class="hint"' in one.get(f"{path}?hint=4").text
    one.post("/prefer", data={"colours": "on", "back": path})
    assert SIGNED.search(one.get(path).text)
    for other in (two, watcher):
        text = other.get(f"{path}?hint=4").text
        assert '<p class="hint"' not in text
        assert not SIGNED.search(text)
    move(one, path, 2)
    assert '<p class="comment">' in one.get(path).text
    assert '<p class="comment' not in watcher.get(path).text


def test_verdicts_are_off_until_they_are_asked_for(visit):
    visitor = visit()
    path = begin(visitor, opponent="here", coach="on")
    assert not SIGNED.search(visitor.get(path).text)
    answer = visitor.post("/prefer", data={"colours": "on", "back": path})
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    text = visitor.get(path).text
    assert SIGNED.search(text)
    assert re.search("(wins|loses) in [0-9]+ of (your|their) moves", text)
    assert "Loses against best play" in text
    visitor.post("/prefer", data={"colours": "off", "back": path})
    assert not SIGNED.search(visitor.get(path).text)


def test_the_coach_is_switched_on_in_any_game_against_the_computer(visit):
    visitor = visit()
    path = begin(visitor, **{"set-start": "2"})
    assert not SIGNED.search(visitor.get(path).text)
    assert '<p class="hint"' in visitor.get(f"{path}?hint=4").text
    visitor.post("/prefer", data={"coach": "on", "colours": "on", "back": path})
    assert SIGNED.search(visitor.get(path).text)
    move(visitor, path, 2)
    assert '<p class="comment">' in visitor.get(path).text
    one, _, friends = invited(visit)
    one.post("/prefer", data={"coach": "on", "back": friends})
    assert not SIGNED.search(one.get(friends).text)
    assert '<p class="hint"' not in one.get(f"{friends}?hint=4").text


@pytest.mark.parametrize("back", ["", "//elsewhere", "https://elsewhere", "/game/../x", "/new/x"])
def test_a_switch_leads_back_to_one_of_our_own_pages_only(visit, back):
    answer = visit().post("/prefer", data={"sound": "on", "back": back})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "sound=on" in answer.headers["set-cookie"]
    odd = visit().post("/prefer", data={"sound": "loud", "seat": "x", "back": back})
    assert "set-cookie" not in odd.headers


def test_sounds_are_offered_once_after_the_first_game(visit):
    visitor = visit()
    path = begin(visitor, opponent="here")
    assert "data-offer" not in visitor.get(path).text
    visitor.post(f"{path}/resign")
    assert ["data-offer" in visitor.get(path).text for _ in range(2)] == [True, False]


def test_a_hint_that_pairs_numbers_up_shows_the_pairs(visit):
    visitor = visit()
    path = begin(visitor, "multiplicity", opponent="here", coach="on")
    for number in (36, 4, 12, 3, 15, 5):
        move(visitor, path, number)
    pages = [visitor.get(f"{path}?hint={step}").text for step in (1, 2, 3, 4, 9)]
    said = [re.search('<p class="hint" role="status">(.*?)</p>', text)[1] for text in pages]
    assert said[0] == "4 of your 8 moves win."
    assert said[1].startswith("Keep the numbers in pairs: ")
    assert re.fullmatch(r"One of these wins: (35 or \d+|\d+ or 35)\.", said[2])
    assert said[3] == said[4] == "Play 35. 35 leaves only 7, and you answer with 49."
    for step, text in enumerate(pages[:4], 1):
        assert (f"?hint={step + 1}" in text) and ("Tell me more" in text) == (step < 4)
        assert ('class="link pair nobody"' in text) == ('class="dominoes"' in text) == (step == 4)
        assert len(re.findall('class="legal hinted', text)) == (0, 0, 2, 1)[step - 1]
    assert '<button class="button primary" name="move" value="35">Play 35</button>' in pages[3]


def test_two_moves_to_look_at_are_offered_only_where_there_are_two(visit):
    visitor = visit()
    path = begin(visitor, "multiplicity", opponent="here", coach="on", **{"set-size": "18"})
    offered = {}
    while legal := legal_moves(visitor.get(path).text):
        text = visitor.get(f"{path}?hint=3").text
        offered[min(len(legal), 3)] = "Two to look at" in text
        assert text.count('class="legal hinted') == (2 if len(legal) > 1 else 1)
        move(visitor, path, legal[-1])
    assert offered == {1: False, 2: True, 3: True}


def test_a_large_board_can_show_the_legal_moves_alone(visit):
    visitor = visit()
    path = begin(visitor, "multiplicity", opponent="here", **{"set-size": "200"})
    answer = move(visitor, path, 60)
    assert answer.headers["location"] == f"{path}#here"  # the current number, without scripts
    text = visitor.get(path).text
    assert 'id="here"' in text
    assert text.count("<li class=") > 200
    visitor.post("/prefer", data={"allowed": "on", "back": path})
    short = visitor.get(path).text
    assert legal_moves(short) == legal_moves(text)
    assert short.count("<li class=") < 50
    small = begin(visitor, "multiplicity", opponent="here")
    assert move(visitor, small, 36).headers["location"] == small
    assert "switch-allowed" not in visitor.get(small).text


def test_a_page_with_a_stream_does_not_wait_for_the_answer(visit):
    visitor = visit()
    path = begin(visitor, "divisor-line", opponent="easy")
    before = move(visitor, path, 4, answer="later")
    assert before.status_code == 200
    assert "data-thinking" in before.text and "Move 2" not in before.text
    for _ in range(1000):
        text = visitor.get(path).text
        if legal_moves(text):
            break
        assert "data-thinking" in text
    assert "Move 2, Dot: " in text
    assert "Dot claims" in re.search('data-news="([^"]*)"', text)[1]


def test_the_coach_speaks_of_the_swap(visit):
    one, two, path = invited(visit, coach="on", swap="on", **{"set-target": "31"})
    move(one, path, 1)  # after which the second player wins: there is no reason to take it over
    two.post(f"{path}/swap", data={"swap": "yes"})
    assert "That first move does not win: it was better to leave it." in two.get(path).text


def test_typed_moves_have_no_verdicts(visit):
    visitor = visit()
    form = {"opponent": "here", "coach": "on"}
    visitor.post("/prefer", data={"colours": "on", "back": "/"})
    for size, shown in ((400, True), (401, False)):
        path = begin(visitor, "multiplicity", **form, **{"set-size": str(size)})
        assert bool(SIGNED.search(visitor.get(path).text)) == shown


def test_the_earlier_moves_of_a_long_game_are_one_line(visit):
    visitor = visit()
    path = begin(visitor, "divisor-duel", opponent="here", **{"set-divisor": "1009"})
    for _ in range(102):
        assert move(visitor, path, 1).status_code == 303
    text = visitor.get(path).text
    assert f'href="{path}?look=2">' in text and "2 earlier moves" in text
    assert f'href="{path}?look=3"' in text and f'href="{path}?look=1"' not in text


def test_the_coach_says_when_it_cannot_help(visit, monkeypatch):
    visitor = visit()
    settings = {"set-target": "9" * 300, "set-operations": "+1,-1,x2"}
    path = begin(visitor, "operation-duel", opponent="here", coach="on", **settings)
    assert "The coach cannot help here: " in visitor.get(f"{path}?hint=4").text
    assert not SIGNED.search(visitor.get(path).text)
    monkeypatch.setattr(ThinkingPool, "ask", AsyncMock(side_effect=Busy("Later, please.")))
    text = visitor.get(f"{path}?hint=4").text
    assert "The coach cannot help here: Later, please." in text and "please.." not in text


# Forms.


def test_a_refused_form_comes_back_as_it_was_filled_in(visit):
    form = {
        "opponent": "hard",
        "first": "2",
        "rounds": "3",
        "coach": "on",
        "set-size": "10001",
        "set-opening": "even",
    }
    answer = visit().post("/play/multiplicity", data=form)
    assert answer.status_code == 422
    text = answer.text
    assert 'role="alert">Size must be at most 10,000 here, not 10001; larger ones' in text
    for kept in (
        'name="opponent" value="hard" checked',
        'name="first" value="2" checked',
        'name="rounds" value="3"',
        'name="coach" checked',
        'value="10001"',
        'name="set-opening" value="even" checked',
    ):
        assert kept in text


def test_an_error_stands_beside_its_field_too(visit):
    for field, value in {
        "set-size": "0",
        "set-start": "99",
        "rounds": "99",
        "turn-limit": "x",
    }.items():
        text = visit().post("/play/multiplicity", data={field: value}).text
        assert re.search(rf'<input id="{field}"[^>]* aria-invalid="true"', text), field
        assert f'<strong id="{field}-wrong" class="wrong">' in text
        assert text.count('class="wrong"') == 1
        assert '<details class="more" open>' in text


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("multiplicity", "Whoever begins can win with the first move: choose the friendly"),
        ("double-or-add", "Whoever goes second can win."),
        ("divisor-duel", "the game never ends: set the ceiling to 50."),
    ],
)
def test_a_new_game_says_who_wins_and_what_to_do(visit, key, line):
    text = visit().get(f"/new/{key}?settings=document").text
    assert line in text
    assert f'<a href="/new/{key}?settings=">Friendly settings</a>' in text
    assert "Whoever begins can win." in visit().get(f"/new/{key}").text


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("place", ["new", "class"])
def test_a_form_begins_with_friendly_settings_and_offers_the_original_ones(visit, place, key):
    offered = [one for one in game_type(key).settings_type.declared if not one.hidden]
    for query, game in (
        ("", friendly_game(game_type(key))),
        ("?settings=document", numduel.new(key)),
    ):
        text = visit().get(f"/{place}/{key}{query}").text
        texts = game.settings.texts()
        assert form_settings(text) == {one.name: texts[one.name] for one in offered}
        assert all(one.help in unescape(text) for one in offered)
        assert (">The original rules</a>" in text) == (not query)
        assert not re.search("start.open", text, re.IGNORECASE)


def form_settings(text):
    """Return the settings with which a form is filled in."""
    found = {}
    for given in re.findall(r"<input[^>]*>", text):
        fields = dict(re.findall(r'(\w+)="([^"]*)"', given))
        name, value = fields.get("name", ""), fields.get("value", "")
        if not name.startswith("set-"):
            continue
        before = found.get(name[4:], "")
        if value == "true":
            found[name[4:]] = (
                "true" if given.endswith(" checked>") or " checked " in given else "false"
            )
        elif fields.get("type") not in ("radio", "checkbox"):
            found[name[4:]] = value
        elif " checked" in given:
            found[name[4:]] = f"{before},{value}" if before else value
    return found


def test_the_forecast_follows_the_settings_and_is_left_out_if_unknown(visit):
    form = {"set-target": "32", "rounds": "99"}
    assert "Whoever begins can win." in visit().post("/play/double-or-add", data=form).text
    form = {"set-size": "10001", "set-goal": "chain", "rounds": "99"}
    assert 'class="fair"' not in visit().post("/play/divisor-line", data=form).text


def test_a_friend_is_chosen_by_the_address(visit):
    text = visit().get("/new/multiplicity?opponent=link").text
    assert 'name="opponent" value="link" checked' in text
    assert (
        'name="opponent" value="medium" checked' in visit().get("/new/multiplicity?opponent=x").text
    )


def test_texts_of_a_request_are_escaped_on_the_page(visit):
    evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}'
    fields = ("opponent", "first", "rounds", "turn-limit", "set-size", "set-start")
    visitor = visit()
    for field in fields:
        text = visitor.post("/play/multiplicity", data={field: evil}).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "&lt;script&gt;" in text
    path = begin(visitor)
    for answer in (
        move(visitor, path, evil),
        visitor.get("/join", params={"code": evil, "name": evil}),
        visitor.post("/join", data={"code": "ABCDE", "name": evil}),
        visitor.get(f"/rules/{evil}"),
    ):
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text


def test_marks_in_the_rules_are_shown_as_code(visit, monkeypatch):
    text = visit().get("/rules/divisor-line").text
    assert "start open" not in visit().get("/rules/multiplicity").text
    assert "With the goal chain you need three numbers" in text
    assert "`" not in text
    assert [*map(str, setup_pages._paragraphs("a < `<b>`\n c. No x.\n\n``d` &", ["x"]))] == [
        "a &lt; <code>&lt;b&gt;</code> c.",
        "`<code>d</code> &amp;",
    ]


def test_names_are_shown_and_kept_in_the_record(visit):
    visitor = visit()
    form = {"opponent": "here", "name1": "Ada", "name2": "<Bo>", "rounds": "3", "best-of": "on"}
    path = begin(visitor, **form)
    text = visitor.get(path).text
    assert ">Ada</span>" in text and ">&lt;Bo&gt;</span>" in text
    assert "Round 1, best of 3." in text
    visitor.post(f"{path}/resign")
    record = visitor.get(f"{path}/round/1/record.json").json()
    assert record["players"] == ["Ada", "<Bo>"]
    assert "Ada (Player 1) against &lt;Bo&gt; (Player 2)" in visitor.get(f"{path}/round/1").text


def test_the_page_says_how_the_coin_fell(visit):
    visitor = visit()
    path = begin(visitor, opponent="here", first="random")
    [seat] = re.findall(r"The coin toss decides: Player ([12]) begins\.", visitor.get(path).text)
    assert f"No moves yet. Player {seat} begins." in visitor.get(path).text
    for _ in range(2):
        assert move(visitor, path, 1).status_code == 303
    assert "The coin toss decides" not in visitor.get(path).text


@pytest.mark.parametrize("path", ["/new/chess", "/rules/chess", "/class/chess"])
def test_an_unknown_game_is_not_found(visit, path):
    answer = visit().get(path)
    assert answer.status_code == 404
    assert "There is no game &#39;chess&#39;; the games are divisor-duel, " in answer.text


@pytest.mark.parametrize("path", ["/play/chess", "/rooms/chess", "/game/none/move"])
def test_a_post_to_an_unknown_page_is_not_found(visit, path):
    assert visit().post(path, data={"move": "1"}).status_code == 404


def test_an_unknown_wish_is_not_found(visit):
    visitor = visit()
    path = begin(visitor)
    for wish in ("win", "ask", "apply", "__init__", "MOVE"):
        assert visitor.post(f"{path}/{wish}").status_code == 404
    assert version(visitor.get(path).text) == "0"


def test_a_page_that_cannot_be_posted_to_says_what_it_allows(visit):
    answer = visit().post("/class")
    allowed = sorted(answer.headers["allow"].split(", "))
    assert (answer.status_code, allowed) == (405, ["GET", "HEAD"])
    assert "Sorry, this did not work" in answer.text


# Secrets.


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_secret_is_in_a_cookie_for_its_own_game_that_no_script_reads(visit, scheme):
    visitor = visit(base_url=f"{scheme}://testserver")
    answer = visitor.post("/play/double-or-add", data={"opponent": "link"})
    given = answer.headers.get_list("set-cookie")
    [public] = [line for line in given if line.startswith("games=")]
    assert not [secret for secret in ("seat", "invite") if secret_of(visitor, secret) in public]
    given.remove(public)
    assert len(given) == 2
    for line in given:
        [(name, cookie)] = SimpleCookie(line).items()
        assert name in ("seat", "invite")
        assert len(cookie.value) == 32
        assert cookie["httponly"]
        assert cookie["samesite"] == "lax"
        assert cookie["path"] == answer.headers["location"]
        assert bool(cookie["secure"]) == (scheme == "https")
        assert int(cookie["max-age"]) == 30 * 24 * 60 * 60
        assert not cookie["domain"]


def test_a_link_to_a_seat_gives_its_cookie_and_leaves_the_address(visit):
    _, two, path = invited(visit)
    again = visit()
    answer = again.get(f"{path}/seat/{secret_of(two)}")
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert secret_of(again) == secret_of(two)


def test_an_invitation_says_if_no_other_device_can_open_it(visit):
    for host, only_here in (("localhost:8000", True), ("192.168.1.5:8000", False)):
        one = visit(base_url=f"http://{host}")
        waiting = one.get(begin(one, opponent="link")).text
        assert ("Only this computer" in waiting) == only_here, host


def test_an_invitation_is_shown_first_and_accepted_once(visit):
    one, two, late = visit(), visit(), visit()
    path = begin(one, opponent="link", name1="Ada")
    waiting = one.get(path).text
    assert "Invite your friend" in waiting and "not here yet" in waiting
    assert 'name="move"' in one.get(f"{path}?board=1").text
    link = re.search(r'id="invite" value="http://testserver(/[^"]+)"', waiting)[1]
    assert qr(f"http://testserver{link}") in waiting
    for _ in range(2):  # looking at it does not take the seat
        text = two.get(link).text
        assert "Ada invites you to play" in text and "og:image" in text
    assert "set-cookie" not in two.get(link).headers
    answer = two.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert secret_of(two) not in link  # the seat has a new secret
    assert "Your friend is here." in one.get(path).text
    assert "is here." not in two.get(path).text
    assert "That seat is taken" in late.get(link).text
    assert "set-cookie" not in late.post(link).headers
    assert move(late, path, 1).status_code == 403
    assert two.get(link).headers["location"] == path  # a player goes on to the game
    headers = {"Cookie": f"seat={link.rpartition('/')[2]}"}
    assert late.post(f"{path}/move", data={"move": 2}, headers=headers).status_code == 403
    assert move(one, path, 1).status_code == move(two, path, 1).status_code == 303


def test_the_host_of_an_invitation_can_play_both_sides(visit):
    one = visit()
    path = begin(one, opponent="link")
    link = re.search(r'id="invite" value="http://testserver(/[^"]+)"', one.get(path).text)[1]
    assert "This is your own invitation" in one.get(link).text
    one.post(link)
    assert move(one, path, 1).status_code == move(one, path, 1).status_code == 303


def test_a_refused_take_back_and_a_swap_are_reported(visit):
    one, two, path = invited(visit, swap="on")
    move(one, path, 1)
    two.post(f"{path}/swap", data={"swap": "yes"})
    assert "Player 2 has taken it over." in one.get(path).text
    assert "It is yours now." in two.get(path).text
    assert "taken over</span>" in one.get(path).text
    move(one, path, 1)
    assert "taken it over" not in one.get(path).text
    one.post(f"{path}/undo")
    two.post(f"{path}/refuse")
    assert "Player 2 said no: the move stands" in one.get(path).text
    assert "does not want" not in two.get(path).text


def test_only_the_holder_of_a_seat_can_do_anything(visit):
    one, two, path = invited(visit)
    watcher, stranger = visit(), visit()
    elsewhere = begin(stranger, opponent="here")
    forged = [
        "",
        "x" * 32,
        secret_of(two),  # of the other seat
        secret_of(stranger),  # of another game
        secret_of(one)[:-1],
        secret_of(one).swapcase(),
        f"{secret_of(one)}x",
        f"x.y.{secret_of(one)}",
    ]
    for value in forged:
        headers = {"Cookie": f"seat={value}"}
        for wish in ("move", "swap", *WISH_WORDS):
            if wish in ("resign", "undo", "refuse", "next", "rematch") and value == secret_of(two):
                continue  # which they may do
            answer = watcher.post(f"{path}/{wish}", data={"move": "1"}, headers=headers)
            assert answer.status_code in (403, 409)
    assert watcher.post(f"{path}/move", data={"move": "1"}).status_code == 403
    assert (
        "You are watching: only the players can do that."
        in watcher.post(f"{path}/move", data={"move": "1"}).text
    )
    assert version(watcher.get(path).text) == "1"  # the guest has come
    assert version(stranger.get(elsewhere).text) == "0"
    assert move(one, path, 1).status_code == 303


def test_an_invalid_link_to_a_seat_is_refused(visit):
    one, watcher = visit(), visit()
    path = begin(one, opponent="link")
    for wrong in ("x" * 32, secret_of(one)[:-1], "seat"):
        answer = watcher.get(f"{path}/seat/{wrong}")
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert watcher.get(f"{path}/seat/{'x' * 65}").status_code == 404


def test_a_watcher_sees_no_secret(visit):
    one, two, path = invited(visit, coach="on", rounds="2")
    watcher = visit()
    secrets = {secret_of(one), secret_of(two), secret_of(one, "invite")}
    for _ in range(2):
        move(one, path, 1)
        two.post(f"{path}/resign")
        for page in (path, f"{path}?look=0", f"{path}?hint=4", f"{path}/round/1"):
            answer = watcher.get(page)
            seen = answer.text + str(answer.headers)
            assert not [secret for secret in secrets if secret in seen]
        one.post(f"{path}/next")
    assert secret_of(two) in two.get(path).text  # their own, for another device
    assert secret_of(one) not in two.get(path).text


@pytest.mark.parametrize("size", ["50", "400"])
def test_the_page_of_a_game_has_at_most_80_kilobytes(visit, size):
    visitor = visit()
    path = begin(visitor, "multiplicity", opponent="here", coach="on", **{"set-size": size})
    for number in (36, 4, 12):
        move(visitor, path, number)
    parts = {path, *re.findall(r'(?:href|src)="(/static/[^"]+)"', visitor.get(path).text)}
    sent = [visitor.get(part, headers={"accept-encoding": "gzip"}).headers for part in parts]
    assert sum(int(headers["content-length"]) for headers in sent) < 80_000
    assert sum(headers.get("content-encoding") == "gzip" for headers in sent) > len(parts) - 3


def test_a_page_with_a_secret_is_not_cached_on_the_way(visit):
    visitor = visit()
    assert visitor.get(begin(visitor)).headers["cache-control"] == "no-store"


# What no page may contain.


class Scanner(HTMLParser):
    """Collects what the Content-Security-Policy forbids, and links to other servers."""

    def __init__(self):
        super().__init__()
        self.faults, self.ids, self.labels = [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if (tag == "script" and "src" not in given) or tag in ("style", "iframe", "object", "base"):
            self.faults.append(f"<{tag}>")
        for name, value in attributes:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"<{tag} {name}>")
            ours = (value or "").startswith(("/", "#", "http://testserver/"))
            if name in ("href", "src", "action") and not ours:
                self.faults.append(f"<{tag} {name}={value}>")
            if name == "id":
                self.ids.append(value)
            if (name, tag) == ("for", "label"):
                self.labels.append(value)


def every_page(visit):
    """Yield every kind of page in every state that looks different: a name and its text."""
    one, two, path = invited(visit, coach="on", swap="on", rounds="2")
    watcher, teacher, pupil = visit(), visit(), visit()
    for page in ("/", "/class", "/join", "/join?code=ABCDE", "/analyze", "/no/such/page", "/rules"):
        yield page, watcher.get(page).text
    for key in KEYS:
        for page in ("new", "rules", "class", "path"):
            yield f"{page} {key}", watcher.get(f"/{page}/{key}").text
        visitor = visit()
        game = begin(visitor, key, coach="on", opponent="here", **{"turn-limit": "3"})
        yield f"game {key}", visitor.get(game).text
        learner = visit()
        lesson = learner.post(f"/path/{key}/1").headers["location"]
        yield f"lesson {key}", learner.get(lesson).text
        yield f"verdicts {key}", visitor.get(f"{game}?show=verdicts").text
        yield f"watched {key}", watcher.get(game).text
        for _ in range(3):
            if found := legal_moves(visitor.get(game).text):
                move(visitor, game, found[0])
        yield f"look {key}", visitor.get(f"{game}?look=1").text
        visitor.post(f"{game}/resign")
        yield f"over {key}", visitor.get(game).text
        yield f"review {key}", watcher.get(f"{game}/round/1?move=1").text
    yield "refused form", one.post("/play/multiplicity", data={"set-size": "x"}).text
    yield "large", watcher.get(begin(visit(), "multiplicity", **{"set-size": "500"})).text
    yield "hint", one.get(f"{path}?hint=4").text
    move(one, path, 1)
    yield "swap", two.get(path).text
    two.post(f"{path}/swap", data={"swap": "no"})
    two.post(f"{path}/move", data={"move": "1"})
    two.post(f"{path}/undo")
    yield "asked", one.get(path).text
    yield "asking", two.get(path).text
    yield "refused move", one.post(f"{path}/move", data={"move": "9"}).text
    room = teacher.post("/rooms/double-or-add").headers["location"]
    pupil.post("/join", data={"code": room[6:], "name": "Ada"})
    yield "waiting", pupil.get(room).text
    visit().post("/join", data={"code": room[6:], "name": "Bo"})
    teacher.post(f"{room}/round", data={"round": 1})
    yield "teacher", teacher.get(room).text
    yield "manage", teacher.get(f"{room}/manage").text
    pupils_game = pupil.get(f"{room}/play").headers["location"].removeprefix("/game/")
    yield "pupil", pupil.get(f"{room}?game={pupils_game}").text
    teacher.post(f"{room}/screen")
    waiter = visit()
    waiter.post("/join", data={"code": room[6:], "name": "Cy"})
    yield "waiter", waiter.get(room).text
    teacher.post(f"{room}/remove", data={"pupil": "Bo"})
    yield "manage waiting", teacher.get(f"{room}/manage").text
    yield "ask", teacher.get(f"{room}/ask").text
    teacher.post(f"{room}/ask", data={"game": "multiplicity", "position": "1:1/1"})
    yield "question", pupil.get(room).text
    number = re.search(r'name="question" value="(\d+)"', pupil.get(room).text)[1]
    yield "no answer", pupil.post(f"{room}/answer", data={"question": number}).text
    pupil.post(f"{room}/answer", data={"question": number, "move": "7"})
    yield "asked", teacher.get(room).text
    teacher.post(f"{room}/reveal")
    for visitor in (pupil, teacher):
        yield "revealed", visitor.get(room, follow_redirects=True).text
    yield "manage question", teacher.get(f"{room}/manage").text
    teacher.post(f"{room}/turn-away")
    yield "turned away", waiter.get(room).text
    yield "visitor", watcher.get(room).text
    yield "refused join", watcher.post("/join", data={"code": room[6:], "name": ""}).text
    yield "refused record", watcher.post("/analyze", data={"text": "x"}).text


def test_no_page_has_inline_code_or_anything_from_elsewhere(visit):
    pages = dict(every_page(visit))
    assert len(pages) > 60
    for name, text in pages.items():
        assert text.startswith("<!doctype html>"), name
        scanner = Scanner()
        scanner.feed(text)
        assert scanner.faults == [], name
        assert len(scanner.ids) == len(set(scanner.ids)), f"{name}: an id twice"
        assert set(scanner.labels) <= set(scanner.ids), f"{name}: a label of nothing"
        assert text.count("<h1") == 1, name
        assert "Traceback" not in text
        assert "{{" not in text
        assert "None" not in re.sub(r"None( yet|:)", "", text), name


# A game from somebody else's package.

TAKE_AWAY = (Path(__file__).parents[3] / "examples/take-away/take_away.py").read_text()


def test_a_game_from_elsewhere_is_served_like_ours(serve, package, tmp_path):
    package("take_away", TAKE_AWAY, **{"take-away": "TakeAway"})
    server = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}")
    settings = {"stones": 30, "most": 30}  # too many for a menu
    with httpx2.Client(base_url=server.url, timeout=180, trust_env=False) as visitor:
        assert 'action="/path/take-away/1"' in visitor.get("/").text
        assert "On your turn take at least one stone." in visitor.get("/rules/take-away").text
        form = {f"set-{name}": str(value) for name, value in settings.items()}
        path = begin(visitor, "take-away", opponent="perfect", coach="on", **form)
        assert 'id="typed"' in visitor.get(path).text
        assert '<p class="hint"' in visitor.get(f"{path}?hint=4").text
        assert move(visitor, path, 31).status_code == 422
        assert move(visitor, path, 29).status_code == 303
        assert (
            "So close! It turned when you chose" in visitor.get(path).text
        )  # the player who did not take the last stone
        assert ": took the last stone." in visitor.get(f"{path}/round/1").text
        asked = {"game": "take-away", "settings": settings}
        solved = visitor.post("/api/solve", json=asked).json()
        assert (solved["value"], solved["distance"]) == ("win", 1)


def test_all_watchers_get_the_same_page_and_players_their_own(visit, monkeypatch):
    drawn, rendered = [], pages.render

    def counted(template, page, **shown):
        drawn.append((page.duel.version, page.look))
        return rendered(template, page=page, **shown)

    monkeypatch.setattr(pages, "render", counted)
    one, _, path = invited(visit)
    drawn.clear()
    texts = {visit().get(path).text for _ in range(5)}
    assert len(texts) == len(drawn) == 1
    assert ">Your turn</h2>" in one.get(path).text
    assert move(one, path, 1).status_code == 303
    assert {version(visit().get(path).text) for _ in range(3)} == {"2"}
    assert {version(visit().get(f"{path}?look=0").text) for _ in range(3)} == {"2"}
    assert drawn == [(1, None), (2, None), (2, 0)]
    elsewhere = visit().get(path, headers={"host": "testserver:81"}).text
    assert "http://testserver:81/" in elsewhere
    assert "testserver:81" not in visit().get(path).text
