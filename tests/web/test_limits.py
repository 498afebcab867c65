"""Rates and counts by client: addresses, proven seats, guesses of codes, streams."""

import asyncio
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
from numduel.web.limits import (
    Purpose,
    Rate,
    RateLimits,
    Rates,
    StreamLimits,
    TokenBuckets,
)
from numduel.web.security import SecurityMiddleware
from numduel.web.server import Config


@pytest.fixture(autouse=True)
def without_delay(monkeypatch):
    """Refusals are sent without delay."""
    monkeypatch.setattr(security, "REFUSAL_DELAY_SECONDS", 0)


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until a test advances it: clock.now += 1."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def test_a_bucket_fills_with_time_up_to_its_burst(clock):
    buckets = TokenBuckets(Rate(2, 0.5), max_keys=9)
    buckets.take("a", 2)
    assert (buckets.wait("a"), buckets.wait("b")) == (2, 0)
    buckets.take("a")  # in advance, for a request that waits
    assert buckets.wait("a") == 4
    clock.now += 4
    assert buckets.wait("a") == 0
    clock.now += 10**6
    buckets.take("a", 2)
    assert buckets.wait("a") == 2


def guarded(rates, address="192.0.2.1"):
    """Return a function that makes clients of a trivial application behind the middleware."""

    async def answer(request):
        return PlainTextResponse("fine")

    routes = [Route("/{rest:path}", answer, methods=["GET", "POST"])]
    app = SecurityMiddleware(Starlette(routes=routes), rates)
    return lambda address=address: TestClient(app, client=(address, 1))


def test_requests_beyond_the_rate_are_refused_until_the_bucket_refills(clock):
    client = guarded(Rates(reserved=0, requests=Rate(2, 0.5)))()
    assert [client.get("/").status_code for _ in range(4)] == [200, 200, 429, 429]
    for seconds, statuses in ((1.9, [429]), (2, [200, 429]), (10**6, [200, 200, 429])):
        clock.now += seconds
        assert [client.get("/").status_code for _ in statuses] == statuses


def test_openings_have_a_rate_of_their_own(clock):
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
def test_each_ipv4_address_and_each_ipv6_network_has_its_own_buckets():
    visitor = guarded(Rates(reserved=0, requests=Rate(1, 0)))
    for address in ("192.0.2.1", "192.0.2.2", "::ffff:192.0.2.3", "::ffff:192.0.2.4", "testclient"):
        assert [visitor(address).get("/").status_code for _ in range(2)] == [200, 429]
    assert visitor("2001:db8::1").get("/").status_code == 200
    assert visitor("2001:db8::ffff:2").get("/").status_code == 429
    assert visitor("2001:db8:0:1::1").get("/").status_code == 200
    assert visitor("fe80::1%eth0").get("/").status_code == 200
    assert visitor("fe80::2%eth0").get("/").status_code == 429


@pytest.mark.usefixtures("clock")
def test_the_number_of_remembered_addresses_is_bounded(monkeypatch):
    monkeypatch.setattr(limits, "MAX_CLIENTS", 2)
    visitor = guarded(Rates(reserved=0, requests=Rate(1, 0)))
    statuses = [visitor(f"192.0.2.{n}").get("/").status_code for n in (1, 2, 1, 3, 1, 2)]
    assert statuses == [200, 200, 429, 200, 429, 200]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("rates", [None, Rates()])
def test_a_class_can_join_at_once_with_the_usual_rates_and_without_any(rates):
    client = guarded(rates)()
    assert {client.post("/join").status_code for _ in range(45)} == {200}


@pytest.mark.parametrize("name", ["requests", "pace"])
def test_a_request_that_may_wait_is_answered_after_waiting(name):
    client = guarded(Rates(**{name: Rate(1, 100, max_wait_seconds=180), "reserved": 0}))()
    assert {client.get("/").status_code for _ in range(5)} == {200}


@pytest.mark.usefixtures("clock")
def test_a_refusal_costs_nothing_and_says_when_to_try_again():
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
    """The complete application: school(**rates)() is a client with cookies of its own."""
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
    """Send requests until the address has none left; return how many were answered."""
    count = 0
    while one.get(path, headers=headers).status_code != 429:
        count += 1
    return count


@pytest.mark.usefixtures("clock")
def test_a_flooder_does_not_stop_players_or_a_class_behind_the_same_address(school):
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
    assert flood(player, game) == 7  # the rest of the seat's own burst


@pytest.mark.usefixtures("clock")
def test_waiting_requests_leave_the_reserve_to_seats():
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
def test_a_flooder_does_not_stop_a_program_with_the_secret_of_a_seat(school):
    come = school(requests=Rate(30, 0), seat=Rate(9, 0), reserved=20)
    program, flooder = come(), come()
    opened = program.post("/api/duels", json={"game": "divisor-duel"}).json()
    path, secrets = f"/api/duels/{opened['name']}", opened["secrets"]
    flood(flooder)
    for move, seat in (
        (1, "1"),
        (2, "2"),
        (1, "1"),
    ):  # an unproven secret may use half of the reserve
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
    assert statuses.count(200) == 9 + 20  # its own burst, and half of the reserve
    other = come().post("/play/multiplicity", headers={"Cookie": f"seat={seat}"})
    assert other.status_code == 429


@pytest.mark.usefixtures("clock")
def test_the_number_of_remembered_seats_is_bounded(school, monkeypatch):
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
def test_opening_many_games_does_not_stop_others_from_joining(school):
    come = school(openings=Rate(4, 0))
    teacher, flooder = come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    ticket = re.search(r"ticket=([\w-]+)", teacher.get(room).text)[1]
    opened = [flooder.post("/play/multiplicity").status_code for _ in range(6)]
    assert opened == [303] * 3 + [429] * 3
    for name, path in (("Ada", "/join"), ("Bo", f"/join/{ticket}")):
        assert come().post(path, data={"code": room[6:], "name": name}).status_code == 303


def test_a_room_has_separate_rates_for_joins_by_code_and_by_link(school, clock, monkeypatch):
    monkeypatch.setattr("numduel.web.rooms.service.ROOM_JOINS", Rate(2, 0.1))
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
def test_a_class_can_join_after_every_pupil_has_mistyped_the_code_once(school):
    come = school()
    code = come().post("/rooms/multiplicity").headers["location"][6:]
    pupils = [come() for _ in range(30)]
    for pupil in pupils:
        assert pupil.post("/join", data={"code": "AAAAA", "name": "x"}).status_code == 404
    for number, pupil in enumerate(pupils):
        answer = pupil.post("/join", data={"code": code, "name": f"pupil {number}"})
        assert answer.status_code == 303


def test_guessing_codes_is_limited(school, clock):
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
    assert guesser.get(room).status_code == 429  # otherwise the status would confirm a right guess
    assert guesser.get(room, headers={"Cookie": "pupil=invented"}).status_code == 429
    assert guesser.get("/").status_code == 200
    assert pupil.get(room).status_code == 200
    assert teacher.get(room).status_code == 200
    assert come("192.0.2.2").get(room).status_code == 200
    clock.now += 10
    assert [guesser.get("/room/AAAAA").status_code for _ in range(2)] == [404, 429]


@pytest.mark.usefixtures("clock")
def test_a_right_code_and_a_closed_room_one_was_in_cost_nothing(school):
    come = school(wrong_codes=Rate(1, 0))
    teacher, pupil = come(), come()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    pupil.post("/join", data={"code": room[6:], "name": "Ada"})
    assert {come().get(room).status_code for _ in range(5)} == {200}
    assert teacher.post(f"{room}/delete").status_code == 303
    assert {pupil.get(room).status_code for _ in range(5)} == {404}
    assert come().get(room).status_code == 404
    assert come().get(room).status_code == 429


@pytest.mark.usefixtures("clock")
def test_the_secret_of_another_seat_does_not_help_to_guess_codes(school):
    come = school(wrong_codes=Rate(1, 0))
    player = come()
    game = player.post("/play/multiplicity").headers["location"]
    cookie = {"Cookie": f"pupil={player.cookies.get('seat', path=game)}"}
    assert [player.get("/room/AAAAA", headers=cookie).status_code for _ in range(2)] == [404, 429]


@pytest.mark.usefixtures("clock")
def test_the_link_still_works_after_somebody_guessed_codes(school):
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
def test_a_wrong_link_reveals_nothing_about_a_code(school):
    come = school()
    room = come().post("/rooms/multiplicity").headers["location"]
    said = [
        come().post("/join/invented", data={"code": code, "name": "Ada"})
        for code in (room[6:], "AAAAA")
    ]
    assert [one.status_code for one in said] == [404, 404]
    assert said[0].text.replace(room[6:], "AAAAA") == said[1].text


# Event streams: shared out evenly between clients, and between the people behind one.


def person(address, secret=""):
    client = Client(address, [secret] if secret else [])
    client.prove("duel", client.shown)
    return client


@pytest.fixture
def take():
    """Take a slot: take(slots, "a", "secret") returns it, or None if there is none."""

    def take(slots, *who):
        slot = asyncio.Event()
        slot.set = lambda: lost.append(slot)
        return slot if slots.take(slot, person(*who)) else None

    take.lost = lost = []
    return take


def test_a_person_at_the_limit_loses_the_oldest_slot(take):
    slots = StreamLimits(100, 100, 3)
    first, *others = [take(slots, "a", "one") for _ in range(4)]
    assert take.lost == [first] and first not in slots
    assert all(one in slots for one in others) and len(slots) == 3
    assert all(take(slots, "a") for _ in range(9))  # an unknown person has no limit


def test_a_person_with_fewer_slots_gets_one_of_whoever_holds_most(take):
    slots = StreamLimits(100, 6, 5)
    hoarded = [take(slots, "a", f"game {n % 3}") for n in range(6)]
    assert take(slots, "a", "classmate")
    assert take.lost == hoarded[:1]
    assert take(slots, "a", "game 1") is None  # who already holds as many as anybody
    assert take(slots, "b", "elsewhere")


def test_a_client_with_fewer_slots_gets_one_of_whoever_holds_most(take):
    slots = StreamLimits(5, 4, 5)
    oldest, *_ = [take(slots, "a", f"{n}") for n in range(4)]
    assert take(slots, "b") and take(slots, "b")
    assert take.lost == [oldest]
    assert take(slots, "c")
    assert len(slots) == 5
    for slot in [*slots._slots]:
        slots.free(slot)
        slots.free(slot)
    assert len(slots) == 0


def test_no_sequence_breaks_a_limit_or_shuts_anybody_out(take, many):
    rng, slots = Random(7), StreamLimits(20, 8, 3)
    for _ in range(many(2_000, 20_000)):
        who = rng.choice("abcdef"), rng.choice(["", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
        held = [(one.prefix, one.person) for one in slots._slots.values()]
        slot = take(slots, *who)
        if slot is None:  # then no other person there, and no other client, holds more
            own = [one for one in held if one[0] == who[0]]
            most = max(own.count(one) for one in own)
            assert own.count(who) == most or len(own) == max(
                len([one for one in held if one[0] == prefix]) for prefix in "abcdef"
            )
        held = [(one.prefix, one.person) for one in slots._slots.values()]
        assert len(held) <= 20
        assert all(len([one for one in held if one[0] == prefix]) <= 8 for prefix in "abcdef")
        assert all(held.count(one) <= 3 for one in held if one[1])
        if held and rng.random() < 0.3:
            slots.free(rng.choice([*slots._slots]))
