"""Proofs by labels, which any game can have, even with draws and without alternating turns."""

from random import Random

import pytest
from tests.proof.checkers import CHECKERS, common_verdict
from tests.toy_games import Maze, Stand, position_after

import numduel
from numduel import CertificateError, Verdict
from numduel.games import OUR_GAMES
from numduel.proof import checks
from numduel.proof.certify import certify, label_all
from numduel.proof.checks import check_labels


def random_maze(rng):
    count = rng.randint(2, 6)
    movers = [rng.choice((1, 2)) for _ in range(count)]
    ends = {p: rng.choice((1, 2, None)) for p in range(1, count) if rng.random() < 0.3}
    places = [(p, movers[p]) for p in range(count)]
    ways = {p: [rng.choice(places) for _ in range(rng.randint(1, 3))] for p in range(count)}
    game = Maze(ways, ends)
    return game, Stand(0, movers[0])


def other_label(label, rng):
    value, *_ = rng.choice((label, ["win"], ["loss"], ["draw"], ["endless"]))
    near = [None, 0, 1, *(one + d for one in label[1:] if one for d in (-1, 0, 1))]
    if value in ("win", "loss"):
        return [value, rng.choice(near)]
    return [value, *(rng.choice((*near, *label[1:])) for _ in range(3))]


def test_random_mazes(many):
    rng = Random(1)
    seen = set()
    for _ in range(many(300, 4000)):
        game, start = random_maze(rng)
        certificate = certify(game, start)
        (proof,) = certificate.proofs
        given = proof["labels"]
        assert check_labels(game, start, {"labels": given}, None) == certificate.verdict
        seen.add(certificate.verdict.value)
        changed = list(given)
        at = rng.randrange(len(given))
        changed[at] = other_label(given[at], rng)
        try:
            proved = check_labels(game, start, {"labels": changed}, None)
        except CertificateError:
            continue
        assert proved == certificate.verdict  # other ranks may be right as well
    assert seen == {"win", "loss", "draw", "endless"}


@pytest.fixture
def fifteen(monkeypatch):
    monkeypatch.setitem(OUR_GAMES, "fifteen", "fifteen:Fifteen")
    return numduel.new("fifteen")


def test_a_game_of_another_package_that_can_be_drawn(fifteen):
    position = position_after(fifteen, 5, 2, 8, 1, 6)
    certificate = numduel.certify(fifteen, position)
    assert certificate.verdict.value == "draw"
    assert numduel.verify(certificate) == certificate.verdict
    for check in CHECKERS[1:]:
        assert check(certificate.dumps()) is None  # it knows only the five games


def test_the_five_games_can_be_labelled():
    game = numduel.new("operation-duel", target=12, operations="+1,-2,x3")
    certificate = numduel.certify(game, game.start())
    given = label_all(game, game.start()).parts["labels"]
    for proof in (given, given[:-1], [*given, given[-1]]):
        labelled = certificate._replace(proofs=({"kind": "labels", "labels": proof},))
        said = certificate.verdict.value if proof is given else None
        assert common_verdict(labelled.dumps()) == said
    for at in range(len(given)):
        for other in (["win", 2], ["loss", 2], ["endless", None, None, None], ["win", True], 5):
            changed = [*given[:at], other, *given[at + 1 :]]
            labelled = certificate._replace(proofs=({"kind": "labels", "labels": changed},))
            said = certificate.verdict.value if str(changed) == str(given) else None
            assert common_verdict(labelled.dumps()) == said


MAZE = Maze({0: [(1, 2), (2, 2)], 1: [(0, 1)], 2: [], 3: []}, {2: 2})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([], "there are no labels"),
        ([["win", 1]], "more positions than the 1 labels"),
        ([["win", 1]] * 3, "there are 2 positions, but 3 labels"),
        ([["win", 1], ["win", 1]], "0/1 is wrong"),
        ([["endless", None, 0, 0], ["endless", None, None, None]], "not a label"),
        ([["draw", 0, 0, 0], ["endless", None, None, None]], "not a label"),
        ([["won", 1], ["win", 1]], "not a label"),
        ([[], ["win", 1]], "not a label"),
        ([[["win"], 1], ["win", 1]], "not a label"),
        ([["endless", None, None, None], ["loss", 2]], "is wrong"),
        ([["endless", None, 1, None], ["endless", None, None, None]], "rank of seat 1"),
        ([["endless", None, None, None], ["endless", None, 1, None]], "rank of seat 1"),
        ([["draw", 1, 1, 1], ["draw", 2, 2, 2]], "rank of seat 1"),
        ("win", "must be a list"),
    ],
)
def test_a_refusal_names_what_is_wrong(given, why):
    with pytest.raises(CertificateError, match=why):
        check_labels(MAZE, Stand(0, 1), {"labels": given}, None)


def test_a_position_without_a_move_that_is_not_over_is_refused():
    game = Maze({0: []}, {})
    with pytest.raises(CertificateError, match="there is no move"):
        check_labels(game, Stand(0, 1), {"labels": [["loss", 1]]}, None)


def test_the_distance_of_a_draw_is_that_of_players_who_want_it():
    game = Maze({0: [(1, 2)], 1: [(2, 1)], 2: []}, {2: None})
    right = [["draw", 2, 2, 2], ["draw", 1, 1, 1]]
    assert check_labels(game, Stand(0, 1), {"labels": right}, None) == Verdict("draw", 2)
    wrong = [["draw", 3, 2, 2], ["draw", 1, 1, 1]]
    with pytest.raises(CertificateError, match="distance of the draw"):
        check_labels(game, Stand(0, 1), {"labels": wrong}, None)


def test_a_check_makes_a_bounded_number_of_moves(monkeypatch):
    monkeypatch.setattr(checks, "MAX_LABEL_MOVES", 10)
    game = numduel.new("multiplicity", size=12)
    with pytest.raises(CertificateError, match="more than the 10 moves"):
        check_labels(game, game.start(), {"labels": [["win", 1]] * 1000}, None)
