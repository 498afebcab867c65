"""Language models in an arena: what they said is kept with the games."""

import json
from importlib import util
from pathlib import Path
from threading import Thread

import pytest

from numduel.arena.asked import Asked
from numduel.arena.measures import FAULTS
from numduel.terminal.arena import _for_models

PATH = Path(__file__).parents[2] / "examples" / "model_server.py"
KEY = "sk-very-secret"


@pytest.fixture
def server(monkeypatch):
    spec = util.spec_from_file_location("model_server", PATH)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = module.Server()
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield server
    server.shutdown()
    server.server_close()


def test_the_flags_speak_to_the_models_alone():
    asked = Asked(("double-or-add",), ("random", "model:a", "model:b,legal=shown"))
    assert _for_models(asked, url="http://x/v1", disguise=3).players == (
        "random",
        "model:a,url=http://x/v1,disguise=3",
        "model:b,legal=shown,url=http://x/v1,disguise=3",
    )
    assert _for_models(asked, url=None, disguise=None) == asked


def test_every_prompt_and_answer_is_kept_and_no_key(server, played, tmp_path):
    players = ("model:random,legal=shown", "model:guess,again=1", "random")
    asked = Asked(("double-or-add:target=10", "divisor-line:size=8"), players, rounds=1)
    tables = played(_for_models(asked, url=server.url, disguise=1), tmp_path)
    said = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert len(said) == len(server.requests)
    kinds = {words["kind"] for words in said if words["player"] == "model:guess"}
    assert kinds >= {"unreadable"} or kinds >= {"illegal"}
    assert all(words["tokens"] and words["asked"] and "seconds" in words for words in said)
    rows = {row["player"].split(",")[0]: row for row in tables.measured().iter_rows(named=True)}
    assert rows["model:guess"]["illegal"] + rows["model:guess"]["unreadable"] > 0
    assert not any(rows["model:random"][fault] for fault in ("illegal", "unreadable", "crashed"))
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


MODELS = (
    "down,retries=0",
    "busy,legal=shown",
    "broken,legal=shown,stream=no",
    "mute,again=0",
    "chatty,again=0",
)


@pytest.mark.soak
def test_the_command_comes_through_whatever_a_server_does(server, run, tmp_path):
    flags = [
        "--game",
        "double-or-add:target=4",
        "--rounds",
        1,
        "--workers",
        1,
        "--player",
        "random",
    ]
    flags += [flag for name in MODELS for flag in ("--player", f"model:{name}")]
    env = {"OPENAI_API_KEY": KEY}
    done = run("arena", *flags, "--model-url", server.url, "--out", "out", env=env)
    assert done.status == 0 and KEY not in done.out + done.err
    rows = json.loads((tmp_path / "out" / "players.json").read_text())
    found = {row["player"].split(",")[0]: row for row in rows}
    assert found["model:mute"]["unreadable"] and found["model:chatty"]["unreadable"]
    assert found["model:down"]["crashed"]
    for name in ("busy", "broken"):  # which answer when they are asked again
        row = found[f"model:{name}"]
        assert row["won"] and not any(row[fault] for fault in FAULTS)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


@pytest.mark.soak
def test_a_server_that_takes_too_long_is_late(server, played, tmp_path):
    server.slowness = 600
    players = ("random", f"model:slow,retries=0,url={server.url}")
    asked = Asked(("double-or-add:target=4",), players, rounds=1, seconds=2.0)
    rows = played(asked, tmp_path).measured().rows_by_key("player", named=True, unique=True)
    assert rows[players[1]]["late"] == 2
