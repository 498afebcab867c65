"""A class: the teacher's room, the pupils in it, and who plays whom."""

import asyncio
import csv
import re
import time
from http.cookies import SimpleCookie

import pytest

import numduel
from numduel import TooLarge
from numduel.play.setup import LONGEST_NAME, check_name
from numduel.web.classes.room import MOST_PUPILS
from numduel.web.live.site import Site
from numduel.web.pages import asking, rooms
from numduel.web.pages.qr import qr
from numduel.web.problems import Busy

KEYS = [key for key, _, _ in numduel.games()]
DEEDS = (
    *("round", "remove", "bring-back", "close"),
    *("lock", "unlock", "screen", "unscreen", "admit", "turn-away", "end-chains"),
)


class Class:
    """A teacher, a room and its pupils."""

    def __init__(self, visit, *names, key="double-or-add", **form):
        self.visit = visit
        self.teacher = visit()
        self.path = self.teacher.post(f"/rooms/{key}", data=form).headers["location"]
        self.code = self.path.removeprefix("/room/")
        self.pupils = {name: self.join(name) for name in names}

    def join(self, name):
        pupil = self.visit()
        answer = pupil.post("/join", data={"code": self.code, "name": name})
        assert answer.headers["location"] == self.path
        return pupil

    def begin(self, number=1):
        return self.teacher.post(f"{self.path}/round", data={"round": number})

    def games(self):
        """The pupils' paths to their games of this round."""
        paths = {}
        for name, pupil in self.pupils.items():
            answer = pupil.get(f"{self.path}/play")
            assert answer.status_code == 303
            paths[name] = answer.headers["location"]
        return paths

    def do(self, deed, **form):
        return self.teacher.post(f"{self.path}/{deed}", data=form)

    def seen(self, visitor=None):
        """The room as a visitor sees it, who is carried to their game if they have one."""
        return (visitor or self.teacher).get(self.path, follow_redirects=True).text

    def managed(self):
        return self.teacher.get(f"{self.path}/manage").text

    def pairs(self):
        """Who plays whom, as the page has it."""
        found = re.findall(r"Watch (.+?) against (.+?)</span>", self.seen())
        return {frozenset(pair) for pair in found}

    def standing(self):
        line = r"<span>(.+) <small>(.+) points? from (.+) games?</small></span>"
        rows = re.findall(line, self.managed())
        return {name: (float(points), int(games)) for name, points, games in rows}


@pytest.mark.parametrize("key", KEYS)
def test_a_room_is_opened_for_any_game(visit, key):
    teacher = visit()
    assert f'action="/rooms/{key}"' in teacher.get(f"/class/{key}").text
    answer = teacher.post(f"/rooms/{key}")
    assert re.fullmatch(r"/room/[A-HJ-NP-Z]{5}", answer.headers["location"])
    assert numduel.new(key).title in teacher.get(answer.headers["location"]).text
    assert "Manage the room" in teacher.get(answer.headers["location"]).text


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"rounds": "51"}, "Rounds must be from 1 to 50, not 51."),
        ({"rounds": "x"}, "Rounds must be from 1 to 50, not 0."),
        ({"set-size": "10001"}, "Size must be at most 10,000 here, not 10001; larger ones"),
    ],
)
def test_a_room_that_cannot_be_is_refused_with_its_form(visit, form, why):
    answer = visit().post("/rooms/multiplicity", data=form)
    assert answer.status_code == 422
    assert why in answer.text
    assert next(iter(form.values())) in answer.text


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_secrets_of_a_class_are_in_cookies_for_its_room(visit, scheme):
    teacher, pupil = (visit(base_url=f"{scheme}://testserver") for _ in range(2))
    opened = teacher.post("/rooms/double-or-add")
    path = opened.headers["location"]
    joined = pupil.post("/join", data={"code": path[6:], "name": "Ada"})
    visit().post("/join", data={"code": path[6:], "name": "Bo"})
    teacher.post(f"{path}/round", data={"round": 1})
    seated = pupil.get(f"{path}/play")
    for answer, name, where in (
        (opened, "teacher", path),
        (joined, "pupil", path),
        (seated, "seat", seated.headers["location"]),
    ):
        cookie = SimpleCookie(answer.headers["set-cookie"])[name]
        assert len(cookie.value) == 32
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "lax", where)
        assert bool(cookie["secure"]) == (scheme == "https")
        for viewer in (teacher, pupil, visit()):
            assert cookie.value not in viewer.get(path).text


def test_pupils_join_however_the_code_is_typed(visit):
    room = Class(visit)
    for name, typed in {
        "Ada": room.code.lower(),
        "Bo": f" {room.code[:2]} {room.code[2:]}",
    }.items():
        answer = visit().post("/join", data={"code": typed, "name": name})
        assert answer.headers["location"] == room.path
    assert set(room.standing()) == {"Ada", "Bo"}


@pytest.mark.parametrize("code", ["", "ABCD", "ABCDEFG", "12345", "ÄÖÜÄÖ", "\x00" * 5, "A" * 5000])
def test_a_code_of_no_room_is_not_found(visit, code):
    answer = visit().post("/join", data={"code": code, "name": "Ada"})
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("name", ["", " ", "x" * (LONGEST_NAME + 1), "a\x00b", "a\u202eb", "a\x07"])
def test_a_name_that_is_none_is_refused(visit, name):
    room = Class(visit)
    answer = visit().post("/join", data={"code": room.code, "name": name})
    assert answer.status_code == 422
    assert "A name has 1 to 20 printable characters, not " in answer.text
    assert room.standing() == {}


def test_a_name_is_kept_in_one_form():
    assert check_name("  Ada \n Maria ") == "Ada Maria"
    assert check_name("é" * LONGEST_NAME) == "é" * LONGEST_NAME


@pytest.mark.parametrize("name", ["Ada", "ADA", " ada "])
def test_a_name_is_taken_once(visit, name):
    room = Class(visit, "Ada")
    answer = visit().post("/join", data={"code": room.code, "name": name})
    assert answer.status_code == 422
    assert "is in this room already: please add a letter." in answer.text


def test_a_name_is_text_on_every_page_and_nothing_else(visit):
    room = Class(visit, "<b>'&\"{{7*7}}", "Bo")
    room.begin()
    path = room.games()["Bo"]
    for text in (room.seen(), room.seen(room.pupils["Bo"]), room.pupils["Bo"].get(path).text):
        assert "<b>'" not in text
        assert "&lt;b&gt;&#39;&amp;&#34;{{7*7}}" in text


def test_a_room_is_full_at_some_point(visit, monkeypatch):
    monkeypatch.setattr("numduel.web.classes.room.MOST_PUPILS", 2)
    room = Class(visit, "Ada", "Bo")
    answer = visit().post("/join", data={"code": room.code, "name": "Cy"})
    assert answer.status_code == 409
    assert "This room is full" in answer.text
    assert MOST_PUPILS == 100


def test_a_round_pairs_everybody_and_the_odd_one_plays_the_computer(visit):
    room = Class(visit, "Ada", "Bo", "Cy", "Di", "Ed")
    assert room.begin().status_code == 303
    games = room.games()
    assert sorted(games.values()).count(games["Ed"]) == 1
    assert len(set(games.values())) == 3
    assert room.pairs() == {
        frozenset({"Ada", "Bo"}),
        frozenset({"Cy", "Di"}),
        frozenset({"Ed", "the computer (medium)"}),
    }


def test_round_after_round_they_play_others_and_the_standing_counts(visit):
    room = Class(visit, "Ada", "Bo", "Cy", "Di")
    met = []
    for number in range(1, 4):
        room.begin(number)
        met.append(room.pairs())
        games = room.games()
        for name in ("Bo", "Di", "Cy"):  # who give up, the first of a pair
            room.pupils[name].post(f"{games[name]}/resign")
        assert f">Round {number}<" in room.seen()
    assert len(set.union(*met)) == 6  # everybody has met everybody
    standing = room.standing()
    assert standing == {"Ada": (3, 3), "Cy": (2, 3), "Di": (1, 3), "Bo": (0, 3)}
    assert [*standing] == ["Ada", "Cy", "Di", "Bo"]
    assert re.findall(r'<li value="(\d)"><span class="name">', room.seen()) == [*"1234"]
    room.join("Ed")
    assert re.findall(r'<li value="(\d)"><span class="name">', room.seen()) == [*"12344"]


def test_a_pupil_plays_their_own_game_and_no_other(visit):
    room = Class(visit, "Ada", "Bo", "Cy", "Di")
    room.begin()
    games = room.games()
    ada, cy = room.pupils["Ada"], room.pupils["Cy"]
    first = next(n for n in ("Ada", "Bo") if ">Your turn</h2>" in room.pupils[n].get(games[n]).text)
    assert room.pupils[first].post(f"{games['Ada']}/move", data={"move": "1"}).status_code == 303
    assert cy.post(f"{games['Ada']}/resign").status_code == 403
    assert room.teacher.post(f"{games['Ada']}/resign").status_code == 403
    assert ada.post(f"{games['Cy']}/resign").status_code == 403
    assert ada.post(f"{games['Ada']}/resign").status_code == 303
    assert ada.post(f"{games['Ada']}/rematch").status_code == 409


def test_whoever_is_in_no_game_goes_back_to_the_room(visit):
    room = Class(visit, "Ada")
    for visitor in (room.pupils["Ada"], visit(), room.teacher):
        assert visitor.get(f"{room.path}/play").headers["location"] == room.path


def test_the_projector_has_a_small_board_for_each_game_which_hears_of_each_move(visit):
    room = Class(visit, "Ada", "Emmy", "Sofja", "Maryam", **{"set-target": "9"})
    room.begin()
    before = room.seen()
    assert before.count('class="tile') == before.count("to move") == 2
    assert before.count('class="picture') == 2
    version = re.search(r'data-version="(\d+)"', before)[1]
    path = room.games()["Ada"]
    mover = next(pupil for pupil in room.pupils.values() if 'name="move"' in pupil.get(path).text)
    assert mover.post(f"{path}/move", data={"move": 1}).status_code == 303
    after = room.seen()
    assert int(re.search(r'data-version="(\d+)"', after)[1]) == int(version) + 1
    assert "×2 to 2." not in before and "×2 to 2." in after


@pytest.fixture
def drawn(monkeypatch):
    """The small boards that were drawn, each with how many there were when others had a turn."""
    drawn, usual = [], rooms.picture

    def draw(*asked, **options):
        loop, turns = asyncio.get_running_loop(), []
        drawn.append(turns)
        loop.call_soon(lambda: turns.append(len(drawn)))
        time.sleep(0.01)  # longer than others are to wait
        return usual(*asked, **options)

    monkeypatch.setattr(rooms, "picture", draw)
    return drawn


def test_only_the_board_of_a_game_that_has_moved_is_drawn_again(visit, drawn):
    room = Class(visit, "Ada", "Emmy", "Sofja", "Maryam")
    room.begin()
    before = room.seen()
    assert room.seen() == before and len(drawn) == 2
    path = room.games()["Ada"]
    for pupil in room.pupils.values():
        pupil.post(f"{path}/move", data={"move": 1, "at": 0})
    assert room.seen().count('class="picture') == 2
    assert len(drawn) == 3


def test_others_have_their_turn_between_two_boards(visit, drawn):
    room = Class(visit, "Ada", "Emmy", "Sofja", "Maryam")
    room.begin()
    room.seen()
    assert drawn == [[1], [2]]


def test_what_is_not_shown_is_not_drawn(visit, drawn):
    room = Class(visit, "Ada", "Emmy")
    room.begin()
    room.do("ask", game="double-or-add", position="3/1")
    assert "what would you play?" in room.seen() and not drawn
    room.do("put-away")
    assert 'class="tile' in room.seen() and len(drawn) == 1


def test_after_a_round_there_is_one_position_to_discuss_that_names_nobody(visit, monkeypatch):
    room = Class(visit, "Ada", "Emmy", **{"set-target": "4"})
    room.begin()
    [path] = set(room.games().values())
    assert "The position of the round" not in room.seen()
    for move in (1, 2, 1):  # 1 → 2 → 3 → 6, past the target: there was something better
        for pupil in room.pupils.values():
            if 'name="move"' in pupil.get(path).text:
                pupil.post(f"{path}/move", data={"move": move})
                break
    monkeypatch.setattr(asking, "_PATIENCE", 0)
    assert "data-thinking" in room.seen()  # the page asks again
    monkeypatch.setattr(asking, "_PATIENCE", 180)
    text = room.seen()
    assert "The position of the round" in text
    assert "data-thinking" not in text
    assert "Ada" not in text.partition("The position of the round")[2].partition("Standing")[0]
    assert text.count('class="tile') == 0
    assert 'class="tile' in room.teacher.get(f"{room.path}?games=all").text
    ask = re.search(r'href="([^"]+)">Ask the class', text)[1].replace("&amp;", "&")
    assert re.search('name="position" value="3/[12]"', room.teacher.get(ask).text)


@pytest.mark.parametrize(
    ("error", "thinking", "found"), [(TooLarge("no"), False, True), (Busy("not now"), True, False)]
)
def test_the_position_of_a_round_is_looked_for_in_the_other_games_or_again_later(
    visit, monkeypatch, error, thinking, found
):
    room = Class(visit, "Ada", "Emmy", "Sofja", "Maryam", **{"set-target": "4"})
    room.begin()
    for path in sorted(set(room.games().values())):
        for move in (1, 2, 1):
            for pupil in room.pupils.values():
                if 'name="move"' in pupil.get(path).text:
                    pupil.post(f"{path}/move", data={"move": move})
                    break
    usual, failing = Site.analysis, [error]

    async def analysis(*asked):
        if failing:
            raise failing.pop()
        return await usual(*asked)

    monkeypatch.setattr(Site, "analysis", analysis)
    monkeypatch.setattr(asking, "_PATIENCE", 180)
    text = room.seen()
    assert ("data-thinking" in text, "The position of the round" in text) == (thinking, found)
    assert "The position of the round" in room.seen()


def test_only_the_teacher_leads_the_room(visit):
    room = Class(visit, "Ada", "Bo")
    other = Class(visit)
    before = room.managed()
    for visitor in (room.pupils["Ada"], visit(), other.teacher):
        for deed in DEEDS:
            answer = visitor.post(f"{room.path}/{deed}", data={"pupil": "Bo"})
            assert answer.status_code == 403
            assert "Only the teacher who opened this room can do that." in answer.text
        assert visitor.get(f"{room.path}/manage").headers["location"] == room.path
        assert f'action="{room.path}/' not in room.seen(visitor)
        secret = {"Cookie": "teacher=" + "x" * 32}
        assert visitor.post(f"{room.path}/close", headers=secret).status_code == 403
    assert room.managed() == before
    assert "<form" not in room.seen()  # nor are there buttons on the projector's page


def test_a_round_needs_two_and_is_begun_once(visit):
    room = Class(visit, "Ada")
    assert "A round needs at least two pupils." in room.begin(1).text
    room.pupils["Bo"] = room.join("Bo")
    for number in ("", 0, 2, -1, "x", "9" * 1001):
        answer = room.begin(number)
        assert (answer.status_code, "The next round is round 1." in answer.text) == (409, True)
    assert room.begin(1).status_code == 303
    assert room.begin(1).status_code == 409  # pressed twice
    assert ">Round 1<" in room.seen()
    assert room.begin(2).status_code == 303


def test_only_those_inside_see_the_names(visit):
    room = Class(visit, "Ada", "Bo")
    room.begin()
    for visitor in (room.teacher, room.pupils["Bo"]):
        assert "Ada" in room.seen(visitor)
    assert ">You</span>" in room.seen(room.pupils["Ada"])
    room.do("screen")
    for visitor in (visit(), Class(visit, "Cy").pupils["Cy"], room.join("Di")):
        assert "Ada" not in room.seen(visitor)


def test_the_page_of_a_game_in_a_class_has_no_link_to_a_seat(visit):
    room = Class(visit, "Ada", "Bo")
    room.begin()
    text = room.pupils["Ada"].get(room.games()["Ada"]).text
    assert ">You</span>" in text and "/seat/" not in text


BO = "Bö"  # which no name or secret of ours can hold by chance


def test_who_is_removed_leaves_no_name_behind_and_is_told(visit):
    room = Class(visit, "Ada", BO, "Cy", "Di")
    room.begin()
    path = room.games()[BO]
    answer = room.teacher.post(f"{room.path}/remove", data={"pupil": BO})
    assert answer.status_code == 303
    assert set(room.standing()) == {"Ada", "Cy", "Di"}
    assert f">{BO}<" not in room.seen()
    assert room.pupils[BO].get(f"{room.path}/play").headers["location"] == room.path
    page = room.pupils[BO].get(path).text  # which is only watched now
    assert " wins</h2>" in page and ">You</span>" not in page and BO not in page
    assert "Your teacher has removed you from this room." in page
    assert "Your teacher has removed you" not in room.pupils["Ada"].get(path).text
    door = room.seen(room.pupils[BO])
    assert "your teacher has removed you" in door and "Ada" not in door
    assert sum(points for points, *_ in room.standing().values()) == 1
    again = room.do("remove", pupil="Moritz")
    assert (again.status_code, "There is no &#39;Moritz&#39; in this room." in again.text) == (
        409,
        True,
    )


def test_removing_can_be_undone(visit):
    room = Class(visit, "Ada", BO)
    assert "Let Bö in again" not in room.managed()
    room.do("remove", pupil=BO)
    assert "Let Bö in again" in room.managed()
    room.do("bring-back", pupil=BO)
    assert set(room.standing()) == {"Ada", BO}
    assert f"Welcome, {BO}" in room.seen(room.pupils[BO])


def test_the_other_pupil_is_told_that_the_match_is_over(visit):
    room = Class(visit, "Ada", "Bo", rounds=3)
    room.begin()
    path = room.games()["Ada"]
    room.do("remove", pupil="Bo")
    text = room.pupils["Ada"].get(path).text
    assert "You win!" in text and "You are the champion: " in text and "has left." in text
    assert "Next round" not in text


def test_a_locked_room_says_so(visit):
    room = Class(visit, "Ada")
    assert "Lock the room" in room.managed()
    assert room.do("lock").headers["location"] == f"{room.path}/manage"
    answer = visit().post("/join", data={"code": room.code, "name": "Bo"})
    assert answer.status_code == 409
    assert "This room is locked: please ask your teacher to unlock it." in answer.text
    assert "Unlock the room" in room.managed()
    room.do("unlock")
    room.join("Bo")


def test_whoever_waits_is_told_so_and_goes_on_when_admitted(visit):
    room = Class(visit, "Ada", screen="on")
    ada = room.pupils["Ada"]
    waiting = room.seen(ada)
    assert "Your teacher will let you in." in waiting and 'http-equiv="refresh"' in waiting
    assert f'data-events="{room.path}/events"' in waiting
    assert "Ada" not in room.seen() and "Admit Ada" in room.managed()
    room.do("admit", pupil="Ada")
    assert "Welcome, Ada" in room.seen(ada)
    bots = [room.join(f"Bot {number}") for number in range(3)]
    room.do("turn-away")
    assert "Bot" not in room.managed() and "Nobody waits." in room.managed()
    assert "You are not in this room" in room.seen(bots[0])
    room.join("Bo")
    room.do("unscreen")
    assert "Admit Bo" in room.managed()  # who waited before it was switched off
    assert room.do("admit").status_code == 303
    room.join("Cy")
    assert set(room.standing()) == {"Ada", "Bo", "Cy"}


def test_a_pupil_is_carried_into_each_game_and_can_look_at_the_room_meanwhile(visit):
    room = Class(visit, "Ada", "Bo")
    ada = room.pupils["Ada"]
    for number in (1, 2):
        assert "comes by itself" in room.seen(ada)
        room.begin(number)
        assert ada.get(room.path).headers["location"] == f"{room.path}/play"
        path = room.games()["Ada"]
        look = f"{room.path}?game={path.removeprefix('/game/')}"
        assert f'href="{look}"' in ada.get(path).text
        assert "Ada, your game goes on" in ada.get(look).text
        ada.post(f"{path}/resign")
        assert f'data-events="{room.path}/events"' in ada.get(path).text  # for the next round
    room.begin(3)
    assert ada.get(path).headers["location"] == f"{room.path}/play"
    assert room.teacher.get(path).status_code == 200


def test_a_round_is_begun_while_games_run_only_after_a_question(visit):
    room = Class(visit, "Ada", "Bo")
    question = "One game is still being played. A game that ends later counts too."
    assert question not in room.managed()
    room.begin()
    assert question in room.managed() and "Yes, begin round 2" in room.managed()
    room.pupils["Ada"].post(f"{room.games()['Ada']}/resign")
    assert question not in room.managed() and "Begin round 2" in room.managed()


def test_a_closed_room_is_gone_with_its_names_and_games(visit):
    room = Class(visit, "Ada", "Bo")
    room.begin()
    path = room.games()["Ada"]
    assert room.teacher.post(f"{room.path}/close").headers["location"] == "/"
    for page in (room.path, f"{room.path}/play", f"{room.path}/events", path):
        assert room.pupils["Ada"].get(page).status_code == 404
    assert room.teacher.post(f"{room.path}/round").status_code == 404
    assert visit().post("/join", data={"code": room.code, "name": "Cy"}).status_code == 404


def test_the_teacher_downloads_the_totals_until_the_room_is_closed(visit):
    room = Class(visit, "Zoë", "=1+1", 'B,"o')
    room.begin()
    for name, path in room.games().items():
        room.pupils[name].post(f"{path}/resign")
    path = f"{room.path}/totals.csv"
    answer = room.teacher.get(path)
    assert answer.headers["content-type"].startswith("text/csv")
    assert f'filename="numduel-{room.code}.csv"' in answer.headers["content-disposition"]
    head, *lines = csv.reader(answer.content.decode("utf-8-sig").splitlines())
    assert head == ["Name", "Points", "Games"]
    assert {name: games for name, _, games in lines} == dict.fromkeys(("Zoë", "'=1+1", 'B,"o'), "1")
    assert sorted(points for _, points, _ in lines) == ["0", "0", "1"]
    for visitor in (room.pupils["Zoë"], visit()):
        assert visitor.get(path).status_code == 403
    room.do("close")
    assert room.teacher.get(path).status_code == 404


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        *(("localhost:8000", True), ("127.0.0.1:8000", True), ("[::1]:8000", True)),
        *(("192.168.1.5:8000", False), ("[2001:db8::5]", False), ("games.example.org", False)),
    ],
)
def test_the_projector_shows_an_address_and_says_if_pupils_cannot_reach_it(visit, host, only_here):
    room = Class(lambda: visit(base_url=f"http://{host}"))
    text = room.seen()
    link, shown = re.search('Join at <a href="([^"]+)">([^<]+)</a>', text).groups()
    assert link.startswith(f"http://{host}/join?code={room.code}&amp;ticket=")
    assert shown == f"{host}/join"
    assert ("This address works on this computer only." in text) == only_here
    assert qr(link.replace("&amp;", "&")) in text


@pytest.mark.parametrize(("found", "only_here"), [("127.0.1.1", True), ("192.168.1.5", False)])
def test_our_own_name_is_looked_up(visit, monkeypatch, found, only_here):
    monkeypatch.setattr("socket.gethostname", lambda: "Play.local")
    monkeypatch.setattr("socket.gethostbyname", {"play.example": found}.__getitem__)
    rooms._only_here.cache_clear()
    text = Class(lambda: visit(base_url="http://play.example")).seen()
    rooms._only_here.cache_clear()
    assert ("This address works on this computer only." in text) == only_here


def test_there_is_nothing_else_to_do_in_a_room(visit):
    room = Class(visit)
    for deed in ("open", "join", "events", "play"):
        assert room.teacher.post(f"{room.path}/{deed}").status_code == 404


def test_the_code_of_a_link_is_filled_in(visit):
    text = visit().get("/join?code=ABCDE").text
    assert 'value="ABCDE"' in text


def test_the_ticket_of_a_link_is_shown_until_another_code_is_wanted_and_leads_nowhere_else(visit):
    room = Class(visit, "Ada")
    ticket = re.search("ticket=([0-9a-f]+)", room.seen())[1]
    assert f'action="/join/{ticket}"' in visit().get(f"/join?ticket={ticket}").text
    form = {"code": room.code, "name": "ada"}
    assert f'action="/join/{ticket}"' in visit().post(f"/join/{ticket}", data=form).text
    form["code"] = "AAAAA"
    assert 'action="/join"' in visit().post(f"/join/{ticket}", data=form).text
    for ticket in ("../new", "..", "a b", '"', ""):
        assert 'action="/join"' in visit().get("/join", params={"ticket": ticket}).text
