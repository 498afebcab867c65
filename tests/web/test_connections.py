"""Connections: slow and long heads, chunked bodies, and too many connections."""

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
from tests.waiting import TIMEOUT_SECONDS, until

from numduel.web import connections
from numduel.web.connections import Connection, ConnectionLimits, Loop

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
WHOLE = HEAD + b"\r\n"
STREAM = b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"
TURN = STREAM.replace(b"wait", b"turn")


async def echo(scope, receive, send):
    """Answer with the body. /wait and /turn end with the connection; /long is a long answer."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    if scope["path"] != "/turn":  # which is never admitted
        scope["state"]["on_admitted"]()
    body = b"x" * 2**24 if scope["path"] == "/long" else body or b"hello"
    length = [] if scope["path"] in ("/wait", "/turn") else [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    if scope["path"] in ("/wait", "/turn"):
        await send({"type": "http.response.body", "body": b"wait", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
    await send({"type": "http.response.body", "body": body})


class Running:
    """A server in a thread, and connections to it."""

    def __init__(self, max_total, max_per_client, **options):
        self.limits = ConnectionLimits(max_total, max_per_client)

        bounded = type("Bounded", (Connection,), {"limits": self.limits})
        options = {"lifespan": "off", "log_config": None, "access_log": False, **options}
        config = uvicorn.Config(echo, http=bounded, **options)
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
        made = socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS, (address, 0))
        self.opened.append(made)
        made.sendall(text)
        return made

    def ask(self, text, **named):
        """Send text, and return everything received until the connection ends."""
        return everything(self.connect(text=text, **named))

    def stream(self):
        """Return a connection whose answer has begun and does not end."""
        stream = self.connect(text=STREAM)
        while b"wait" not in stream.recv(1000):
            pass
        return stream

    def stop(self):
        for one in self.opened:
            one.close()
        self.server.should_exit = True
        self.thread.join(TIMEOUT_SECONDS)
        assert not self.thread.is_alive()
        assert not self.count and not self.limits.open
        assert not self.limits.idle

    @property
    def count(self):
        return self.limits.open.total()


def everything(connection):
    """Read until the connection ends."""
    found = b""
    try:
        while part := connection.recv(2**20):
            found += part
    except ConnectionResetError:
        pass
    return found


def answer(connection):
    """Read one answer; the connection stays open."""
    found = b""
    while b"hello" not in found and (part := connection.recv(2**20)):
        found += part
    return found


def is_answered(connection):
    return answer(connection).startswith(b"HTTP/1.1 200")


def ended(connection):
    return everything(connection) == b""


@pytest.fixture
def running(monkeypatch):
    """Run a server: running(max_total, max_per_client, head_seconds, **uvicorn_options)."""
    monkeypatch.setattr(connections, "REFUSAL_DELAY_SECONDS", 0.01)
    servers = []

    def running(most=100, each=100, head_seconds=TIMEOUT_SECONDS, **options):
        servers.append(Running(most, each, timeout_keep_alive=head_seconds, **options))
        return servers[-1]

    yield running
    for server in servers:
        server.stop()


# What is answered.


def test_a_request_is_answered_and_another_on_the_same_connection(running):
    made = running().connect(text=WHOLE)
    assert is_answered(made)
    for part in (b"GET / HT", b"TP/1.1\r\nHost: x\r", b"\n\r", b"\n"):
        made.sendall(part)
        time.sleep(0.01)
    assert is_answered(made)


def test_a_body_arrives_complete_however_it_is_split(running):
    server, body = running(), bytes(range(32, 127)) * 300
    text = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    text += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    for cut in (0, 10, 60, 75, 90, 110):
        made = server.connect(text=text[:cut])
        time.sleep(0.02)
        made.sendall(text[cut:])
        assert everything(made).partition(b"\r\n\r\n")[2] == body


def test_lines_may_end_without_carriage_returns(running):
    assert b" 200 " in running().ask(b"GET / HTTP/1.1\nHost: x\nConnection: close\n\n")


def test_a_long_body_does_not_count_as_a_long_head(running):
    text = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n"
    assert running().ask(text + b"x" * 60_000).startswith(b"HTTP/1.1 200 ")


# What is refused.


def test_a_head_that_does_not_end_times_out(running):
    server = running(head_seconds=0.3)
    assert server.ask(HEAD).startswith(b"HTTP/1.1 408 ")
    assert ended(server.connect())  # sends nothing at all
    made = server.connect(text=WHOLE)
    answer(made)
    made.sendall(HEAD)  # a second one has no more time
    assert everything(made).startswith(b"HTTP/1.1 408 ")


def test_a_head_sent_byte_by_byte_gets_no_extra_time(running):
    made = running(head_seconds=0.3).connect(text=HEAD)
    begun = time.monotonic()
    made.settimeout(0.01)
    found = b""
    while not found:
        assert time.monotonic() < begun + TIMEOUT_SECONDS
        made.send(b"x")
        try:
            found = made.recv(1000)
        except TimeoutError:
            continue
    assert found.startswith(b"HTTP/1.1 408 ")


def test_expensive_requests_are_refused_before_they_are_parsed(running):
    server, post = running(), b"POST / HTTP/1.1\r\nHost: x\r\n"
    chunk = b": chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
    for sent, status in (
        (HEAD + b"Cookie: seat=" + b"x" * 20_000, b"431"),
        (HEAD + b"Cookie: seat=" + b"x" * 20_000 + b"\r\n\r\n", b"431"),
        (HEAD + b"a:b\r\n" * 200 + b"\r\n", b"431"),
        (post + b"Transfer-Encoding" + chunk, b"411"),
        (post + b"transfer-encoding " + chunk, b"411"),
        (post + b"TRANSFER-ENCODING" + chunk, b"411"),
        (b"\x16\x03\x01\x02\x00\x01", b"400"),
        (b"nonsense\r\n\r\nmore", b"400"),
    ):
        assert server.ask(sent).startswith(b"HTTP/1.1 %s " % status), sent[:60]


def test_a_client_that_is_still_sending_receives_the_refusal(running):
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    made = running().connect(text=head)
    made.sendall(b"1\r\nx\r\n" * 60_000)
    assert everything(made).startswith(b"HTTP/1.1 411 ")


def test_pipelined_requests_are_not_answered(running):
    assert running().ask(WHOLE * 3).count(b"HTTP/1.1") == 1


def test_bytes_after_a_request_do_not_hide_that_the_client_has_gone(running):
    server = running()
    for later in (b"", WHOLE):
        made = server.connect(text=STREAM if later else STREAM + WHOLE)
        while b"wait" not in made.recv(1000):
            pass
        made.sendall(later)
        made.close()
        until(lambda: server.count == 0)


def test_a_client_that_does_not_read_is_dropped(running, monkeypatch):
    monkeypatch.setattr(connections, "MAX_UNREAD_SECONDS", 0.2)
    server = running()
    made = server.connect(text=b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
    until(lambda: server.count == 1)
    until(lambda: server.count == 0)
    made.close()


# Limits.


def test_an_address_at_its_limit_loses_the_longest_idle_connection(running):
    server = running(each=3)
    first, second, third = (server.connect(text=HEAD) for _ in range(3))
    other = server.connect("127.1.0.2", HEAD)
    until(lambda: server.count == 4)
    fourth = server.connect(text=WHOLE)
    assert is_answered(fourth)
    assert ended(first)
    for one in (second, third, other):
        one.sendall(b"\r\n")
        assert is_answered(one)


@pytest.mark.parametrize(
    "text", [b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx", TURN]
)
def test_requests_that_wait_for_a_body_or_a_rate_make_room(running, text):
    server = running(each=2)
    first, second = (server.connect(text=text) for _ in range(2))
    until(lambda: [one.head for one in server.limits.idle] == [None, None])
    silent = server.connect()
    until(lambda: b"" in [one.head for one in server.limits.idle])
    assert is_answered(server.connect(text=WHOLE))
    for one in (first, second):
        assert everything(one).partition(b"\r\n\r\n")[2] in (b"", b"4\r\nwait\r\n")
    silent.sendall(WHOLE)
    assert is_answered(silent)


def test_a_new_request_stays_while_silent_connections_can_make_room(running, monkeypatch):
    monkeypatch.setattr(connections, "_STALLED_SECONDS", TIMEOUT_SECONDS)
    server = running(most=2)
    silent = server.connect()
    until(lambda: server.count == 1)
    server.connect(text=TURN)
    until(lambda: [one.head for one in server.limits.idle] == [b"", None])
    assert is_answered(server.connect(text=WHOLE))
    assert ended(silent)
    assert None in [one.head for one in server.limits.idle]


def test_an_answered_connection_is_the_last_in_line_again(running):
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
    assert is_answered(first)


@pytest.mark.parametrize(
    ("bounds", "cause"),
    [
        ({"most": 2}, "all 2 connections are being answered"),
        ({"each": 2}, "all 2 connections of an address are being answered"),
    ],
)
def test_a_connection_being_answered_stays_and_a_new_one_is_refused(running, caplog, bounds, cause):
    server, labels = running(**bounds), {"status": "503", "reason": "Service Unavailable"}
    before = REGISTRY.get_sample_value("numduel_refusals_total", labels) or 0
    streams = [server.stream() for _ in range(2)]
    assert server.ask(WHOLE).startswith(b"HTTP/1.1 503 ")
    assert REGISTRY.get_sample_value("numduel_refusals_total", labels) == before + 1
    assert [one.cause for one in caplog.records if one.message == "busy"] == [cause]
    if "each" in bounds:
        assert is_answered(server.connect("127.1.0.2", WHOLE))
    streams.pop().close()
    until(lambda: server.limits.open["127.1.0.1"] < 2)
    assert is_answered(server.connect(text=WHOLE))


def test_stalled_heads_make_room_before_silent_connections(running):
    server = running(most=4)
    silent = [server.connect(f"127.1.0.{number}") for number in (1, 2)]
    until(lambda: server.count == 2)
    begun = []
    for number in (3, 4):
        begun.append(server.connect(f"127.1.0.{number}", HEAD))
        until(lambda: sum(bool(one.head) for one in server.limits.idle) == len(begun))
    assert is_answered(server.connect("127.1.0.5", WHOLE))
    assert ended(begun[0])
    for one in silent:
        one.sendall(WHOLE)
        assert is_answered(one)
    begun[1].sendall(b"\r\n")
    assert is_answered(begun[1])


def test_a_flood_of_connections_holds_nobody_up(running):
    server = running(most=20, each=10)
    for number in range(200):
        server.connect(f"127.1.0.{1 + number % 50}", HEAD)
        if number % 20 == 0:
            assert is_answered(server.connect("127.2.0.1", WHOLE))


def test_a_proxy_has_no_limit_of_its_own(running):
    server = running(each=2, forwarded_allow_ips="127.1.0.1")
    made = [server.connect(text=HEAD) for _ in range(5)]
    until(lambda: server.count == 5)
    for one in made:
        one.sendall(b"\r\n")
        assert is_answered(one)


@pytest.fixture
def _same_collector():
    """Restore the settings of the garbage collector."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_same_collector")
def test_many_connections_can_wait_while_few_are_accepted_at_once():
    with closing(Loop()) as loop:
        made = loop.create_server(asyncio.Protocol, "127.0.0.1", 0, backlog=1)
        server = loop.run_until_complete(made)
        assert gc.get_freeze_count() > len(gc.get_objects())
        port = server.sockets[0].getsockname()[1]
        line = [socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS) for _ in range(50)]
        for one in line:
            one.close()
        server.close()
        loop.run_until_complete(server.wait_closed())


def test_some_open_files_are_reserved(monkeypatch):
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
        assert connections.max_connections() == most
    assert asked[2:] == [(2048, 2048), (4352, 524_288), (4352, resource.RLIM_INFINITY)]


def test_a_stop_closes_idle_connections(running):
    server = running()
    with closing(server.connect(text=HEAD)) as half:
        until(lambda: server.count == 1)
        server.server.should_exit = True
        assert ended(half)
        until(lambda: not server.thread.is_alive())
