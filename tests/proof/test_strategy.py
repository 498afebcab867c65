"""Proofs by strategies, which are followed to every end of the game."""

from contextlib import suppress
from random import Random

import pytest
from tests.proof.checkers import common_verdict

import numduel
from numduel import CertificateError, TooLarge, Verdict
from numduel.games.multiplicity import theory as walk_theory
from numduel.proof import checks
from numduel.proof.checks import MoveBudget, check_strategy
from numduel.solver.claims import ClaimsState, ClaimStrategySearch, Side
from numduel.solver.strategy import Strategies

GAME = numduel.new("double-or-add", target=4)  # 1 doubles, 2 adds one; from 1: 2, then 4
START = GAME.start()
WINS = [[None, {"*": 1}], [1, {}]]
HOLDS = [[1, {}]]
LOSS = Verdict("loss", 2)


def check(verdict=LOSS, **parts):
    return check_strategy(GAME, START, parts, verdict)


def test_a_strategy_proves_the_value_and_two_the_distance():
    assert check(wins=WINS) == Verdict("loss")
    assert check(wins=WINS, holds=HOLDS) == LOSS


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({}, "the part 'wins' is missing"),
        ({"wins": WINS, "draws": WINS}, "the part 'draws' is unknown"),
        ({"wins": {}}, "must be a list"),
        ({"wins": [[1, {}]] * 200_001}, "more than 200,000"),
        ({"wins": []}, "no nodes in wins"),
        ({"wins": WINS, "holds": []}, "no nodes in holds"),
        ({"wins": [1]}, "must be a move and its answers"),
        ({"wins": [[1, {}, 2]]}, "must be a move and its answers"),
        ({"wins": [[1, []]]}, "must be a move and its answers"),
        ({"wins": [[1.0, {}]]}, "has no move"),
        ({"wins": [[None, {"*": 0}], [1, {}]]}, "must lead to later nodes"),
        ({"wins": [[None, {"*": 2}], [1, {}]]}, "must lead to later nodes"),
        ({"wins": [[None, {"*": "1"}], [1, {}]]}, "must lead to later nodes"),
        ({"wins": [[None, {"1": 1}], [1, {}]]}, "there is no answer to 2"),
        ({"wins": [[None, {"*": 1}], [None, {}]]}, "none is not a legal move in 2/2"),
        ({"wins": [[None, {"*": 1}], [3, {}]]}, "3 is not a legal move in 2/2"),
        ({"wins": [[None, {"*": 1}], [2, {"*": 2}], [1, {}]]}, "is the wrong end"),
        ({"wins": WINS, "holds": [[None, {}]]}, "none is not a legal move in 1/1"),
    ],
)
def test_a_refusal_names_what_is_wrong(parts, why):
    with pytest.raises(CertificateError, match=why):
        check(**parts)


@pytest.mark.parametrize("verdict", [Verdict("draw", 2), Verdict("endless")])
def test_only_wins_and_losses_are_proved(verdict):
    with pytest.raises(CertificateError, match="a win or a loss"):
        check(verdict, wins=WINS)


@pytest.mark.parametrize("distance", [None, 0, 1001])
def test_to_hold_out_takes_a_distance(distance):
    with pytest.raises(CertificateError, match="from 1 to 1,000"):
        check(Verdict("loss", distance), wins=WINS, holds=HOLDS)


def test_a_shorter_and_a_longer_distance_are_refused():
    game = numduel.new("divisor-line", size=16, goal="chain")
    right = numduel.certify(game, game.start())
    (proof,) = right.proofs
    parts = {name: part for name, part in proof.items() if name != "kind"}
    assert right.verdict == Verdict("win", 5)
    assert check_strategy(game, game.start(), parts, right.verdict) == right.verdict
    with pytest.raises(CertificateError, match="is not won after 4 moves"):
        check_strategy(game, game.start(), parts, Verdict("win", 4))
    with pytest.raises(CertificateError, match=r"is the wrong end|not a legal move|no answer"):
        check_strategy(game, game.start(), parts, Verdict("win", 6))


def test_a_check_makes_a_bounded_number_of_moves(monkeypatch):
    monkeypatch.setattr(checks, "MAX_STRATEGY_MOVES", 2)
    with pytest.raises(CertificateError, match="more than the 2 moves"):
        check(wins=WINS)


def test_moves_from_large_positions_cost_more():
    def allowed(position):
        budget, count = MoveBudget(game, position, 100), 0
        with suppress(CertificateError):
            while True:
                budget.spend_move()
                count += 1
        return count

    game = numduel.new("multiplicity", size=3000, start=1000)
    start = game.start()
    assert allowed(start) == 100
    assert allowed(start._replace(chosen=frozenset(range(1, 1801)))) == 10  # which holds much
    assert allowed(start._replace(number=1)) == 100 // 15  # which has many moves


def test_a_strategy_that_is_too_long_is_left_out(monkeypatch):
    game = numduel.new("divisor-line", size=16, goal="chain")
    assert numduel.certify(game, game.start()).proves == "distance"
    monkeypatch.setattr(Strategies, "holds", _too_large)
    certificate = numduel.certify(game, game.start())
    assert certificate.proves == "value"
    assert "holds" not in certificate.proofs[0]
    assert common_verdict(certificate.dumps()) == "win"
    monkeypatch.setattr(checks, "MAX_STRATEGY_MOVES", 2)
    with pytest.raises(TooLarge, match="too long to be checked"):
        numduel.certify(game, game.start())


def test_a_strategy_that_holds_out_too_long_is_left_out(monkeypatch):
    game = numduel.new("divisor-line", size=16, goal="chain")
    whole = numduel.certify(game, game.start())
    wins = whole.proofs[0]["wins"]
    for most in range(0, 100_000, 20):  # until the winning strategy can just be followed
        monkeypatch.setattr(checks, "MAX_STRATEGY_MOVES", most)
        with suppress(CertificateError):
            check_strategy(game, game.start(), {"wins": wins}, whole.verdict)
            break
    certificate = numduel.certify(game, game.start())
    assert (whole.proves, certificate.proves) == ("distance", "value")
    assert certificate.proofs == ({"kind": "strategy", "wins": wins},)


@pytest.mark.parametrize(
    "size", [101, *(pytest.param(size, marks=pytest.mark.no_cover) for size in (300, 800))]
)
def test_certificates_prove_chains_on_long_lines(size):
    rng, game = Random(size), numduel.new("divisor-line", size=size, goal="chain")
    proved = 0
    while proved < 3:
        position = game.start()
        for number in rng.sample(game.moves(position), rng.randint(1, 12)):
            if not position.won:
                position = game.play(position, number)
        verdict = numduel.solve(game, position)
        if 0 < verdict.distance < 4:  # longer strategies take too long
            certificate = numduel.certify(game, position)
            said = f"{verdict.value} in {verdict.distance}"
            assert common_verdict(certificate.dumps()) == said
            proved += 1


@pytest.mark.parametrize("change", [{"wins": []}, {"wins": [[None, {}]]}, {"wins": [[9, {}]]}])
def test_all_checkers_refuse_a_wrong_strategy(change):
    game = numduel.new("divisor-line", size=16, goal="chain")
    made = numduel.certify(game, game.start())
    wrong = made._replace(proofs=({**made.proofs[0], **change},))
    assert common_verdict(wrong.dumps()) is None


@pytest.mark.parametrize("key", ["zzz", "", "01", "+1", "1.0", "-0", " 1", "1" * 1001, "٣"])
def test_an_answer_whose_key_is_no_move_is_refused(key):
    made = numduel.certify(GAME, START)
    assert made.proofs[0]["kind"] == "race"
    for places, said in (({"*": 1}, "loss"), ({"*": 1, key: 1}, None)):
        proof = {"kind": "strategy", "wins": [[None, places], [1, {}]]}
        changed = made._replace(proves="value", proofs=(proof,))
        assert common_verdict(changed.dumps()) == said
    with pytest.raises(CertificateError, match=r"node 0 of wins answers .*, not a move"):
        numduel.verify(changed)


def test_in_multiplicity_the_matching_remains(monkeypatch):
    monkeypatch.setattr(walk_theory, "MAX_LOOKS_FOR_STRATEGY", 1)
    game = numduel.new("multiplicity", size=20)
    certificate = numduel.certify(game, game.read("14:1,7,14/1"))
    assert certificate.verdict.distance == 11
    assert [proof["kind"] for proof in certificate.proofs] == ["matching"]
    assert certificate.proves == "value"


def test_the_nodes_of_a_strategy_are_limited():
    game = numduel.new("divisor-line", size=16, goal="chain")
    state = ClaimsState(Side(), Side())
    few = Strategies(ClaimStrategySearch(game.theory._search), most=3)
    with pytest.raises(TooLarge, match="more than 3 nodes"):
        few.wins(state, 5, mover=True)


def test_the_answers_of_a_strategy_are_limited(monkeypatch):
    monkeypatch.setattr("numduel.solver.strategy.MAX_ANSWERS", 50)
    game = numduel.new("divisor-line", size=16, goal="chain")
    with pytest.raises(TooLarge, match="more than 50 answers"):
        numduel.certify(game, game.start())


def _too_large(*_, **__):
    raise TooLarge("too many")
