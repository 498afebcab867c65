"""Our environments pass Pgx's own test, and agree with the rules and the exact verdicts."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Literal

import jax
import jax.numpy as jnp
import numpy
import pgx
import pytest
from pgx._src import api_test
from pgx.experimental import auto_reset

import numduel
from numduel.agents.common import reward
from numduel.agents.pgx import make
from numduel.core.errors import SettingsError
from numduel.core.verdict import SCORES
from numduel.games import OUR_GAMES
from numduel.play.table import TURN_LIMIT

TRAINER = Path(__file__).parents[3] / "examples" / "train_pgx.py"

FURTHER = [
    ("operation-duel", {"operations": "-4,-7,x3", "target": 90, "start": 5}),
    ("double-or-add", {"target": 1_000_000, "start": 499_990}),
    ("divisor-line", {"size": 70}),
    ("divisor-line", {"goal": "chain", "size": 20}),
    ("multiplicity", {"size": 33, "opening": "even", "start_open": True, "start": 3}),
]


@jax.jit
def act_randomly(key, mask):
    return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)


def test_pgxs_own_test_passes(key, settings, monkeypatch):
    env = make(key, **settings)
    monkeypatch.setattr(api_test, "EnvId", Literal[env.id])  # Pgx knows only its own by name
    # Pgx's own function requires a second axis, which single states do not have.
    monkeypatch.setattr(api_test, "act_randomly", act_randomly)
    pgx.api_test(env, 5)


def test_random_games_follow_the_rules(key, settings, many):
    assert_same_games(key, settings, many(200, 10_000))


@pytest.mark.parametrize(("own_key", "own_settings"), FURTHER)
def test_random_games_at_other_settings_follow_the_rules(own_key, own_settings, many):
    assert_same_games(own_key, own_settings, many(200, 10_000))


def by_mover(position):
    """Return the position as the mover sees it, from seat 1."""
    if position.mover == 1:
        return position
    if hasattr(position, "crosses"):
        position = position._replace(crosses=position.noughts, noughts=position.crosses)
    return position._replace(mover=1)


def assert_same_games(key, settings, count):
    env = make(key, **settings)
    game = numduel.new(key, **settings)
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))

    @cache
    def expected(position):
        seen = by_mover(position) if key in OUR_GAMES else position
        return game.mask(position), game.encode(seen), game.outcome(position)

    state = init(jax.random.split(jax.random.key(1), count))
    assert env.num_actions == len(game.actions)
    assert env.observation_shape == (game.encoding.length,)
    first = numpy.asarray(state.current_player)
    assert {*first.tolist()} == {0, 1}
    positions = dict.fromkeys(range(count), game.start())
    for turn in range(TURN_LIMIT + 1):
        mask, seen, rewards, over, player = map(
            numpy.asarray,
            (
                state.legal_action_mask,
                state.observation,
                state.rewards,
                state.terminated,
                state.current_player,
            ),
        )
        for i, position in [*positions.items()]:
            legal, encoded, outcome = expected(position)
            assert tuple(seen[i].tolist()) == encoded
            assert over[i] == (outcome is not None or turn == TURN_LIMIT)
            assert player[i] == (first[i] if position.mover == 1 else 1 - first[i])
            earned = [reward(outcome, seat) for seat in (1, 2)]
            assert rewards[i].tolist() == (earned if first[i] == 0 else earned[::-1])
            assert tuple(mask[i].tolist()) == ((True,) * len(legal) if over[i] else legal)
            if over[i]:
                del positions[i]
        if not positions:
            break
        action = act_randomly(jax.random.key(turn), state.legal_action_mask)
        state = step(state, action, jax.random.split(jax.random.key(turn), count))
        chosen = numpy.asarray(action)
        for i, position in positions.items():
            positions[i] = game.play(position, game.actions[int(chosen[i])])
    assert not positions


@pytest.mark.parametrize(
    ("own_key", "own_settings"),
    [
        ("divisor-duel", {"divisor": 8, "ceiling": 100}),
        ("operation-duel", {"operations": "+1,-3,x2", "target": 50}),
        ("double-or-add", {"target": 40}),
        ("divisor-line", {}),
        ("divisor-line", {"size": 6}),
        ("multiplicity", {"size": 12, "opening": "even"}),
        ("fifteen", {}),
        ("again", {}),
        ("heaps", {}),
    ],
)
def test_verdicts_are_exact_within_the_step(own_key, own_settings, many):
    env = make(own_key, verdicts=True, **own_settings)
    count = many(10, 200)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), count))
    step = jax.jit(jax.vmap(env.step))
    for turn in range(12):
        for one in state._single_states():
            if not one.terminated:
                position = one.position
                assert int(one.verdict) == sign(numduel.solve(env.game, position))
                moves = numduel.evaluate(env.game, position)
                signs = [sign(moves[m]) if m in moves else -2 for m in env.game.actions]
                assert one.verdicts.tolist() == signs
        action = act_randomly(jax.random.key(turn), state.legal_action_mask)
        state = step(state, action, jax.random.split(jax.random.key(turn), count))


def sign(verdict):
    return 2 * SCORES[verdict.value] - 1


def test_each_player_sees_the_position_from_its_own_seat():
    env = make("divisor-line", size=12)
    state = env.step(env.init(jax.random.key(3)), jnp.int32(4))
    mover = state.current_player
    seen, across = env.observe(state, mover), env.observe(state, 1 - mover)
    assert (seen == state.observation).all()
    assert seen.tolist()[:2] == [1, 0] and across.tolist()[:2] == [2, 0]
    assert seen[2 + 4] == 2 and across[2 + 4] == 1  # whose number it is


def test_an_illegal_action_loses_at_once_and_nothing_follows():
    env = make("multiplicity", size=20)
    step = jax.jit(env.step)
    state = env.init(jax.random.key(3))
    loser = int(state.current_player)
    state = step(state, jnp.int32(0))  # 1 is chosen already
    assert state.terminated
    assert state.rewards[loser] == -1 and state.rewards[1 - loser] == 1
    assert state.legal_action_mask.all()
    later = step(state, jnp.int32(4))
    assert later.terminated and not later.rewards.any()
    assert (later.observation == state.observation).all()


@pytest.mark.parametrize("action", [-1, -20, 20, 2**31 - 1])
def test_an_action_out_of_range_is_illegal(action):
    env = make("multiplicity", size=20, opening="even")  # in which 20 may be chosen
    state = env.init(jax.random.key(3))
    loser = int(state.current_player)
    assert state.legal_action_mask[-1]
    later = jax.jit(env.step)(state, jnp.int32(action))
    assert later.terminated and later.rewards[loser] == -1
    assert (later.observation == state.observation).all()


def test_the_same_keys_give_the_same_games():
    env = make("divisor-line", size=12)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))

    def played(seed):
        keys = jax.random.split(jax.random.key(seed), 16)
        state, seen = jax.jit(jax.vmap(env.init))(keys), []
        for turn in range(20):
            key = jax.random.fold_in(jax.random.key(seed), turn)
            action = act_randomly(key, state.legal_action_mask)
            state = step(state, action, jax.random.split(key, 16))
            seen.append(state.observation.tolist())
        return seen

    assert played(5) == played(5) != played(6)


def test_a_game_without_end_is_called_off():
    env = make("operation-duel", operations="+1,-1", target=9)
    step = jax.jit(env.step)
    state = env.init(jax.random.key(0))
    for turn in range(TURN_LIMIT):
        assert not state.terminated
        state = step(state, jnp.int32(turn % 2))
    assert state.terminated and not state.rewards.any()


@pytest.mark.parametrize(
    ("own_key", "own_settings", "message"),
    [
        ("divisor-duel", {"start": 50}, "no bound: set a ceiling"),
        ("double-or-add", {"target": 10**10}, "over 2,147,483,647"),
        ("multiplicity", {"size": 5000}, "over 1,024"),
        ("multiplicity", {"size": 1}, "over before it begins"),
        ("multiplicity", {"verdicts": True}, "only tables could tell its verdicts, and"),
        ("divisor-line", {"goal": "chain", "verdicts": True}, "only tables could tell"),
        ("divisor-line", {"length": 5}, "no setting 'length'"),
        ("chess", {}, "no game 'chess'"),
    ],
)
def test_unsupported_settings_are_refused_in_one_line(own_key, own_settings, message):
    with pytest.raises(SettingsError, match=message) as refused:
        make(own_key, **own_settings)
    assert "\n" not in str(refused.value)


def test_a_state_is_drawn_in_words(tmp_path):
    env = make("multiplicity", size=20)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 3))
    assert state.to_svg(color_theme="dark", scale=2).count("<text") == 3
    state.save_svg(str(tmp_path / "state.svg"))
    assert "<svg" in (tmp_path / "state.svg").read_text()


def test_the_example_learns_a_small_game(tmp_path):
    asked = ["divisor-line", "size=8", "--moves", "64000", "--batch", "64"]
    done = subprocess.run(
        [sys.executable, TRAINER, *asked, "--plot", tmp_path / "learning.svg"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    sound, by_chance = map(float, re.search(r"([\d.]+)% sound; at random ([\d.]+)%", last).groups())
    assert by_chance < 70 and sound > 85
    assert "<svg" in (tmp_path / "learning.svg").read_text()
