"""Games between two models and single positions, as verifiers' own commands run them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import numduel
from numduel.agents.verifiers import GameConfig, GameTaskset, PositionTaskset

sys.path.append(str(Path(__file__).parent))
from model_server import serving

PATIENCE = 600


@pytest.fixture
def vf(tmp_path, environment):
    """Run a command of verifiers: vf("eval", "numduel-game", …) is each line of what it wrote."""

    def vf(command, *arguments):
        program = Path(sys.executable).with_name(f"vf-{command}")
        done = subprocess.run(
            [program, *map(str, arguments), "-o", tmp_path],
            env={**environment, "LOCAL_KEY": "none"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        [path] = tmp_path.rglob("results.jsonl" if command == "validate" else "traces.jsonl")
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        path.unlink()
        assert lines, done.stdout + done.stderr
        return lines

    return vf


def chosen(prefix, key, settings, tasks):
    given = {"game": key, "settings": json.dumps(settings), "tasks": tasks}
    return [part for name in given for part in (f"--{prefix}taskset.{name}", given[name])]


def client(url):
    return ["--client.base-url", url, "--client.api-key-var", "LOCAL_KEY", "--no-push", "--no-rich"]


def evaluated(vf, taskset, key, settings, *models, tasks=2):
    """The traces of each episode, by the agent's name."""
    game = numduel.new(key, **settings)
    with serving(game) as url:
        lines = vf("eval", taskset, *models, *chosen("env.", key, settings, tasks), *client(url))
    assert len(lines) == tasks and all(line["ok"] for line in lines), lines
    return [{trace["agent"]["name"]: trace for trace in line["traces"]} for line in lines]


@pytest.mark.parametrize("taskset", ["numduel-positions", "numduel-game"])
def test_the_gold_answers_are_valid(vf, taskset):
    arguments = [*chosen("", "multiplicity", {"size": 20}, 3), "--runtime.type", "subprocess"]
    only = [] if taskset == "numduel-positions" else ["--only-gold"]  # a game is not paid in itself
    found = vf("validate", taskset, *arguments, *only, "--no-rich")
    assert [row["valid"] for row in found] == [True] * 3, found


@pytest.mark.parametrize(
    ("model", "paid", "marks"),
    [
        ("best", 1, {"sound_moves": 1, "regret": 0, "fault": 0}),
        ("worst", 0, {"sound_moves": 0, "regret": 1, "fault": 0}),
        ("mute", 0, {"fault": 1}),
    ],
)
def test_positions_are_marked_by_the_truth(vf, model, paid, marks):
    for traces in evaluated(vf, "numduel-positions", "double-or-add", {}, "-m", model):
        assert traces["player"]["rewards"]["sound"]["score"] == paid
        assert traces["player"]["metrics"] == marks


def test_two_models_play_a_game_by_our_rules(vf, key, settings, many):
    models = ["-m", "random", "--env.second.model", "best", "--env.taskset.verdicts", "true"]
    game = numduel.new(key, **settings)
    for traces in evaluated(vf, "numduel-game", key, settings, *models, tasks=many(2, 200)):
        first, second = traces["first"], traces["second"]
        assert first["info"]["moves"] == second["info"]["moves"]
        position, turns = game.start(), {1: 0, 2: 0}
        for move in first["info"]["moves"]:
            turns[position.mover] += 1
            position = game.play(position, move)
        winner = game.outcome(position).winner
        for seat, trace in ((1, first), (2, second)):
            paid = 0 if winner is None else 1 if winner == seat else -1
            assert trace["rewards"]["result"]["score"] == paid
            assert len(trace["info"]["verdicts"]) == turns[seat]
            assert trace["metrics"]["fault"] == 0
        if turns[2]:
            assert second["metrics"]["sound_moves"] == 1


def test_a_model_that_says_nothing_of_use_loses_and_is_at_fault(vf):
    models = ["-m", "best", "--env.first.model", "mute"]
    for traces in evaluated(vf, "numduel-game", "multiplicity", {}, *models):
        assert traces["first"]["rewards"]["result"]["score"] == -1
        assert traces["second"]["rewards"]["result"]["score"] == 1
        assert [traces[name]["metrics"]["fault"] for name in ("first", "second")] == [1, 0]


def test_the_positions_of_a_seed_are_the_same_in_every_game(key, settings):
    def prompts(seed):
        config = GameConfig(id="numduel-positions", game=key, settings=settings, tasks=5, seed=seed)
        return [task.data.prompt for task in PositionTaskset(config)]

    assert prompts(1) == prompts(1) != prompts(2)


@pytest.mark.parametrize("taskset", [GameTaskset, PositionTaskset])
def test_what_cannot_be_carried_is_refused_in_a_line(taskset):
    config = GameConfig(id="numduel-game", settings={"size": 1_000_000})
    with pytest.raises(numduel.SettingsError, match="at most 10,000 are allowed"):
        list(taskset(config))


def test_its_own_taskset_plays_our_openenv_server(vf, served, tmp_path):
    config = tmp_path / "openenv.toml"
    config.write_text(
        f"""
        model = "best"
        [env]
        player = {{ harness = {{ id = "numduel-game" }}, runtime = {{ type = "subprocess" }} }}
        taskset = {{ id = "openenv", base_url = "{served}", resets = [{{ seed = 1 }}] }}
        """
    )
    with serving(numduel.new("multiplicity")) as url:
        [line] = vf("eval", "@", config, *client(url))
    assert line["ok"], line
    [trace] = line["traces"]
    assert trace["rewards"]["openenv_reward"]["score"] == 1
