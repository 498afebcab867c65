"""The vector environment agrees with Gymnasium's own over as many single environments."""

from copy import deepcopy
from random import Random

import gymnasium
import numpy as np
import pytest
from elsewhere import CASES
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import numduel
from numduel.agents.gymnasium import Environment
from numduel.agents.vector import Environments
from numduel.players import Forfeit, Player

COUNT = 6

pytestmark = pytest.mark.usefixtures("games_from_elsewhere")
cases = pytest.mark.parametrize(("key", "settings"), CASES, ids=str)


class Wild(Player):
    """Mostly random moves, but sometimes it gives up, crashes, or makes an illegal move."""

    name = "wild"

    def choose(self, turn):
        chance = turn.rng.random()
        if chance < 0.05:
            raise Forfeit("gives up") if chance < 0.03 else ZeroDivisionError
        return 10**9 if chance > 0.95 else turn.rng.choice(turn.game.moves(turn.position))


def wild_actions(rng, info):
    """Return actions, nearly all of which are legal."""
    masks = info["action_mask"]
    return np.array(
        [
            rng.randrange(masks.shape[1])
            if rng.random() < 0.05 or not mask.any()
            else rng.choice(np.flatnonzero(mask).tolist())
            for mask in masks
        ]
    )


@cases
@pytest.mark.parametrize("first", [1, "random"])
def test_it_returns_what_gymnasiums_own_vector_environment_returns(key, settings, first, many):
    opponent = Wild() if first == 1 else "random"
    given = {"opponent": opponent, "first": first, **settings}
    ours = Environments(key, COUNT, **given)
    theirs = SyncVectorEnv([lambda: Environment(key, **given)] * COUNT)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    rng = Random(1)
    result = ours.reset(seed=7)
    assert data_equivalence(result, theirs.reset(seed=7), exact=True)
    for _ in range(many(30, 300)):
        actions = wild_actions(rng, result[-1])
        earlier, copy = result, deepcopy(result)
        result = ours.step(actions)
        assert data_equivalence(result, theirs.step(actions), exact=True)
        assert result[0] in ours.observation_space
        assert data_equivalence(earlier, copy, exact=True)  # earlier results do not change
    options = {"first": 2}
    assert data_equivalence(ours.reset(options=options), theirs.reset(options=options), exact=True)
    ours.close()


def test_it_returns_the_same_verdicts():
    given = {"opponent": "medium", "size": 12, "verdicts": True}
    ours = Environments("multiplicity", COUNT, **given)
    theirs = SyncVectorEnv([lambda: Environment("multiplicity", **given)] * COUNT)
    result, rng = ours.reset(seed=7), Random(1)
    assert data_equivalence(result, theirs.reset(seed=7), exact=True)
    for _ in range(10):
        actions = wild_actions(rng, result[-1])
        result = ours.step(actions)
        assert data_equivalence(result, theirs.step(actions), exact=True)


def test_it_is_registered_and_supports_gymnasiums_wrappers():
    made = gymnasium.make_vec("numduel/Multiplicity-v0", num_envs=4, size=20, opponent="random")
    assert isinstance(made, Environments) and made.game == numduel.new("multiplicity", size=20)
    assert made.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    counted = RecordEpisodeStatistics(made)
    _, info = counted.reset(seed=1)
    rng = Random(1)
    for _ in range(50):
        info = counted.step(wild_actions(rng, info))[-1]
    assert counted.episode_count > 0
    counted.close()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number from 1 to 3,921,568, not 0"),
        ({"first": 0}, "first must be 1, 2 or random, not 0"),
        ({"opponent": "nobody"}, "a player is human"),
        ({"render_mode": "ansi"}, "there is no setting 'render_mode'"),
    ],
)
def test_invalid_options_are_refused_in_one_line(given, message):
    with pytest.raises(numduel.SettingsError, match=message) as refused:
        Environments("multiplicity", **given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("opponent", ["random", "medium"])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": [1, 2]}, "seed must be a whole number from 0, not"),
        ({"seed": -1}, "seed must be a whole number from 0, not -1"),
        ({"options": {"reset_mask": np.ones(2, bool)}}, "reset_mask cannot be given"),
    ],
)
def test_invalid_arguments_of_reset_are_refused(opponent, given, message):
    with pytest.raises(numduel.SettingsError, match=message) as refused:
        Environments("multiplicity", 2, opponent=opponent).reset(**given)
    assert "\n" not in str(refused.value)


def test_a_step_before_the_first_reset_is_refused():
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        Environments("multiplicity", 2).step(np.zeros(2, int))


def test_actions_out_of_bounds_are_refused():
    ours = Environments("multiplicity", COUNT)
    ours.reset()
    with pytest.raises(AssertionError, match="actions are not in MultiDiscrete"):
        ours.step(np.full(COUNT, 50))
