"""The rules of the games against a second statement of them in plain Python.

It is written from the documents and rulings, and uses nothing of Numduel, so that it cannot repeat
a mistake. Each function takes who moves first and the moves so far, and plays them from the start.
"""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.test_perft import CASES

import numduel

KEYS = [listed.key for listed in numduel.games()]


class State(NamedTuple):
    """The state of a game after some moves."""

    content: object  # the number; the marks of both players; or the number and the chosen ones
    mover: int
    legal: tuple[int, ...]
    result: tuple[int, str] | None  # who won, and why


def divisor_duel(first, moves, divisor=13, start=1, ceiling=None):
    n, mover = start, first
    for move in moves:
        n = n + 1 if move == 1 else n * 2
        player, mover = mover, 3 - mover
        if ceiling is not None and n > ceiling:
            return State(n, mover, (), (mover, "overshot"))
        if n % divisor == 0:
            return State(n, mover, (), (player, "divisible"))
    return State(n, mover, (1, 2), None)


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
            return State(number, mover, (), (player, "reached"))
        if number > target:
            return State(number, mover, (), (mover, "overshot"))
    legal = tuple(i + 1 for i in range(len(menu)) if applied(number, menu[i]) > 0)
    return State(number, mover, legal, None if legal else (3 - mover, "stuck"))


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
            return State(both(marked), mover, (), (player, "relation"))
    legal = tuple(n for n in range(1, size + 1) if n not in marked[1] and n not in marked[2])
    return State(both(marked), mover, legal, None)


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
    return State((number, tuple(sorted(chosen))), mover, tuple(legal), result)


RESTATED = {
    "divisor-duel": divisor_duel,
    "operation-duel": operation_duel,
    "divisor-line": divisor_line,
    "double-or-add": double_or_add,
    "multiplicity": multiplicity,
}


def _content(position):
    if hasattr(position, "owned"):
        return tuple(sorted(position.owned(1))), tuple(sorted(position.owned(2)))
    if hasattr(position, "chosen"):
        return position.number, tuple(sorted(position.chosen))
    return position.number


def state_of(game, position):
    """Return a position of Numduel in the form of the restated rules."""
    outcome = game.outcome(position)
    result = None if outcome is None else (outcome.winner, outcome.reason)
    return State(_content(position), position.mover, game.moves(position), result)


@pytest.mark.parametrize("key", KEYS)
@given(data=st.data())
def test_the_rules_equal_those_of_the_documents(key, random_games, data):
    game, first, moves, positions = data.draw(random_games(key))
    for count, position in enumerate(positions):
        expected = RESTATED[key](first, moves[:count], **game.settings.values)
        assert state_of(game, position) == expected


@pytest.mark.parametrize(("key", "case"), CASES)
def test_the_restated_rules_give_the_same_counts(key, case):
    """Try every sequence of moves, up to the depth at which there are too many."""
    level = [[]]
    for sequences, positions in zip(case["sequences"], case["positions"], strict=True):
        if sequences > 2500:
            break
        found = [RESTATED[key](1, moves, **case["settings"]) for moves in level]
        assert len(level) == sequences
        assert len(set(found)) == positions
        level = [
            [*moves, move] for moves, one in zip(level, found, strict=True) for move in one.legal
        ]
