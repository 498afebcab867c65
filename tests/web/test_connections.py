"""The door of the socket: slow and long heads, chunks, and more connections than there may be."""

import asyncio
import gc
import resource
import socket
import threading
import time
from contextlib import closing

import pytest
import uvicorn
from prometheus_client import REGISTRY

from numduel.web import crowd
from numduel.web.connections import RARELY, Connection, Limits, Loop
from numduel.web.crowd import Crowd, household

PATIENCE = 60
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
WHOLE = HEAD + b"\r\n"


async def echo(scope, receive, send):
    """Answer with the body; /wait: only when the connection ends; /long: with much."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    body = b"x" * 2**24 if scope["path"] == "/long" else body or b"hello"
    length = [] if scope["path"] == "/wait" else [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    if scope["path"] == "/wait":
        await send({"type": "http.response.body", "body": b"wait", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
    await send({"type": "http.response.body", "body": body})


class Running:
    """A server in a thread, and connections to it."""

    def __init__(self, limits, most, **options):
        class Guarded(Connection):
            pass

        Guarded.limits, Guarded._crowd = limits, Crowd(most, limits.each)
        self.crowd = Guarded._crowd
        options = {"lifespan": "off", "log_config": None, "access_log": False, **options}
        config = uvicorn.Config(echo, http=Guarded, **options)
        self.server = uvicorn.Server(config)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(
            target=lambda: asyncio.run(self.server.serve([self.listening])), daemon=True
        )
        self.opened = []
        self.thread.start()
        until(lambda: self.server.started)

    def connect(self, address="127.1.0.1", text=b""):
        port = self.listening.getsockname()[1]
        made = socket.create_connection(("127.0.0.1", port), PATIENCE, (address, 0))
        self.opened.append(made)
        made.sendall(text)
        return made

    def ask(self, text, **named):
        """All that is answered until the connection ends."""
        return everything(self.connect(text=text, **named))

    def stop(self):
        for one in self.opened:
            one.close()
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        assert not self.crowd._count and not self.crowd._waiting  # nobody is counted for ever
        assert not self.crowd.held and not self.crowd._waiting_at

    @property
    def count(self):
        return self.crowd.held.total()


def until(happened):
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.005)


def everything(connection):
    found = b""
    try:
        while part := connection.recv(2**20):
            found += part
    except ConnectionResetError:
        pass
    return found


def answer(connection):
    """The next answer, of which the connection stays open."""
    found = b""
    while b"hello" not in found and (part := connection.recv(2**20)):
        found += part
    return found


def ended(connection):
    return everything(connection) == b""


@pytest.fixture
def running():
    servers = []

    def running(most=100, options=None, **limits):
        servers.append(
            Running(
                Limits(**{"seconds": PATIENCE, "pause": 0.01, **limits}), most, **(options or {})
            )
        )
        return servers[-1]

    yield running
    for server in servers:
        server.stop()


# What passes.


def test_a_request_is_answered_and_another_on_the_same_connection(running):
    made = running().connect(text=WHOLE)
    assert answer(made).startswith(b"HTTP/1.1 200")
    for part in (b"GET / HT", b"TP/1.1\r\nHost: x\r", b"\n\r", b"\n"):
        made.sendall(part)
        time.sleep(0.01)
    assert answer(made).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("cut", [0, 10, 60, 75, 90, 110])
def test_a_body_comes_whole_however_it_is_cut(running, cut):
    body = bytes(range(32, 127)) * 300
    text = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    text += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    made = running().connect(text=text[:cut])
    time.sleep(0.02)
    made.sendall(text[cut:])
    assert everything(made).partition(b"\r\n\r\n")[2] == body


def test_lines_may_end_as_they_like(running):
    assert b" 200 " in running().ask(b"GET / HTTP/1.1\nHost: x\nConnection: close\n\n")


# What does not.


def test_a_head_that_does_not_end_is_given_up(running):
    server = running(seconds=0.2)
    assert server.ask(HEAD).startswith(b"HTTP/1.1 408 ")


def test_a_head_that_comes_byte_by_byte_has_no_more_time(running):
    made = running(seconds=0.3).connect(text=HEAD)
    begun = time.monotonic()
    made.settimeout(0.01)
    found = b""
    while not found:
        assert time.monotonic() < begun + PATIENCE
        made.send(b"x")
        try:
            found = made.recv(1000)
        except TimeoutError:
            continue
    assert found.startswith(b"HTTP/1.1 408 ")


def test_a_connection_that_says_nothing_is_dropped(running):
    assert ended(running(seconds=0.2).connect())


def test_a_second_head_has_the_same_time(running):
    made = running(seconds=0.3).connect(text=WHOLE)
    answer(made)
    made.sendall(HEAD)
    assert everything(made).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("ends", [b"", b"\r\n\r\n"])
def test_a_long_head_is_refused_before_it_is_parsed(running, ends):
    long = HEAD + b"Cookie: seat=" + b"x" * 20_000 + ends
    assert running().ask(long).startswith(b"HTTP/1.1 431 ")


def test_a_long_body_after_a_short_head_is_no_long_head(running):
    text = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n"
    assert running().ask(text + b"x" * 60_000).startswith(b"HTTP/1.1 200 ")


def test_many_headers_are_refused_before_they_are_parsed(running):
    assert running().ask(HEAD + b"a:b\r\n" * 200 + b"\r\n").startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "name", [b"Transfer-Encoding", b"transfer-encoding ", b"TRANSFER-ENCODING"]
)
def test_chunks_are_refused(running, name):
    text = b"POST / HTTP/1.1\r\nHost: x\r\n%s: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n" % name
    assert running().ask(text).startswith(b"HTTP/1.1 411 ")


def test_whoever_is_refused_hears_it_while_still_sending(running):
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    made = running().connect(text=head)
    made.sendall(b"1\r\nx\r\n" * 60_000)
    assert everything(made).startswith(b"HTTP/1.1 411 ")


def test_what_is_no_request_is_refused_at_once(running):
    assert running().ask(b"\x16\x03\x01\x02\x00\x01").startswith(b"HTTP/1.1 400 ")
    assert running().ask(b"nonsense\r\n\r\nmore").startswith(b"HTTP/1.1 400 ")


def test_a_request_before_the_answer_to_another_is_cut_off(running):
    assert running().ask(WHOLE * 3).count(b"HTTP/1.1") == 1


def test_whoever_does_not_read_is_dropped(running):
    server = running(stalled=0.2)
    made = server.connect(text=b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
    until(lambda: server.count == 1)
    until(lambda: server.count == 0)
    made.close()


# How many there may be.


def test_of_an_address_that_has_too_many_the_one_that_waits_longest_goes(running):
    server = running(each=3)
    first, second, third = (server.connect(text=HEAD) for _ in range(3))
    other = server.connect("127.1.0.2", HEAD)
    until(lambda: server.count == 4)
    fourth = server.connect(text=WHOLE)
    assert answer(fourth).startswith(b"HTTP/1.1 200")
    assert ended(first)
    for one in (second, third, other):
        one.sendall(b"\r\n")
        assert answer(one).startswith(b"HTTP/1.1 200")


def test_who_has_been_answered_waits_anew(running):
    server = running(each=2)
    first = server.connect(text=WHOLE)
    answer(first)
    second = server.connect(text=HEAD)
    until(lambda: server.count == 2)
    first.sendall(WHOLE)
    answer(first)
    server.connect(text=HEAD)
    assert ended(second)
    first.sendall(WHOLE)
    assert answer(first).startswith(b"HTTP/1.1 200")


def test_who_is_being_answered_stays_and_others_are_told(running):
    server = running(each=2)
    streams = [server.connect(text=b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(2)]
    for stream in streams:
        while b"wait" not in stream.recv(1000):
            pass
    assert server.ask(WHOLE).startswith(b"HTTP/1.1 503 ")
    assert answer(server.connect("127.1.0.2", WHOLE)).startswith(b"HTTP/1.1 200")
    streams.pop().close()
    until(lambda: server.crowd.held["127.1.0.1"] < 2)
    assert answer(server.connect(text=WHOLE)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("bounds", "cause"),
    [
        ({"most": 1}, "all 1 connections ask for something"),
        ({"each": 1}, "all 1 connections of an address ask for something"),
    ],
)
def test_that_too_many_are_connected_is_counted_and_its_cause_logged(
    running, caplog, bounds, cause
):
    server, labels = running(**bounds), {"status": "503", "reason": "Service Unavailable"}
    before = REGISTRY.get_sample_value("numduel_refusals_total", labels) or 0
    stream = server.connect(text=b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
    while b"wait" not in stream.recv(1000):
        pass
    assert server.ask(WHOLE).startswith(b"HTTP/1.1 503 ")
    assert REGISTRY.get_sample_value("numduel_refusals_total", labels) == before + 1
    assert [one.cause for one in caplog.records if one.message == "busy"] == [cause]


def test_of_all_addresses_together_the_one_that_waits_longest_goes(running):
    server = running(most=5)
    waiting = [server.connect(f"127.1.0.{number}", HEAD) for number in range(1, 6)]
    until(lambda: server.count == 5)
    assert answer(server.connect("127.1.0.9", WHOLE)).startswith(b"HTTP/1.1 200")
    assert ended(waiting[0])
    waiting[1].sendall(b"\r\n")
    assert answer(waiting[1]).startswith(b"HTTP/1.1 200")


def test_those_who_could_have_said_all_go_before_those_who_may_just_have_come(running):
    server = running(most=3)
    silent = [server.connect(f"127.1.0.{number}") for number in (1, 2)]
    until(lambda: server.count == 2)
    begun = server.connect("127.1.0.3", HEAD)
    until(lambda: server.crowd._waiting._begun)
    assert answer(server.connect("127.1.0.4", WHOLE)).startswith(b"HTTP/1.1 200")
    assert ended(begun)
    for one in silent:
        one.sendall(WHOLE)
        assert answer(one).startswith(b"HTTP/1.1 200")


def test_many_more_than_there_may_be_hold_nobody_up(running):
    server = running(most=20, each=10)
    for number in range(200):
        server.connect(f"127.1.0.{1 + number % 50}", HEAD)
        if number % 20 == 0:
            assert answer(server.connect("127.2.0.1", WHOLE)).startswith(b"HTTP/1.1 200")


def test_a_proxy_may_have_more(running):
    server = running(each=2, options={"forwarded_allow_ips": "127.1.0.1"})
    made = [server.connect(text=HEAD) for _ in range(5)]
    until(lambda: server.count == 5)
    for one in made:
        one.sendall(b"\r\n")
        assert answer(one).startswith(b"HTTP/1.1 200")


@pytest.fixture
def collector():
    """The collector of garbage, which is as it was in the end."""
    before = gc.get_threshold()
    yield gc
    gc.unfreeze()
    gc.set_threshold(*before)


def test_what_is_loaded_is_not_looked_through_for_garbage_once_it_is_served(collector):
    with closing(Loop()) as loop:
        server = loop.run_until_complete(loop.create_server(asyncio.Protocol, "127.0.0.1", 0))
        assert collector.get_freeze_count() > len(gc.get_objects())
        assert collector.get_threshold()[2] == RARELY
        server.close()
        loop.run_until_complete(server.wait_closed())


def test_many_may_stand_in_line_although_few_are_taken_in_at_once(collector):
    with closing(Loop()) as loop:
        made = loop.create_server(asyncio.Protocol, "127.0.0.1", 0, backlog=1)
        server = loop.run_until_complete(made)
        port = server.sockets[0].getsockname()[1]
        line = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(50)]
        for one in line:
            one.close()
        server.close()
        loop.run_until_complete(server.wait_closed())


def test_some_files_are_kept_for_all_but_connections(monkeypatch):
    asked = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: asked.append(both))
    for limits, most in [
        ((64, 64), 32),
        ((1024, 1024), 768),
        ((1024, 2048), 1792),
        ((1024, 524_288), 4096),
        ((1024, resource.RLIM_INFINITY), 4096),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), 4096),
        ((100_000, 100_000), 4096),
    ]:
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        assert crowd.may_connect() == most
    assert asked[2:] == [(2048, 2048), (4352, 524_288), (4352, resource.RLIM_INFINITY)]


@pytest.mark.parametrize(
    ("host", "whose"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
        ("", ""),
        ("a-socket", "a-socket"),
    ],
)
def test_a_home_is_one(host, whose):
    assert household(host) == whose


def test_a_stop_lets_streams_and_waiting_ones_go(running):
    server = running()
    with closing(server.connect(text=HEAD)) as half:
        until(lambda: server.count == 1)
        server.server.should_exit = True
        assert ended(half)
        until(lambda: not server.thread.is_alive())
