"""Inspect runs our tasks, which are scored by the exact verdicts."""

import asyncio
import json
import math
import re
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
import yaml
from inspect_ai import eval as inspect_eval
from inspect_ai._eval.task.hf import HFTask
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Target, pattern

import numduel
from numduel.agents import text_game
from numduel.agents.common import truth
from numduel.agents.inspect import bench, single_position, whole_game
from numduel.core.words import replay_moves
from numduel.players.player import RandomPlayer
from numduel.players.prompt import SECOND_CHANCES, Prompt

COMMAND_TIMEOUT_SECONDS = 600


def model_output(text, ended="stop"):
    output = ModelOutput.from_content("mockllm/model", text, stop_reason=ended)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def run_task(task, answer, tmp_path, ended="stop"):
    """Return the log of a task whose questions are answered by a function of their text."""

    def output(messages, tools, choice, config):
        return model_output(answer(messages[-1].text), ended)

    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    [log] = inspect_eval(task, model=model, log_dir=str(tmp_path), display="none")
    return log


def successful_log(task, answer, tmp_path, ended="stop"):
    """Return the log of a task that must run without an error."""
    log = run_task(task, answer, tmp_path, ended)
    assert log.status == "success", log.error
    return log


def metrics(log):
    return {score.name: score.metrics["mean"].value for score in log.results.scores}


def marks(*numbers, strict=1):
    """Return the expected metrics of single positions."""
    names = ("right", "skill", "sound", "regret", "fault")
    named = dict(zip(names, numbers, strict=True))
    return pytest.approx({**named, "strict": strict, "cut": 0})


def answering(game, choose):
    """Return a function that reads the position in a question, and answers with a chosen move."""

    def answer(text):
        position = game.read(re.search(r"Position in notation: (.*)", text)[1])
        return f"I think.\nMove: {choose(numduel.evaluate(game, position))}"

    return answer


def best(verdicts):
    return max(verdicts, key=lambda move: verdicts[move].rank)


def worst(verdicts):
    return min(verdicts, key=lambda move: verdicts[move].rank)


def test_sound_answers_score_in_every_game(key, settings, tmp_path):
    game = numduel.new(key, **settings)
    log = successful_log(
        single_position(key, positions=5, **settings), answering(game, best), tmp_path
    )
    assert metrics(log) == marks(1, 1, 1, 0, 0)
    for sample in log.samples:
        assert sample.scores["position_scorer"].answer in sample.target


def test_mistakes_and_faults_are_scored_separately(tmp_path):
    game = numduel.new("double-or-add")
    log = successful_log(
        single_position("double-or-add", positions=4), answering(game, worst), tmp_path
    )
    assert metrics(log) == marks(0, -1, 0, 1, 0)
    log = successful_log(
        single_position("double-or-add", positions=4), lambda text: "Move: 9", tmp_path
    )
    assert metrics(log)["fault"] == 1
    for sample in log.samples:
        position, past = replay_moves(game, 1, sample.metadata["moves"])
        assert sample.input == Prompt(game).whole(position, past)
        read = Prompt(game).reader.read(position, "Move: 9")
        assert sample.scores["position_scorer"].explanation == read.why
    assert all(math.isnan(s.scores["position_scorer"].value["sound"]) for s in log.samples)


def test_faults_do_not_count_as_moves(tmp_path):
    sound = answering(numduel.new("double-or-add"), best)
    turns = cycle([sound, lambda text: "pass"])
    log = successful_log(
        single_position("double-or-add", positions=4), lambda text: next(turns)(text), tmp_path
    )
    assert metrics(log) == marks(0.5, 0, 1, 0, 0.5, strict=0.5)

    def every_other_game(text):
        if "Position in notation" not in text:  # a correction
            return "pass"
        begins = "a game for two players" in text
        return (next(turns) if begins else sound)(text)

    found = metrics(
        successful_log(whole_game("double-or-add", games=4), every_other_game, tmp_path)
    )
    assert (found["sound"], found["regret"], found["fault"]) == (1, 0, 0.5)


@pytest.mark.parametrize("seat", [None, 1])
def test_a_perfect_player_keeps_the_score_that_it_begins_with(key, settings, seat, tmp_path):
    game = numduel.new(key, **settings)
    task = whole_game(key, opponent="easy", games=3, seat=seat, **settings)
    log = successful_log(task, answering(game, best), tmp_path)
    found = metrics(log)
    assert (found["sound"], found["regret"], found["fault"]) == (1, 0, 0)
    for sample in log.samples:
        begun, _ = replay_moves(game, 1, sample.metadata["opening"])
        assert seat in (None, begun.mover) and begun.mover == sample.store["seat"]
        assert len({one.score for one in numduel.evaluate(game, begun).values()}) > 1
        kept = numduel.solve(game, begun).score
        assert sample.scores["game_scorer"].value["result"] >= kept


def test_the_bench_is_asked_read_and_scored_as_in_every_harness(marked_answers, tmp_path):
    chance = sum(one.chance for one, _ in marked_answers) / len(marked_answers)
    for number in range(4):
        texts = [list(answers)[number] for _, answers in marked_answers]
        given = {one.question(): text for (one, _), text in zip(marked_answers, texts, strict=True)}
        log = successful_log(bench(positions=len(marked_answers)), given.__getitem__, tmp_path)
        assert [sample.input for sample in log.samples] == [
            one.question() for one, _ in marked_answers
        ]
        for sample, (one, _), text in zip(log.samples, marked_answers, texts, strict=True):
            value = sample.scores["position_scorer"].value
            known = {name: mark for name, mark in value.items() if not math.isnan(mark)}
            assert known == pytest.approx(one.marks(one.read(text), chance))
            assert sample.target == [str(move) for move in one.gold]


@pytest.mark.parametrize(
    ("ended", "fault", "cut"),
    [("max_tokens", 0, 1), ("model_length", 0, 1), ("content_filter", 1, 0)],
)
def test_cut_off_answers_and_refusals_are_never_read_as_moves(ended, fault, cut, tmp_path):
    answer = answering(numduel.new("double-or-add"), best)
    log = successful_log(single_position("double-or-add", positions=2), answer, tmp_path, ended)
    scores = [sample.scores["position_scorer"].value for sample in log.samples]
    log = successful_log(
        whole_game("double-or-add", games=2), lambda text: "Move: 1", tmp_path, ended
    )
    scores += [sample.scores["game_scorer"].value for sample in log.samples]
    for value in scores:
        assert (value["fault"], value["cut"], value["strict"]) == (fault, cut, 0)
        assert math.isnan(value["sound"])
        for name in {"right", "skill", "result"} & {*value}:
            assert math.isnan(value[name]) == bool(cut)


def test_games_follow_our_rules(key, settings, tmp_path, many):
    game, rng = numduel.new(key, **settings), Random(1)
    answer = answering(game, lambda verdicts: rng.choice(list(verdicts)))
    log = successful_log(whole_game(key, games=many(5, 1000), **settings), answer, tmp_path)
    for sample in log.samples:
        position = game.start()
        for move in sample.store["moves"]:
            position = game.play(position, move)
        winner = game.outcome(position).winner
        result = 0.5 if winner is None else float(winner == sample.store["seat"])
        assert sample.scores["game_scorer"].value["result"] == result
        assert sample.store["fault"] == ""


def test_unreadable_answers_lose_and_are_a_fault(tmp_path):
    task = whole_game(games=2, size=20, legal=True, balanced=False)
    log = successful_log(task, lambda text: "pass", tmp_path)
    assert (metrics(log)["result"], metrics(log)["fault"]) == (0, 1)
    prompt = Prompt(numduel.new("multiplicity", size=20), legal=True)
    for sample in log.samples:
        position, past = replay_moves(prompt.game, 1, sample.store["moves"])
        again = prompt.correction(prompt.reader.read(position, "pass"))
        asked = [message.text for message in sample.messages if message.role == "user"]
        assert asked == [prompt.whole(position, past), *[again] * SECOND_CHANCES]


def test_verdicts_are_given_if_they_are_requested():
    [bare, *_] = single_position("double-or-add", positions=2).dataset
    [with_verdicts, *_] = single_position("double-or-add", positions=2, verdicts=True).dataset
    assert bare.input == with_verdicts.input and "verdict" not in bare.metadata
    assert with_verdicts.metadata["verdict"]["value"] == "win"


def test_the_verdicts_of_each_turn_are_stored_if_they_are_requested(tmp_path):
    game = numduel.new("double-or-add")
    for verdicts in (False, True):
        task = whole_game("double-or-add", games=2, seat=1, balanced=False, verdicts=verdicts)
        for sample in successful_log(task, answering(game, worst), tmp_path).samples:
            position, known = game.start(), []
            for move in sample.store["moves"]:
                if position.mover == 1:
                    known.append(truth(game, position))
                position = game.play(position, move)
            written = json.loads(json.dumps(known))  # JSON keys are texts
            stored = json.loads(json.dumps(sample.store.get("verdicts")))
            assert stored == (written if verdicts else None)


def test_opponents_are_always_closed(tmp_path, monkeypatch):
    held = []

    class Holding(RandomPlayer):
        def __init__(self):
            held.append(self)

        def close(self):
            held.remove(self)

    monkeypatch.setattr(text_game, "computer_player", lambda name: Holding())
    task = whole_game(games=2, size=20)
    assert not held

    def fail(text):
        assert held
        raise ZeroDivisionError

    assert "ZeroDivisionError" in run_task(task, fail, tmp_path).error.message
    assert not held
    successful_log(task, lambda text: "pass", tmp_path)
    assert not held


def test_a_seed_repeats_the_samples():
    def inputs(seed):
        return [sample.input for sample in single_position(positions=5, seed=seed).dataset]

    assert inputs(1) == inputs(1) != inputs(2)


@pytest.mark.parametrize("task", [whole_game, single_position])
def test_unsupported_settings_are_refused_in_one_line(task):
    with pytest.raises(numduel.SettingsError, match="at most 10,000 are allowed"):
        task(size=1_000_000)


def test_a_data_sets_eval_yaml_is_what_inspect_reads():
    path = Path(numduel.__file__).parent / "arena" / "templates" / "dataset" / "eval.yaml"
    [task] = yaml.safe_load(path.read_text())["tasks"]
    [asked] = [HFTask.model_validate(task)]
    [scored] = [pattern(**one.args) for one in asked.scorers]
    for text, right in (
        ("Move: 9", "C"), ("Move: 7\n**MOVE: 9.**\n", "C"), ("Move: 19", "I"), ("9", "I"),
    ):  # fmt: skip
        state = SimpleNamespace(output=SimpleNamespace(completion=text))
        assert asyncio.run(scored(state, Target("9"))).value == right


ORACLE = """
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver


@solver
def oracle():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("mockllm/model", f"Move: {state.target[0]}")
        return state

    return solve
"""
"""Takes the place of a model, because Inspect's own mock loads a tokenizer."""


def test_the_command_finds_the_tasks_by_name(tmp_path, environment):
    command = Path(sys.executable).with_name("inspect")
    (tmp_path / "oracle.py").write_text(ORACLE)
    task = ["numduel/single_position", "-T", "game=heaps", "-T", "positions=3"]
    model = ["--model", "mockllm/model", "--solver", "oracle.py@oracle"]
    done = subprocess.run(
        [command, "eval", *task, *model, "--log-dir", "logs", "--log-format", "json"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=COMMAND_TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [log] = [json.loads(path.read_text()) for path in tmp_path.glob("logs/*.json")]
    assert log["status"] == "success", log["error"]
    assert log["eval"]["task"] == "heaps_positions"
    assert log["results"]["completed_samples"] == 3
    found = {score["name"]: score["metrics"]["mean"]["value"] for score in log["results"]["scores"]}
    assert found == marks(1, 1, 1, 0, 0)
