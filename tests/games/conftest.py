"""What the tests of the games share: random settings, random play, and the rules told again.

The rules are told again from the documents and the rulings, in the plainest Python: each function
takes who moves first and the moves so far, and plays them from the beginning. Nothing of ours is
used, so that a slip in our rules cannot hide here as well.
"""

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

import numduel

LARGEST = 10**1000 - 1


class Judged(NamedTuple):
    """Where a game stands after some moves."""

    seen: object  # the number; the marks of both players; or the number and the chosen ones
    mover: int
    legal: tuple[int, ...]
    result: tuple[int, str] | None  # who won, and why


def divisor_duel(first, moves, divisor=13, start=1, ceiling=None):
    n, mover = start, first
    for move in moves:
        n = n + 1 if move == 1 else n * 2
        player, mover = mover, 3 - mover
        if ceiling is not None and n > ceiling:
            return Judged(n, mover, (), (mover, "overshot"))
        if n % divisor == 0:
            return Judged(n, mover, (), (player, "divisible"))
    return Judged(n, mover, (1, 2), None)


def operation_duel(first, moves, target=20, start=1, operations="+1,x2"):
    def applied(number, text):
        amount = int(text[1:])
        return {"+": number + amount, "-": number - amount, "x": number * amount}[text[0]]

    menu = operations.split(",")
    number, mover = start, first
    for move in moves:
        number = applied(number, menu[move - 1])
        player, mover = mover, 3 - mover
        if number == target:
            return Judged(number, mover, (), (player, "reached"))
        if number > target:
            return Judged(number, mover, (), (mover, "overshot"))
    legal = tuple(i + 1 for i in range(len(menu)) if applied(number, menu[i]) > 0)
    return Judged(number, mover, legal, None if legal else (3 - mover, "stuck"))


def double_or_add(first, moves, target=31, start=1):
    return operation_duel(first, moves, target, start, "x2,+1")


def divisor_line(first, moves, size=20, goal="pair"):
    def both(marked):
        return tuple(sorted(marked[1])), tuple(sorted(marked[2]))

    marked = {1: [], 2: []}
    mover = first
    for move in moves:
        mine = marked[mover]
        mine.append(move)
        pairs = [(a, b) for a in mine for b in mine if a < b and b % a == 0]
        if goal == "pair":
            won = len(mine) >= 3 and pairs != []
        else:
            won = any(b == c for _, b in pairs for c, _ in pairs)
        player, mover = mover, 3 - mover
        if won:
            return Judged(both(marked), mover, (), (player, "relation"))
    legal = tuple(n for n in range(1, size + 1) if n not in marked[1] and n not in marked[2])
    return Judged(both(marked), mover, legal, None)


def multiplicity(first, moves, size=50, start=1, opening="any", start_open=False):
    chosen = set() if start_open else {start}
    number, mover = start, first
    for move in moves:
        chosen.add(move)
        number, mover = move, 3 - mover
    legal = []
    for n in range(1, size + 1):
        is_multiple = n > number and n % number == 0
        is_divisor = n < number and number % n == 0
        if (is_multiple or is_divisor) and n not in chosen:
            legal.append(n)
    if opening == "even" and not moves:
        legal = [n for n in legal if n % 2 == 0]
    result = None if legal else (3 - mover, "stuck")
    return Judged((number, tuple(sorted(chosen))), mover, tuple(legal), result)


RESTATED = {
    "divisor-duel": divisor_duel,
    "operation-duel": operation_duel,
    "divisor-line": divisor_line,
    "double-or-add": double_or_add,
    "multiplicity": multiplicity,
}


def _seen(position):
    if hasattr(position, "owned"):
        return tuple(sorted(position.owned(1))), tuple(sorted(position.owned(2)))
    if hasattr(position, "chosen"):
        return position.number, tuple(sorted(position.chosen))
    return position.number


def judged_by_us(game, position):
    """What our rules say of a position, in the terms of the rules told again."""
    outcome = game.outcome(position)
    result = None if outcome is None else (outcome.winner, outcome.reason)
    return Judged(_seen(position), position.mover, game.moves(position), result)


numbers = st.integers(1, 60) | st.integers(1, LARGEST - 1)
operation = st.one_of(
    st.integers(1, 9).map("+{}".format),
    st.integers(1, 9).map("-{}".format),
    st.integers(2, 9).map("x{}".format),
    st.integers(2, LARGEST).map("+{}".format),
)


@st.composite
def above(draw, start):
    return draw(st.integers(start + 1, min(start + 200, LARGEST)))


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


class Played(NamedTuple):
    """A game of random moves, to its end or to 60 moves."""

    game: numduel.Game
    first: int
    moves: list[int]
    positions: list[object]  # one more than the moves


@st.composite
def random_play(draw, key):
    game = numduel.new(key, **draw(SETTINGS.get(key, st.just({}))))
    first = draw(st.sampled_from([1, 2]))
    rng = Random(draw(st.integers(0, 2**32)))
    moves, positions = [], [game.start(first)]
    while len(moves) < 60 and (legal := game.moves(positions[-1])):
        moves.append(rng.choice(legal))
        positions.append(game.play(positions[-1], moves[-1]))
    return Played(game, first, moves, positions)


@pytest.fixture(scope="session")
def restated():
    """The rules told again, by key."""
    return RESTATED


@pytest.fixture(scope="session")
def judged():
    return judged_by_us


@pytest.fixture(scope="session")
def settings_of():
    """Random settings, by key."""
    return SETTINGS


@pytest.fixture(scope="session")
def played():
    """Random settings and random play of the game of a key."""
    return random_play
