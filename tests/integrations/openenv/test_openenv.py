"""OpenEnv's own validation accepts the server, and its games follow our rules."""

import json
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread

import pytest
import uvicorn
from openenv.core.generic_client import GenericEnvClient
from tests.toy_games import Lowest

import numduel
from numduel.agents.common import truth
from numduel.agents.openenv import GameEnvironment, MoveAction, server
from numduel.agents.problems import openings
from numduel.core.words import replay_moves
from numduel.players.prompt import SECOND_CHANCES, Prompt

EXAMPLE = Path(__file__).parents[3] / "examples" / "openenv"
TIMEOUT_SECONDS = 180


def connected(url):
    """Return a client with long timeouts, for busy machines."""
    return GenericEnvClient(
        base_url=url,
        connect_timeout_s=TIMEOUT_SECONDS,
        message_timeout_s=TIMEOUT_SECONDS,
        websocket_ping_timeout_s=None,
    ).sync()


@contextmanager
def serving(app):
    """Serve an application, and give its URL."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        running = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            running.should_exit = True
            thread.join()


def openenv(*arguments):
    command = Path(sys.executable).with_name("openenv")
    done = subprocess.run(
        [command, *arguments], capture_output=True, text=True, timeout=TIMEOUT_SECONDS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_openenvs_own_validation_accepts_the_server(served):
    assert "FAIL" not in openenv("validate", "--url", served, "--timeout", "60")


def test_openenvs_own_validation_accepts_the_manifest():
    assert "FAIL" not in openenv("validate", str(EXAMPLE), "--level", "static", "--skip-build")


def test_the_declared_oracle_gets_the_full_reward(served):
    done = subprocess.run(
        [sys.executable, EXAMPLE / "oracle.py", served], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == 1.0


def test_a_game_over_the_network_is_our_game_and_faults_are_reported(served):
    with connected(served) as env:
        result = env.reset(seed=5)
        prompt = Prompt(numduel.new("multiplicity"))
        [opening] = openings("multiplicity", {}, 5, 1, seat=1)
        position, past = replay_moves(prompt.game, 1, opening)
        assert result.observation["text"] == prompt.whole(position, past)
        assert result.observation["legal_moves"] == list(prompt.game.moves(position))
        assert not result.done
        fault = prompt.reader.read(position, "51")
        for _ in range(SECOND_CHANCES):
            result = env.step({"move": 51})
            assert result.observation["text"] == prompt.correction(fault) and not result.done
        result = env.step({"move": 51})
        assert result.done and result.reward == -2.0  # the lost game, and the regret
        assert result.observation["fault"] == "51 is not one of the numbers from 1 to 50"
        with pytest.raises(RuntimeError, match="reset begins another"):
            env.step({"move": 2})


@pytest.mark.parametrize("balanced", [False, True])
def test_random_games_follow_our_rules(key, settings, balanced, many):
    env = GameEnvironment(key, opponent="random", rewards="both", balanced=balanced, **settings)
    game = numduel.new(key, **settings)
    for seed in range(many(50, 5_000)):
        rng = Random(seed)
        observation = env.reset(seed=seed)
        paid = observation.reward
        assert not (
            balanced and observation.done
        )  # a balanced game does not end before the learner decides
        while not observation.done:
            assert not paid
            position = game.read(observation.notation)
            assert position.mover == env.state.seat
            assert observation.legal_moves == list(game.moves(position))
            assert observation.truth is None
            worth = {move: one.score for move, one in numduel.evaluate(game, position).items()}
            move = rng.choice(observation.legal_moves)
            observation = env.step(MoveAction(move=move))
            paid = observation.reward + max(worth.values()) - worth[move]
        position = game.start()
        for move in env.state.moves:
            position = game.play(position, move)
        outcome = game.outcome(position)
        assert (env.state.winner, env.state.reason) == outcome
        assert paid == {None: 0, env.state.seat: 1}.get(outcome.winner, -1)


@pytest.mark.parametrize("who", ["random", "medium", "perfect"])
def test_a_seed_gives_the_same_game_as_everywhere(who):
    env = GameEnvironment("multiplicity", size=20, opponent=who, balanced=False)
    for seed in range(40):
        observation = env.reset(seed=seed)
        while not observation.done:
            observation = env.step(MoveAction(move=observation.legal_moves[0]))
        players = [Lowest(), who] if env.state.seat == 1 else [who, Lowest()]
        record = numduel.play_game(numduel.new("multiplicity", size=20), players, seed=seed)
        assert env.state.moves == [*record.moves]


def test_the_move_is_read_from_an_answer_in_words():
    env = GameEnvironment("multiplicity", seat=1, balanced=False)
    env.reset(seed=1)
    env.step(MoveAction(move="Seven is prime.\n**MOVE: 7**"))
    assert env.state.moves[0] == 7
    env.reset(seed=1)
    for _ in range(1 + SECOND_CHANCES):
        observation = env.step(MoveAction(move="Seven?"))
    assert observation.done and observation.reward == -1
    assert observation.fault == "no move can be read in 'Seven?'"


@pytest.mark.parametrize("verdicts", [False, True])
def test_verdicts_are_sent_if_they_are_requested(verdicts):
    game, turns = numduel.new("double-or-add", target=9), 0
    app = server("double-or-add", target=9, verdicts=verdicts, seat=1, balanced=False)
    with serving(app) as url, connected(url) as env:
        result = env.reset(seed=1)
        while not result.done:
            known = truth(game, game.read(result.observation["notation"]))
            written = json.loads(json.dumps(known))  # JSON keys are texts
            assert result.observation["truth"] == (written if verdicts else None)
            turns += 1
            result = env.step({"move": 2})
        assert result.observation["truth"] is None
    assert turns > 1


def test_the_bench_is_asked_read_and_scored_as_in_every_harness(marked_answers):
    env = GameEnvironment("bench")
    for place, (one, answers) in enumerate(marked_answers):
        for text, mark in answers.items():
            observation = env.reset(seed=place)
            assert observation.text == one.question() and not observation.done
            assert observation.legal_moves == list(one.worth)
            observation = env.step(MoveAction(move=text))
            assert observation.done and observation.reward == mark
            assert observation.fault == one.read(text).why


def test_single_positions_of_a_game_are_numbered():
    env = GameEnvironment("multiplicity", size=12, single=True)
    seen = {env.reset(seed=seed).notation for seed in range(10)}
    assert len(seen) == 10 and env.reset(seed=3).notation == env.reset(seed=3).notation


def test_a_game_can_begin_anywhere():
    env = GameEnvironment("double-or-add")
    observation = env.reset(injected_state="15/2")
    assert env.state.seat == 2 and observation.notation == "15/2"
    with pytest.raises(numduel.PositionError, match="written like"):
        env.reset(injected_state="no")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"key": "chess"}, "there is no game 'chess'"),
        ({"key": "multiplicity", "size": 1_000_000}, "at most 10,000 are allowed"),
        ({"key": "multiplicity", "rewards": "much"}, "rewards must be result, soundness or both"),
        ({"key": "multiplicity", "opponent": "human"}, "cannot play without a screen"),
        ({"key": "multiplicity", "seat": 3}, "seat must be none, 1 or 2, not 3"),
    ],
)
def test_invalid_options_are_refused_in_one_line(options, message):
    with pytest.raises(numduel.NumduelError, match=message):
        server(**options)
