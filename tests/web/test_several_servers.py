"""Several servers of the same games: a change at one is seen at the other, exactly once."""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from tests.waiting import TIMEOUT_SECONDS

from numduel.games import new

RACERS = 20
TURNS = 4
GAME = {"game": "operation-duel", "settings": {"target": 1_000_000}}


@pytest.fixture(params=["two on PostgreSQL", "two workers on SQLite"])
def servers(request, serve, tmp_path):
    """The addresses of two servers of the same games; those of two workers are the same."""
    file = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    if request.param == "two workers on SQLite":
        return [serve(file, workers=2).url] * 2
    postgres = request.getfixturevalue("postgres")
    url = postgres.url("several")
    return [serve(url).url, serve(url).url]


def opened(client, server):
    """Open a duel of two people; return its name, and the secrets of seats 1 and 2."""
    answer = client.post(f"{server}api/duels", json=GAME)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return made["name"], [made["secrets"]["1"], made["secrets"]["2"]]


def move(client, server, name, secret, move, at=None):
    body = {"move": move} if at is None else {"move": move, "at": at}
    bearer = {"Authorization": f"Bearer {secret}"}
    return client.post(f"{server}api/duels/{name}/move", json=body, headers=bearer)


@contextmanager
def events(client, address):
    """Yield the events of a stream as pairs (event, data)."""
    with client.stream("GET", address) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()

        def tell():
            event, end = "", time.monotonic() + TIMEOUT_SECONDS
            for line in lines:
                assert time.monotonic() < end, "the stream tells nothing"
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    yield event, value

        yield tell()


def await_version(stream, version):
    """Read events up to a version; versions only grow."""
    last = -1
    for event, data in stream:
        assert event == "version" and int(data) > last
        last = int(data)
        if last >= version:
            assert last == version
            return
    pytest.fail("the stream has ended")


@pytest.mark.soak(keep=1)
def test_a_move_made_through_one_appears_live_through_the_other(servers, client):
    one, two = client(), client()
    name, secrets = opened(one, servers[0])
    streams = [
        f"{servers[k % 2]}{way}/{name}/events"
        for k, way in enumerate(("api/duels", "api/duels", "game", "game", "game", "game"))
    ]
    with ThreadPoolExecutor(len(streams)) as pool:
        at_start, moved = (
            threading.Barrier(len(streams) + 1, timeout=TIMEOUT_SECONDS) for _ in range(2)
        )

        def watch(address):
            with events(client(), address) as told:
                await_version(told, 0)
                at_start.wait()
                for turn in range(TURNS):
                    await_version(told, turn + 1)
                    moved.wait()

        watching = [pool.submit(watch, address) for address in streams]
        at_start.wait()
        for turn in range(TURNS):
            server = servers[turn // 2 % 2]
            answer = move(one, server, name, secrets[turn % 2], 1, turn)
            assert answer.status_code == 200, answer.text
            moved.wait()
            for address in servers:
                state = two.get(f"{address}api/duels/{name}").json()
                assert (state["version"], state["moves"]) == (turn + 1, [1] * (turn + 1))
                page = two.get(f"{address}game/{name}")
                assert re.search(rf'data-version="{turn + 1}"', page.text)
        for each in watching:
            each.result()


@pytest.mark.soak(keep=0)
def test_a_class_is_called_and_its_room_deleted_through_one_server_for_the_other(servers, client):
    teacher, pupils = client(), [client(), client()]
    answer = teacher.post(f"{servers[0]}rooms/operation-duel", data={"set-target": "20"})
    assert answer.status_code == 303, answer.text
    place = answer.headers["location"]
    code = place.rpartition("/")[2]
    for pupil, server, name in zip(pupils, servers, ("Ada", "Max"), strict=True):
        answer = pupil.post(f"{server}join", data={"code": code, "name": name})
        assert answer.status_code == 303, answer.text
    page = pupils[0].get(f"{servers[1]}{place[1:]}")
    assert "Welcome, Ada!" in page.text and "2 are here." in page.text
    with events(client(), f"{servers[1]}{place[1:]}/events") as told:
        assert next(told)[0] == "version"
        cookie = seat(teacher, "teacher")
        begin = f"{servers[0]}{place[1:]}/round"
        answer = teacher.post(begin, data={"round": "1"}, headers=cookie)
        assert answer.status_code == 303, answer.text
        assert next(told)[0] == "version"
        answer = pupils[1].get(f"{servers[1]}{place[1:]}/play", headers=seat(pupils[1], "pupil"))
        game = answer.headers["location"]
        assert game.startswith("/game/")
        own = {"Cookie": seat(pupils[1], "pupil")["Cookie"].replace("pupil", "seat")}
        player = client()
        player.headers |= own
        with events(player, f"{servers[1]}{game[1:]}/events") as called:
            _, before = next(called)
            asked = new("operation-duel", target=20)
            form = {
                "game": asked.key,
                "set-target": "20",
                "position": asked.notation(asked.start()),
            }
            answer = teacher.post(f"{servers[0]}{place[1:]}/ask", data=form, headers=cookie)
            assert answer.status_code == 303, answer.text
            assert int(next(called)[1]) == int(before) + 1  # players hear of a question too
        answer = teacher.post(f"{servers[0]}{place[1:]}/delete", headers=cookie)
        assert answer.headers["location"] == "/class"
        assert [event for event, _ in told][-1] == "gone"
    for server in servers:
        for gone in (place, game):
            assert teacher.get(f"{server}{gone[1:]}").status_code == 404


def seat(client, name):
    """Return the value of a cookie, whichever server has set it."""
    [value] = {cookie.value for cookie in client.cookies.jar if cookie.name == name}
    return {"Cookie": f"{name}={value}"}


def race(clients, ask):
    """Send all requests at the same instant, and return the answers."""
    start = threading.Barrier(len(clients), timeout=TIMEOUT_SECONDS)

    def run(number, client):
        start.wait()
        return ask(number, client)

    with ThreadPoolExecutor(len(clients)) as pool:
        return [*pool.map(run, range(len(clients)), clients)]


@pytest.mark.soak(keep=0)
def test_of_many_who_race_for_a_turn_one_moves(servers, client):
    clients = [client() for _ in range(RACERS)]
    for way in ("seen", "unseen", "form"):
        race_for_turns(servers, clients, way)


def race_for_turns(servers, clients, way):
    name, secrets = opened(clients[0], servers[0])
    for number, each in enumerate(clients):  # so that each is already connected
        assert each.get(f"{servers[number % 2]}api/duels/{name}").status_code == 200
    made = []
    for turn in range(TURNS):
        secret = secrets[turn % 2]

        def ask(number, client, turn=turn, secret=secret):
            server, chosen = servers[number % 2], 1 + number // 2 % 2
            if way == "form":
                form = {"move": str(chosen), "at": str(turn)}
                cookie = {"Cookie": f"seat={secret}"}
                return client.post(f"{server}game/{name}/move", data=form, headers=cookie)
            return move(client, server, name, secret, chosen, turn if way == "seen" else None)

        answers = race(clients, ask)
        good = 303 if way == "form" else 200
        statuses = [answer.status_code for answer in answers]
        assert sorted(statuses) == sorted([good] + [409] * (RACERS - 1))
        for answer in answers:
            if answer.status_code == 409:
                said = answer.text if way == "form" else answer.json()["error"]
                assert "has moved on" in said or "not your turn" in said
        made.append(1 + statuses.index(good) // 2 % 2)
        for server in servers:
            state = clients[0].get(f"{server}api/duels/{name}").json()
            assert (state["version"], state["moves"]) == (turn + 1, made)
