"""The numbers that play can reach, against a search that tries every step."""

from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel.games.tally.operations import Operation
from numduel.games.tally.rules import is_reachable

TOP = 120


def numbers_by_search(start, steps, goal):
    """Return the numbers up to TOP that play can reach and continue from."""
    found, latest = set(), {start}
    while latest:
        found |= latest
        results = {step(number) for number in latest for step in steps}
        latest = {n for n in results if 1 <= n <= TOP and n % goal != 0} - found
    return found


def test_adding_one_and_doubling_reach_what_the_search_finds():
    for goal in range(1, 24):
        for start in range(1, 60):
            expected = numbers_by_search(start, [lambda n: n + 1, lambda n: 2 * n], goal)
            found = {n for n in range(1, TOP + 1) if is_reachable(n, start, goal)}
            assert found == expected, (start, goal)


@given(
    st.integers(1, 12),
    st.lists(st.sampled_from("+-x"), min_size=1, max_size=4),
    st.lists(st.integers(2, 9), min_size=4, max_size=4),
    st.integers(1, 130),
)
def test_any_menu_reaches_what_the_search_finds(start, signs, amounts, goal):
    menu = [Operation(*pair) for pair in zip(signs, amounts, strict=False)]
    game = numduel.new("operation-duel", target=TOP, start=start)
    game.goal, game.operations = goal, menu
    expected = numbers_by_search(start, [operation.step for operation in menu], goal)
    assert game.numbers_from(start, TOP) == expected


def test_the_closed_form_agrees_with_the_walk_through_the_numbers():
    game = numduel.new("divisor-duel", divisor=7, start=5, ceiling=1000)
    assert game.numbers_from(5, 1000) == {n for n in range(1, 1001) if is_reachable(n, 5, 7)}


def test_reachability_of_very_long_numbers_is_known_at_once():
    assert is_reachable(1 << 100_000, 1, 3)
    assert is_reachable((1 << 3000) + 1, 1, 10**999)
    assert not is_reachable(13 << 3000, 1, 13)
