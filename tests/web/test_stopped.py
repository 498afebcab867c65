"""A server that is told to stop answers every request on its way, and resets nothing."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import pytest
from tests.waiting import TIMEOUT_SECONDS, until

QUESTION = {"game": "multiplicity"}


def follow(client, address, opened):
    """Read a stream to its end, and return its lines."""
    with client.stream("GET", address) as answer:
        lines = answer.iter_lines()
        first = next(lines)
        opened.wait()
        return [first, *lines]


def quiet(log):
    """Return whether a log has no warning and no error."""
    return not any(word in log for word in ("Traceback", '"error"', '"critical"', '"warning"'))


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize(("end", "workers"), [(signal.SIGTERM, 2), (signal.SIGINT, 1)])
def test_requests_on_their_way_are_answered_before_the_end(serve, client, tmp_path, end, workers):
    server = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}", workers=workers)
    terms = {"game": "operation-duel", "settings": {"target": 1000}}
    duel = client().post(f"{server.url}api/duels", json=terms).json()["name"]
    opened = threading.Barrier(5, timeout=TIMEOUT_SECONDS)
    with ThreadPoolExecutor(8) as pool:
        streams = [
            pool.submit(follow, client(), f"{server.url}{way}/{duel}/events", opened)
            for way in ("api/duels", "game") * 2
        ]
        opened.wait()
        before = server.family
        asked = pool.submit(client().post, f"{server.url}api/solve", json=QUESTION)
        until(lambda: server.family - before, "its thinking")
        if end == signal.SIGINT:  # a terminal sends it to the whole group
            os.killpg(server.process.pid, end)
        else:
            server.process.send_signal(end)
        assert asked.result().status_code == 200 and asked.result().json()["moves"]
        for stream in streams:
            assert any(line == "data: 0" for line in stream.result())
    status = server.process.wait(TIMEOUT_SECONDS)
    if end == signal.SIGINT:
        assert status == 130  # like any command that Ctrl-C has ended
    else:
        assert status == (-signal.SIGTERM if workers == 1 else 0)
    assert quiet(server.log), server.log
    until(lambda: not server.family, "the end of all processes")


def hammer(port, kept):
    """Send requests, on one connection or on many, until nobody listens; return the statuses."""
    statuses, connection = [], HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    while True:
        try:
            connection.request("GET", "/healthz", headers={} if kept else {"Connection": "close"})
        except ConnectionRefusedError:
            return statuses
        answer = connection.getresponse()  # raises where the connection was reset
        answer.read()
        statuses.append(answer.status)


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("workers", [1, 2])
def test_at_a_stop_no_request_is_reset(serve, tmp_path, workers, many):
    """Every connection that is made is answered, until no more can be made."""
    for number in range(many(1, 3)):
        server = serve(f"sqlite:///{tmp_path / f'{number}.sqlite'}", workers=workers)
        with ThreadPoolExecutor(8) as pool:
            hammering = [pool.submit(hammer, server.port, kept % 2) for kept in range(8)]
            time.sleep(0.3)
            server.process.terminate()
            statuses = [one for each in hammering for one in each.result()]
        server.process.wait(TIMEOUT_SECONDS)
        assert {*statuses} <= {200, 429} and 200 in statuses
        assert quiet(server.log), server.log


def test_ctrl_c_at_a_terminal_ends_it_quietly(spawn, tmp_path):
    terminal = spawn("serve", "--port", 0, "--database", f"sqlite:///{tmp_path / 'web.sqlite'}")
    terminal.shows("Numduel is at http://127.0.0.1:", "cleared")
    terminal.child.send("\x03")
    assert terminal.ends() == 130
    assert " error " not in terminal.text
