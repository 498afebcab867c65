"""Proofs of the kinds that only one family has: a refusal names what is wrong."""

import pytest
from tests.proof.checkers import CHECKERS, common_verdict

import numduel
from numduel import Certificate, CertificateError, Verdict


def refusal(key, settings, position, kind, parts, value="win", distance=None):
    """Return why Numduel refuses a proof, which all checkers must refuse."""
    game, verdict = numduel.new(key, **settings), Verdict(value, distance)
    made = Certificate(key, settings, position, verdict, "value", ({"kind": kind, **parts},))
    assert [check(made.dumps()) for check in CHECKERS[1:]] == [None] * len(CHECKERS[1:])
    with pytest.raises(CertificateError) as error:
        game.checks[kind](game.read(position), parts, verdict)
    return str(error.value)


MATCHED = {  # of 1 to 8, with 1, 2 and 4 chosen, at 4: the walker and 8, 3 and 6
    "pairs": [[0, 8], [3, 6]],
    "apart": [],
    "parts": [8, 5, 7],
}


def walk(value="win", **changed):
    parts = {**MATCHED, **changed}
    return refusal("multiplicity", {"size": 8}, "4:1-2,4/1", "matching", parts, value)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"pairs": 1}, "must be a list"),
        ({"pairs": [[0, 8]] * 9}, "more than 8"),
        ({"pairs": [7]}, "a pair is two numbers"),
        ({"pairs": [[0, 8, 3]]}, "a pair is two numbers"),
        ({"pairs": [[0, "8"]]}, "two numbers of the graph"),
        ({"pairs": [[3, 9]]}, "two numbers of the graph"),
        ({"pairs": [[0, 3]]}, "cannot be the pair of the walker"),
        ({"pairs": [[0, 8], [0, 8]]}, "cannot be the pair of the walker"),
        ({"pairs": [[2, 8]]}, "2, 8 cannot be a pair"),
        ({"pairs": [[6, 3]]}, "6, 3 cannot be a pair"),
        ({"pairs": [[5, 7]]}, "5, 7 cannot be a pair"),
        ({"pairs": [[3, 6], [3, 6]]}, "3, 6 cannot be a pair"),
        ({"apart": [2]}, "2 cannot stand apart"),
        ({"apart": [[3]]}, "3 cannot stand apart"),
        ({"apart": [3, 3]}, "3 cannot stand apart"),
        ({"parts": [2]}, "2 cannot be in part 0"),
        ({"parts": [5, 5]}, "5 cannot be in part 1"),
        ({"apart": [5], "parts": [5]}, "5 cannot be in part 0"),
        ({"parts": ["5"]}, "'5' cannot be in part 0"),
        ({"parts": [[]]}, "part 0 is not odd"),
        ({"parts": [[5, 7]]}, "part 0 is not odd"),
        ({"parts": [6]}, "3 and 6 are joined"),
        ({"parts": [3]}, "3 and 6 are joined"),
        ({"parts": [[3, 5, 7]]}, "3 and 6 are joined"),
        ({"parts": [8]}, "room for a larger matching: 4 is above 3"),
        ({"pairs": [[3, 6]], "parts": [8, 5, 7]}, "must have a partner in a win"),
    ],
)
def test_a_matching(changed, why):
    assert why in walk(**changed)


def test_a_matching_that_proves_a_loss():
    assert "a win or a loss" in walk("endless")
    assert "none in a loss" in walk("loss", pairs=[[0, 8], [3, 6]], parts=[5, 7])
    assert "8 is a legal move, but in a part" in walk("loss", pairs=[[3, 6]], parts=[5, 7, 8])
    assert "the part 'apart' is missing" in refusal(
        "multiplicity", {"size": 8}, "4:1-2,4/1", "matching", {"pairs": []}
    )


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"primes": 1}, "must be a list"),
        ({"primes": [53, 59, 61, 61]}, "more than 3"),
        ({"primes": [53, 59]}, "not three different"),
        ({"primes": [53, 59, 59]}, "not three different"),
        ({"primes": [53, 59, 47]}, "47 is not a prime from a quarter to a third"),
        ({"primes": [53, 59, 67]}, "67 is not a prime from a quarter to a third"),
        ({"primes": [53, 59, 63]}, "63 is not a prime"),
        ({"primes": [53, 59, "61"]}, "'61' is not a prime"),
        ({"primes": [53, 59, [61]]}, "is not a prime"),
        ({"primes": [53, 59, -61]}, "-61 is not a prime"),
        ({"above": 101}, "no prime above half of the size is needed"),
        ({"above": 0}, "no prime above half of the size is needed"),
    ],
)
def test_three_primes(changed, why):
    parts = {"primes": [53, 59, 61], "above": None, **changed}
    assert why in refusal("multiplicity", {"size": 200}, "1:1/1", "primes", parts)


@pytest.mark.parametrize("above", [None, 97, 105, 211, "101", 101.0])
def test_a_prime_above_half(above):
    parts = {"primes": [53, 59, 61], "above": above}
    settings = {"size": 200, "start_open": True}
    why = refusal("multiplicity", settings, "1:-/1", "primes", parts)
    assert "is not a prime above half of the size" in why


@pytest.mark.parametrize(
    ("start", "position"), [(1, "4:1,4/2"), (2, "2:2/1"), (1, "108:1,108/2"), (199, "199:199/1")]
)
def test_three_primes_prove_nothing_elsewhere(start, position):
    parts, settings = {"primes": [53, 59, 61], "above": None}, {"size": 200, "start": start}
    why = refusal("multiplicity", settings, position, "primes", parts)
    assert why == "the theorem is for the start, which is 1"


def test_three_primes_prove_a_win_and_no_loss():
    settings = {"size": 500, "opening": "even"}
    game = numduel.new("multiplicity", **settings)
    made = numduel.certify(game, game.start())
    assert [proof["kind"] for proof in made.proofs] == ["primes"]
    assert common_verdict(made.dumps()) == "win"
    assert common_verdict(made._replace(verdict=Verdict("loss")).dumps()) is None


def test_a_part_of_several_numbers():
    game = numduel.new("multiplicity", size=20)
    parts = {
        "pairs": [[3, 15], [4, 20], [5, 10], [6, 12], [8, 16], [9, 18], [0, 2]],
        "apart": [],
        "parts": [[2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20], 11, 13, 17, 19],
    }
    position = game.read("14:1,7,14/1")
    assert game.checks["matching"](position, parts, Verdict("win", 11)) == Verdict("win")


def tally(kind, parts, number=5, **settings):
    settings = {"divisor": 10, "ceiling": 12, "start": 5, **settings}
    return refusal("divisor-duel", settings, f"{number}/1", kind, parts)


LABELS = [[5, 1], [6, 3], [7, -2], [8, 1], [9, 1], [11, -1], [12, -1]]


def test_labelled_numbers():
    assert "where there is a ceiling" in tally("numbers", {"labels": []}, ceiling=None)
    assert "5 has no label" in tally("numbers", {"labels": []})
    assert "6 has no label" in tally("numbers", {"labels": [[5, 1]]})
    assert "numbers ascending" in tally("numbers", {"labels": [[5, 1], [5, 1]]})
    assert "numbers ascending" in tally("numbers", {"labels": [[13, 1]]})
    assert "numbers ascending" in tally("numbers", {"labels": [5]})
    assert "is not a label" in tally("numbers", {"labels": [[5, 1.0]]})
    assert "5 is labelled 2, but its best move gives 1" in tally(
        "numbers", {"labels": [[5, 2], *LABELS[1:]]}
    )
    stuck = refusal(
        "operation-duel",
        {"target": 5, "start": 2, "operations": "-2"},
        "2/1",
        "numbers",
        {"labels": [[2, -1]]},
    )
    assert "2 has a label, but no legal move" in stuck or "the game is over" in stuck


def test_labelled_remainders():
    assert "where there is no ceiling" in tally("remainders", {"labels": []})
    free = {"ceiling": None, "divisor": 3}
    assert "3 remainders, not 2" in tally("remainders", {"labels": [1, 1]}, **free)
    assert "is not a label" in tally("remainders", {"labels": [1, 1, None]}, **free)
    assert "remainder 1 is labelled 1" in tally("remainders", {"labels": [1, 1, 1]}, **free)


def test_the_theorem_on_divisors():
    assert "where there is no ceiling" in tally("divisor", {"remainder": 5})
    assert "at least 9" in tally("divisor", {"remainder": 5}, divisor=8, ceiling=None)
    for other in (4, 15, "5"):
        said = tally("divisor", {"remainder": other}, ceiling=None)
        assert "is not the remainder" in said


def race(layer, odd_from, number=7, **settings):
    parts = {"layer": layer, "odd_from": odd_from}
    return refusal("operation-duel", {"target": 40, **settings}, f"{number}/1", "race", parts)


def test_the_theorem_on_races():
    """40 is 101000 in binary: a one at places 3 and 5, and none at an even place."""
    assert "is not in layer 1" in race(1, None)
    assert "is not in layer none" in race(None, None)
    assert "is not in layer 3" in race(3, None)
    assert "not an even place of a one" in race(2, 3)
    assert "not an even place of a one" in race(2, 0)
    assert "not an even place of a one" in race(2, 4)
    assert "at an even place below none" in race(3, None, target=84)
    assert "at an even place below 6" in race(3, 6, target=84)
    assert "at an even place below '2'" in race(3, "2", target=84)
    assert "adding one and doubling" in race(2, None, operations="+1,x3")
    assert "adding one and doubling" in tally("race", {"layer": 0, "odd_from": None})


def pair(claims, position="2:3/1", **settings):
    return refusal("divisor-line", {"size": 20, **settings}, position, "pair", {"claims": claims})


def test_the_theorem_on_pairs():
    assert "for the goal pair" in pair([], goal="chain")
    assert "too early for winning claims" in pair([5])
    assert "more than 2" in pair([4, 5, 6])
    for other in (2, 0, 21, "5"):
        assert "is not a free number" in pair([other])
    assert "the two claims are the same" in pair([5, 5])
    assert "can win at once" in pair([], "2,5:3,7/1")
    assert "can win at once" in pair([9, 11], "2,4:3,7/1")
    assert "can win at once" in pair([9], "2,5:3,7/1")
    assert "do not both win for the opponent" in pair([6, 7], "2:3,11/1")
    assert "not the winning claims of the opponent" in pair([], "2:3,11/1")
    assert "not the winning claims of the opponent" in pair([19], "1:13,17/1")
