"""What docs/theory.md says is known: each claim that can be checked, checked."""

import pytest

import numduel
from numduel.core.explore import reachable
from numduel.core.verdict import Verdict
from numduel.games.tally.theory import RaceTheory
from numduel.solver.reference import retrograde


@pytest.mark.parametrize(
    ("key", "settings", "verdict"),
    [
        ("divisor-duel", {}, Verdict("endless")),
        ("operation-duel", {}, Verdict("loss", 14)),
        ("divisor-line", {}, Verdict("win", 5)),
        ("divisor-line", {"goal": "chain"}, Verdict("win", 5)),
        ("double-or-add", {}, Verdict("loss", 30)),
        ("multiplicity", {}, Verdict("win", 1)),
    ],
)
def test_the_table_of_defaults(key, settings, verdict):
    game = numduel.new(key, **settings)
    assert numduel.solve(game, game.start()) == verdict


def winning_openings(key, **settings):
    game = numduel.new(key, **settings)
    return [move for move, value in game.theory.values(game.start()).items() if value == "win"]


def test_the_openings_that_win():
    assert winning_openings("divisor-line") == list(range(1, 21))
    assert len(winning_openings("divisor-line", goal="chain")) == 11
    assert winning_openings("multiplicity", size=40, opening="even") == [22, 26]


def test_at_forty_the_openings_that_win_juniper_green_are_the_same():
    settings = {"size": 40, "opening": "even", "start_open": True}
    assert winning_openings("multiplicity", **settings) == [22, 26]


def test_a_prime_above_half_wins_multiplicity_at_once():
    game = numduel.new("multiplicity")
    verdicts = numduel.evaluate(game, game.start())
    quick = [move for move in verdicts if verdicts[move] == Verdict("win", 1)]
    assert quick == [29, 31, 37, 41, 43, 47]


def test_the_first_player_wins_from_one_just_for_sums_of_odd_powers_of_two():
    for target in range(2, 4000):
        game = numduel.new("operation-duel", target=target)
        only_odd_places = not target & 0x5555
        assert (numduel.solve(game, game.start()).value == "win") == only_odd_places


@pytest.mark.parametrize("target", [*range(2, 90), 1000, 1024, 1344])
def test_the_distance_in_a_race_is_as_the_page_has_it(target):
    ones = [place for place in range(0, target.bit_length(), 2) if target >> place & 1]
    first_odd = min(ones, default=target.bit_length())  # e, the first layer of kind O

    def distance(n):
        layer = next(k for k in range(target.bit_length()) if n > target >> (k + 1))
        if layer % 2 and layer < first_odd:
            return 1 + distance(2 * n)  # a layer of kind W
        passed = sum(target >> j for j in range(2, min(layer, first_odd) + 1, 2))
        return target - n - passed

    game = numduel.new("operation-duel", target=target)
    for position, verdict in retrograde(game, game.start()).items():
        if not position.ended:
            assert verdict.distance == distance(position.number)
            assert RaceTheory(game).verdict(position.number) == verdict


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_where_both_hold_two_numbers_of_a_line_somebody_has_a_claim(size):
    game = numduel.new("divisor-line", size=size)

    def claims(position, seat):
        free = set(game.actions) - position.crosses - position.noughts
        return [n for n in free if game.completes(position.owned(seat), n)]

    for position in reachable(game, [game.start()]):
        mover, opponent = position.mover, 3 - position.mover
        if not position.won and min(len(position.crosses), len(position.noughts)) >= 2:
            # 1 is free or the mover's, or else every free number is the opponent's claim.
            assert claims(position, mover) or len(claims(position, opponent)) >= 2


def test_no_remainder_is_lost_in_two_moves_but_for_three_divisors():
    for divisor in range(1, 400):
        hot = {divisor - 1, 0} | ({divisor // 2} if divisor % 2 == 0 else set())
        lost = [
            r
            for r in range(divisor)
            if r not in hot and {(r + 1) % divisor, 2 * r % divisor} <= hot - {0}
        ]
        assert bool(lost) == (divisor in (3, 4, 8)), (divisor, lost)


def test_chains_are_solved_from_the_start_up_to_ten_thousand():
    for size in (*range(16, 40), 64, 99, 100, 101, 800, 10_000):
        game = numduel.new("divisor-line", size=size, goal="chain")
        assert numduel.solve(game, game.start()) == Verdict("win", 5)
    longer = numduel.new("divisor-line", size=10_001, goal="chain")
    with pytest.raises(numduel.TooLarge):
        numduel.solve(longer, longer.start())
