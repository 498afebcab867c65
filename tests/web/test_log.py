"""The log is JSON, line by line; neither it nor anything sent to a watcher has a secret."""

import json
import logging
import logging.config
import re
import sqlite3
import sys
from types import SimpleNamespace

import httpx2
import pytest

from numduel.web import limits
from numduel.web.identity import hash_secret
from numduel.web.limits import Rate
from numduel.web.log import CONFIG, LogFormatter, LogThrottle


def line(**fields):
    record = logging.makeLogRecord({"msg": "request", "levelname": "INFO", "created": 0, **fields})
    text = LogFormatter().format(record)
    assert "\n" not in text
    return json.loads(text)


def test_a_line_has_time_level_and_event():
    assert line() == {
        "time": "1970-01-01T00:00:00.000+00:00",
        "level": "info",
        "event": "request",
    }


def test_a_line_has_the_extra_fields():
    assert line(status=200, route="/game/{name}").items() >= {
        ("status", 200),
        ("route", "/game/{name}"),
    }
    assert line(odd={1})["odd"] == "{1}"


def test_nothing_breaks_out_of_a_line():
    for text in ("two\nlines", '"quoted"', "\x1b[31m", "\ud800", "é"):
        assert line(problem=text)["problem"] == text


def test_an_exception_is_logged_with_its_traceback():
    try:
        raise KeyError("seven")
    except KeyError:
        found = line(exc_info=sys.exc_info())
    assert found["error"].startswith("Traceback")
    assert found["error"].endswith("KeyError: 'seven'")


def test_on_a_terminal_a_line_is_plain_text():
    record = logging.makeLogRecord({"msg": "request", "levelname": "INFO", "created": 3661})
    text_of = LogFormatter(as_json=False).format
    assert text_of(record) == "01:01:01 info    request"
    record.status, record.route = 200, "/game/{name}\n\x1b[2J"
    assert text_of(record) == (
        '01:01:01 info    request: status 200, route "/game/{name}\\n\\u001b[2J"'
    )
    try:
        raise KeyError("seven")
    except KeyError:
        record.exc_info = sys.exc_info()
    assert text_of(record).endswith("\nKeyError: 'seven'")


def test_lines_of_other_libraries_go_through_our_log_and_its_throttle(capsys, monkeypatch):
    monkeypatch.setattr(logging, "shutdown", lambda _: None)  # of the handlers of pytest
    loggers = ["", "numduel.web", "uvicorn", "another.library"]
    before = [(logging.getLogger(one), logging.getLogger(one).level) for one in loggers]
    handlers = logging.root.handlers[:]
    try:
        logging.config.dictConfig(CONFIG)
        for name in loggers[1:]:
            for _ in range(100):
                logging.getLogger(name).warning("something", extra={"cause": name})
        logging.getLogger("another.library").info("unsaid")
    finally:
        logging.root.handlers[:] = handlers
        for logger, level in before:
            logger.setLevel(level)
    lines = [json.loads(one) for one in capsys.readouterr().err.splitlines()]
    assert [one["cause"] for one in lines] == [name for name in loggers[1:] for _ in range(5)]


# Lines that repeat.


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.fixture
def throttle(clock):
    return LogThrottle(info=Rate(3, 1), warning=Rate(1, 0.1))


def record(message="request", level=logging.INFO, **fields):
    return logging.makeLogRecord({"name": "x", "msg": message, "levelno": level, **fields})


def written(throttle, count, *arguments, **fields):
    return sum(throttle.filter(record(*arguments, **fields)) for _ in range(count))


def test_each_kind_of_line_has_a_rate_and_warnings_a_smaller_one(throttle, clock):
    for now, lines, warnings in ((0, 3, 1), (2, 2, 0), (1_000, 3, 1)):
        clock.now = now
        assert written(throttle, 100) == lines
        assert written(throttle, 10, level=logging.ERROR) == warnings
    for fields in ({"status": 200}, {"status": 429}, {"status": 429, "route": "/"}):
        assert written(throttle, 10, **fields) == 3
    assert written(throttle, 10, "another") == 3


def test_the_next_written_line_says_how_many_were_left_out(throttle, clock):
    written(throttle, 100)
    for now, left_out in ((1, 97), (2, 2), (3, None)):
        clock.now = now
        lines = [record() for _ in range(3 if now == 1 else 1)]
        assert [throttle.filter(one) for one in lines] == [True, False, False][: len(lines)]
        assert getattr(lines[0], "left_out", None) == left_out


def test_messages_that_differ_below_their_first_line_are_one_kind(throttle):
    messages = [f"out of files\nsocket {number}" for number in range(10)]
    assert sum(throttle.filter(record(one)) for one in messages) == 3


def test_any_number_of_kinds_takes_bounded_memory(throttle):
    for number in range(5_000):
        assert written(throttle, 5, str(number)) == 3
    assert len(throttle._info._levels) == len(throttle._left_out) == 1_000


# At the real server.


def events(watcher, path, until):
    """Return what an event stream sends up to that version."""
    with watcher.stream("GET", path) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        seen = f"{stream.headers}"
        for text in stream.iter_lines():
            seen += f"{text}\n"
            if text == f"data: {until}":
                return seen
    pytest.fail(f"the stream ended: {seen}")


def _secrets(visitor):
    kept = ("seat", "invite", "pupil", "teacher")
    return {cookie.value for cookie in visitor.cookies.jar if cookie.name in kept}


def test_a_whole_evening_leaves_no_secret_anywhere(serve, client, tmp_path):
    file = tmp_path / "numduel.sqlite"
    server = serve(f"sqlite:///{file}")
    one, two, watcher, teacher, pupil, streams, another = visitors = [client() for _ in range(7)]
    for visitor in visitors:
        visitor.base_url = server.url
    secrets, sent = set(), []
    watcher.event_hooks["response"].append(lambda answer: (answer.read(), sent.append(answer)))

    # A game by links, on the pages.
    answer = one.post("/play/double-or-add", data={"opponent": "link", "coach": "on"})
    path = answer.headers["location"]
    secrets |= _secrets(one)
    link = re.search(rf'id="invite" value="{server.url[:-1]}(/[^"]+)"', one.get(path).text)[1]
    assert two.get(link).status_code == 200
    assert two.post(link).status_code == 303
    assert another.get(f"{path}/seat/{'wrong' * 6}").status_code == 403
    watcher.get(path)
    for player, move in ((one, 1), (two, 2), (two, 2), (one, 99), (one, "x")):
        player.post(f"{path}/move", data={"move": move})
    one.post(f"{path}/undo")
    two.post(f"{path}/undo")
    two.post(f"{path}/resign")
    for page in ("", "?look=0", "?hint=1", "/round/1", "/round/1/record.json", "/round/2"):
        watcher.get(f"{path}{page}")
    watcher.get(f"/api/duels/{path[6:]}")

    # The same by the API.
    made = one.post(
        "/api/duels", json={"game": "multiplicity", "players": ["human", "easy"]}
    ).json()
    secrets |= {*made["secrets"].values()}
    keyed = {"Authorization": f"Bearer {made['secrets']['1']}"}
    one.post(f"/api/duels/{made['name']}/move", json={"move": 7}, headers=keyed)
    one.post(f"/api/duels/{made['name']}/move", json={"move": 7}, headers=keyed)
    watcher.get(f"/api/duels/{made['name']}")

    # A class.
    room = teacher.post("/rooms/double-or-add").headers["location"]
    for name in ("Ada", "Bo"):
        pupil.post("/join", data={"code": room[6:], "name": name})
        secrets |= _secrets(pupil)
    teacher.post(f"{room}/round", data={"round": 1})
    pupil.get(f"{room}/play")
    secrets = secrets.union(*map(_secrets, (one, two, teacher, pupil)))
    watcher.get(room)

    version = re.search(r'data-version="(\d+)"', watcher.get(path).text)[1]
    seen = [events(streams, f"{path}/events", version)]
    seen.append(events(streams, f"/api/duels/{path[6:]}/events", version))
    version = re.search(r'data-version="(\d+)"', watcher.get(room).text)[1]
    seen.append(events(streams, f"{room}/events", version))
    seen += [f"{answer.url}{answer.headers}{answer.text}" for answer in sent]
    assert len(seen) > 12
    server.stop()

    assert len(secrets) >= 6
    assert all(len(secret) == 32 for secret in secrets)
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    stored = file.read_bytes()
    for secret in secrets:
        assert secret not in server.log
        assert hash_secret(secret) not in server.log
        assert not [text for text in seen if secret in text]
        assert not [text for text in seen if hash_secret(secret) in text]
        assert secret.encode() not in stored
        if secret not in link:  # it was used, and opens nothing any more
            assert hash_secret(secret).encode() in stored
    _check_log(server.log, [path[6:], made["name"], room[6:], "Ada", "127.1.0.", "wrong"])


def _check_log(log, forbidden):
    """Each line is a JSON object, without names, addresses and secrets."""
    lines = [json.loads(line) for line in log.splitlines()]
    assert {line["level"] for line in lines} == {"info"}
    requests = [line for line in lines if line["event"] == "request"]
    assert len(requests) > 30
    assert {line["route"] for line in requests} >= {
        *("/play/{key}", "/game/{name}", "/game/{name}/seat/{secret}", "/game/{name}/{wish}"),
        *("/api/duels", "/api/duels/{name}/move", "/room/{code}", "/join", "/healthz"),
    }
    for line in requests:
        assert line.keys() == {"time", "level", "event", "method", "route", "status", "ms"}
    for text in forbidden:
        assert text not in log


def test_behind_a_proxy_with_tls_cookies_are_secure(serve, tmp_path):
    database = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    server = serve(database, "--allow-host", "play.example")
    proxied = {"Host": "play.example", "X-Forwarded-For": "203.0.113.9"}
    for scheme in ("http", "https"):
        headers = {**proxied, "X-Forwarded-Proto": scheme, "Origin": f"{scheme}://play.example"}
        answer = httpx2.post(f"{server.url}play/double-or-add", headers=headers, trust_env=False)
        assert answer.status_code == 303
        assert ("secure" in answer.headers["set-cookie"].lower()) == (scheme == "https")
        cookie = answer.headers["set-cookie"].partition(";")[0]
        url = f"{server.url[:-1]}{answer.headers['location']}"
        page = httpx2.get(url, headers={**headers, "Cookie": cookie}, trust_env=False)
        assert f'value="{scheme}://play.example{answer.headers["location"]}"' in page.text
    server.stop()
    assert '"route": "/play/{key}"' in server.log
    assert "203.0.113.9" not in server.log
