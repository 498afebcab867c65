"""Our environments pass PettingZoo's own tests, and agree with the rules."""

import pickle
from random import Random

import numpy as np
import pettingzoo
import pytest
from elsewhere import CASES
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import numduel
from numduel.agents.common import reward
from numduel.agents.pettingzoo import AGENTS, env
from numduel.games import OUR_GAMES
from numduel.play.table import TURN_LIMIT

pytestmark = pytest.mark.usefixtures("games_from_elsewhere")
cases = pytest.mark.parametrize(("key", "settings"), CASES, ids=str)

# PettingZoo warns of these in all games but its own, which it knows by name.
ignored_warnings = [
    pytest.mark.filterwarnings(f"ignore:{message}")
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",  # once the game is over
        "Observation is a single number",  # of a game without an encoding of its own
        "Observation numpy array is all zeros",
    )
]


def ignoring_warnings(test):
    for mark in ignored_warnings:
        test = mark(test)
    return test


@cases
@ignoring_warnings
def test_pettingzoos_own_suite_passes(key, settings, capsys, many):
    games = env(key, **settings)
    api_test(games, num_cycles=many(30, 400))
    seed_test(lambda: env(key, first="random", **settings), num_cycles=20)
    render_test(lambda render_mode: env(key, render_mode=render_mode, **settings))
    assert "Passed API test" in capsys.readouterr().out


@cases
def test_random_games_follow_the_rules(key, settings, many):
    games, rng = env(key, **settings), Random(1)
    for _ in range(many(5, 120)):
        first = rng.choice((1, 2))
        games.reset(options={"first": first})
        game, position, turns = games.game, games.game.start(first), 0
        while game.outcome(position) is None and turns < TURN_LIMIT:
            assert games.agent_selection == AGENTS[position.mover - 1]
            observed, earned, terminated, truncated, info = games.last()
            assert (earned, terminated, truncated, info) == (0, False, False, {})
            assert tuple(observed["action_mask"].tolist()) == game.mask(position)
            assert tuple(observed["observation"].tolist()) == game.encode(position)
            move = rng.choice(game.moves(position))
            games.step(game.actions.index(move))
            position, turns = game.play(position, move), turns + 1
        outcome = game.outcome(position)
        for seat, agent in enumerate(AGENTS, 1):
            assert games.rewards[agent] == reward(outcome, seat)
            assert games.terminations[agent] == (outcome is not None)
            assert games.truncations[agent] == (outcome is None)
        assert tuple(games.state().tolist()) == game.encode(position)
        for _ in AGENTS:
            games.step(None)
        assert games.agents == []


@pytest.mark.parametrize("key", OUR_GAMES)
def test_every_game_is_registered(key):
    made = pettingzoo.make("aec", f"numduel/{key.replace('-', '_')}_v0")
    assert made.game == numduel.new(key, **({"ceiling": 40} if key == "divisor-duel" else {}))
    assert str(made) == f"{key.replace('-', '_')}_v0"


def test_make_passes_on_settings():
    made = pettingzoo.make("aec", "numduel/multiplicity_v0", size=12, verdicts=True)
    assert made.game == numduel.new("multiplicity", size=12)
    made = pettingzoo.make("aec", "numduel/divisor_duel_v0", divisor=7)
    assert made.game == numduel.new("divisor-duel", divisor=7, ceiling=40)


@pytest.mark.parametrize(
    ("key", "settings", "message"),
    [
        ("divisor-duel", {"start": 50}, "the numbers of Divisor Duel have no bound: set a ceiling"),
        ("multiplicity", {"size": 1_000_000}, "it has 1,000,000 actions, at most 10,000 are"),
        ("operation-duel", {"target": 2**63}, "its numbers do not fit 64 bits"),
        ("multiplicity", {"size": 1}, "it is over before it begins"),
        ("multiplicity", {"size": "many"}, "size must be a whole number from 1 to 10,000,000"),
        ("multiplicity", {"first": 3}, "first must be 1, 2 or random, not 3"),
        ("multiplicity", {"render_mode": "oil"}, "render_mode must be human, ansi or rgb_array"),
        ("chess", {}, "there is no game 'chess'"),
    ],
)
def test_unsupported_settings_are_refused_in_one_line(key, settings, message):
    with pytest.raises(numduel.SettingsError, match=message) as refused:
        env(key, **settings)
    assert "\n" not in str(refused.value)


def test_an_illegal_move_ends_the_game_as_with_pettingzoos_wrapper(capsys):
    ours, theirs = env("multiplicity"), TerminateIllegalWrapper(env("multiplicity"), -1)
    for each in (ours, theirs):
        each.reset()
        each.step(6)
        each.step(np.int64(4))  # 5 is not a multiple or a divisor of 7
    while ours.agents:
        assert ours.agent_selection == theirs.agent_selection
        assert ours.rewards == theirs.rewards
        assert ours.last()[1:4] == theirs.last()[1:4]
        for each in (ours, theirs):
            each.step(None)
    assert theirs.agents == []


@pytest.mark.parametrize("action", [-1, 50, 1.5, None, "7"])
def test_an_action_out_of_bounds_is_refused(action):
    games = env("multiplicity")
    games.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        games.step(action)


def test_calls_in_the_wrong_order_are_refused(capsys):
    games = env("double-or-add")
    for early in (games.last, games.state, lambda: games.step(0), lambda: games.agents):
        with pytest.raises(AttributeError, match=r"reset\(\) needs to be called first"):
            early()
    games.reset()
    with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\) in a loop"):
        list(games.agent_iter())
    for agent in games.agent_iter():
        assert agent == games.agent_selection
        games.step(None if games.terminations[agent] else 0)
    games.step(0)  # only warns, as PettingZoo's own wrapper does
    assert games.agents == []


def test_verdicts_agree_with_the_theory():
    games = env("double-or-add", target=5, verdicts=True)
    games.reset()
    games.step(0)
    game, position = games.game, games.game.play(games.game.start(), 1)
    info = games.last()[-1]
    assert info["verdict"] == {"value": "win", "score": 1.0, "distance": 3}
    assert info["verdicts"] == {
        game.actions.index(move): {"value": value, "score": score, "distance": distance}
        for move, (value, distance) in numduel.evaluate(game, position).items()
        for score in [numduel.Verdict(value).score]
    }
    assert games.infos[AGENTS[0]] == {}
    games.step(0)
    games.step(0)
    assert games.last()[-1] == {}  # it is over
    seed_test(lambda: env("multiplicity", size=20, verdicts=True), num_cycles=20)


def test_positions_are_rendered_as_text_and_as_pictures(capsys):
    games = env("multiplicity", size=20, render_mode="ansi")
    games.reset()
    games.step(6)
    assert "Current N: 7" in games.render()
    printing = env("multiplicity", size=20, render_mode="human")
    printing.reset()
    printing.step(6)
    assert "Current N: 7" in capsys.readouterr().out
    picture = env("multiplicity", size=20, render_mode="rgb_array")
    picture.reset()
    before = picture.render()
    picture.step(6)
    assert before.shape == picture.render().shape and (before != picture.render()).any()


def test_an_unfinished_game_can_be_pickled():
    games = env("divisor-line")
    games.reset()
    games.step(3)
    again = pickle.loads(pickle.dumps(games))
    assert again.state().tolist() == games.state().tolist()
    again.step(4)
    assert games.agent_selection != again.agent_selection
