"""Our rules against the same rules told again, from the documents and rulings, in plain Python.

Each function takes who moves first and the moves so far, and plays them from the beginning. Nothing
of ours is used, so that a slip in our rules cannot hide here as well.
"""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.test_perft import CASES

import numduel

KEYS = [listed.key for listed in numduel.games()]


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


def judged(game, position):
    """What our rules say of a position, in the terms of the rules told again."""
    outcome = game.outcome(position)
    result = None if outcome is None else (outcome.winner, outcome.reason)
    return Judged(_seen(position), position.mover, game.moves(position), result)


@pytest.mark.parametrize("key", KEYS)
@given(data=st.data())
def test_our_rules_are_the_documents_rules(key, random_games, data):
    game, first, moves, positions = data.draw(random_games(key))
    for count, position in enumerate(positions):
        expected = RESTATED[key](first, moves[:count], **game.settings.values)
        assert judged(game, position) == expected


@pytest.mark.parametrize(("key", "case"), CASES)
def test_the_rules_told_again_reach_as_many(key, case):
    """Every sequence of moves tried out, as deep as there are few of them."""
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
