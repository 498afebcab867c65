"""The claims of docs/theory.md that can be checked."""

from itertools import accumulate

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


@pytest.mark.parametrize("start_open", [False, True])
def test_twice_a_prime_from_a_quarter_to_a_third_wins(start_open, many):
    for size in range(177, 1000, many(137, 11)):
        settings = {"size": size, "opening": "even", "start_open": start_open}
        openings = set(winning_openings("multiplicity", **settings))
        primes = [p for p in range(size // 4 + 1, size // 3 + 1) if is_prime(p)]
        assert len(primes) >= 3 and {2 * p for p in primes} <= openings
        game = numduel.new("multiplicity", **settings)
        assert set(game.theory.primes.primes) <= set(primes)
        assert numduel.solve(game, game.start()).value == "win"


def test_three_such_primes_exist_from_177_on():
    at_most = list(accumulate(is_prime(n) for n in range(20_000)))
    few = [n for n in range(1, 60_000) if at_most[n // 3] - at_most[n // 4] < 3]
    assert few[-1] == 176


@pytest.mark.parametrize("settings", [{"start": 2}, {"size": 176}])
def test_the_rule_of_the_primes_needs_a_start_at_one_and_three_primes(settings):
    assert numduel.new("multiplicity", **{"size": 500, **settings}).theory.primes is None


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def loses_a_chain(n, size):
    """Return whether a first claim loses with the goal chain, by the theorem."""
    divisors = [d for d in range(2, n) if n % d == 0]
    if len(divisors) == 0:
        return n > 1 and 6 * n > size  # a prime
    if len(divisors) == 1:
        return 3 * n > size  # the square of a prime
    return len(divisors) == 2 and 2 * n > size  # two primes, or the cube of one


def test_which_first_claims_of_a_chain_lose(many):
    for size in many((16, 17, 20, 27, 36, 49, 64), range(16, 130)):
        lost = [n for n in range(1, size + 1) if loses_a_chain(n, size)]
        winning = winning_openings("divisor-line", size=size, goal="chain")
        assert winning == [n for n in range(1, size + 1) if n not in lost]


def test_a_prime_above_half_wins_multiplicity_at_once():
    game = numduel.new("multiplicity")
    verdicts = numduel.evaluate(game, game.start())
    quick = [move for move in verdicts if verdicts[move] == Verdict("win", 1)]
    assert quick == [29, 31, 37, 41, 43, 47]


def test_the_first_player_wins_from_one_only_for_sums_of_odd_powers_of_two():
    for target in range(2, 4000):
        game = numduel.new("operation-duel", target=target)
        only_odd_places = not target & 0x5555
        assert (numduel.solve(game, game.start()).value == "win") == only_odd_places


def distance_in_a_race(n, target):
    ones = [place for place in range(0, target.bit_length(), 2) if target >> place & 1]
    first_odd = min(ones, default=target.bit_length())  # e, the first layer of kind O
    layer = next(k for k in range(target.bit_length()) if n > target >> (k + 1))
    if layer % 2 and layer < first_odd:
        return 1 + distance_in_a_race(2 * n, target)  # a layer of kind W
    passed = sum(target >> j for j in range(2, min(layer, first_odd) + 1, 2))
    return target - n - passed


def test_the_distance_in_a_race_is_as_documented():
    for target in (*range(2, 90), 1000, 1024, 1344):
        game = numduel.new("operation-duel", target=target)
        for position, verdict in retrograde(game, game.start()).items():
            if not position.ended:
                assert verdict.distance == distance_in_a_race(position.number, target)
                assert RaceTheory(game).verdict(position.number) == verdict


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_if_both_hold_two_numbers_of_a_line_somebody_has_a_winning_claim(size):
    game = numduel.new("divisor-line", size=size)

    def claims(position, seat):
        free = set(game.actions) - position.crosses - position.noughts
        return [n for n in free if game.completes(position.owned(seat), n)]

    for position in reachable(game, [game.start()]):
        mover, opponent = position.mover, 3 - position.mover
        if not position.won and min(len(position.crosses), len(position.noughts)) >= 2:
            # 1 is free or the mover's, or else every free number is the opponent's claim.
            assert claims(position, mover) or len(claims(position, opponent)) >= 2


def test_a_remainder_is_lost_in_two_moves_only_for_three_divisors():
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
