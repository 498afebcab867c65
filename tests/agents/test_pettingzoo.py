"""PettingZoo's own judges, and its environments beside the rules."""

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
from numduel.games import OURS
from numduel.play.table import TURN_LIMIT

pytestmark = pytest.mark.usefixtures("games_from_elsewhere")
cases = pytest.mark.parametrize(("key", "settings"), CASES, ids=str)

# It warns of what its own classic games do as well, which it knows by name.
as_classic = [
    pytest.mark.filterwarnings(f"ignore:{message}")
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",  # once the game is over
        "Observation is a single number",  # the vector of a game that brings none
        "Observation numpy array is all zeros",
    )
]


def judged(test):
    for mark in as_classic:
        test = mark(test)
    return test


@cases
@judged
def test_its_own_suite_passes(key, settings, capsys, many):
    one = env(key, **settings)
    api_test(one, num_cycles=many(30, 400))
    seed_test(lambda: env(key, first="random", **settings), num_cycles=20)
    render_test(lambda render_mode: env(key, render_mode=render_mode, **settings))
    assert "Passed API test" in capsys.readouterr().out


@cases
def test_games_are_those_of_the_rules(key, settings, many):
    one, rng = env(key, **settings), Random(1)
    for _ in range(many(5, 120)):
        first = rng.choice((1, 2))
        one.reset(options={"first": first})
        game, position, turns = one.game, one.game.start(first), 0
        while game.outcome(position) is None and turns < TURN_LIMIT:
            assert one.agent_selection == AGENTS[position.mover - 1]
            seen, earned, terminated, truncated, info = one.last()
            assert (earned, terminated, truncated, info) == (0, False, False, {})
            assert tuple(seen["action_mask"].tolist()) == game.mask(position)
            assert tuple(seen["observation"].tolist()) == game.encode(position)
            move = rng.choice(game.moves(position))
            one.step(game.actions.index(move))
            position, turns = game.play(position, move), turns + 1
        outcome = game.outcome(position)
        for seat, agent in enumerate(AGENTS, 1):
            assert one.rewards[agent] == reward(outcome, seat)
            assert one.terminations[agent] == (outcome is not None)
            assert one.truncations[agent] == (outcome is None)
        assert tuple(one.state().tolist()) == game.encode(position)
        for _ in AGENTS:
            one.step(None)
        assert one.agents == []


@pytest.mark.parametrize("key", OURS)
def test_every_game_is_registered(key):
    made = pettingzoo.make("aec", f"numduel/{key.replace('-', '_')}_v0")
    assert made.game == numduel.new(key, **({"ceiling": 40} if key == "divisor-duel" else {}))
    assert str(made) == f"{key.replace('-', '_')}_v0"


def test_settings_go_through_the_registry():
    made = pettingzoo.make("aec", "numduel/multiplicity_v0", size=12, verdicts=True)
    assert made.game == numduel.new("multiplicity", size=12)
    made = pettingzoo.make("aec", "numduel/divisor_duel_v0", divisor=7)
    assert made.game == numduel.new("divisor-duel", divisor=7, ceiling=40)


@pytest.mark.parametrize(
    ("key", "settings", "why"),
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
def test_what_cannot_be_carried_is_refused_in_one_line(key, settings, why):
    with pytest.raises(numduel.SettingsError, match=why) as refused:
        env(key, **settings)
    assert "\n" not in str(refused.value)


def test_an_illegal_move_ends_the_game_as_with_their_wrapper(capsys):
    one, theirs = env("multiplicity"), TerminateIllegalWrapper(env("multiplicity"), -1)
    for each in (one, theirs):
        each.reset()
        each.step(6)
        each.step(np.int64(4))  # 5 is not a multiple or a divisor of 7
    while one.agents:
        assert one.agent_selection == theirs.agent_selection
        assert one.rewards == theirs.rewards
        assert one.last()[1:4] == theirs.last()[1:4]
        for each in (one, theirs):
            each.step(None)
    assert theirs.agents == []


@pytest.mark.parametrize("action", [-1, 50, 1.5, None, "7"])
def test_an_action_out_of_bounds_is_refused(action):
    one = env("multiplicity")
    one.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        one.step(action)


def test_order_is_kept(capsys):
    one = env("double-or-add")
    for early in (one.last, one.state, lambda: one.step(0), lambda: one.agents):
        with pytest.raises(AttributeError, match=r"reset\(\) needs to be called first"):
            early()
    one.reset()
    with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\) in a loop"):
        list(one.agent_iter())
    for agent in one.agent_iter():
        assert agent == one.agent_selection
        one.step(None if one.terminations[agent] else 0)
    one.step(0)  # only warned of, as by theirs
    assert one.agents == []


def test_verdicts_are_those_of_the_theory():
    one = env("double-or-add", target=5, verdicts=True)
    one.reset()
    one.step(0)
    game, position = one.game, one.game.play(one.game.start(), 1)
    info = one.last()[-1]
    assert info["verdict"] == {"value": "win", "score": 1.0, "distance": 3}
    assert info["verdicts"] == {
        game.actions.index(move): {"value": value, "score": score, "distance": distance}
        for move, (value, distance) in numduel.evaluate(game, position).items()
        for score in [numduel.Verdict(value).score]
    }
    assert one.infos[AGENTS[0]] == {}
    one.step(0)
    one.step(0)
    assert one.last()[-1] == {}  # it is over
    seed_test(lambda: env("multiplicity", size=20, verdicts=True), num_cycles=20)


def test_it_shows_the_position_in_words_and_as_a_picture(capsys):
    one = env("multiplicity", size=20, render_mode="ansi")
    one.reset()
    one.step(6)
    assert "Current N: 7" in one.render()
    looked_at = env("multiplicity", size=20, render_mode="human")
    looked_at.reset()
    looked_at.step(6)
    assert "Current N: 7" in capsys.readouterr().out
    picture = env("multiplicity", size=20, render_mode="rgb_array")
    picture.reset()
    before = picture.render()
    picture.step(6)
    assert before.shape == picture.render().shape and (before != picture.render()).any()


def test_it_is_pickled_in_the_middle_of_a_game():
    one = env("divisor-line")
    one.reset()
    one.step(3)
    again = pickle.loads(pickle.dumps(one))
    assert again.state().tolist() == one.state().tolist()
    again.step(4)
    assert one.agent_selection != again.agent_selection
