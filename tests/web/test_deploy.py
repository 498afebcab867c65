"""The files in deploy/, checked by their own programs if these are installed."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from prometheus_client import REGISTRY

from numduel.terminal.serve import serve
from numduel.web import metrics  # noqa: F401  (registers them)

DEPLOY = Path(__file__).parents[2] / "deploy"
OPTIONS = {option for parameter in serve.params for option in parameter.opts}


def test_systemd_accepts_the_unit_as_hardened(tmp_path):
    program = shutil.which("systemd-analyze")
    text = (DEPLOY / "numduel.service").read_text().replace("\\\n", "")
    commands = [shlex.split(line) for line in re.findall(r"^ExecStart(?:Pre)?=(.*)$", text, re.M)]
    assert len(commands) == 2
    for command in commands:
        assert command[:2] == ["/opt/numduel/bin/numduel", "serve"]
        assert {word for word in command if word.startswith("--")} <= OPTIONS
    assert re.search(r"^MemoryMax=\d+G$", text, re.M)
    if program is None:
        pytest.skip("no systemd-analyze on this machine")
    unit = tmp_path / "numduel.service"
    unit.write_text(text.replace("/opt/numduel/bin/numduel", shutil.which("true")))
    ran = subprocess.run([program, "verify", unit], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    ran = subprocess.run(
        [program, "security", "--offline=true", "--threshold=25", unit],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-300:]  # an exposure of at most 2.5 of 10


def test_the_container_runs_existing_files_without_root():
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", "")
    steps = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    said = {}
    for word, rest in steps:
        said.setdefault(word, []).append(rest)
    assert {*said} <= {
        *("FROM", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK"),
        *("ENTRYPOINT", "CMD"),
    }
    assert said["USER"] == ["10001:10001"]
    assert steps.index(["USER", "10001:10001"]) > max(
        steps.index(["RUN", run]) for run in said["RUN"]
    )
    command = json.loads(said["ENTRYPOINT"][0]) + json.loads(said["CMD"][0])
    assert command[:2] == ["numduel", "serve"]
    assert {word for word in command if word.startswith("--")} <= OPTIONS
    [health] = said["HEALTHCHECK"]
    compile(json.loads(health.partition("CMD")[2])[2], "HEALTHCHECK", "exec")
    assert "/source[web]" in text


def test_the_services_have_limits_and_match_each_other():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    server, nginx = services["numduel"], services["nginx"]
    for option in server["command"][1:]:
        assert option.partition("=")[0] in OPTIONS
    assert server["read_only"] and nginx["read_only"]
    assert server["cap_drop"] == ["ALL"] and server["mem_limit"] and server["pids_limit"]
    assert nginx["network_mode"] == "service:numduel"
    conf = (DEPLOY / "nginx.conf").read_text()
    assert "proxy_pass http://127.0.0.1:8000;" in conf
    assert "ssl_certificate /etc/ssl/numduel/" in conf
    assert "./certificates:/etc/ssl/numduel:ro" in nginx["volumes"]
    assert "./nginx.conf:/etc/nginx/conf.d/default.conf:ro" in nginx["volumes"]


def test_the_dashboard_uses_existing_metrics():
    board = json.loads((DEPLOY / "grafana.json").read_text())
    there = {family.name for family in REGISTRY.collect() if family.name.startswith("numduel_")}
    asked = set()
    for panel in board["panels"]:
        assert panel["title"] and panel["description"] and panel["datasource"]["uid"] == "${source}"
        for target in panel["targets"]:
            names = re.findall(r"numduel_\w+", target["expr"])
            assert names
            asked |= {re.sub("_(total|bucket|count)$", "", name) for name in names}
    assert asked == there
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
