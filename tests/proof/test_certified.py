"""Every verdict has a certificate that all checkers accept.

Small games are tried at every position, large ones at random positions.
"""

from collections import Counter
from functools import partial

import networkx
import pytest
from tests.proof.checkers import certify_and_check, random_position, verdict_by_force

import numduel
from numduel.core.explore import reachable
from numduel.games.multiplicity import theory

SMALL = [
    *(
        ("multiplicity", {"size": size, "start": start, "opening": opening, "start_open": is_open})
        for size in range(1, 11)
        for start in range(1, size + 1)
        for opening in ("any", "even")
        for is_open in (False, True)
    ),
    *(("divisor-duel", {"divisor": d, "ceiling": c}) for d in range(1, 14) for c in (20, 33)),
    *(("operation-duel", {"target": target}) for target in range(2, 60)),
    *(("double-or-add", {"target": target}) for target in range(2, 60)),
    *(
        ("operation-duel", {"target": target, "operations": operations})
        for target in (5, 12, 25)
        for operations in ("+1,-2,x3", "+2,+3", "-1", "-1,+2", "-3,x2", "x2", "+5,-1,x2")
    ),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 7}),
    ("divisor-line", {"size": 8}),
]


def test_every_position_of_every_small_setting(many, rng):
    seen = Counter()
    for key, settings in SMALL if many(False, True) else rng.sample(SMALL, 60) + SMALL[-3:]:
        game = numduel.new(key, **settings)
        positions = list(reachable(game, [game.start(1)]))
        for position in rng.sample(positions, min(len(positions), many(5, 200))):
            certificate = certify_and_check(game, position)
            assert certificate.verdict == numduel.solve(game, position)
            timed = certificate.verdict.distance is not None
            assert certificate.proves == ("distance" if timed else "value")
            seen.update(proof["kind"] for proof in certificate.proofs)
    assert seen.keys() == {"matching", "numbers", "over", "pair", "race", "strategy"}


@pytest.mark.parametrize("divisor", [*range(1, 14), 26, 10**999])
def test_divisor_duel_without_a_ceiling(divisor, rng):
    for start in (1, 2, divisor - 1, divisor, divisor // 2):
        game = numduel.new("divisor-duel", divisor=divisor, start=max(start, 1))
        for most in (0, 3, 9):
            position = random_position(game, rng, most)
            certificate = certify_and_check(game, position)
            if divisor < 1000:
                assert certificate.verdict == verdict_by_force(game, position)


def test_a_number_too_long_for_decimals():
    game = numduel.new("divisor-duel", divisor=2**61 - 1)
    position = game.start()
    for _ in range(4000):
        position = game.play(position, 2)
    assert certify_and_check(game, position).position.startswith("0x")


def test_targets_of_a_thousand_digits(many, rng):
    fixed = [10**1000 - 1, 2**3320, 2 * (4**1600 - 1) // 3]
    for target in fixed + [rng.randint(10**999, 10**1000 - 1) for _ in range(many(3, 50))]:
        start = rng.choice((1, 7, target // 3, target // 2, target - 5))
        for key in ("operation-duel", "double-or-add"):
            game = numduel.new(key, target=target, start=start)
            certify_and_check(game, random_position(game, rng, 20))


def test_chains(many, rng):
    for _ in range(many(12, 50)):
        size = rng.randint(16, many(24, 100))
        game = numduel.new("divisor-line", size=size, goal="chain")
        position = random_position(game, rng, size // 3)
        certificate = certify_and_check(game, position)
        assert certificate.proves == "distance"
        assert certificate.proofs[0]["kind"] in ("strategy", "over")


def test_pairs_on_lines_of_any_length(many, rng):
    for size in (8, 9, 30, *many((), (1000, 1_000_000))):
        game = numduel.new("divisor-line", size=size)
        for _ in range(10):
            certify_and_check(game, random_position(game, rng, 6))


def test_a_line_on_which_few_claims_are_left():
    """Some positions have no related number left that the mover could claim."""
    game = numduel.new("divisor-line", size=6)
    verdicts = set()
    for position in reachable(game, [game.start()]):
        if not position.won and len(position.crosses | position.noughts) >= 3:
            verdicts.add(certify_and_check(game, position).verdict)
    assert {(value, distance) for value, distance in verdicts} == {
        ("win", 1),
        ("win", 3),
        ("loss", 2),
    }


@pytest.mark.no_cover
@pytest.mark.parametrize("plain", [True, False])
def test_multiplicity_at_10_000_numbers(many, rng, monkeypatch, plain):
    monkeypatch.setattr(theory, "divisor_graph", partial(theory.divisor_graph, plain=plain))
    size = many(1000, 10_000)
    for _ in range(many(1, 15)):
        start = rng.choice((1, 2, 720, 840, rng.randint(1, size)))
        settings = {"start": start, "start_open": rng.random() < 0.5}
        opening = rng.choice(("any", "even"))
        game = numduel.new("multiplicity", size=size, opening=opening, **settings)
        certify_and_check(game, random_position(game, rng, 60, over=False))


@pytest.mark.soak
def test_multiplicity_at_a_million_numbers(rng):
    values = set()
    for start, most in ((2, 0), (720_720, 0), (30_030, 8)):  # the first is won, the second lost
        game = numduel.new("multiplicity", size=1_000_000, start=start)
        values.add(
            certify_and_check(game, random_position(game, rng, most, over=False)).verdict.value
        )
    assert values == {"win", "loss"}


def test_three_primes_prove_the_start_of_the_largest_pool():
    game = numduel.new("multiplicity", size=10_000_000, opening="even", start_open=True)
    assert certify_and_check(game, game.start()).proofs[0]["kind"] == "primes"


def test_networkx_finds_matchings_of_the_same_size(many, rng):
    for _ in range(many(4, 15)):
        size = rng.randint(1, many(200, 1000))
        game = numduel.new("multiplicity", size=size, start=rng.randint(1, size))
        position = random_position(game, rng, 10)
        if not game.moves(position):
            continue
        certificate = numduel.certify(game, position)
        graph = networkx.Graph([(0, move) for move in game.moves(position)])
        left = [n for n in range(1, size + 1) if n not in position.chosen]
        graph.add_edges_from((n, m) for n in left for m in game.neighbours(n) if m in set(left))
        pairs = certificate.proofs[0]["pairs"]
        assert len(pairs) == len(networkx.max_weight_matching(graph, maxcardinality=True))
        graph.remove_node(0)
        fewer = len(networkx.max_weight_matching(graph, maxcardinality=True))
        assert len(pairs) - fewer == (certificate.verdict.value == "win")
