"""plybench's own players, its solver and its analysis work with our games."""

import asyncio

import numpy as np
import pytest
from plybench import PlyBench
from plybench.analysis.benchmark import BenchmarkAnalysis
from plybench.common.enums import GameResults, MetricName, ObservationType
from plybench.core.minimax import solve_game
from plybench.harness.benchmark.benchmark import Benchmark
from plybench.player.output_strategies import TextStrategy

import numduel
from numduel.agents.common import game_name
from numduel.agents.plybench import register
from numduel.core.errors import SettingsError
from numduel.players.prompt import Prompt

SMALL = [
    ("double-or-add", {"target": 20}),
    ("divisor-line", {"size": 6}),
    ("multiplicity", {"size": 12}),
]


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where it makes folders
    bench = PlyBench()
    register(bench.registry)
    return bench


def config(key, settings):
    given = ",".join(f"{name}={value}" for name, value in settings.items())
    return f"{game_name(key)}:{given}"


def put_position(engine, position):
    """Put the engine's game into a position; return the observation of its mover, and the moves."""
    game = engine.game
    game.state = game.game.new_initial_state(game.game.rules.notation(position))
    player = game.get_player()
    actions = [
        engine.action_class.from_openspiel(move, engine.interface_transformer)
        for move in game.get_legal_moves(player)
    ]
    observation = engine.observation_class.from_openspiel(
        game.get_observation(player), engine.interface_transformer
    )
    return observation, actions


def sound_actions(game, position):
    verdicts = numduel.evaluate(game, position)
    best = max(verdict.score for verdict in verdicts.values())
    return [game.actions.index(move) for move in verdicts if verdicts[move].score == best]


def unfinished(game):
    """Return all unfinished positions that can be reached from the start."""
    found, new = set(), [game.start()]
    while new:
        position = new.pop()
        if position not in found and game.outcome(position) is None:
            found.add(position)
            new += [game.after(position, move) for move in game.moves(position)]
    return found


small = pytest.mark.parametrize(("key", "at"), SMALL, ids=str)


@small
def test_plybenchs_solver_is_right_in_every_position(bench, key, at):
    engine = bench.registry.build_engine(bench.registry.game_config(config(key, at)))
    game, solved = engine.game.game.rules, solve_game(engine.game)
    positions = unfinished(game)
    assert len(positions) > 20
    for position in positions:
        observation, _ = put_position(engine, position)
        found = solved[position.mover - 1, observation.os_observation.state]
        assert sorted(found.A()) == sorted(sound_actions(game, position))
        assert found.V() == 2 * numduel.solve(game, position).score - 1


@small
def test_plybenchs_tree_search_is_right_in_every_position(bench, key, at):
    engine = bench.registry.build_engine(bench.registry.game_config(config(key, at)))
    game = engine.game.game.rules
    searching = bench.registry.player_config("mcts:max_simulations=3000")
    player = bench.registry.build_player(engine.game, searching, "i")
    player._rng = np.random.RandomState(1)
    player.initialize_policy(engine.game, engine.prompt_adapter)
    for position in unfinished(game):
        output = asyncio.run(player(engine.game, *put_position(engine, position)))
        assert output.action.number in sound_actions(game, position), position


def test_a_benchmark_is_played_and_judged(bench):
    games = [config(key, at) for key, at in SMALL]
    players = ["optimal:stochastic=True"]
    played = Benchmark("trial", bench, games, players, ["random:distribution=uniform"], 4)
    results = asyncio.run(played.run())
    for tracker in results.trackers:
        assert all(
            one.ending.result in (GameResults.WIN, GameResults.LOSS) for one in tracker.games
        )
    for found in BenchmarkAnalysis(results, bench.registry).analyze(progress=False):
        measured = found.metrics.combined.metrics
        assert measured[MetricName.OPTIMALITY_RATE].value == 1
        assert measured[MetricName.REGRET].value == 0


def test_questions_to_models_have_our_rules_and_the_whole_position(bench, key, settings):
    engine = bench.registry.build_engine(bench.registry.game_config(config(key, settings)))
    game = engine.game.game.rules
    position = game.play(game.start(), game.moves(game.start())[0])
    observation, actions = put_position(engine, position)
    asking = engine.prompt_adapter.for_observation_type(ObservationType.STATE)
    _, [asked] = asking.build_messages(observation, actions, TextStrategy())
    assert asked.content.startswith(Prompt(game).rules)
    assert f"Position in notation: {game.notation(position)}" in asked.content
    for action, move in zip(actions, game.moves(position), strict=True):
        assert f"<{move}>" in asked.content
        assert asking.lookup_move(actions, f"<{move}>") is action
        assert game.actions[action.to_openspiel().number] == move


def test_each_player_is_told_its_own_moves_even_if_it_moves_twice(bench):
    engine = bench.registry.build_engine(bench.registry.game_config("numduel_again:"))
    for move in (1, 2, 1):  # whoever takes one moves again
        engine.game.state.apply_action(move - 1)
    mine, theirs = engine.game.action_histories(0)
    assert [one.string for one in mine] == ["1", "2"] and [one.string for one in theirs] == ["1"]


def test_invalid_settings_are_refused_in_one_line(bench):
    wrong = bench.registry.game_config("numduel_multiplicity:size=0")
    with pytest.raises(SettingsError, match="size must be"):
        bench.registry.build_engine(wrong)
