"""The numbers of move sequences and of positions at each depth.

Each file under tests/data/perft holds a list of settings with the counts at depth 0, 1, 2 ...
"""

import json
from pathlib import Path

import pytest

import numduel
from numduel.conformance import perft

PERFT = Path(__file__).parents[1] / "data" / "perft"
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}-{json.dumps(case['settings'])}")
    for path in sorted(PERFT.glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
]


@pytest.mark.no_cover
@pytest.mark.parametrize(("key", "case"), CASES)
def test_the_rules_give_the_known_counts(key, case, many):
    most = many(100_000, 10**9)
    depth = sum(sequences <= most for sequences in case["sequences"]) - 1
    counts = perft(numduel.new(key, **case["settings"]), depth)
    assert [count.sequences for count in counts] == case["sequences"][: depth + 1]
    assert [count.positions for count in counts] == case["positions"][: depth + 1]


@pytest.mark.parametrize("key", [listed.key for listed in numduel.games()])
def test_every_registered_game_has_counts(key):
    cases = json.loads((PERFT / f"{key}.json").read_text(encoding="utf-8"))
    assert cases[0]["settings"] == {}
    assert all(len(case["sequences"]) == len(case["positions"]) > 1 for case in cases)


def test_the_first_counts_of_divisor_duel_by_hand():
    # From 1: 2 and 2. From 2: 3 and 4. From 3: 4 and 6, from 4: 5 and 8, and that for either 2.
    assert perft(numduel.new("divisor-duel"), 3) == [(1, 1), (2, 1), (4, 2), (8, 4)]


def test_the_first_counts_of_the_default_line_by_hand():
    # 20 numbers, then 19, then 18; X's two numbers come in either order.
    assert perft(numduel.new("divisor-line"), 3) == [(1, 1), (20, 20), (380, 380), (6840, 3420)]


def test_the_counts_of_a_small_multiplicity_by_hand():
    # From 1 to 2, 3 or 4. From 2 only to 4 and from 4 only to 2; from 3 and then there is nothing.
    game = numduel.new("multiplicity", size=4)
    assert perft(game, 3) == [(1, 1), (3, 3), (2, 2), (0, 0)]


def test_the_counts_of_a_short_race_by_hand():
    # To 4: from 1 to 2 (twice); from 2 to 3 or 4, which wins; from 3 to 4, which wins, or 6.
    assert perft(numduel.new("operation-duel", target=4), 4) == [
        (1, 1),
        (2, 1),
        (4, 2),
        (4, 2),
        (0, 0),
    ]
