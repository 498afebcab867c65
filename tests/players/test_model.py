"""Language models as players: the whole path, against a server of this machine."""

import json
import os
import sys
from importlib import util
from pathlib import Path
from random import Random
from threading import Thread

import pytest

import numduel
from numduel import SettingsError
from numduel.core.game import Game
from numduel.play.referee import play_game
from numduel.players import check_who, player
from numduel.players.model import LONGEST_ANSWER, Model
from numduel.players.player import Forfeit, Turn

PATH = Path(__file__).parents[2] / "examples" / "model_server.py"
GAME = numduel.new("divisor-line", size=20)
KEY = "sk-very-secret"


@pytest.fixture(scope="module")
def example():
    spec = util.spec_from_file_location("model_server", PATH)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def server(example, monkeypatch):
    server = example.Server()
    server.slowness = 2.0
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def model(server):
    made = []

    def model(text):
        made.append(Model.of(text))
        return made[-1]

    yield model
    for one in made:
        one.close()


def turn(game=GAME, *moves, seconds=None, seed=1):
    position = game.start()
    for move in moves:
        position = game.play(position, move)
    return Turn(game, position, 1, moves, Random(seed), seconds=seconds)


@pytest.mark.parametrize("stream", ["yes", "no"])
def test_a_model_is_told_the_game_and_answers_with_a_move(server, model, stream):
    one = model(f"random,stream={stream},legal=shown")
    move = one.choose(turn(GAME, 4, 5))
    assert GAME.allows(turn(GAME, 4, 5).position, move)
    (asked,) = server.requests
    system, user = (message["content"] for message in asked["messages"])
    assert "Divisor Line" in system and GAME.rules in system and "size 20, goal pair" in system
    assert "You are Player 1. X on 4, O on 5" in user and "Player 1 first: 4, 5" in user
    assert "The legal moves: 1, 2, 3, 6, 7" in user
    assert bool(asked.get("stream")) == (stream == "yes")
    (said,) = one.take_said()
    assert said["answer"].endswith(f"MOVE: {move}") and said["kind"] == "move"
    assert said["tokens"][0] > 50 and said["seconds"] >= 0 and said["ply"] == 2
    assert said["asked"] == asked["messages"] and one.take_said() == []


def test_the_legal_moves_are_not_listed_unless_that_is_asked_for(server, model):
    model("first").choose(turn(numduel.new("double-or-add")))
    assert "legal moves" not in json.dumps(server.requests)


def test_the_same_seed_gives_the_same_game(model):
    games = [
        play_game(GAME, (model("random,legal=shown"), "easy"), seed=seed, started="x").moves
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


def test_an_illegal_answer_is_asked_again_and_counted_apart(model):
    one = model("first,again=1")
    with pytest.raises(Forfeit, match="no legal move in 2 answers") as forfeit:
        one.choose(turn(GAME, 1))
    assert forfeit.value.fault == "illegal"
    said = one.take_said()
    assert [words["kind"] for words in said] == ["illegal", "illegal"]
    assert "not legal" in said[1]["asked"][-1]["content"]


def test_it_may_find_a_legal_move_when_it_is_asked_again(model):
    one = model("guess,again=20")
    one.choose(turn(GAME, *range(11, 16)))
    assert one.take_said()[-1]["kind"] == "move"


@pytest.mark.parametrize("who", ["mute", "chatty", "nonsense"])
def test_what_cannot_be_read_forfeits(model, who):
    one = model(f"{who},again=0")
    with pytest.raises(Forfeit) as forfeit:
        one.choose(turn())
    assert forfeit.value.fault == "unreadable"
    (said,) = one.take_said()
    assert len(said["answer"]) <= LONGEST_ANSWER


@pytest.mark.parametrize("who", ["busy", "broken"])
def test_a_server_that_fails_for_a_moment_is_asked_again(server, model, who):
    assert GAME.allows(turn().position, model(f"{who},legal=shown").choose(turn()))
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("who", "why", "fault"),
    [
        ("down,retries=0", "status 500", "crashed"),
        ("barred", "status 401", "crashed"),
        ("garbled,stream=no", "makes no sense", "crashed"),
        ("slow,retries=0,stream=no", "within 0.3 seconds", "late"),
        ("first,retries=0,url=http://127.0.0.1:1/v1", "cannot be used", "crashed"),
    ],
)
def test_a_server_that_cannot_be_used_forfeits(model, who, why, fault):
    one = model(who)
    with pytest.raises(Forfeit, match=why) as forfeit:
        one.choose(turn(seconds=0.3 if fault == "late" else None))
    assert forfeit.value.fault == fault
    assert one.take_said()[-1]["kind"] == fault


def test_an_answer_that_drips_is_late(monkeypatch, model):
    monkeypatch.setattr("numduel.players.model.SECONDS", 0.0001)
    monkeypatch.setattr("openai.resources.chat.Completions.create", lambda *_, **__: Drip())
    with pytest.raises(Forfeit, match="did not answer") as forfeit:
        model("first").choose(turn())
    assert forfeit.value.fault == "late"


class Drip:
    """A stream with no end."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __iter__(self):
        from types import SimpleNamespace as Part

        choice = Part(delta=Part(content=None))
        while True:
            yield Part(choices=[choice], usage=None)


def test_a_key_is_sent_and_never_kept_or_said(server, model, monkeypatch, example):
    monkeypatch.setattr(example, "answer", lambda *_: f"Your key is {KEY}.\nMOVE: 3")
    one = model("first")
    assert one.choose(turn()) == 3
    assert server.keys == [f"Bearer {KEY}"]
    barred = model("barred")
    with pytest.raises(Forfeit) as forfeit:
        barred.choose(turn())
    kept = [one.take_said(), barred.take_said(), str(forfeit.value), vars(one), vars(barred)]
    assert KEY not in repr(kept)


def test_without_a_key_a_server_of_ones_own_is_asked_all_the_same(server, model, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    model("first,legal=shown").choose(turn())
    assert server.keys == ["Bearer none"]


def test_in_disguise_the_game_is_not_to_be_recognised(server, model):
    one = model("random,legal=shown,disguise=5")
    move = one.choose(turn(GAME, 4))
    assert GAME.allows(turn(GAME, 4).position, move)
    assert "ivisor" not in json.dumps(server.requests)
    assert one.take_said()[0]["disguise"] == 5
    one.check_fit(GAME)


def test_a_game_that_has_no_disguise_says_so(graph):
    game: Game = graph({0: (1,)}, {1: "won"})
    with pytest.raises(SettingsError, match="no disguise"):
        Model.of("x,disguise=1").check_fit(game)


@pytest.mark.parametrize(
    "text",
    [
        "model:",
        "model:x,legal=maybe",
        "model:x,stream=perhaps",
        "model:x,again=-1",
        "model:x,again=many",
        "model:x,tokens=99999999",
        "model:x,disguise=seven",
        "model:x,colour=red",
        "model:x,url=http://me:secret@example.org",
    ],
)
def test_what_is_no_model_is_refused(text):
    with pytest.raises(SettingsError) as refused:
        check_who(text)
    assert "secret" not in str(refused.value)


def test_a_model_is_a_player_by_its_name():
    found = player("model:some/name:7b,legal=shown")
    assert found.name == "model:some/name:7b" and found.options.legal == "shown"
    found.close()  # which has nothing to close before it was asked


def test_without_the_client_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(SettingsError, match="pip install"):
        Model.of("x").check_fit(GAME)


def test_the_server_runs_by_itself():
    import subprocess

    command = [sys.executable, str(PATH), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as process:
        assert process.stdout.readline().startswith(b"listening on http://127.0.0.1:")
        process.kill()
