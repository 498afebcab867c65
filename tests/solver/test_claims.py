"""The search for forced wins in games of claiming: noughts and crosses, known to everybody."""

import pytest

from numduel import TooLarge
from numduel.core.verdict import Verdict
from numduel.solver.claims import Claiming, ClaimSearch

LINES = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)]
BOARD = 0b1111111110


def mask(*numbers):
    return sum(1 << number for number in numbers)


def threats(held):
    found = 0
    for line in LINES:
        missing = mask(*line) & ~held
        if missing.bit_count() == 1:
            found |= missing
    return found


def search(most=10**6):
    return ClaimSearch(BOARD, threats, lambda mine, theirs: BOARD, most)


def test_noughts_and_crosses_fills_up_with_no_winner():
    assert search().solve(0, 0) == Verdict("draw", 9)


def test_a_winning_claim_is_made():
    assert search().solve(mask(1, 2), mask(4, 5)) == Verdict("win", 1)


def test_two_claims_cannot_both_be_stopped():
    # Corners 1, 3 and 7: both 2 and 4 complete a line.
    assert search().solve(mask(6), mask(1, 3, 7)) == Verdict("loss", 2)


def test_a_fork_wins_in_three():
    # Corners 1 and 3 against 2 and 6: 7 makes two lines at once.
    assert search().solve(mask(1, 3), mask(2, 6)) == Verdict("win", 3)


def test_idle_numbers_count_as_one():
    everything = ClaimSearch(0b11111110, lambda held: 0, lambda mine, theirs: 0)
    assert everything.solve(0, 0) == Verdict("draw", 7)
    assert everything.nodes < 20


def test_too_much_to_look_at_is_refused():
    with pytest.raises(TooLarge, match="more than 5 positions"):
        search(most=5).solve(0, 0)


def test_what_is_remembered_is_dropped_when_it_grows_too_large():
    small = search()
    small.solve(0, 0)
    small.most = 10
    with pytest.raises(TooLarge):
        small.solve(0, 0)


def test_the_same_search_for_strategies():
    claiming = Claiming(search())
    state = (mask(1, 2), mask(4, 5), False)
    assert list(claiming.moves(state)) == [3, 6, 7, 8, 9]  # to win, to stop a win, the others
    assert claiming.wins(state, 1) and not claiming.wins(state, 0)
    assert not claiming.loses(state, 4)
    won = claiming.after(state, 3)
    assert won == (mask(4, 5), mask(1, 2, 3), True)
    assert claiming.loses(won, 0) and not claiming.wins(won, 5)
    assert not claiming.moves(won)
    assert claiming.loses((mask(6), mask(1, 3, 7), False), 3)
