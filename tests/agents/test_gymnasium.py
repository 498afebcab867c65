"""Gymnasium's own judges, and its environments beside the rules."""

from copy import deepcopy
from random import Random

import gymnasium
import numpy as np
import pytest
from elsewhere import CASES
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import numduel
from numduel.agents.common import reward
from numduel.agents.gymnasium import ME, THEM, Environment
from numduel.games import OURS
from numduel.play.table import TURN_LIMIT
from numduel.players import Forfeit, Player

pytestmark = pytest.mark.usefixtures("games_from_elsewhere")
cases = pytest.mark.parametrize(("key", "settings"), CASES, ids=str)


class Follower(Player):
    """Makes the moves that it is told to, and tells what it was asked."""

    name = "follower"

    def __init__(self, rng):
        self.rng = rng
        self.turns = []

    def choose(self, turn):
        self.turns.append(turn)
        return self.rng.choice(turn.game.moves(turn.position))


@cases
def test_its_own_check_passes(key, settings, capsys):
    spec = deepcopy(gymnasium.spec("numduel/Multiplicity-v0"))
    spec.kwargs["key"] = key  # also of games that are not installed
    made = gymnasium.make(spec, opponent="random", **settings)
    check_env(made.unwrapped)
    made.close()


@pytest.mark.parametrize("key", OURS)
def test_every_game_is_registered(key):
    made = gymnasium.make(f"numduel/{key.title().replace('-', '')}-v0")
    bound = {"ceiling": 40} if key == "divisor-duel" else {}
    assert made.unwrapped.game == numduel.new(key, **bound)
    made.close()


def test_the_mask_that_maskable_learners_ask_for_is_that_of_the_info():
    env = gymnasium.make("numduel/Multiplicity-v0", size=20, opponent="random").unwrapped
    _, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        assert env.action_masks().dtype == bool
        assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        action = env.action_masks().argmax()
        _, _, terminated, _, info = env.step(action)
    assert not env.action_masks().any()


def test_settings_and_opponent_go_through_make():
    made = gymnasium.make("numduel/Multiplicity-v0", size=20, opponent="level:7")
    assert made.unwrapped.game == numduel.new("multiplicity", size=20)
    assert made.unwrapped.opponent.name == numduel.players.player("level:7").name
    with pytest.raises(numduel.SettingsError, match="no bound: set a ceiling"):
        gymnasium.make("numduel/DivisorDuel-v0", start=50)


@cases
def test_games_are_those_of_the_rules(key, settings, many):
    rng = Random(1)
    one = Environment(key, opponent=(follower := Follower(rng)), first="random", **settings)
    game = one.game
    for number in range(many(5, 120)):
        follower.turns.clear()
        seen, info = one.reset(seed=number)
        mine, ended, late, earned = [], False, False, 0.0
        while not (ended or late):
            assert tuple(seen.tolist()) == game.encode(one.table.position)
            legal = info["action_mask"].nonzero()[0]
            action = rng.choice(legal.tolist() or [0])
            mine.append(game.actions[action])
            seen, earned, ended, late, info = one.step(action)
        position, theirs, turns = game.start(one.table.first), iter(follower.turns), 0
        for move in one.table.moves:  # each is who moves there
            if position.mover == ME:
                assert move == mine.pop(0)
            else:
                assert next(theirs).position == position
            position, turns = game.play(position, move), turns + 1
        outcome = game.outcome(position)
        assert (ended, late) == (outcome is not None, outcome is None)
        assert late == (turns >= TURN_LIMIT and outcome is None)
        assert earned == reward(outcome, ME)
        assert tuple(seen.tolist()) == game.encode(position)
        assert not info["action_mask"].any()


@pytest.mark.parametrize("first", [1, 2, "random"])
def test_a_seed_repeats_a_game(first):
    def game(seed):
        one = Environment("multiplicity", size=30, opponent="easy", first=first)
        one.reset(seed=seed)
        one.reset()
        ended = bool(one.table.outcome)
        while not ended:
            legal = one.game.moves(one.table.position)
            ended = one.step(one.game.actions.index(legal[-1]))[2]
        return one.table.first, *one.table.moves

    assert game(5) == game(5)
    assert len({game(seed) for seed in range(8)}) > 1


def test_an_illegal_move_loses():
    one = Environment("multiplicity", first=2)
    mask = one.reset(seed=1)[1]["action_mask"]
    seen, earned, ended, late, _ = one.step(int(np.flatnonzero(mask == 0)[0]))
    assert (earned, ended, late) == (-1.0, True, False)
    assert tuple(seen.tolist()) == one.game.encode(one.table.position)
    with pytest.raises(ResetNeeded, match="the game is over"):
        one.step(0)
    one.reset()
    with pytest.raises(AssertionError, match="50 is not in Discrete"):
        one.step(50)


def test_where_the_opponent_ends_the_game_the_first_step_tells():
    one = Environment("multiplicity", opponent="perfect", first=2)
    _, info = one.reset(seed=1)
    assert not info["action_mask"].any()
    assert one.step(7)[1:4] == (-1.0, True, False)


@pytest.mark.parametrize("raised", [Forfeit("is gone"), ZeroDivisionError(), 51, "7", None])
def test_an_opponent_who_fails_has_lost(raised):
    class Failing(Player):
        def choose(self, turn):
            if isinstance(raised, Exception):
                raise raised
            return raised

    one = Environment("multiplicity", opponent=Failing())
    one.reset()
    assert one.step(6)[1:4] == (1.0, True, False)


def test_verdicts_are_those_of_the_theory():
    one = Environment("double-or-add", target=5, verdicts=True)
    _, info = one.reset(options={"first": ME})
    assert info["verdict"]["value"] == numduel.solve(one.game, one.game.start()).value
    assert {action: known["value"] for action, known in info["verdicts"].items()} == {
        one.game.actions.index(move): verdict.value
        for move, verdict in numduel.evaluate(one.game, one.game.start()).items()
    }
    assert "verdict" not in Environment("double-or-add").reset()[1]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"opponent": "nobody"}, "a player is human"),
        ({"opponent": "human"}, "'human' cannot play without a screen"),
        ({"opponent": 7}, "7 cannot play without a screen"),
        ({"first": 0}, "first must be 1, 2 or random, not 0"),
        ({"render_mode": "oil"}, "render_mode must be human, ansi or rgb_array, not 'oil'"),
        ({"size": 1_000_000}, "it has 1,000,000 actions, at most 10,000 are allowed"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(given, why):
    with pytest.raises(numduel.SettingsError, match=why) as refused:
        Environment("multiplicity", **given)
    assert "\n" not in str(refused.value)


def test_it_begins_where_it_is_asked_to():
    one = Environment("divisor-line", first=2)
    assert one.reset(seed=1)[0].sum() > 1 and one.table.first == THEM
    assert one.reset(options={"first": ME})[0].sum() == 1 and one.table.first == ME
