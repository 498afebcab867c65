"""Metrics for Prometheus, the causes of 503 in the log, and the memory of a server."""

import json
import re
import socket
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient
from tests.waiting import until

from numduel.web.app import create_app
from numduel.web.database import database
from numduel.web.errors import Busy
from numduel.web.server import Config


def counted(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


def begun(visit):
    """Open a duel between two programs; return its address and secrets."""
    made = visit().post("/api/duels", json={"game": "operation-duel"}).json()
    return f"/api/duels/{made['name']}", made["secrets"]


def test_moves_and_times_are_counted(visit):
    names = [
        ("numduel_events_total", {"event": "move"}),
        ("numduel_request_seconds_count", {"route": "/api/duels/{name}/move"}),
        ("numduel_database_seconds_count", {"kind": "move"}),
    ]
    path, secrets = begun(visit)
    before = [counted(name, **labels) for name, labels in names]
    bearer = {"authorization": f"Bearer {secrets['1']}"}
    assert visit().post(f"{path}/move", json={"move": 1}, headers=bearer).status_code == 200
    after = [counted(name, **labels) for name, labels in names]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1, 1]


def test_refusals_are_counted_by_their_reason(visit):
    for method, path, status, reason in (
        ("GET", "/game/nobody", "404", "Missing"),
        ("GET", "/api/duels/nobody", "404", "Missing"),
        ("GET", "/no/such", "404", "Not Found"),
        ("GET", "/play/chess", "405", "Method Not Allowed"),
        ("POST", "/analyze", "422", "RecordError"),  # shown on the page itself
        ("PUT", "/%ff", "404", "Not Found"),
    ):
        labels = {"status": status, "reason": reason}
        before = counted("numduel_refusals_total", **labels)
        assert str(visit().request(method, path).status_code) == status
        assert counted("numduel_refusals_total", **labels) == before + 1, path


def test_loop_lag_streams_and_questions_are_measured(visit):
    visit()  # starts the server
    before = counted("numduel_loop_lag_seconds_count")
    until(lambda: counted("numduel_loop_lag_seconds_count") >= before + 2)  # one for this server
    assert counted("numduel_streams") == 0
    assert counted("numduel_thinking", thinker="short") == 0


def busy_lines(caplog):
    return [(record.route, record.cause) for record in caplog.records if record.message == "busy"]


def test_every_503_has_its_cause_in_the_log_and_a_time_to_retry(new_database, monkeypatch, caplog):
    url = new_database(True)
    monkeypatch.setattr(database, "TIMEOUT_SECONDS", 0.1)
    with TestClient(create_app(Config(url, rates=None))) as visitor:
        made = visitor.post("/api/duels", json={"game": "operation-duel"}).json()
        secret = made["secrets"]["1"]
        api, page = f"/api/duels/{made['name']}", f"/game/{made['name']}"
        with closing(
            sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            caplog.clear()
            bearer, cookie = {"authorization": f"Bearer {secret}"}, {"cookie": f"seat={secret}"}
            answers = [
                visitor.post(f"{api}/move", json={"move": 1}, headers=bearer),
                visitor.post(f"{page}/move", data={"move": "1"}, headers=cookie),
                visitor.get("/readyz"),
            ]
            assert visitor.get(api).json()["version"] == 0  # reading continues
            assert visitor.get("/healthz").status_code == 200
    assert [answer.status_code for answer in answers] == [503, 503, 503]
    assert {answer.headers["retry-after"] for answer in answers} == {"1"}
    said = busy_lines(caplog)
    routes = ["/api/duels/{name}/move", "/game/{name}/{wish}", "/readyz"]
    assert [route for route, _ in said] == routes
    assert [cause for _, cause in said[:2]] == ["database is locked"] * 2
    assert said[2][1] in ("database is locked", "the database has not answered within 0.8 seconds")


def test_a_cause_is_logged_but_not_shown_to_visitors():
    assert Busy("Try again.").cause == "Try again."
    assert (str(error := Busy("Try again.", "no disk")), error.cause) == ("Try again.", "no disk")


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("workers", [2, 1])
def test_all_workers_count_together(serve, client, tmp_path, workers):
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    server = serve(url, "--metrics-port", port, workers=workers)
    for _ in range(20):
        visitor = client()
        made = visitor.post(f"{server.url}api/duels", json={"game": "operation-duel"}).json()
        bearer = {"authorization": f"Bearer {made['secrets']['1']}"}
        path = f"{server.url}api/duels/{made['name']}/move"
        assert visitor.post(path, json={"move": 1}, headers=bearer).status_code == 200
    text = client().get(f"http://127.0.0.1:{port}/metrics").text
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["numduel_events_total", "move"] == 20
    assert client().get(f"{server.url}metrics").status_code == 404
    assert all(json.loads(line)["level"] == "info" for line in server.log.splitlines())


@pytest.mark.soak
def test_two_workers_and_their_thinking_processes_take_less_than_400_mb(serve, client, tmp_path):
    server, visitor = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}", workers=2), client()
    terms = {"game": "multiplicity", "players": ["perfect", "human"]}
    for _ in range(10):  # so that each worker starts its thinking processes
        assert visitor.post(f"{server.url}api/duels", json=terms).status_code == 201
    kilobytes = 0
    for pid in server.family:
        with suppress(OSError):  # it has just ended
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()  # shared pages count once
            kilobytes += int(re.search(r"^Pss: +(\d+) kB$", text, re.M)[1])
    assert 100_000 < kilobytes < 400_000
