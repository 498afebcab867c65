"""The checks that every request passes: origin, host and size; and the headers of answers."""

import asyncio
import json
import socket
from contextlib import suppress
from itertools import product

import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.testclient import TestClient

from numduel.web import security
from numduel.web.api import routes as api
from numduel.web.app import PAGES
from numduel.web.limits import MAX_BODY_BYTES, MAX_JSON_VALUES, json_fault
from numduel.web.security import (
    HEADERS,
    SecurityMiddleware,
    canonical_host,
    host_of,
)

POSTS = [
    "/play/multiplicity",
    "/game/x/move",
    "/rooms/multiplicity",
    "/join",
    "/room/x/round",
    "/analyze",
    "/api/duels",
    "/api/duels/x/move",
    "/api/duels/x/resign",
    "/api/solve",
    "/api/analyze",
    "/no/such/page",
]
GETS = [
    "/",
    "/new/multiplicity",
    "/game/x",
    "/game/x/events",
    "/static/numduel.css",
    "/static/none",
    "/api/games",
    "/api/duels/x",
    "/api/openapi.json",
    "/healthz",
    "/no/such/page",
]


def line(response):
    """Return the one line of a refusal: JSON for programs, text for people."""
    if not response.request.url.path.startswith("/api/"):
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        return response.text
    assert response.json().keys() == {"error"}
    return response.json()["error"]


# Origin.


ELSEWHERE = [
    {"Origin": "https://elsewhere.example"},
    {"Origin": "http://testserver.elsewhere.example"},
    {"Origin": "http://elsewhere.example/testserver"},
    {"Origin": "http://user@testserver"},
    {"Origin": "http://testserver:8000"},
    {"Origin": "null"},
    {"Origin": "http://["},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://elsewhere.example"},
]


def test_a_post_from_another_site_is_refused(visit):
    cases = [(path, ELSEWHERE[0]) for path in POSTS]
    cases += [("/play/multiplicity", headers) for headers in ELSEWHERE]
    for path, headers in cases:
        answer = visit().post(path, headers=headers)
        assert (answer.status_code, line(answer)) == (403, "That request came from another site.")


def test_a_post_from_our_pages_or_from_a_program_is_accepted(visit):
    for headers in (
        {},  # a program
        {"Origin": "http://testserver"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
        {"Sec-Fetch-Site": "none"},  # typed into the address bar
        {"Origin": "https://play.example:8443", "Host": "play.example:8443"},
    ):
        assert visit().post("/play/multiplicity", headers=headers).status_code == 303
        answer = visit().post("/api/duels", json={"game": "multiplicity"}, headers=headers)
        assert answer.status_code == 201


def test_unsafe_methods_must_come_from_our_pages(visit):
    for method in ("PUT", "PATCH", "DELETE", "TRACE", "FOO"):
        answer = visit().request(method, "/game/x", headers={"Origin": "http://elsewhere.example"})
        assert answer.status_code == 403


def test_a_link_from_another_site_may_be_followed(visit):
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"}
    assert visit().get("/", headers=headers).status_code == 200


# Host.


def test_requests_for_our_names_are_answered(visit):
    for host in ("testserver", "TestServer", "testserver:80", "testserver.", "play.example:8443"):
        assert visit().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["elsewhere.example", "testserver.elsewhere.example", "192.0.2.7"])
def test_a_request_for_another_site_is_refused(visit, host):
    for method, path in (("GET", "/"), ("POST", "/play/multiplicity"), ("GET", "/healthz")):
        answer = visit().request(method, path, headers={"Host": host})
        assert answer.status_code == 421
        assert line(answer) == (
            f"This server is not known as {host}; "
            f"whoever runs it can allow that: numduel serve --allow-host {host}"
        )


def test_a_request_without_a_valid_host_is_refused(visit):
    for host in ("", " ", "a b", "[", "a@testserver", "testserver:x", "<b>", "é"):
        answer = visit().get("/", headers={b"Host": host.encode("latin-1")})
        assert (answer.status_code, line(answer)) == (400, "That request names no host.")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Games.Example.ORG", "games.example.org"),
        ("games.example.org.:8000", "games.example.org"),
        ("my_machine", "my_machine"),
        ("192.168.1.20:8000", "192.168.1.20"),
        ("[::1]:8000", "::1"),
        ("[0:0::1]", "::1"),
        ("[::ffff:192.168.1.20]:80", "192.168.1.20"),
        *((odd, "") for odd in ("", ".", "a:b", "::1", "[a", "a]", "a/b", "x@y", "-a", "a" * 300)),
    ],
)
def test_a_header_names_one_host(header, name):
    assert host_of(header) == name


def test_a_server_answers_to_the_address_at_which_it_was_reached(visit):
    assert canonical_host("fe80::1%eth0") == canonical_host("fe80::1") == "fe80::1"
    visitor = visit(base_url="http://[::ffff:192.168.1.20]")
    for host, status in (("192.168.1.20", 200), ("192.168.1.21", 421)):
        assert visitor.get("/", headers={"Host": host}).status_code == status


# Size.


def test_a_body_declared_too_long_is_not_read(visit):
    for path in POSTS:
        answer = visit().post(path, content=b"x" * (MAX_BODY_BYTES + 1))
        assert answer.status_code == 413
        assert line(answer) == f"A request has at most {MAX_BODY_BYTES:,} bytes here."
    for length in ("-1", "+1", "1e3", "x", "٣", " ", "9" * 13, "9" * 5000):
        headers = {b"Content-Length": length.encode()}
        assert visit().post("/join", content=b"", headers=headers).status_code == 413


def test_a_body_of_exactly_the_limit_is_read(visit):
    body = b'{"game": "multiplicity"}'.ljust(MAX_BODY_BYTES)
    visitor = visit(headers={"Content-Type": "application/json"})
    assert visitor.post("/api/duels", content=body).status_code == 201
    assert visitor.post("/api/duels", content=body + b" ").status_code == 413


def request_of(*parts, ends=True, path="/"):
    """Return a request with those parts of a body, which then ends, waits or is disconnected."""
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if ends and messages:
        messages[-1]["more_body"] = False

    async def receive():
        if messages:
            return messages.pop(0)
        if ends is None:
            return {"type": "http.disconnect"}
        return await asyncio.Event().wait()

    scope = {"type": "http", "method": "POST", "path": path, "headers": []}
    return Request({**scope, "client": ("192.0.2.1", 1)}, receive)


def test_an_incomplete_body_times_out(monkeypatch):
    monkeypatch.setattr(security, "MAX_BODY_SECONDS", 0.05)
    request, sent = request_of(b"a", ends=False), []

    async def send(message):
        sent.append(message)

    asyncio.run(SecurityMiddleware(None, None)(request.scope, request.receive, send))
    assert (sent[0]["status"], sent[1]["body"]) == (408, b"That request took too long to arrive.")


def test_a_disconnected_client_is_not_answered():
    request = request_of(b"a", ends=None)
    asyncio.run(SecurityMiddleware(None, None)(request.scope, request.receive, None))


def test_too_much_json_is_refused_before_it_is_parsed(visit):
    assert json_fault(json.dumps({"moves": list(range(2_000)), "x": [[{}]]}).encode()) is None
    for body in (
        json.dumps([1] * 450_000).encode(),
        b"[" * 100_000,
        b'{"a":' * 1_000 + b"1" + b"}" * 1_000,
        json.dumps({str(number): 1 for number in range(MAX_JSON_VALUES)}).encode(),
    ):
        assert json_fault(body).startswith("JSON has at most ")
    for kind, refused in (("Application/JSON; x=y", True), ("text/plain", False)):
        body = json.dumps([1] * 20_000).encode()
        answer = visit().post("/api/analyze", content=body, headers={"Content-Type": kind})
        assert ("at most 10,000 values" in answer.text) == refused


# At a stop.


@pytest.mark.parametrize("stopping", [False, True])
def test_while_the_server_stops_an_answer_closes_its_connection(stopping):
    app = FastAPI()
    app.get("/")(lambda: "here")
    client = TestClient(SecurityMiddleware(app, None, is_stopping=lambda: stopping))
    assert client.get("/").headers.get("connection") == ("close" if stopping else None)


def test_a_request_cancelled_at_a_stop_is_answered(caplog):
    async def cancelled(scope, receive, send):
        raise asyncio.CancelledError  # as uvicorn does after the time-out

    answer = TestClient(SecurityMiddleware(cancelled, None)).get("/api/long")
    assert (answer.status_code, answer.json()) == (503, {"error": "The server is stopping."})
    assert (answer.headers["connection"], answer.headers["retry-after"]) == ("close", "1")
    [busy] = [one for one in caplog.records if one.message == "busy"]
    assert (busy.route, busy.cause) == ("-", "The server is stopping.")


# The headers.


def test_every_answer_has_the_headers(visit):
    answers = [visit().get(path) for path in GETS]
    for headers in ({}, {"Origin": "null"}, {"Content-Length": "x"}):
        answers += [visit().post(path, headers=headers) for path in POSTS]
    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, answer.url


def test_the_answer_to_a_bug_has_the_headers_and_no_details(visit, monkeypatch):
    monkeypatch.setattr("numduel.web.home.emblem", lambda key: 1 / 0)
    answer = visit(raise_server_exceptions=False).get("/")
    assert answer.status_code == 500
    assert "Sorry, this is a bug in Numduel. It was written to the log." in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_no_page_loads_anything_from_elsewhere_or_is_framed():
    policy = dict(part.split(" ", 1) for part in HEADERS["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert set(policy.values()) == {"'none'", "'self'"}  # so neither inline nor eval
    assert HEADERS["x-frame-options"] == "DENY"


# Odd input.

LONG = "a" * 5000
ODD_PATHS = [
    f"/{LONG}",
    f"/game/{LONG}",
    f"/static/{LONG}",
    f"/api/duels/{LONG}",
    "/" + "a/" * 3000,
    "/game/%00",
    "/game/%ff%fe",
    "/game/a%0a",
    "/game/%ED%A0%80",
    "/game/%2e%2e%2f",
    "/static/%00",
    "/static/../app.py",
    "/static/..%2fapp.py",
    "/static/%2e%2e/app.py",
    "/static/%ff",
    "/static/",
    "/rules/%F0%9F%8E%B2",
    "/api/duels/%00",
    "/api/duels/%ff/events",
    "/game/x/round/99999999999999999999",
    "/game/x/round/-1",
    "/record/%00",
    "/room/%00/events",
    "/%",
    "/%zz",
]


def test_an_odd_address_is_not_found(visit):
    for path in ODD_PATHS:
        for method in ("GET", "POST"):
            assert visit().request(method, path).status_code in (404, 405, 307), path[:50]


def test_an_odd_query_or_number_is_harmless(visit):
    visitor = visit(follow_redirects=True)
    page = visitor.post("/play/multiplicity").url.path
    for query in (f"x={LONG}", "look=%00", "look=%ff", "look=-1", "&" * 5000):
        for path in (page, "/", "/join", "/new/multiplicity"):
            assert visitor.get(f"{path}?{query}").status_code == 200
    for number in ("9" * 5000, "9" * 999, "-0", "٣", "1e3", "NaN", "", " 7"):
        assert visitor.get(page, params={"look": number}).status_code == 200
        moved = visitor.post(f"{page}/move", data={"move": number, "at": number})
        assert moved.status_code in (200, 409, 422)
        assert visitor.get(f"{page}/round/{number.strip() or 0}").status_code == 404


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize(
    "name", ["Cookie", "Authorization", "Host", "Origin", "User-Agent", "Accept", "Range"]
)
def test_an_odd_header_is_harmless(visit, name):
    visitor = visit()
    page = visitor.post("/play/multiplicity").headers["location"]
    for value in (LONG, "é", "\xff", "a=b; =; ;;,", 'seat="', "seat=" + LONG, "seat=..", "\x01"):
        headers = {name.encode(): value.encode("latin-1")}
        for path in ("/", page, "/static/numduel.css", "/api/games", "/healthz", "/no/such"):
            assert visitor.get(path, headers=headers).status_code < 500
        for path in (f"{page}/move", "/api/solve", f"/api/duels/{page[6:]}/move"):
            assert visitor.post(path, headers=headers).status_code < 500


BODIES = {
    "nothing": b"",
    "null": b"null",
    "text": b"seven",
    "not text": b"\xff\xfe\x00",
    "NUL": b'{"game": "\\u0000"}',
    "half a pair": b'{"game": "\\ud800"}',
    "half a pair as a name": b'{"\\ud800": 1}',
    "half a pair in a setting": b'{"game": "multiplicity", "settings": {"size": "\\udfff"}}',
    "half a pair as a setting": b'{"game": "multiplicity", "settings": {"\\ud800": 1}}',
    "a long number": b'{"move": %s}' % (b"9" * 5000),
    "a number just short enough": b'{"move": %s}' % (b"9" * 4300),
    "a long setting": b'{"game": "double-or-add", "settings": {"target": %s}}' % (b"9" * 4000),
    "a long move": b'{"game": "double-or-add", "moves": [%s]}' % (b"9" * 4000),
    "not a number": b'{"move": NaN}',
    "too large a number": b'{"move": 1e999}',
    "deep": b"[" * 30_000,
    "deep objects": b'{"a":' * 10_000,
    "many names": b"{%s}" % b",".join(b'"%d":1' % n for n in range(5000)),
    "one name twice": b'{"game": 1, "game": 2}',
    "a part": b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--x--\r\n',
}
KINDS = [
    "application/json",
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=nothing",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=x; charset=undefined",
    "text/plain",
    "é",
    "",
]


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("path", POSTS)
def test_an_odd_body_is_refused_in_one_line(visit, path):
    visitor = visit(headers={"Authorization": "Bearer secret"})
    for body, kind in product(BODIES.values(), KINDS):
        headers = {b"Content-Type": kind.encode("latin-1")}
        answer = visitor.post(path, content=body, headers=headers)
        if path.startswith("/api/"):
            assert answer.status_code in (400, 403, 404, 409, 422), answer.text
            assert line(answer)
            assert len(answer.text) < 500
        else:
            assert answer.status_code in (303, 400, 404, 422), answer.text


# Only the headers.


def places(visitor):
    """A path for each route that is got, by the route; streams, and all else."""
    name = visitor.post("/play/double-or-add", data={"opponent": "here"}).headers["location"][6:]
    visitor.post(f"/game/{name}/resign")
    code = visitor.post("/rooms/double-or-add").headers["location"][6:]
    seat = visitor.cookies.get("seat", path=f"/game/{name}").partition(".")[0]
    text = {"text": visitor.get(f"/game/{name}/round/1/record.json").text}
    record = visitor.post("/analyze", data=text).headers["location"][8:]
    given = {"key": "double-or-add", "code": code, "secret": seat, "number": "1"}
    given |= {"which": "2026-01-01", "age": "8", "size": "24"}
    routers = (*(pages.router for pages in PAGES), api.router)
    routes = [route for router in routers for route in router.routes if "GET" in route.methods]
    for route in routes:
        kept = record if route.path.startswith("/record/") else name
        yield route.path, route.path.format(**given, name=kept)


def test_head_is_answered_as_get_is_without_the_body(visit):
    visitor = visit()
    visitor.cookies.set("sound", "off")  # or the first page of a finished game offers sounds, once
    visitor.get("/")
    streams, paths = set(), ["/static/numduel.css", "/static/none", "/nothing", "/game/none"]
    for route, path in places(visitor):
        if route.endswith("/events"):
            streams.add(path)
        else:
            paths.append(path)
    assert len(streams) == 3 and len(paths) > 20
    for path in paths:
        got, head = visitor.get(path), visitor.head(path)
        assert (head.status_code, head.content) == (got.status_code, b""), path
        assert head.headers == got.headers, path
    for path in streams:
        head = visitor.head(path)
        assert (head.status_code, head.content) == (200, b""), path
        assert head.headers["content-type"].startswith("text/event-stream")
    assert visitor.head("/game/none/events").status_code == 404


# At the real server.


def answer_to(server, sent, more=False):
    """Return the answer to those bytes; with `more`, the sending side stays open."""
    heard = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=180) as visitor:
        with suppress(OSError):  # it may refuse, and be gone, before it has read everything
            visitor.sendall(sent)
            if not more:
                visitor.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            while piece := visitor.recv(4096):
                heard += piece
    return heard


def test_the_real_server_survives_malformed_requests(serve, tmp_path):
    server = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}")
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nco")
        for sent in (
            b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n\r\n" % (b"a" * 200_000),
            b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * 200_000),
            b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET //elsewhere.example/%2e%2e HTTP/1.0\r\nHost: localhost\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a\x00b\r\n\r\n",
            b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
            b"POST /join HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"POST /join HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
            b"\x16\x03\x01\x00\x00\r\n\r\n",
            b"\r\n\r\n\r\n",
        ):
            assert not answer_to(server, sent)[9:12].startswith(b"5"), sent[:50]
        long = b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"
        assert answer_to(server, long, more=True).startswith(b"HTTP/1.1 413 ")
        fine = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        head = answer_to(server, fine, more=True).partition(b"\r\n\r\n")[0].lower()
        asked, end = fine.replace(b"GET", b"HEAD"), b"\r\n\r\n"
        assert answer_to(server, asked, more=True).partition(end)[2] == b""
    assert head.startswith(b"http/1.1 200 ")
    assert b"content-security-policy: " in head
    assert b"uvicorn" not in head
    assert b"server:" not in head
    head = b"POST /api/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
    heard = answer_to(server, head + b"1" * 900_000, more=True)
    assert heard.startswith(b"HTTP/1.1 413 ")
    assert b"A request has at most 65,536 bytes here." in heard
