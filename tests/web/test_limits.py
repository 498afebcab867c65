"""Rates and counts by client: addresses, proven seats, guesses of codes, streams."""

import html
import re
from contextlib import suppress
from random import Random
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from numduel.web import limits, security
from numduel.web.app import create_app
from numduel.web.identity import Client
from numduel.web.limits import Place, Places, Purpose, Rate, RateLimits, Rates, TokenBuckets
from numduel.web.security import SecurityMiddleware
from numduel.web.server import Config


@pytest.fixture(autouse=True)
def without_delay(monkeypatch):
    """A refusal is answered at once."""
    monkeypatch.setattr(security, "REFUSAL_SECONDS", 0)


@pytest.fixture
def clock(monkeypatch):
    """A time that stands still until it is told to go on: clock.now += 1."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def test_a_bucket_fills_with_time_up_to_its_burst(clock):
    buckets = TokenBuckets(Rate(2, 0.5), max_keys=9)
    buckets.take("a", 2)
    assert (buckets.wait("a"), buckets.wait("b")) == (2, 0)
    buckets.take("a")  # in advance, by one who waits for it
    assert buckets.wait("a") == 4
    clock.now += 4
    assert buckets.wait("a") == 0
    clock.now += 10**6
    buckets.take("a", 2)
    assert buckets.wait("a") == 2


def guarded(rates, address="192.0.2.1"):
    """A visitor of an application that only answers, behind the middleware with those rates."""

    async def answer(request):
        return PlainTextResponse("fine")

    routes = [Route("/{rest:path}", answer, methods=["GET", "POST"])]
    app = SecurityMiddleware(Starlette(routes=routes), rates)
    return lambda address=address: TestClient(app, client=(address, 1))


def test_too_many_requests_wait_a_little_and_then_go_on(clock):
    client = guarded(Rates(reserved=0, requests=Rate(2, 0.5)))()
    assert [client.get("/").status_code for _ in range(4)] == [200, 200, 429, 429]
    for seconds, statuses in ((1.9, [429]), (2, [200, 429]), (10**6, [200, 200, 429])):
        clock.now += seconds
        assert [client.get("/").status_code for _ in statuses] == statuses


def test_what_makes_something_new_has_a_rate_of_its_own(clock):
    pages = ("/play/multiplicity", "/rooms/multiplicity", "/analyze", "/room/ABCDE/round")
    for path in (*pages, "/api/duels", "/api/solve", "/api/analyze"):
        client = guarded(Rates(openings=Rate(2, 1)))()
        assert [client.post(path).status_code for _ in range(3)] == [200, 200, 429], path
        assert client.get(path).status_code == 200
        for other in ("/game/x/move", "/api/duels/x/move", "/room/x/close", "/join"):
            assert client.post(other).status_code == 200
        clock.now += 1
        assert client.post(path).status_code == 200


@pytest.mark.usefixtures("clock")
def test_each_address_has_buckets_of_its_own_and_one_home_shares_them():
    visitor = guarded(Rates(reserved=0, requests=Rate(1, 0)))
    for address in ("192.0.2.1", "192.0.2.2", "::ffff:192.0.2.3", "::ffff:192.0.2.4", "testclient"):
        assert [visitor(address).get("/").status_code for _ in range(2)] == [200, 429]
    assert visitor("2001:db8::1").get("/").status_code == 200
    assert visitor("2001:db8::ffff:2").get("/").status_code == 429
    assert visitor("2001:db8:0:1::1").get("/").status_code == 200
    assert visitor("fe80::1%eth0").get("/").status_code == 200
    assert visitor("fe80::2%eth0").get("/").status_code == 429


@pytest.mark.usefixtures("clock")
def test_only_so_many_addresses_are_remembered(monkeypatch):
    monkeypatch.setattr(limits, "MAX_CLIENTS", 2)
    visitor = guarded(Rates(reserved=0, requests=Rate(1, 0)))
    statuses = [visitor(f"192.0.2.{n}").get("/").status_code for n in (1, 2, 1, 3, 1, 2)]
    assert statuses == [200, 200, 429, 200, 429, 200]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("rates", [None, Rates()])
def test_without_rates_nobody_waits_and_with_the_usual_ones_a_class_can_begin(rates):
    client = guarded(rates)()
    assert {client.post("/join").status_code for _ in range(45)} == {200}


@pytest.mark.parametrize("name", ["requests", "pace"])
def test_whoever_waits_for_their_turn_is_let_in(name):
    client = guarded(Rates(**{name: Rate(1, 100, max_wait_seconds=180), "reserved": 0}))()
    assert {client.get("/").status_code for _ in range(5)} == {200}


@pytest.mark.usefixtures("clock")
def test_a_refusal_costs_nothing_and_says_when_to_come_again():
    client = guarded(Rates(reserved=0, requests=Rate(2, 0.5), openings=Rate(1, 0)))()
    assert [client.post("/api/duels").status_code for _ in range(9)] == [200] + [429] * 8
    refused = client.post("/api/duels").json()
    assert refused == {"error": "Too many requests: please try again in 3,600 seconds."}
    assert [client.get("/").status_code for _ in range(2)] == [200, 429]
    refused = client.get("/")
    assert refused.text == "Too many requests: please try again in 2 seconds."
    assert refused.headers["retry-after"] == "2"


# A whole school behind one address.


@pytest.fixture
def school(new_database):
    """The whole application with those rates; each who comes in has cookies of their own."""
    opened = []

    def school(**rates):
        app = create_app(Config(new_database(True), rates=Rates(**rates)))
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
    come = school(requests=Rate(60, 0), seat=Rate(9, 0), reserved=20)
    player, teacher, pupil, late, flooder = (come() for _ in range(5))
    game = player.post("/play/multiplicity", data={"opponent": "here"}).headers["location"]
    room = teacher.post("/rooms/multiplicity").headers["location"]
    assert pupil.post("/join", data={"code": room[6:], "name": "Ada"}).status_code == 303
    for _ in range(10):
        flooder.get(flooder.post("/play/multiplicity").headers["location"])
    flood(flooder)
    assert flooder.get("/").status_code == 429
    assert late.get("/join").status_code == 200
    assert late.post("/join", data={"code": room[6:], "name": "Bo"}).status_code == 303
    assert late.get(room).status_code == 200
    assert player.get(game).status_code == 200
    assert player.post(f"{game}/move", data={"move": "2"}).status_code == 303
    assert pupil.get(room).status_code == 200
    assert teacher.get(room).status_code == 200
    assert teacher.post(f"{room}/remove", data={"pupil": "Ada"}).status_code == 303
    assert flood(player, game) == 7  # no more than a seat has


@pytest.mark.usefixtures("clock")
def test_those_who_wait_leave_what_is_reserved_to_seats():
    charge = RateLimits(Rates(requests=Rate(30, 5, max_wait_seconds=2), reserved=10)).charge
    at, counts = Purpose("duel"), []
    for client, purpose in (
        (Client("a"), at),
        (Client("a", ["shown"]), at),
        (Client("a"), Purpose("room", joins=True)),
    ):
        counts.append(0)
        with suppress(HTTPException):
            while counts[-1] < 99:
                charge(client, purpose)
                counts[-1] += 1
    assert counts == [30, 5, 5]


@pytest.mark.usefixtures("clock")
def test_a_program_with_the_secret_of_a_seat_is_not_hurt_by_a_flooder(school):
    come = school(requests=Rate(30, 0), seat=Rate(9, 0), reserved=20)
    program, flooder = come(), come()
    opened = program.post("/api/duels", json={"game": "divisor-duel"}).json()
    path, secrets = f"/api/duels/{opened['name']}", opened["secrets"]
    flood(flooder)
    for move, seat in ((1, "1"), (2, "2"), (1, "1")):  # each was heard once before it was known
        headers = {"Authorization": f"Bearer {secrets[seat]}"}
        assert program.post(f"{path}/move", json={"move": move}, headers=headers).status_code == 200


@pytest.mark.usefixtures("clock")
def test_an_invented_secret_gets_no_bucket(school):
    come = school(requests=Rate(25, 0), seat=Rate(9, 0), reserved=4)
    game = come().post("/play/multiplicity").headers["location"]
    for number, cookie in enumerate(("seat=x{}", "pupil=x{}", "teacher=x{}", "seat=x{}.y{}"), 2):
        flooder = come(f"192.0.2.{number}")
        statuses = [
            flooder.get(game, headers={"Cookie": cookie.format(n, n)}).status_code
            for n in range(50)
        ]
        assert statuses == [200] * 23 + [429] * 27, cookie


@pytest.mark.usefixtures("clock")
def test_one_seat_is_not_many_buckets(school):
    come = school(requests=Rate(40, 0), seat=Rate(9, 0), reserved=20)
    opener = come()
    game = opener.post("/play/multiplicity").headers["location"]
    seat = opener.cookies.get("seat", path=game)
    statuses = [
        come().get(game, headers={"Cookie": f"seat={seat}.x{n}"}).status_code for n in range(50)
    ]
    assert statuses.count(200) == 9 + 20  # beyond its own, what may have a secret gets
    other = come().post("/play/multiplicity", headers={"Cookie": f"seat={seat}"})
    assert other.status_code == 429


@pytest.mark.usefixtures("clock")
def test_only_so_many_seats_are_remembered(school, monkeypatch):
    monkeypatch.setattr(limits, "MAX_PROVEN_SEATS", 2)
    come = school(requests=Rate(30, 0), reserved=20)
    players = [come() for _ in range(3)]
    games = [one.post("/play/multiplicity").headers["location"] for one in players]
    flood(come(), games[0], Cookie="seat=invented")
    statuses = [one.get(game).status_code for one, game in zip(players, games, strict=True)]
    assert statuses == [429, 200, 200]


@pytest.mark.usefixtures("clock")
def test_all_seats_of_an_address_share_one_total(school):
    come = school(requests=Rate(60, 0), seat=Rate(9, 0), reserved=20)
    visitor, pupil = come(), come()
    games = [visitor.post("/play/multiplicity").headers["location"] for _ in range(10)]
    mine = pupil.post("/play/multiplicity").headers["location"]
    statuses = [visitor.get(games[n % 10]).status_code for n in range(90)]
    assert statuses.count(200) == 60 - 11
    assert pupil.get(mine).status_code == 429
    assert come("192.0.2.2").get(mine).status_code == 200


# The codes of rooms.


@pytest.mark.usefixtures("clock")
def test_whoever_opens_games_keeps_nobody_from_joining(school):
    come = school(openings=Rate(4, 0))
    teacher, flooder = come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    ticket = re.search(r"ticket=([\w-]+)", teacher.get(room).text)[1]
    opened = [flooder.post("/play/multiplicity").status_code for _ in range(6)]
    assert opened == [303] * 3 + [429] * 3
    for name, path in (("Ada", "/join"), ("Bo", f"/join/{ticket}")):
        assert come().post(path, data={"code": room[6:], "name": name}).status_code == 303


def test_a_room_has_so_many_joins_by_its_code_and_as_many_by_its_link(school, clock, monkeypatch):
    monkeypatch.setattr("numduel.web.rooms.service.JOINS", Rate(2, 0.1))
    come = school()
    teacher = come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    ticket = re.search(r"ticket=([\w-]+)", teacher.get(room).text)[1]
    for way in ("/join", f"/join/{ticket}"):
        forms = [{"code": room[6:], "name": f"Pupil {len(way)} {n}"} for n in range(3)]
        assert [come().post(way, data=one).status_code for one in forms] == [303, 303, 409]
    clock.now += 10
    assert come().post("/join", data={"code": room[6:], "name": "Late"}).status_code == 303


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
    come = school(wrong_codes=Rate(4, 0.1))
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
def test_neither_a_right_code_nor_a_closed_room_is_wrong_to_those_who_were_in(school):
    come = school(wrong_codes=Rate(1, 0))
    teacher, pupil = come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    pupil.post("/join", data={"code": room[6:], "name": "Ada"})
    assert {come().get(room).status_code for _ in range(5)} == {200}  # a right one costs nothing
    assert teacher.post(f"{room}/delete").status_code == 303
    assert {pupil.get(room).status_code for _ in range(5)} == {404}
    assert come().get(room).status_code == 404
    assert come().get(room).status_code == 429


@pytest.mark.usefixtures("clock")
def test_a_seat_elsewhere_guesses_no_codes(school):
    come = school(wrong_codes=Rate(1, 0))
    player = come()
    game = player.post("/play/multiplicity").headers["location"]
    cookie = {"Cookie": f"pupil={player.cookies.get('seat', path=game)}"}
    assert [player.get("/room/AAAAA", headers=cookie).status_code for _ in range(2)] == [404, 429]


@pytest.mark.usefixtures("clock")
def test_whoever_has_the_link_gets_in_although_another_has_guessed_codes(school):
    come = school(wrong_codes=Rate(2, 0))
    teacher, guesser, pupil = come(), come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    link = html.unescape(re.search('Open <a href="([^"]+)"', teacher.get(room).text)[1])
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


# Places, such as streams: shared out evenly between clients, and between the people behind one.


def person(address, secret=""):
    client = Client(address, [secret] if secret else [])
    client.prove("duel", client.shown)
    return client


@pytest.fixture
def take():
    """Take a place: take(places, "a", "secret"); the place, None if there is none."""

    def take(places, *who):
        place = Place(person(*who), lost=lambda: lost.append(place))
        return place if places.take(place) else None

    take.lost = lost = []
    return take


def test_a_person_keeps_the_latest_few(take):
    places = Places(100, 100, 3)
    first, *others = [take(places, "a", "one") for _ in range(4)]
    assert take.lost == [first] and first not in places
    assert all(one in places for one in others) and len(places) == 3
    assert all(take(places, "a") for _ in range(9))  # nobody in particular


def test_one_who_holds_fewer_gets_a_place_of_who_holds_most(take):
    places = Places(100, 6, 5)
    hoarded = [take(places, "a", f"game {n % 3}") for n in range(6)]
    assert take(places, "a", "classmate")
    assert take.lost == hoarded[:1]
    assert take(places, "a", "game 1") is None  # who holds as many as anybody
    assert take(places, "b", "elsewhere")


def test_between_clients_it_is_the_same(take):
    places = Places(5, 4, 5)
    for n in range(4):
        take(places, "a", f"{n}")
    assert take(places, "b") and take(places, "b")
    assert [one.prefix for one in take.lost] == ["a"]
    assert take(places, "c")
    assert len(places) == 5
    for place in [*places._held]:
        places.give_back(place)
        places.give_back(place)
    assert len(places) == 0


def test_whatever_comes_no_bound_is_broken_and_nobody_is_shut_out(take, many):
    rng, places = Random(7), Places(20, 8, 3)
    for _ in range(many(2_000, 20_000)):
        who = rng.choice("abcdef"), rng.choice(["", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
        held = [(one.prefix, one.person) for one in places._held]
        place = take(places, *who)
        if place is None:  # then no other person there, and no other client, holds more
            own = [one for one in held if one[0] == who[0]]
            most = max(own.count(one) for one in own)
            assert own.count(who) == most or len(own) == max(
                len([one for one in held if one[0] == prefix]) for prefix in "abcdef"
            )
        held = [(one.prefix, one.person) for one in places._held]
        assert len(held) <= 20
        assert all(len([one for one in held if one[0] == prefix]) <= 8 for prefix in "abcdef")
        assert all(held.count(one) <= 3 for one in held if one[1])
        if held and rng.random() < 0.3:
            places.give_back(rng.choice([*places._held]))
