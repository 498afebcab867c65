"""What a request costs, and who pays: addresses, seats, and whoever guesses codes."""

import html
import re
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from numduel.web import guard, purses, tolls
from numduel.web.app import create_app
from numduel.web.bounds import Rate, Rates
from numduel.web.guard import Guard
from numduel.web.live.site import Config


class Clock:
    """A time that stands still until it is told to go on."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """Whoever is refused is told at once."""
    monkeypatch.setattr(guard, "PAUSE", 0)


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(purses, "time", SimpleNamespace(monotonic=clock))
    return clock


def guarded(rates, address="192.0.2.1"):
    """A visitor of an application that only answers, behind a guard with those rates."""

    async def answer(request):
        return PlainTextResponse("fine")

    routes = [Route("/{rest:path}", answer, methods=["GET", "POST"])]
    app = Guard(Starlette(routes=routes), rates)
    return lambda address=address: TestClient(app, client=(address, 1))


def test_too_many_requests_wait_a_little_and_then_go_on(clock):
    client = guarded(Rates(requests=Rate(3, 0.5)))()
    assert [client.get("/").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    assert client.get("/").text == "Too many requests: please try again in 2 seconds."
    clock.now += 1.9
    assert client.get("/").status_code == 429
    clock.now += 2
    assert [client.get("/").status_code for _ in range(2)] == [200, 429]
    clock.now += 10**6  # no longer than the purse is deep
    assert [client.get("/").status_code for _ in range(4)] == [200, 200, 200, 429]


@pytest.mark.parametrize(
    "path",
    [
        "/play/multiplicity",
        "/rooms/multiplicity",
        "/join",
        "/analyze",
        "/room/ABCDE/round",
        "/api/duels",
        "/api/solve",
        "/api/analyze",
    ],
)
def test_what_makes_something_new_has_a_rate_of_its_own(clock, path):
    client = guarded(Rates(openings=Rate(2, 1)))()
    assert [client.post(path).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get(path).status_code == 200
    for other in ("/game/x/move", "/api/duels/x/move", "/room/x/close"):
        assert client.post(other).status_code == 200
    clock.now += 1
    assert client.post(path).status_code == 200


@pytest.mark.usefixtures("clock")
def test_each_address_has_a_purse_of_its_own():
    visitor = guarded(Rates(requests=Rate(1, 0)))
    for address in ("192.0.2.1", "192.0.2.2", "::ffff:192.0.2.3", "::ffff:192.0.2.4", "testclient"):
        assert [visitor(address).get("/").status_code for _ in range(2)] == [200, 429]


@pytest.mark.usefixtures("clock")
def test_the_addresses_of_one_home_share_a_purse():
    visitor = guarded(Rates(requests=Rate(1, 0)))
    assert visitor("2001:db8::1").get("/").status_code == 200
    assert visitor("2001:db8::ffff:2").get("/").status_code == 429
    assert visitor("2001:db8:0:1::1").get("/").status_code == 200
    assert visitor("fe80::1%eth0").get("/").status_code == 200
    assert visitor("fe80::2%eth0").get("/").status_code == 429


@pytest.mark.usefixtures("clock")
def test_only_so_many_addresses_are_remembered(monkeypatch):
    monkeypatch.setattr(tolls, "MOST_ADDRESSES", 2)
    visitor = guarded(Rates(requests=Rate(1, 0)))
    statuses = [visitor(f"192.0.2.{n}").get("/").status_code for n in (1, 2, 1, 3, 1, 2)]
    assert statuses == [200, 200, 429, 200, 429, 200]


@pytest.mark.usefixtures("clock")
def test_without_rates_nobody_waits():
    client = guarded(None)()
    assert {client.get("/").status_code for _ in range(300)} == {200}


@pytest.mark.soak
@pytest.mark.usefixtures("clock")
def test_the_usual_rates_let_a_class_begin():
    client = guarded(Rates())()
    assert {client.post("/join").status_code for _ in range(100)} == {200}


def test_whoever_waits_in_line_is_let_in():
    client = guarded(Rates(requests=Rate(1, 100, patience=180)))()
    assert {client.get("/").status_code for _ in range(5)} == {200}


def test_a_flood_is_spread():
    client = guarded(Rates(pace=Rate(1, 100, patience=180)))()
    assert {client.get("/").status_code for _ in range(5)} == {200}


@pytest.mark.usefixtures("clock")
def test_what_is_refused_costs_nothing():
    client = guarded(Rates(requests=Rate(2, 0), openings=Rate(1, 0)))()
    assert [client.post("/join").status_code for _ in range(9)] == [200] + [429] * 8
    assert [client.get("/").status_code for _ in range(2)] == [200, 429]


@pytest.mark.usefixtures("clock")
def test_a_refusal_says_when_to_come_again():
    client = guarded(Rates(requests=Rate(1, 0.5), openings=Rate(0, 0)))()
    assert client.post("/api/duels").json() == {
        "error": "Too many requests: please try again in 3600 seconds."
    }
    client.get("/")
    refused = client.get("/")
    assert refused.text == "Too many requests: please try again in 2 seconds."
    assert refused.headers["retry-after"] == "2"


# A whole school behind one address.


@pytest.fixture
def school(tmp_path):
    """The whole application with those rates; each who comes in has cookies of their own."""
    opened = []

    def school(**rates):
        app = create_app(Config(f"sqlite:///{tmp_path / 'numduel.sqlite'}", rates=Rates(**rates)))
        first = TestClient(app, follow_redirects=False)
        opened.append(first.__enter__())

        def come(address="192.0.2.1"):
            one = TestClient(app, client=(address, 1), follow_redirects=False)
            one.portal = first.portal
            return one

        return come

    yield school
    for one in opened:
        one.__exit__(None, None, None)


def flood(one, path="/nothing", **headers):
    """Ask until the address has nothing left; how often that was."""
    count = 0
    while one.get(path, headers=headers).status_code != 429:
        count += 1
    return count


@pytest.mark.usefixtures("clock")
def test_those_who_play_and_those_in_a_room_are_not_hurt_by_a_flooder(school):
    come = school(requests=Rate(20, 0), seats=Rate(9, 0))
    player, teacher, pupil, flooder = come(), come(), come(), come()
    game = player.post("/play/multiplicity", data={"opponent": "here"}).headers["location"]
    room = teacher.post("/rooms/multiplicity").headers["location"]
    assert pupil.post("/join", data={"code": room[6:], "name": "Ada"}).status_code == 303
    flood(flooder)
    assert flooder.get("/").status_code == 429
    assert player.get(game).status_code == 200
    assert player.post(f"{game}/move", data={"move": "2"}).status_code == 303
    assert pupil.get(room).status_code == 200
    assert teacher.get(room).status_code == 200
    assert teacher.post(f"{room}/remove", data={"pupil": "Ada"}).status_code == 303
    assert flood(player, game) == 7  # no more than a seat has


@pytest.mark.usefixtures("clock")
def test_a_program_with_the_secret_of_a_seat_is_not_hurt_by_a_flooder(school):
    come = school(requests=Rate(20, 0), seats=Rate(9, 0), doubts=Rate(2, 0))
    program, flooder = come(), come()
    opened = program.post("/api/duels", json={"game": "divisor-duel"}).json()
    path, secrets = f"/api/duels/{opened['name']}", opened["secrets"]
    flood(flooder)
    for move, seat in ((1, "1"), (2, "2"), (1, "1")):  # each was heard once before it was known
        headers = {"Authorization": f"Bearer {secrets[seat]}"}
        assert program.post(f"{path}/move", json={"move": move}, headers=headers).status_code == 200


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("invented", ["seat=x{}", "pupil=x{}", "teacher=x{}", "seat=x{}.y{}"])
def test_an_invented_secret_gets_no_purse(school, invented):
    come = school(requests=Rate(20, 0), seats=Rate(9, 0), doubts=Rate(3, 0))
    game = come().post("/play/multiplicity").headers["location"]
    flooder = come()
    statuses = [
        flooder.get(game, headers={"Cookie": invented.format(n, n)}).status_code for n in range(50)
    ]
    assert statuses == [200] * 22 + [429] * 28


@pytest.mark.usefixtures("clock")
def test_one_seat_is_not_many_purses(school):
    come = school(requests=Rate(20, 0), seats=Rate(9, 0), doubts=Rate(3, 0))
    opener = come()
    game = opener.post("/play/multiplicity").headers["location"]
    seat = opener.cookies.get("seat", path=game)
    statuses = [
        come().get(game, headers={"Cookie": f"seat={seat}.x{n}"}).status_code for n in range(50)
    ]
    assert statuses.count(200) == 9 + 19
    other = come().post("/play/multiplicity", headers={"Cookie": f"seat={seat}"})
    assert other.status_code == 429


@pytest.mark.usefixtures("clock")
def test_only_so_many_seats_of_an_address_and_addresses_with_seats_are_remembered(monkeypatch):
    monkeypatch.setattr(tolls, "MOST_SEATS", 2)
    monkeypatch.setattr(tolls, "MOST_WITH_SEATS", 2)
    purse = tolls.Tolls(Rates(requests=Rate(0, 0), doubts=Rate(0, 0)))

    def known(address, secret):
        asked = tolls.Asking(address, "game", (secret,), opens=False, tries_code=False)
        try:
            purse.pay(asked)
        except tolls.Refused:
            return False
        return True

    def settle(address, secret):
        asked = tolls.Asking(address, "game", (secret,), opens=False, tries_code=False)
        purse.settle(asked, [("game", secret)], 200)

    for secret in "abc":
        settle("one", secret)
    assert [known("one", secret) for secret in "abc"] == [False, True, True]
    assert not known("two", "b")
    settle("two", "a")
    settle("one", "b")
    settle("three", "a")
    assert [known(address, "a") for address in ("two", "three")] == [False, True]
    assert known("one", "b")


def test_those_who_play_stay_known_however_many_games_another_opens(school, clock, monkeypatch):
    monkeypatch.setattr(tolls, "MOST_SEATS", 5)
    come = school(requests=Rate(40, 0), seats=Rate(9, 0), doubts=Rate(0, 0))
    teacher, player, flooder = come(), come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    game = player.post("/play/multiplicity", data={"opponent": "here"}).headers["location"]
    for visitor, path in ((teacher, room), (player, game)):
        assert [visitor.get(path).status_code for _ in range(2)] == [200, 200]
    for _ in range(10):
        flooder.get(flooder.post("/play/multiplicity").headers["location"])
    flood(flooder)
    assert teacher.get(room).status_code == 200
    assert player.post(f"{game}/move", data={"move": "2"}).status_code == 303


def test_seats_that_are_idle_make_room_for_others(clock):
    seats = purses.Seats(Rate(9, 0), 2)
    seats.spend("gone", 5)
    clock.now += purses.IDLE
    for one in ("here", "new", "newer"):
        seats.spend(one)
    assert [one in seats for one in ("gone", "here", "new", "newer")] == [False, False, True, True]
    seats.spend("new")
    seats.spend("newest", 0)
    assert [one in seats for one in ("new", "newer", "newest")] == [True, False, True]


# The codes of rooms.


@pytest.mark.usefixtures("clock")
def test_a_class_gets_in_although_each_has_mistyped_the_code_once(school):
    come = school()
    code = come().post("/rooms/multiplicity").headers["location"][6:]
    pupils = [come() for _ in range(30)]
    for pupil in pupils:
        assert pupil.post("/join", data={"code": "AAAAA", "name": "x"}).status_code == 404
    for number, pupil in enumerate(pupils):
        answer = pupil.post("/join", data={"code": code, "name": f"pupil {number}"})
        assert answer.status_code == 303


def test_whoever_guesses_codes_is_told_to_come_again_later(school, clock):
    come = school(codes=Rate(4, 0.1))
    teacher = come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    pupil, guesser = come(), come()
    assert pupil.post("/join", data={"code": room[6:], "name": "Ada"}).status_code == 303
    for n, path in enumerate(("/room/AAAAA", "/room/AAAAA/events", "/room/AAAAA/play")):
        assert guesser.get(path).status_code == 404, n
    guess = {"code": "AAAAA", "name": "x"}
    assert guesser.post("/join", data=guess).status_code == 404
    refused = guesser.post("/join", data=guess)
    assert refused.status_code == 429
    assert refused.text == "Too many wrong codes came from here: please try again in 10 seconds."
    assert guesser.get(room).status_code == 429  # or a guess would be known to be right
    assert guesser.get(room, headers={"Cookie": "pupil=invented"}).status_code == 429
    assert guesser.get("/").status_code == 200
    assert pupil.get(room).status_code == 200
    assert teacher.get(room).status_code == 200
    assert come("192.0.2.2").get(room).status_code == 200
    clock.now += 10
    assert [guesser.get("/room/AAAAA").status_code for _ in range(2)] == [404, 429]


@pytest.mark.usefixtures("clock")
def test_right_codes_cost_nothing(school):
    come = school(codes=Rate(1, 0))
    room = come().post("/rooms/multiplicity").headers["location"]
    assert {come().get(room).status_code for _ in range(20)} == {200}


@pytest.mark.usefixtures("clock")
def test_a_room_that_is_closed_is_no_wrong_code_to_those_who_were_in(school):
    come = school(codes=Rate(1, 0))
    teacher, pupil = come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    pupil.post("/join", data={"code": room[6:], "name": "Ada"})
    assert teacher.post(f"{room}/close").status_code == 303
    assert {pupil.get(room).status_code for _ in range(5)} == {404}
    assert come().get(room).status_code == 404
    assert come().get(room).status_code == 429


@pytest.mark.usefixtures("clock")
def test_a_seat_elsewhere_guesses_no_codes(school):
    come = school(codes=Rate(1, 0))
    player = come()
    game = player.post("/play/multiplicity").headers["location"]
    cookie = {"Cookie": f"pupil={player.cookies.get('seat', path=game)}"}
    assert [player.get("/room/AAAAA", headers=cookie).status_code for _ in range(2)] == [404, 429]


@pytest.mark.usefixtures("clock")
def test_whoever_has_the_link_gets_in_although_another_has_guessed_codes(school):
    come = school(codes=Rate(2, 0))
    teacher, guesser, pupil = come(), come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    link = html.unescape(re.search('Join at <a href="([^"]+)"', teacher.get(room).text)[1])
    for status in (404, 404, 429):
        guess = {"code": "AAAAA", "name": "x"}
        assert guesser.post("/join", data=guess).status_code == status
    form = {"code": room[6:], "name": "Ada"}
    assert pupil.post("/join", data=form).status_code == 429
    way = re.search('action="(/join/[^"]+)"', pupil.get(link).text)[1]
    assert pupil.post(way, data=form).status_code == 303
    assert pupil.get(room).status_code == 200


@pytest.mark.usefixtures("clock")
def test_a_wrong_link_tells_nothing_about_a_code(school):
    come = school()
    room = come().post("/rooms/multiplicity").headers["location"]
    said = [
        come().post("/join/invented", data={"code": code, "name": "Ada"})
        for code in (room[6:], "AAAAA")
    ]
    assert [one.status_code for one in said] == [404, 404]
    assert said[0].text.replace(room[6:], "AAAAA") == said[1].text
