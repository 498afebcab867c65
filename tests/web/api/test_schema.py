"""schemathesis holds the API to what its schema says."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import httpx2
import pytest
import uvicorn

from numduel.terminal.serve import listen
from numduel.web.app import create_app
from numduel.web.server import Config

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")

# What it cannot know: one duel and the secret of a seat in it; that the rules and the settings
# of a game allow less than a schema can say; and that a stream of events does not end by itself.
CONFIG = """
max-stream-events = 1

[auth.openapi.HTTPBearer]
bearer = "{secret}"

[[operations]]
include-path-regex = "^/api/(duels|solve|analyze)$"
checks.positive_data_acceptance.expected-statuses = [200, 201, 422]

[[operations]]
include-path-regex = "/(move|swap)$"
checks.positive_data_acceptance.expected-statuses = [200, 409, 422]
parameters = {{ name = "{name}" }}

[[operations]]
include-path-regex = "/(undo|refuse|resign|next|rematch)$"
parameters = {{ name = "{name}" }}
"""


@pytest.fixture
def address(new_database):
    """The application at a port, in a thread, without rates."""
    app = create_app(Config(new_database(True), rates=None))
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.mark.soak
def test_schemathesis_finds_nothing(address, tmp_path):
    asked = {"game": "double-or-add", "swap": True, "rounds": 50}
    made = httpx2.post(f"{address}/api/duels", json=asked, timeout=180).json()
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.format(name=made["name"], secret=made["secrets"]["1"]))
    report = tmp_path / "report.ndjson"
    ran = subprocess.run(
        [
            *(SCHEMATHESIS, "--config-file", config, "run", f"{address}/api/openapi.json"),
            *("--checks", "all", "--max-examples", "8", "--seed", "7", "--workers", "1"),
            *("--no-color", "--report-ndjson-path", report),
        ],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for phase in ("Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}\n" in ran.stdout, ran.stdout
    answered = {}  # by path, what was answered at all
    for line in report.read_text().splitlines():
        _collect(json.loads(line), answered)
    assert set().union(*answered.values()) >= {200, 201, 401, 404, 405, 409, 422}
    for wish in ("move", "swap", "undo", "refuse", "resign", "next", "rematch"):
        found = answered[f"/api/duels/{made['name']}/{wish}"]
        assert found & {200, 409}, f"{wish} was never reached: {found}"


def _collect(value, answered):
    """Each request and its status, wherever in the report they stand."""
    if isinstance(value, dict):
        if isinstance(value.get("response"), dict) and isinstance(value.get("request"), dict):
            path = httpx2.URL(value["request"]["uri"]).path
            answered.setdefault(path, set()).add(value["response"]["status_code"])
        for inner in value.values():
            _collect(inner, answered)
    elif isinstance(value, list):
        for inner in value:
            _collect(inner, answered)
