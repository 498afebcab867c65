"""Our environments pass Gymnasium's own checker, and agree with the rules."""

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
from numduel.games import OUR_GAMES
from numduel.play.table import TURN_LIMIT
from numduel.players import Forfeit, Player

pytestmark = pytest.mark.usefixtures("games_from_elsewhere")
cases = pytest.mark.parametrize(("key", "settings"), CASES, ids=str)


class RecordingPlayer(Player):
    """Makes random legal moves, and records its turns."""

    name = "recording"

    def __init__(self, rng):
        self.rng = rng
        self.turns = []

    def choose(self, turn):
        self.turns.append(turn)
        return self.rng.choice(turn.game.moves(turn.position))


@cases
def test_gymnasiums_own_checker_passes(key, settings, capsys):
    spec = deepcopy(gymnasium.spec("numduel/Multiplicity-v0"))
    spec.kwargs["key"] = key  # which may not be registered with Gymnasium
    made = gymnasium.make(spec, opponent="random", **settings)
    check_env(made.unwrapped)
    made.close()


@pytest.mark.parametrize("key", OUR_GAMES)
def test_every_game_is_registered(key):
    made = gymnasium.make(f"numduel/{key.title().replace('-', '')}-v0")
    bound = {"ceiling": 40} if key == "divisor-duel" else {}
    assert made.unwrapped.game == numduel.new(key, **bound)
    made.close()


def test_action_masks_agree_with_the_info():
    env = gymnasium.make("numduel/Multiplicity-v0", size=20, opponent="random").unwrapped
    _, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        assert env.action_masks().dtype == bool
        assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        action = env.action_masks().argmax()
        _, _, terminated, _, info = env.step(action)
    assert not env.action_masks().any()


def test_make_passes_on_settings_and_opponent():
    made = gymnasium.make("numduel/Multiplicity-v0", size=20, opponent="level:7")
    assert made.unwrapped.game == numduel.new("multiplicity", size=20)
    assert made.unwrapped.opponent.name == numduel.players.player("level:7").name
    with pytest.raises(numduel.SettingsError, match="no bound: set a ceiling"):
        gymnasium.make("numduel/DivisorDuel-v0", start=50)


@cases
def test_random_games_follow_the_rules(key, settings, many):
    rng = Random(1)
    env = Environment(key, opponent=(opponent := RecordingPlayer(rng)), first="random", **settings)
    game = env.game
    for number in range(many(5, 120)):
        opponent.turns.clear()
        observation, info = env.reset(seed=number)
        mine, terminated, truncated, earned_reward = [], False, False, 0.0
        while not (terminated or truncated):
            assert tuple(observation.tolist()) == game.encode(env.table.position)
            legal = info["action_mask"].nonzero()[0]
            action = rng.choice(legal.tolist() or [0])
            mine.append(game.actions[action])
            observation, earned_reward, terminated, truncated, info = env.step(action)
        position, theirs, turns = game.start(env.table.first), iter(opponent.turns), 0
        for move in env.table.moves:
            if position.mover == ME:
                assert move == mine.pop(0)
            else:
                assert next(theirs).position == position
            position, turns = game.play(position, move), turns + 1
        outcome = game.outcome(position)
        assert (terminated, truncated) == (outcome is not None, outcome is None)
        assert truncated == (turns >= TURN_LIMIT and outcome is None)
        assert earned_reward == reward(outcome, ME)
        assert tuple(observation.tolist()) == game.encode(position)
        assert not info["action_mask"].any()


@pytest.mark.parametrize("first", [1, 2, "random"])
def test_a_seed_repeats_a_game(first):
    def game(seed):
        env = Environment("multiplicity", size=30, opponent="easy", first=first)
        env.reset(seed=seed)
        env.reset()
        terminated = bool(env.table.outcome)
        while not terminated:
            legal = env.game.moves(env.table.position)
            terminated = env.step(env.game.actions.index(legal[-1]))[2]
        return env.table.first, *env.table.moves

    assert game(5) == game(5)
    assert len({game(seed) for seed in range(8)}) > 1


def test_an_illegal_move_loses():
    env = Environment("multiplicity", first=2)
    mask = env.reset(seed=1)[1]["action_mask"]
    observation, earned_reward, terminated, truncated, _ = env.step(
        int(np.flatnonzero(mask == 0)[0])
    )
    assert (earned_reward, terminated, truncated) == (-1.0, True, False)
    assert tuple(observation.tolist()) == env.game.encode(env.table.position)
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(0)
    env.reset()
    with pytest.raises(AssertionError, match="50 is not in Discrete"):
        env.step(50)


def test_if_the_opponent_ends_the_game_the_first_step_says_so():
    env = Environment("multiplicity", opponent="perfect", first=2)
    _, info = env.reset(seed=1)
    assert not info["action_mask"].any()
    assert env.step(7)[1:4] == (-1.0, True, False)


@pytest.mark.parametrize("raised", [Forfeit("is gone"), ZeroDivisionError(), 51, "7", None])
def test_an_opponent_that_fails_loses(raised):
    class Failing(Player):
        def choose(self, turn):
            if isinstance(raised, Exception):
                raise raised
            return raised

    env = Environment("multiplicity", opponent=Failing())
    env.reset()
    assert env.step(6)[1:4] == (1.0, True, False)


def test_verdicts_agree_with_the_theory():
    env = Environment("double-or-add", target=5, verdicts=True)
    _, info = env.reset(options={"first": ME})
    assert info["verdict"]["value"] == numduel.solve(env.game, env.game.start()).value
    assert {action: known["value"] for action, known in info["verdicts"].items()} == {
        env.game.actions.index(move): verdict.value
        for move, verdict in numduel.evaluate(env.game, env.game.start()).items()
    }
    assert "verdict" not in Environment("double-or-add").reset()[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "nobody"}, "a player is human"),
        ({"opponent": "human"}, "'human' cannot play without a screen"),
        ({"opponent": 7}, "7 cannot play without a screen"),
        ({"first": 0}, "first must be 1, 2 or random, not 0"),
        ({"render_mode": "oil"}, "render_mode must be human, ansi or rgb_array, not 'oil'"),
        ({"size": 1_000_000}, "it has 1,000,000 actions, at most 10,000 are allowed"),
    ],
)
def test_invalid_options_are_refused_in_one_line(options, message):
    with pytest.raises(numduel.SettingsError, match=message) as refused:
        Environment("multiplicity", **options)
    assert "\n" not in str(refused.value)


def test_first_decides_who_begins():
    env = Environment("divisor-line", first=2)
    assert env.reset(seed=1)[0].sum() > 1 and env.table.first == THEM
    assert env.reset(options={"first": ME})[0].sum() == 1 and env.table.first == ME
