"""Language models as players: what they are asked, and what their answers count as."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.toy_games import GraphGame, asked

import numduel
from numduel import SettingsError
from numduel.core.words import replay_moves
from numduel.play.game_loop import play_game
from numduel.players import check_who, player
from numduel.players.answer import MAX_ANSWER_CHARACTERS, Answer
from numduel.players.model import MAX_RECALLED_CHARACTERS, Model
from numduel.players.player import Forfeit, Unavailable
from numduel.players.prompt import Prompt

EXAMPLE = Path(__file__).parents[2] / "examples" / "model_server.py"
GAME = numduel.new("divisor-line", size=20)
KEY = "sk-very-secret"


def turn(*moves, **given):
    return asked(GAME, *moves, **given)


@pytest.fixture
def model(stub, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    return Model.of


def answers(model, at, known=()):
    """Return the further answers of a model in a turn, and its move or how it failed."""
    noted = []

    async def ask():
        async with model.provider() as provider:
            return await model.answer(at, provider.ask, known, noted.append)

    try:
        return noted, asyncio.run(ask())
    except (Forfeit, Unavailable) as error:
        return noted, error


@pytest.mark.parametrize("stream", ["yes", "no"])
def test_a_model_is_told_the_game_and_answers_with_a_move(stub, model, stream):
    (answer,), move = answers(model(f"first,stream={stream},legal=shown"), turn(4, 5))
    assert move == answer.move == 1
    (request,) = stub.requests
    prompt = Prompt(GAME, legal=True)
    told = [prompt.rules, prompt.question(*replay_moves(GAME, 1, (4, 5)))]
    assert [one["content"] for one in request["messages"]] == told
    assert bool(request.get("stream")) == (stream == "yes")
    assert answer.asked == request.pop("messages") and answer.sent == request
    assert answer == answer._replace(
        text="Move: 1",
        finish_reason="stop",
        version="first-2026-11-18",
        prompt_tokens=100,
        answer_tokens=20,
        reasoning_tokens=15,
        tries=1,
        kind="move",
        strict=True,
    )
    assert 0 < answer.seconds < 60


def test_the_legal_moves_are_listed_only_on_request(stub, model):
    assert model("first").choose(turn()) == 1
    assert "Legal moves" not in json.dumps(stub.requests)
    assert stub.requests[0]["max_completion_tokens"] >= 16_384


def test_options_of_a_request_are_sent(stub, model):
    model('first,temperature=0.5,effort=high,tokens=99,fields={"top_p":0.9,"x":[1,2]}').choose(
        turn()
    )
    (request,) = stub.requests
    assert request["temperature"] == 0.5 and request["reasoning_effort"] == "high"
    assert request["max_completion_tokens"] == 99
    assert (request["top_p"], request["x"]) == (0.9, [1, 2])


def test_the_same_seed_gives_the_same_game_and_asks_with_the_same_seeds(stub, model):
    for _ in range(2):
        play_game(GAME, (model("first,legal=shown"), "easy"), seed=1, started="x")
    seeds = [request["seed"] for request in stub.requests]
    assert seeds[: len(seeds) // 2] == seeds[len(seeds) // 2 :] and len({*seeds}) > 1


def test_an_illegal_answer_is_asked_again_and_then_forfeits(model):
    noted, end = answers(model("says-Move: 4,again=1"), turn(4))
    assert [answer.kind for answer in noted] == ["illegal", "illegal"] and end.fault == "illegal"
    assert str(end) == "gave no legal move in 2 answers: 4 is occupied by Player 1"
    *_, said, correction = noted[1].asked
    assert said == {"role": "assistant", "content": "Move: 4"}
    assert "4 is occupied by Player 1" in correction["content"]


def test_an_unreadable_answer_forfeits(model):
    for text, shown in (("", "…"), ("Well" * 9999, ("Well" * 9999)[-MAX_RECALLED_CHARACTERS:])):
        noted, end = answers(model(f"says-{text},again=1"), turn())
        assert [answer.kind for answer in noted] == ["unreadable"] * 2
        assert noted[1].asked[-2]["content"] == shown and end.fault == "unreadable"


def test_an_endless_answer_is_not_read_to_its_end(model):
    (answer,), end = answers(model(f"says-{'Hm ' * 99_999}Move: 1,again=0"), turn())
    assert end.fault == "unreadable" and answer.finish_reason == "too long"
    assert len(answer.text) == MAX_ANSWER_CHARACTERS + 1


def test_an_answer_that_was_cut_off_is_never_read_as_a_move(model):
    for who in ("cut", "empty", "cut,stream=no"):
        noted, end = answers(model(f"{who},again=1"), turn())
        assert [answer.kind for answer in noted] == ["cut", "cut"] and end.fault == "cut"
        assert noted[0].asked == noted[1].asked and noted[0].finish_reason == "length"
    with pytest.raises(Unavailable, match="cut off by a limit of tokens"):
        model("cut,again=0").choose(turn())


def test_a_refusal_is_counted_as_such(model):
    for who in ("declines", "filtered", "declines,stream=no"):
        noted, end = answers(model(who), turn())
        assert {answer.kind for answer in noted} == {"refused"} and end.fault == "refused"
    with pytest.raises(Forfeit, match="refused to answer"):
        model("declines").choose(turn())


def test_answers_that_were_paid_for_are_not_requested_again(stub, model):
    one = model("says-Move: 4,again=2")
    noted, _ = answers(one, turn(4))
    seeds = [request["seed"] for request in stub.requests]
    again, end = answers(one, turn(4), noted[:2])
    assert len(again) == 1 and again[0].asked == noted[2].asked and end.fault == "illegal"
    assert [request["seed"] for request in stub.requests] == [*seeds, seeds[2]]
    late = Answer(kind="late", why="did not answer")
    assert answers(one, turn(4), [late])[1].fault == "late" and len(stub.requests) == 4


def test_a_model_that_exceeds_the_time_limit_is_late(model):
    noted, end = answers(model("stalls"), turn(seconds=0.3))
    assert [answer.kind for answer in noted] == ["late"] and end.fault == "late"
    assert str(end) == "did not answer within 0.3 seconds"


def test_without_a_time_limit_no_model_is_late(model, monkeypatch):
    monkeypatch.setattr("numduel.players.model.MODEL_TIMEOUT_SECONDS", 0.2)
    noted, end = answers(model("stalls"), turn())
    assert noted == [] and isinstance(end, Unavailable) and "within 0.2 seconds" in str(end)


def test_a_provider_that_fails_ends_no_game(model):
    with pytest.raises(Unavailable, match="HTTP 503: Overloaded"):
        play_game(GAME, ("random", model("down,retries=0")))


def test_a_model_can_be_asked_inside_a_running_event_loop(model):
    async def play():
        return play_game(GAME, (model("first,legal=shown"), "easy"))

    assert asyncio.run(play()).outcome.reason != "forfeited"


def test_in_disguise_the_game_cannot_be_recognised(stub, model):
    one = model("first,legal=shown,disguise=5")
    one.check_fit(GAME)
    assert GAME.allows(turn(4).position, one.choose(turn(4)))
    assert "ivisor" not in json.dumps(stub.requests)


def test_a_game_that_has_no_disguise_says_so():
    with pytest.raises(SettingsError, match="no disguise"):
        Model.of("x,disguise=1").check_fit(GraphGame({0: (1,)}, {1: "won"}))


WRONG = """
    model: model:@x model:x,legal=maybe model:x,stream=perhaps model:x,again=-1 model:x,again=many
    model:x,tokens=99999999999 model:x,tokens=0
    model:x,temperature=nan model:x,temperature=-1 model:x,disguise=seven
    model:x,colour=red model:x,fields=3 model:x,fields={ model:x,fields={"stream":true}
    model:x,fields={"max_tokens":9} model:x@openai,url=http://127.0.0.1/v1
"""


def test_a_wrong_name_or_option_of_a_model_is_refused():
    for text in WRONG.split():
        with pytest.raises(SettingsError):
            check_who(text)


def test_a_model_is_a_player_by_its_name_and_provider():
    found = player("model:some/name@2:7b@lab,legal=shown")
    assert found.model == "some/name@2:7b" and found.address == "lab"
    assert player("model:a").address == player("model:a@openai").address
    assert found.name == "model:some/name@2:7b" and found.options.legal == "shown"


def test_without_the_client_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(SettingsError, match="pip install"):
        Model.of("x").check_fit(GAME)


def test_the_server_of_the_examples_runs_by_itself():
    command = [sys.executable, str(EXAMPLE), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as process:
        try:
            url = process.stdout.readline().decode().split()[-1]
            for who in ("random", "first", "busy", "broken"):
                one = Model.of(f"{who},legal=shown,url={url}")
                assert GAME.allows(turn(2).position, one.choose(turn(2)))
        finally:
            process.kill()  # or a failure would wait for it for ever
