"""The pages of a pupil: joining, answers, games and chains."""

import re
from html import unescape
from http.cookies import SimpleCookie

import pytest

from numduel.play.setup import MAX_NAME_LENGTH

BO = "Bö"  # which no name or secret of ours can hold by chance


# The way in.


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
        [text] = [one for one in answer.headers.get_list("set-cookie") if one.startswith(name)]
        cookie = SimpleCookie(text)[name]
        assert len(cookie.value) == 32
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "lax", where)
        assert bool(cookie["secure"]) == (scheme == "https")
        for viewer in (teacher, pupil, visit()):
            assert cookie.value not in viewer.get(path).text


def test_an_unknown_code_is_not_found(visit):
    for code in ("", "ABCD", "ABCDEFG", "12345", "ÄÖÜÄÖ", "\x00" * 5, "A" * 5000):
        answer = visit().post("/join", data={"code": code, "name": "Ada"})
        assert answer.status_code == 404
        assert 'role="alert"' in answer.text


def test_an_invalid_name_and_a_taken_one_are_refused(classroom, visit):
    room = classroom("Ada")
    none, taken = "A name has 1 to 20 printable characters, not ", "is in this room already: please"
    names = dict.fromkeys(
        ("", " ", "x" * (MAX_NAME_LENGTH + 1), "a\x00b", "a\u202eb", "a\x07"), none
    )
    for name, why in {**names, "Ada": taken, " ada ": taken}.items():
        answer = visit().post("/join", data={"code": room.code, "name": name})
        assert answer.status_code == 422
        assert why in answer.text
    assert [*room.standing()] == ["Ada"]


def test_a_name_is_escaped_on_every_page(classroom):
    room = classroom("<b>'&\"{{7*7}}", "Bo")
    room.begin()
    met, path = room.seen("Bo"), room.games()["Bo"]
    for text in (room.seen(), met, room.pupils["Bo"].get(path).text):
        assert "<b>'" not in text
        assert "&lt;b&gt;&#39;&amp;&#34;{{7*7}}" in text


def test_a_full_or_locked_room_says_that_nobody_can_join(classroom, visit, monkeypatch):
    room = classroom("Ada", "Bo")

    def refused():
        return visit().post("/join", data={"code": room.code, "name": "Cy"})

    assert room.do("lock", back="manage").headers["location"] == f"{room.path}/manage"
    assert refused().status_code == 409
    assert "This room is locked: please ask your teacher to unlock it." in refused().text
    room.do("unlock")
    monkeypatch.setattr("numduel.web.rooms.model.MAX_PUPILS", 2)
    assert "This room is full" in refused().text
    monkeypatch.undo()
    assert refused().status_code == 303


def test_a_waiting_pupil_is_told_so_and_goes_on_when_admitted(classroom):
    room = classroom("Ada", screen="on")
    waiting = room.seen("Ada")
    assert "Your teacher will let you in." in waiting and 'http-equiv="refresh"' in waiting
    assert f'data-events="{room.path}/events"' in waiting
    assert "Ada" not in room.seen() and "Admit Ada" in room.managed()
    room.do("admit", pupil="Ada")
    assert "Welcome, Ada!" in room.seen("Ada")
    bots = [room.join(f"Bot {number}") for number in range(3)]
    room.do("turn-away")
    assert "Bot" not in room.managed() and "Nobody is waiting." in room.managed()
    assert "You are not in this room" in room.seen(bots[0])
    room.join("Bo")
    room.do("unscreen")
    assert "Admit Bo" in room.managed()  # who waited before it was switched off
    assert room.do("admit").status_code == 303
    room.join("Cy")
    assert set(room.standing()) == {"Ada", "Bo", "Cy"}


def test_the_code_of_a_link_is_filled_in(visit):
    assert 'value="ABCDE"' in visit().get("/join?code=ABCDE").text


def test_the_ticket_of_a_link_is_kept_until_its_code_fails_and_leads_nowhere_else(classroom, visit):
    room = classroom("Ada")
    ticket = re.search("ticket=([0-9a-f]+)", room.seen())[1]
    assert f'action="/join/{ticket}"' in visit().get(f"/join?ticket={ticket}").text
    form = {"code": room.code, "name": "ada"}
    assert f'action="/join/{ticket}"' in visit().post(f"/join/{ticket}", data=form).text
    form["code"] = "AAAAA"
    assert 'action="/join"' in visit().post(f"/join/{ticket}", data=form).text
    for ticket in ("../new", "..", "a b", '"', ""):
        assert 'action="/join"' in visit().get("/join", params={"ticket": ticket}).text


# In the room.


def test_only_members_of_the_room_see_the_names(classroom, visit):
    room = classroom("Ada", "Bo")
    room.begin()
    for visitor in (None, "Bo"):
        assert "Ada" in room.seen(visitor)
    room.do("screen")
    for visitor in (visit(), classroom("Cy").pupils["Cy"], room.join("Di")):
        assert "Ada" not in room.seen(visitor)


def test_a_pupil_plays_their_own_game_and_no_other(classroom, visit):
    room = classroom("Ada", "Bo", "Cy", "Di")
    for visitor in (*room.pupils.values(), visit(), room.teacher):  # who are in no game
        assert visitor.get(f"{room.path}/play").headers["location"] == room.path
    room.begin()
    games = room.games()
    ada, cy = room.pupils["Ada"], room.pupils["Cy"]
    text = ada.get(games["Ada"]).text
    assert ">You</span>" in text and "/seat/" not in text  # which is not for sharing
    first = next(n for n in ("Ada", "Bo") if ">Your turn</h2>" in room.pupils[n].get(games[n]).text)
    assert room.pupils[first].post(f"{games['Ada']}/move", data={"move": "1"}).status_code == 303
    assert cy.post(f"{games['Ada']}/resign").status_code == 403
    assert room.teacher.post(f"{games['Ada']}/resign").status_code == 403
    assert ada.post(f"{games['Cy']}/resign").status_code == 403
    assert ada.post(f"{games['Ada']}/resign").status_code == 303
    assert ada.post(f"{games['Ada']}/rematch").status_code == 409


def test_a_pupil_is_led_into_each_game_and_can_look_at_the_room_meanwhile(classroom):
    room = classroom("Ada", "Bo")
    ada = room.pupils["Ada"]
    for number in (1, 2):
        assert f"Round {number} comes by itself." in room.seen("Ada")
        room.begin(number)
        meeting = ada.get(room.path).text
        assert "You play Bo." in meeting and "data-thinking" in meeting  # it asks again
        assert ada.get(room.path).headers["location"] == f"{room.path}/play"
        path = room.games()["Ada"]
        assert ("You begin." in meeting) == (">Your turn</h2>" in ada.get(path).text)
        look = f"{room.path}?game={path.removeprefix('/game/')}"
        assert f'href="{look}"' in ada.get(path).text
        assert "Your game goes on." in ada.get(look).text
        ada.post(f"{path}/resign")
        over = ada.get(path).text
        first = re.search(r'<div class="ways">\s*<a class="button primary" href="([^"]+)"', over)
        assert first[1] == room.path and "Rematch" not in over
        assert f'data-events="{path}/events"' in over  # for the next round
    room.begin(3)
    assert ada.get(path).headers["location"] == room.path
    assert room.teacher.get(path).status_code == 200


def test_a_removed_pupil_is_told_so_and_leaves_no_name_behind(classroom):
    room = classroom("Ada", BO, "Cy", "Di")
    room.begin()
    path = room.games()[BO]
    assert room.do("remove", pupil=BO).status_code == 303
    assert set(room.standing()) == {"Ada", "Cy", "Di"}
    assert f">{BO}<" not in room.seen()
    assert room.pupils[BO].get(f"{room.path}/play").headers["location"] == room.path
    page = room.pupils[BO].get(path).text  # which is only watched now
    assert " wins</h2>" in page and ">You</span>" not in page and BO not in page
    assert "Your teacher has removed you from this room." in page
    assert "Your teacher has removed you" not in room.pupils["Ada"].get(path).text
    door = room.seen(BO)
    assert "your teacher has removed you" in door and "Ada" not in door
    assert sum(points for points, *_ in room.standing().values()) == 1


def test_the_other_pupil_is_told_that_the_match_is_over(classroom):
    room = classroom("Ada", "Bo", rounds=3)
    room.begin()
    path = room.games()["Ada"]
    room.do("remove", pupil="Bo")
    text = room.pupils["Ada"].get(path).text
    assert "You win!" in text and "You are the champion: " in text and "has left." in text
    assert "Next round" not in text


def test_a_deleted_room_is_gone_with_its_names_and_games(classroom, visit):
    room = classroom("Ada", "Bo")
    room.begin()
    path = room.games()["Ada"]
    assert room.do("delete").headers["location"] == "/class"
    for page in (f"{room.path}/play", f"{room.path}/events", path):
        assert room.pupils["Ada"].get(page).status_code == 404
    over = room.pupils["Ada"].get(room.path)
    assert "This lesson is over." in over.text and 'role="alert"' not in over.text
    assert visit().get(room.path).status_code == 404
    assert room.begin().status_code == 404
    assert visit().post("/join", data={"code": room.code, "name": "Cy"}).status_code == 404


def test_a_pupil_on_another_page_is_called_back(classroom, visit):
    room = classroom("Ada", "Bo", "Cy", "Di")
    ada = room.pupils["Ada"]
    assert "Welcome" in room.seen("Ada")
    strip = f'data-call="{room.path}/events?calls" data-calls="0"'
    for path in ("/", "/puzzle", "/chain"):
        assert strip in ada.get(path).text and strip not in visit().get(path).text
    room.begin()
    games = room.games()
    watched = ada.get(next(path for path in games.values() if path != games["Ada"])).text
    assert strip in watched and strip not in room.seen("Ada")
    room.do("end")
    room.seen("Ada")
    assert "data-call" not in ada.get("/").text


def test_at_the_end_each_pupil_sees_a_summary(classroom):
    room = classroom("Ada", "Bo", "Cy", key="divisor-line")
    room.begin()
    games = room.games()
    room.pupils["Bo"].post(f"{games['Bo']}/resign")
    room.ask("-:-/1")
    room.answer("Ada", 4)
    room.do("make-chains", n=12)
    room.chain("Cy", "", 6)
    room.do("end")
    for name, game in games.items():  # wherever they are
        assert room.pupils[name].get(game).headers["location"] == room.path
    seen = {name: room.words(name) for name in games}
    assert "You won 1 of 1!" in seen["Ada"] and "of 1 question right." in seen["Ada"]
    assert "You played 1 game. Well done!" in seen["Bo"] and "You lost against Ada" in seen["Bo"]
    assert "Thank you, Cy!" in seen["Cy"] and "Your longest chain has 1 number." in seen["Cy"]
    assert all("data-events" not in room.seen(name) for name in games)  # it stays when all is gone
    assert "That was it. Well played!" in room.words() and "Ada" not in room.words()
    for told in ("3 pupils", "1 game finished", "right answer", "1 number in a chain"):
        assert told in room.words()
    late = room.visit().post("/join", data={"code": room.code, "name": "Di"})
    assert (late.status_code, "This lesson is over." in late.text) == (409, True)


# Answers.


def test_an_answer_is_a_legal_move_and_comes_in_time(classroom, visit):
    room = classroom("Ada")
    room.ask("2:3/1")
    for move in ("", "x", "2", "0", "-1", "21", "9" * 1001):
        answer = room.answer("Ada", move)
        assert answer.status_code == 422 and 'role="alert"' in answer.text, move
    assert visit().post(f"{room.path}/answer", data={"move": "4"}).status_code == 403
    room.do("show")
    late = room.answer("Ada", 4)
    assert (late.status_code, 'class="notice"' in late.text) == (409, True)
    room.do("games")
    assert room.answer("Ada", 4).status_code == 409


def test_a_pupil_in_a_game_is_led_to_what_the_class_does_and_back(classroom):
    room = classroom("Ada", "Bo", "Cy", "Di")
    room.begin()
    games = room.games()
    seen = {name: pupil.get(games[name]).text for name, pupil in room.pupils.items()}
    for deed, path, words in (
        (lambda: room.ask("2:3/1"), room.path, "Look up, a question!"),
        (lambda: room.do("show"), room.path, "here are the answers"),
        (lambda: room.do("make-chains", n=12), f"{room.path}/chain", "The longest chain"),
    ):
        deed()
        for name, pupil in room.pupils.items():
            assert pupil.get(games[name]).headers["location"] == room.path
            assert words in room.seen(name)
            where = pupil.get(room.path, follow_redirects=True).url.path
            assert where == path
    room.do("games")
    for name, pupil in room.pupils.items():
        assert pupil.get(room.path).headers["location"] == f"{room.path}/play"
        version, later = (
            int(re.search(r'data-version="(\d+)"', text)[1])
            for text in (seen[name], pupil.get(games[name]).text)
        )
        assert later == version + 4  # each of these was told to the page of the game


# Chains.


def test_the_longest_chain_of_the_class_is_shown_with_who_made_it_first(classroom):
    room = classroom("Xaver", "Yasmin")
    room.do("make-chains", n=12)
    assert "Who makes the longest chain?" in room.words()
    assert "Nobody has made a chain yet." in room.words("Xaver")  # who is carried to the board
    for chain, move in (("", 6), ("6", 3), ("6,3", 9)):
        answer = room.chain("Xaver", chain, move)
    assert answer.headers["location"] == f"{room.path}/chain?n=12&chain=6,3,9"
    for chain, move in (("", 8), ("8", 4), ("8,4", 2)):  # no longer, and later
        room.chain("Yasmin", chain, move)
    assert "Xaver has the longest chain: 3 of 11" in room.words()
    assert "2 of 2 have made a chain" in room.words()
    assert "Xaver has the longest chain: 3." in room.words("Yasmin")
    room.chain("Yasmin", "8,4,2", 10)
    for visitor in (None, "Xaver", "Yasmin"):
        assert "Yasmin has the longest chain: 4" in room.words(visitor)
    form = {"n": 12, "chain": "6,3,9", "do": "back"}
    room.pupils["Xaver"].post(f"{room.path}/chain", data=form)
    assert "Your longest so far, with the numbers from 1 to 12: 3" in room.words(
        "Xaver"
    )  # the longest, not the last
    room.do("remove", pupil="Yasmin")
    assert "Xaver has the longest chain: 3 of 11" in room.words()
    room.do("make-chains", n=300)  # which nobody has worked out
    room.chain("Xaver", "", 6, size=300)
    assert "Xaver has the longest chain: 1" in room.words() and "1 of" not in room.words("Xaver")


def test_a_chain_that_does_not_fit_the_contest_is_refused_in_one_line(classroom, visit):
    room = classroom("Ada")
    room.do("make-chains", n=12)
    for form, status, line in (
        ({"chain": "6", "move": "5"}, 422, "5 is neither a factor nor a multiple of 6."),
        ({"n": "x"}, 422, "The board's size is a whole number, not 'x'."),
    ):
        answer = room.pupils["Ada"].post(f"{room.path}/chain", data={"n": "12", **form})
        assert answer.status_code == status
        assert line in unescape(answer.text)
    late = room.pupils["Ada"].post(f"{room.path}/chain", data={"n": "13", "move": "3"})
    assert late.headers["location"] == room.path  # to what the class does now
    assert room.pupils["Ada"].get(f"{room.path}/chain?chain=6,5").status_code == 422
    assert visit().post(f"{room.path}/chain", data={"n": 12, "move": 6}).status_code == 403
    assert visit().get(f"{room.path}/chain").headers["location"] == room.path
    assert room.do("make-chains", n=1).status_code == 422
