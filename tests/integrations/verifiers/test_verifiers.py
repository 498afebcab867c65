"""verifiers' own commands run games between two models, and single positions."""

import asyncio
import json
import re
import subprocess
import sys
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from tests.stub_provider import Handler, StubProvider
from verifiers.v1.cli.eval.main import main as vf_eval

import numduel
from numduel.agents.problems import openings
from numduel.agents.verifiers import GameConfig, GameEnv, GameTaskset, PositionTaskset
from numduel.core.words import replay_moves
from numduel.play.chance import chance
from numduel.players import Turn, player
from numduel.players.prompt import SECOND_CHANCES, Prompt

COMMAND_TIMEOUT_SECONDS = 600


class KnowingModels(Handler):
    """The models `best`, `worst` and `random` know the exact verdicts; `mute` names no move."""

    def move(self, asked):
        model, said = asked["model"], json.dumps(asked["messages"][-1]["content"])
        if model == "mute":
            return "I would rather not."
        game = self.server.game
        position = game.read(re.findall(r"Position in notation: ([^\s\\]+)", said)[-1])
        verdicts = numduel.evaluate(game, position)
        ranked = sorted(verdicts, key=lambda move: verdicts[move].rank)
        chosen = {"best": ranked[-1], "worst": ranked[0], "random": Random(said).choice(ranked)}
        return f"I have thought of it.\nMove: {chosen[model]}"


def serving(game):
    """Return a server of models that play this game."""
    server = StubProvider(KnowingModels)
    server.game = game
    return closing(server)


@pytest.fixture
def vf(tmp_path, environment):
    """Run a command of verifiers: vf("eval", "numduel-game", …) returns the lines that it wrote."""

    def vf(command, *arguments):
        program = Path(sys.executable).with_name(f"vf-{command}")
        done = subprocess.run(
            [program, *map(str, arguments), "-o", tmp_path],
            env={**environment, "LOCAL_KEY": "none"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        name = "results.jsonl" if command == "validate" else "traces.jsonl"
        return read_and_remove(tmp_path, name)

    return vf


@pytest.fixture
def vf_here(tmp_path, monkeypatch):
    """As `vf`, but in this process: the command takes seconds to import what it needs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCAL_KEY", "none")
    monkeypatch.setattr("sys.argv", ["vf-eval"])
    monkeypatch.setattr("verifiers.v1.cli.eval.main.install_interrupt", lambda: None)

    def vf_here(command, *arguments):
        assert command == "eval"
        vf_eval([*map(str, arguments), "-o", str(tmp_path)])
        return read_and_remove(tmp_path, "traces.jsonl")

    return vf_here


def read_and_remove(folder, name):
    """Return the lines of the one file of that name, and remove it."""
    [path] = folder.rglob(name)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.unlink()
    assert lines
    return lines


def taskset_options(prefix, key, settings, tasks):
    given = {"game": key, "settings": json.dumps(settings), "tasks": tasks}
    return [part for name in given for part in (f"--{prefix}taskset.{name}", given[name])]


def client_options(url):
    return ["--client.base-url", url, "--client.api-key-var", "LOCAL_KEY", "--no-push", "--no-rich"]


def evaluated(vf, taskset, key, settings, *models, tasks=2):
    """Return the traces of each episode by the agent's name."""
    game = numduel.new(key, **settings)
    with serving(game) as server:
        options = taskset_options("env.", key, settings, tasks)
        lines = vf("eval", taskset, *models, *options, *client_options(server.url))
    assert len(lines) == tasks and all(line["ok"] for line in lines), lines
    return [{trace["agent"]["name"]: trace for trace in line["traces"]} for line in lines]


@pytest.mark.parametrize("taskset", ["numduel-positions", "numduel-game"])
def test_the_gold_answers_are_valid(vf, taskset):
    arguments = [
        *taskset_options("", "multiplicity", {"size": 20}, 3),
        "--runtime.type",
        "subprocess",
    ]
    only = [] if taskset == "numduel-positions" else ["--only-gold"]  # a game itself has no reward
    found = vf("validate", taskset, *arguments, *only, "--no-rich")
    assert [row["valid"] for row in found] == [True] * 3, found


@pytest.mark.parametrize(
    ("model", "paid", "marks"),
    [
        ("best", 1, {"right": 1, "skill": 1, "sound_moves": 1, "regret": 0, "strict": 1}),
        ("worst", 0, {"right": 0, "skill": -1, "sound_moves": 0, "regret": 1, "strict": 1}),
        ("mute", 0, {"right": 0, "skill": -1, "strict": 0, "fault": 1}),
        ("cut", 0, {"strict": 0, "cut": 1}),
        ("filtered", 0, {"right": 0, "skill": -1, "strict": 0, "fault": 1}),
    ],
)
def test_positions_are_marked_by_the_exact_verdicts(vf_here, model, paid, marks):
    for traces in evaluated(vf_here, "numduel-positions", "double-or-add", {}, "-m", model):
        assert traces["player"]["rewards"]["sound"]["score"] == paid
        assert traces["player"]["metrics"] == {"fault": 0, "cut": 0, **marks}
        used = traces["player"]["num_input_tokens"], traces["player"]["num_output_tokens"]
        assert used == (100, 20)


def test_two_models_play_a_game_by_our_rules(vf_here, key, settings, many):
    models = ["-m", "random", "--env.second.model", "best", "--env.taskset.verdicts", "true"]
    game = numduel.new(key, **settings)
    tasks = many(2, 200)
    played = evaluated(vf_here, "numduel-game", key, settings, *models, tasks=tasks)
    begun = [
        traces["first"]["task"]["data"]["moves"] for traces in played
    ]  # in the order in which they ended
    assert sorted(begun) == sorted(map(list, openings(key, settings, 0, tasks)))
    for traces, opening in zip(played, begun, strict=True):
        first, second = traces["first"], traces["second"]
        assert first["info"]["moves"] == second["info"]["moves"]
        assert opening == first["info"]["moves"][: len(opening)]
        begins = replay_moves(game, 1, opening)[0].mover
        position, turns = game.start(), {1: 0, 2: 0}
        for made, move in enumerate(first["info"]["moves"]):
            turns[position.mover] += made >= len(opening)
            position = game.play(position, move)
        winner = game.outcome(position).winner
        for seat, trace in ((begins, first), (3 - begins, second)):
            paid = 0 if winner is None else 1 if winner == seat else -1
            assert trace["rewards"]["result"]["score"] == paid
            assert len(trace["info"]["verdicts"]) == turns[seat]
            assert trace["metrics"]["fault"] == 0
        assert second["metrics"].get("sound_moves", 1) == 1


class PlayerAgent:
    """An agent that answers like a player of ours, with the randomness of a game with this seed."""

    def __init__(self, game, who, seed, moves):
        self.game, self.player, self.seed, self.moves = game, player(who), seed, moves
        self.trace = SimpleNamespace(
            info={}, record_reward=lambda *_: None, record_metrics=lambda _: None
        )

    @asynccontextmanager
    async def interaction(self, task):
        yield self

    async def turn(self, question):
        rng = chance(self.seed, 1, len(self.moves))
        position = self.game.read(re.findall(r"Position in notation: (\S+)", question)[-1])
        self.moves.append(self.player.choose(Turn(self.game, position, 1, tuple(self.moves), rng)))
        return SimpleNamespace(terminated=False, last_reply=f"Move: {self.moves[-1]}")


@pytest.mark.parametrize("who", ["random", "medium", "perfect"])
def test_players_of_ours_play_the_same_game_as_everywhere(who):
    game = numduel.new("multiplicity", size=20)
    data = SimpleNamespace(rules=game, moves=[], legal=False, verdicts=False)
    for seed in range(40):
        moves = []
        first, second = (PlayerAgent(game, who, seed, moves) for _ in range(2))
        agents = SimpleNamespace(first=first, second=second)
        asyncio.run(GameEnv.run(None, SimpleNamespace(data=data), agents))
        record = numduel.play_game(game, (who, who), seed=seed)
        assert first.trace.info["moves"] == second.trace.info["moves"] == [*record.moves]


def test_a_model_that_names_no_move_loses_and_is_at_fault(vf):
    models = ["-m", "best", "--env.first.model", "mute"]
    models += ["--env.taskset.balanced", "false"]
    for traces in evaluated(vf, "numduel-game", "multiplicity", {}, *models):
        assert traces["first"]["rewards"]["result"]["score"] == -1
        assert traces["second"]["rewards"]["result"]["score"] == 1
        assert [traces[name]["metrics"]["fault"] for name in ("first", "second")] == [1, 0]
        prompt = Prompt(numduel.new("multiplicity"))
        again = prompt.correction(prompt.reader.read(prompt.game.start(), "I would rather not."))
        said = json.dumps(traces["first"])
        assert json.dumps(prompt.whole(prompt.game.start())) in said
        assert said.count(json.dumps(again)) == SECOND_CHANCES


def test_nobody_loses_if_an_answer_was_cut_off(vf_here):
    models = ["-m", "best", "--env.first.model", "cut", "--env.taskset.balanced", "false"]
    for traces in evaluated(vf_here, "numduel-game", "multiplicity", {}, *models):
        assert [traces[name]["rewards"]["result"]["score"] for name in traces] == [0, 0]
        assert traces["first"]["metrics"] == {"strict": 0, "fault": 0, "cut": 1}
        assert traces["second"]["metrics"]["cut"] == 0


def test_a_seed_repeats_the_positions(key, settings):
    def prompts(seed):
        config = GameConfig(id="numduel-positions", game=key, settings=settings, tasks=5, seed=seed)
        return [task.data.prompt for task in PositionTaskset(config)]

    assert prompts(1) == prompts(1) != prompts(2)


def test_positions_are_asked_as_in_every_harness(key, settings):
    config = GameConfig(id="numduel-positions", game=key, settings=settings, tasks=5, legal=True)
    prompt = Prompt(numduel.new(key, **settings), legal=True)
    for task in PositionTaskset(config):
        position, past = replay_moves(prompt.game, 1, task.data.moves)
        assert task.data.prompt == prompt.whole(position, past)


def test_the_bench_is_asked_read_and_scored_as_in_every_harness(marked_answers):
    chance = sum(one.chance for one, _ in marked_answers) / len(marked_answers)
    config = GameConfig(id="numduel-positions", game="bench", tasks=len(marked_answers))
    for task, (one, answers) in zip(PositionTaskset(config), marked_answers, strict=True):
        assert task.data.prompt == one.question() and task.data.gold == [*one.gold]
        for text, mark in answers.items():
            trace = SimpleNamespace(last_reply=text, info={})
            assert asyncio.run(task.sound(trace)) == mark
            assert asyncio.run(task.marks(trace)) == pytest.approx(
                one.marks(one.read(text), chance, sound="sound_moves")
            )


@pytest.mark.parametrize("taskset", [GameTaskset, PositionTaskset])
def test_unsupported_settings_are_refused_in_one_line(taskset):
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
    with serving(numduel.new("multiplicity")) as server:
        [line] = vf("eval", "@", config, *client_options(server.url))
    assert line["ok"], line
    [trace] = line["traces"]
    assert trace["rewards"]["openenv_reward"]["score"] == 1
