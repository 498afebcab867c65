"""The search for forced wins in games of claiming, tested with noughts and crosses."""

from functools import cache

import pytest

from numduel import TooLarge
from numduel.core.verdict import Verdict
from numduel.solver.claims import ClaimSearch, ClaimsState, ClaimStrategySearch, Side

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


class NoughtsAndCrosses:
    board = BOARD

    def new_wins(self, held, claim):
        return threats(held | claim) & ~threats(held)

    def near(self, claim):
        return BOARD

    def matters(self, claim, mine, theirs):
        lines = [mask(*line) for line in LINES if mask(*line) & claim]
        return any(not line & mine or not line & theirs for line in lines)


def search(most=10**6):
    return ClaimSearch(NoughtsAndCrosses(), most)


@cache
def by_definition(mine, theirs):
    """Return the verdict for the mover, who holds `mine`, by trying all sequences of claims."""
    free = [n for n in range(1, 10) if not (mine | theirs) >> n & 1]
    if not free:
        return Verdict("draw", 0)
    won = Verdict("win", 1)
    claims = [(n, mine | 1 << n) for n in free]
    return max(
        (
            won if threats(mine) >> n & 1 else by_definition(theirs, held).before(same_mover=False)
            for n, held in claims
        ),
        key=lambda verdict: verdict.rank,
    )


def test_the_positions_of_noughts_and_crosses_are_solved(many):
    # In `make test`, each side has claimed a number already.
    seen = set()
    first = many((1 << 1, 1 << 5), (0, 0))

    def compare(mine, theirs):
        if (mine, theirs) in seen:
            return
        seen.add((mine, theirs))
        found, expected = search(), by_definition(mine, theirs)
        assert found.solve(found.side(mine), found.side(theirs)) == expected, (mine, theirs)
        for n in range(1, 10):
            if not (mine | theirs | threats(mine)) >> n & 1:
                compare(theirs, mine | 1 << n)

    compare(*first)
    assert len(seen) > many(300, 3_000)


def test_noughts_and_crosses_is_a_draw():
    assert search().solve(Side(), Side()) == Verdict("draw", 9)


class Nothing(NoughtsAndCrosses):
    """A game in which no number matters."""

    def new_wins(self, held, claim):
        return 0

    def matters(self, claim, mine, theirs):
        return False


def test_idle_numbers_count_as_one():
    everything = ClaimSearch(Nothing())
    assert everything.solve(Side(), Side()) == Verdict("draw", 9)
    assert everything.looks < 500


def test_the_maximum_number_of_claims_does_not_depend_on_earlier_questions():
    whole = search()
    whole.solve(Side(), Side())
    enough = whole.looks
    whole.reset()
    assert whole.looks == 0
    few = search(most=enough - 1)
    for _ in range(2):
        few.reset()
        with pytest.raises(TooLarge, match=f"more than {enough - 1:,} claims"):
            few.solve(Side(), Side())


def test_the_search_can_write_strategies():
    one = search()
    claiming = ClaimStrategySearch(one)
    state = ClaimsState(one.side(mask(1, 2)), one.side(mask(4, 5)))
    assert list(claiming.moves(state)) == [
        3,
        6,
        7,
        8,
        9,
    ]  # a win, then a blocked win, then the others
    assert claiming.wins(state, 1) and not claiming.wins(state, 0)
    assert not claiming.loses(state, 4)
    won = claiming.after(state, 3)
    assert (won.mine.held, won.theirs.held, won.over) == (mask(4, 5), mask(1, 2, 3), True)
    assert claiming.loses(won, 0) and not claiming.wins(won, 5)
    assert not list(claiming.moves(won))
    assert claiming.loses(ClaimsState(one.side(mask(6)), one.side(mask(1, 3, 7))), 3)
