"""Language models in an arena: what they said is kept with the games."""

import json
from importlib import util
from pathlib import Path
from threading import Thread

import pytest

from numduel.arena.asked import Asked
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
