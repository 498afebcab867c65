"""Learn a game by self-play in JAX, with the exact verdicts as a measure of progress.

    python examples/train_pgx.py divisor-line size=20 --seconds 240 --plot learning.svg

A small network estimates the value of each move. It plays thousands of games against itself at
once, and is trained towards what it finds: the reward if a move ends the game, else the value of
the best answer for the other side. The exact verdicts take no part in this. They only show, every
few seconds, in how many of the positions where it matters the best move of the network is sound.
It needs the extra `pgx`, and a game whose verdicts are known within the step.
"""

import argparse
import math
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
from pgx.experimental import auto_reset

import numduel
from numduel.agents.pgx import make

HIDDEN_UNITS = 256  # in each of two layers
LEARNING_RATE = 1e-3  # at first
EXPLORATION = 0.2  # the chance of a random move
TARGET_DECAY = 0.99  # of the slower network that gives the values of answers
UPDATES_AT_ONCE = 50  # between two looks at the clock


# The network: the value of each move for its player, from -1 to 1.


def new_network(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(k, (m, n)) * math.sqrt(2 / m), jnp.zeros(n))
        for k, m, n in zip(keys, sizes, sizes[1:], strict=False)
    ]


def values_of(network, seen, kinds):
    """Return the value of each move. The entries of an observation are numbers below `kinds`."""
    signal = jax.nn.one_hot(seen, kinds).reshape(len(seen), -1)
    for weights, bias in network[:-1]:
        signal = jax.nn.relu(signal @ weights + bias)
    weights, bias = network[-1]
    return jnp.tanh(signal @ weights + bias)


def best(network, state, kinds):
    """Return the value of the best legal move, and its index."""
    legal = jnp.where(state.legal_action_mask, values_of(network, state.observation, kinds), -2.0)
    return legal.max(-1), legal.argmax(-1)


def any_move(key, mask):
    return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)


# One update: a move in each game, and a step towards its value.


def update(env, kinds, batch, carry, key):
    network, slow, moments, count, rate, state = carry
    explore, lot, keys = jax.random.split(key, 3)
    _, liked = best(network, state, kinds)
    wander = jax.random.bernoulli(explore, EXPLORATION, (batch,))
    action = jnp.where(wander, any_move(lot, state.legal_action_mask), liked)
    after = jax.vmap(auto_reset(env.step, env.init))(state, action, jax.random.split(keys, batch))

    mover = state.current_player
    paid = jnp.take_along_axis(after.rewards, mover[:, None], 1)[:, 0]
    answer, _ = best(slow, after, kinds)
    goal = jnp.where(
        after.terminated, paid, jnp.where(after.current_player == mover, 1, -1) * answer
    )

    def error(network):
        guess = values_of(network, state.observation, kinds)
        return jnp.square(jnp.take_along_axis(guess, action[:, None], 1)[:, 0] - goal).mean()

    slope = jax.grad(error)(network)
    network, moments = adam(network, slope, moments, count + 1, rate)
    slow = jax.tree.map(
        lambda old, new: TARGET_DECAY * old + (1 - TARGET_DECAY) * new, slow, network
    )
    return (network, slow, moments, count + 1, rate, after), None


def adam(network, slope, moments, count, rate):
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slope)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g * g, moments[1], slope)
    size = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    step = jax.tree.map(lambda w, m, v: w - size * m / (jnp.sqrt(v) + 1e-8), network, first, second)
    return step, (first, second)


# The exact verdicts.


def judged_positions(env, count):
    """Return positions of random games in which some legal moves are sound and others are not."""
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(7), count))
    kept = []
    for turn in range(20):
        sound, legal = state.verdicts == state.verdict[:, None], state.verdicts > -2
        matters = (sound & legal).any(-1) & (~sound & legal).any(-1)
        kept.append(jax.tree.map(lambda part, matters=matters: part[matters], state))
        key = jax.random.key(turn)
        action = any_move(key, state.legal_action_mask)
        state = step(state, action, jax.random.split(key, count))
    return jax.tree.map(lambda *parts: jnp.concatenate(parts)[: 2 * count], *kept)


def sound_share(positions, actions):
    """Return the share of the moves that are sound."""
    values = jnp.take_along_axis(positions.verdicts, actions[:, None], 1)[:, 0]
    return (values == positions.verdict).mean()


def plot(points, chance, title):
    """Return an SVG of the share of sound moves over the moves played, on a logarithmic axis."""
    low, high = (math.log10(points[end][0]) for end in (0, -1))
    across = {m: 60 + 520 * (math.log10(m) - low) / (high - low or 1) for m, _ in points}
    spots = " ".join(f"{across[m]:.1f},{260 - 220 * share:.1f}" for m, share in points)
    level, (_, last) = 260 - 220 * chance, points[-1]
    marks = "".join(
        f'<path d="M60 {260 - 220 * s}H580" stroke="#ddd"/>'
        f'<text x="52" y="{264 - 220 * s}" text-anchor="end">{s:.0%}</text>'
        for s in (0, 0.25, 0.5, 0.75, 1)
    ) + "".join(
        f'<text x="{60 + 520 * (power - low) / (high - low or 1):.1f}" y="280" '
        f'text-anchor="middle">{10**power:,}</text>'
        for power in range(math.ceil(low), math.floor(high) + 1)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 310" font-family="sans-serif" '
        f'font-size="12"><rect width="640" height="310" fill="white"/>{marks}'
        f'<text x="60" y="24" font-size="14">{title}: share of sound moves</text>'
        f'<path d="M60 {level:.1f}H580" stroke="#888" stroke-dasharray="4 4"/>'
        f'<text x="578" y="{level - 6:.1f}" text-anchor="end" fill="#666">moves at random</text>'
        f'<polyline points="{spots}" fill="none" stroke="#1f6feb" stroke-width="2"/>'
        f'<text x="586" y="{264 - 220 * last:.1f}" fill="#1f6feb">{last:.1%}</text>'
        '<text x="320" y="300" text-anchor="middle">moves of self-play</text></svg>'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("key", nargs="?", default="divisor-line")
    parser.add_argument("settings", nargs="*", help="like size=20")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--moves", type=int, help="as many moves, instead of seconds")
    parser.add_argument("--batch", type=int, default=512, help="games at once")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", default="learning.svg")
    options = parser.parse_args()
    given = dict(setting.split("=", 1) for setting in options.settings)
    game = numduel.new(options.key)
    env = make(options.key, verdicts=True, **game.settings_type.parse(given))

    kinds = env.game.encoding.high + 1
    sizes = [env.game.encoding.length * kinds, HIDDEN_UNITS, HIDDEN_UNITS, env.num_actions]
    key, begun = jax.random.split(jax.random.key(options.seed))
    network = new_network(begun, sizes)
    still = jax.tree.map(jnp.zeros_like, network)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(begun, options.batch))
    carry = network, network, (still, still), 0, LEARNING_RATE, state
    learn = jax.jit(partial(jax.lax.scan, partial(update, env, kinds, options.batch)))
    positions = judged_positions(env, 2000)
    judge = jax.jit(lambda network: sound_share(positions, best(network, positions, kinds)[1]))
    picked = any_move(jax.random.key(1), positions.legal_action_mask)
    chance = float(sound_share(positions, picked))

    points, start, moves = [], time.monotonic(), 0

    def progress():
        if options.moves:
            return moves / options.moves
        return (time.monotonic() - start) / options.seconds

    while (share := progress()) < 1:
        key, now = jax.random.split(key)
        carry = (*carry[:4], LEARNING_RATE * (1 - 0.95 * share), carry[5])
        carry, _ = learn(carry, jax.random.split(now, UPDATES_AT_ONCE))
        moves += UPDATES_AT_ONCE * options.batch
        if not points or moves >= 1.2 * points[-1][0]:
            points.append((moves, float(judge(carry[0]))))
            print(f"{share:4.0%} {moves:14,} moves: {points[-1][1]:.1%} sound", flush=True)
    points.append((moves, float(judge(carry[0]))))
    print(f"{moves:,} moves: {points[-1][1]:.2%} sound; at random {chance:.1%}")
    picture = plot(points, chance, f"{env.game.title}, {env.game.settings}")
    Path(options.plot).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
