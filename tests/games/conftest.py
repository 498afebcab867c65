"""Fixtures of the tests of the games: random settings and random play."""

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

import numduel

MAX_NUMBER = 10**1000 - 1


numbers = st.integers(1, 60) | st.integers(1, MAX_NUMBER - 1)
operation = st.one_of(
    st.integers(1, 9).map("+{}".format),
    st.integers(1, 9).map("-{}".format),
    st.integers(2, 9).map("x{}".format),
    st.integers(2, MAX_NUMBER).map("+{}".format),
)


@st.composite
def above(draw, start):
    return draw(st.integers(start + 1, min(start + 200, MAX_NUMBER)))


@st.composite
def divisor_duel_settings(draw):
    start = draw(numbers)
    ceiling = draw(st.none() | above(start))
    return {"divisor": draw(numbers), "start": start, "ceiling": ceiling}


@st.composite
def race_settings(draw):
    start = draw(numbers)
    return {"target": draw(above(start)), "start": start}


@st.composite
def operation_duel_settings(draw):
    operations = draw(st.lists(operation, min_size=1, max_size=9, unique=True))
    return {**draw(race_settings()), "operations": ",".join(operations)}


@st.composite
def divisor_line_settings(draw):
    goal = draw(st.sampled_from(["pair", "chain"]))
    size = draw(st.integers({"pair": 6, "chain": 16}[goal], 40))
    return {"size": size, "goal": goal}


@st.composite
def multiplicity_settings(draw):
    size = draw(st.integers(1, 60))
    return {
        "size": size,
        "start": draw(st.integers(1, size)),
        "opening": draw(st.sampled_from(["any", "even"])),
        "start_open": draw(st.booleans()),
    }


SETTINGS = {
    "divisor-duel": divisor_duel_settings(),
    "operation-duel": operation_duel_settings(),
    "divisor-line": divisor_line_settings(),
    "double-or-add": race_settings(),
    "multiplicity": multiplicity_settings(),
}


class RandomGame(NamedTuple):
    """A game of random moves, to its end or to 60 moves."""

    game: numduel.Game
    first: int
    moves: list[int]
    positions: list[object]  # one more than the moves


@st.composite
def random_game(draw, key):
    game = numduel.new(key, **draw(SETTINGS.get(key, st.just({}))))
    first = draw(st.sampled_from([1, 2]))
    rng = Random(draw(st.integers(0, 2**32)))
    moves, positions = [], [game.start(first)]
    while len(moves) < 60 and (legal := game.moves(positions[-1])):
        moves.append(rng.choice(legal))
        positions.append(game.play(positions[-1], moves[-1]))
    return RandomGame(game, first, moves, positions)


@pytest.fixture(scope="session")
def random_settings():
    """Strategies for random settings, by the key of the game."""
    return SETTINGS


@pytest.fixture(scope="session")
def random_games():
    """A function from the key of a game to a strategy for random games at random settings."""
    return random_game
