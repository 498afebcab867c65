"""What every request passes: where it comes from, how long it is, how often; and the headers."""

import socket
from contextlib import suppress

import pytest

from numduel.web.app import ROUTERS
from numduel.web.bounds import LARGEST_BODY, LARGEST_UPLOAD
from numduel.web.guard import HEADERS

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
    """The one line of an answer that refuses: JSON for programs, text for people."""
    if not response.request.url.path.startswith("/api/"):
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        return response.text
    assert response.json().keys() == {"error"}
    return response.json()["error"]


# Where it comes from.


@pytest.mark.soak
@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "headers",
    [
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
    ],
    ids=lambda headers: " ".join(headers.values()),
)
def test_a_post_from_another_site_is_refused(visit, path, headers):
    answer = visit().post(path, headers=headers)
    assert (answer.status_code, line(answer)) == (403, "That request came from another site.")


@pytest.mark.parametrize(
    "headers",
    [
        {},  # a program
        {"Origin": "http://testserver"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
        {"Sec-Fetch-Site": "none"},  # typed into the address bar
        {"Origin": "https://play.example:8443", "Host": "play.example:8443"},
    ],
    ids=lambda headers: " ".join(headers.values()) or "none",
)
def test_a_post_from_here_or_from_a_program_is_taken(visit, headers):
    assert visit().post("/play/multiplicity", headers=headers).status_code == 303
    answer = visit().post("/api/duels", json={"game": "multiplicity"}, headers=headers)
    assert answer.status_code == 201


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "FOO"])
def test_whatever_is_not_known_to_be_safe_must_come_from_here(visit, method):
    answer = visit().request(method, "/game/x", headers={"Origin": "http://elsewhere.example"})
    assert answer.status_code == 403


def test_a_link_from_another_site_may_be_followed(visit):
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"}
    assert visit().get("/", headers=headers).status_code == 200


# For whom it is.


@pytest.mark.parametrize(
    "host", ["testserver", "TestServer", "testserver:80", "testserver.", "play.example:8443"]
)
def test_whoever_calls_us_by_our_name_is_answered(visit, host):
    assert visit().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["elsewhere.example", "testserver.elsewhere.example", "192.0.2.7"])
def test_whoever_means_another_site_is_told_so(visit, host):
    for method, path in (("GET", "/"), ("POST", "/play/multiplicity"), ("GET", "/healthz")):
        answer = visit().request(method, path, headers={"Host": host})
        assert answer.status_code == 421
        assert line(answer) == (
            f"This server is not known as {host}; "
            f"whoever runs it can allow that: numduel serve --allow-host {host}"
        )


@pytest.mark.parametrize("host", ["", " ", "a b", "[", "a@testserver", "testserver:x", "<b>", "é"])
def test_whoever_names_no_host_is_told_so(visit, host):
    answer = visit().get("/", headers={b"Host": host.encode("latin-1")})
    assert (answer.status_code, line(answer)) == (400, "That request names no host.")


# How long it is.


def in_pieces(body):
    """A body of which the length is not told before."""
    return (body[at : at + 1000] for at in range(0, len(body), 1000))


@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_says_it_is_too_long_is_not_read(visit, path):
    limit = LARGEST_UPLOAD if path.endswith("/analyze") else LARGEST_BODY
    answer = visit().post(path, content=b"x" * (limit + 1))
    assert answer.status_code == 413
    assert line(answer) == f"A request has at most {limit:,} bytes here."


@pytest.mark.parametrize("path", POSTS[:-1])
@pytest.mark.parametrize(
    "kind",
    ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
)
def test_a_body_that_grows_too_long_is_read_no_further(visit, path, kind):
    if "json" in kind and not path.startswith("/api/"):
        return  # it is no form: none of it is read
    limit = LARGEST_UPLOAD if path.endswith("/analyze") else LARGEST_BODY
    headers = {"Content-Type": kind, "Authorization": "Bearer secret"}
    body = b'--x\r\nContent-Disposition: form-data; name="record"\r\n\r\n' + b"7" * (limit + 1)
    answer = visit().post(path, content=in_pieces(body), headers=headers)
    assert answer.status_code == 413
    assert f"at most {limit:,} bytes" in answer.text


@pytest.mark.parametrize("length", ["-1", "+1", "1e3", "x", "٣", " ", "9" * 13, "9" * 5000])
def test_a_length_that_is_none_is_refused(visit, length):
    headers = {b"Content-Length": length.encode()}
    assert visit().post("/join", content=b"", headers=headers).status_code == 413


def test_a_body_of_just_the_limit_is_read(visit):
    body = b'{"game": "multiplicity"}'.ljust(LARGEST_BODY)
    visitor = visit(headers={"Content-Type": "application/json"})
    assert visitor.post("/api/duels", content=body).status_code == 201
    assert visitor.post("/api/duels", content=body + b" ").status_code == 413


# The headers.


@pytest.mark.parametrize("path", GETS)
def test_every_answer_has_the_headers(visit, path):
    answer = visit().get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize("path", POSTS)
def test_every_answer_to_a_post_has_the_headers(visit, path):
    for headers in ({}, {"Origin": "null"}, {"Content-Length": "x"}):
        answer = visit().post(path, headers=headers)
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_an_answer_to_a_fault_of_ours_has_the_headers_and_no_details(visit, monkeypatch):
    monkeypatch.setattr("numduel.web.pages.home._cards", lambda: 1 / 0)
    answer = visit(raise_server_exceptions=False).get("/")
    assert answer.status_code == 500
    assert "Something is broken inside: it was written to the log." in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_no_page_loads_anything_from_elsewhere_or_is_framed():
    policy = dict(part.split(" ", 1) for part in HEADERS["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert set(policy.values()) == {"'none'", "'self'"}  # so neither inline nor eval
    assert HEADERS["x-frame-options"] == "DENY"


# Whatever else is sent.

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


@pytest.mark.parametrize("path", ODD_PATHS, ids=lambda path: path[:30])
def test_an_odd_address_is_not_found(visit, path):
    for method in ("GET", "POST"):
        assert visit().request(method, path).status_code in (404, 405, 307)


@pytest.mark.parametrize("query", [f"x={LONG}", "look=%00", "look=%ff", "look=-1", "&" * 5000])
def test_an_odd_query_is_no_matter(visit, query):
    visitor = visit(follow_redirects=True)
    page = visitor.post("/play/multiplicity").url.path
    for path in (page, "/", "/join", "/new/multiplicity"):
        assert visitor.get(f"{path}?{query}").status_code == 200


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 999, "-0", "٣", "1e3", "NaN", "", " 7"])
def test_an_odd_number_is_no_matter(visit, number):
    visitor = visit(follow_redirects=True)
    page = visitor.post("/play/multiplicity").url.path
    assert visitor.get(page, params={"look": number}).status_code == 200
    moved = visitor.post(f"{page}/move", data={"move": number, "at": number})
    assert moved.status_code in (200, 409, 422)
    assert visitor.get(f"{page}/round/{number.strip() or 0}").status_code == 404


@pytest.mark.soak
@pytest.mark.parametrize(
    "value", [LONG, "é", "\xff", "a=b; =; ;;,", 'seat="', "seat=" + LONG, "seat=..", "\x01"]
)
@pytest.mark.parametrize(
    "name", ["Cookie", "Authorization", "Host", "Origin", "User-Agent", "Accept", "Range"]
)
def test_an_odd_header_is_no_matter(visit, name, value):
    headers = {name.encode(): value.encode("latin-1")}
    visitor = visit()
    page = visitor.post("/play/multiplicity").headers["location"]
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


@pytest.mark.soak
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("path", POSTS)
def test_an_odd_body_is_refused_in_one_line(visit, path, name):
    visitor = visit(headers={"Authorization": "Bearer secret"})
    for kind in KINDS:
        headers = {b"Content-Type": kind.encode("latin-1")}
        answer = visitor.post(path, content=BODIES[name], headers=headers)
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
    given["which"] = "2026-01-01"
    routes = [route for router in ROUTERS for route in router.routes if "GET" in route.methods]
    for route in routes:
        kept = record if route.path.startswith("/record/") else name
        yield route.path, route.path.format(**given, name=kept)


def test_head_is_answered_as_get_is_without_the_body(visit):
    visitor = visit()
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


def answered(server, sent, more=False):
    """What it answers to those bytes; nothing where it only closes. `more`: they may go on."""
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


def test_the_real_server_stands_whatever_is_sent(serve, tmp_path):
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
            assert not answered(server, sent)[9:12].startswith(b"5"), sent[:50]
        long = b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"
        assert answered(server, long, more=True).startswith(b"HTTP/1.1 413 ")
        fine = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        head = answered(server, fine, more=True).partition(b"\r\n\r\n")[0].lower()
        asked, end = fine.replace(b"GET", b"HEAD"), b"\r\n\r\n"
        assert answered(server, asked, more=True).partition(end)[2] == b""
    assert head.startswith(b"http/1.1 200 ")
    assert b"content-security-policy: " in head
    assert b"uvicorn" not in head
    assert b"server:" not in head


def test_whoever_sends_too_much_hears_of_it(serve, tmp_path):
    server = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}")
    head = b"POST /api/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
    heard = answered(server, head + b"1" * 900_000, more=True)
    assert heard.startswith(b"HTTP/1.1 413 ")
    assert b"A request has at most 262,144 bytes here." in heard
