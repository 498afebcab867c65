"""What a theory says by default."""

import pytest

import numduel
from numduel.core.theory import CHEAP, Theory
from numduel.core.verdict import Verdict
from numduel.solver.reference import Reference


class Told(Theory):
    """A theory that is told its verdicts."""

    def __init__(self, **verdicts):
        super().__init__(numduel.new("divisor-duel"))
        self.verdicts = {int(name[1:]): verdict for name, verdict in verdicts.items()}

    def solve(self, position):
        raise AssertionError("nobody asks")

    def evaluate(self, position):
        return self.verdicts


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (Verdict("win", 1), "you win at once"),
        (Verdict("win", 2), "you win with best play, 1 more move away"),
        (Verdict("win", 2001), "you win with best play, 2,000 more moves away"),
        (Verdict("win"), "you win with best play"),
        (Verdict("loss", 1), "they win at once"),
        (Verdict("loss"), "they win with best play"),
        (Verdict("draw", 7), "with best play nobody wins"),
        (Verdict("endless"), "neither side can force an end"),
    ],
)
def test_the_plain_reason_is_the_verdict_in_words(verdict, reason):
    assert Told(_1=verdict).reason(None, 1) == reason


def test_a_sound_move_is_one_of_the_best():
    assert Told(_1=Verdict("loss", 2), _2=Verdict("endless")).sound_move(None) == 2
    assert Told(_1=Verdict("endless"), _2=Verdict("draw", 4)).sound_move(None) == 2
    assert Told(_1=Verdict("win", 9), _2=Verdict("win", 3)).sound_move(None) == 2
    assert Told(_1=Verdict("loss", 2), _2=Verdict("loss", 4)).sound_move(None) == 2


def test_values_are_the_verdicts_without_distances():
    assert Told(_1=Verdict("loss", 2), _2=Verdict("draw", 4)).values(None) == {1: "loss", 2: "draw"}


def test_asking_is_cheap_unless_said_otherwise():
    assert Told().cost(None) == CHEAP


def test_a_move_is_judged_by_what_it_leads_to():
    game = numduel.new("operation-duel", target=9, start=7, operations="+1,-1,x2")
    assert Reference(game).evaluate(game.start()) == {
        1: Verdict("loss", 2),
        2: Verdict("endless"),
        3: Verdict("loss", 1),
    }


def test_no_numbers_pair_up_unless_a_theory_says_so():
    game = numduel.new("double-or-add")
    assert game.theory.pairs(game.start(), 1) == ()


def test_the_distance_is_that_of_the_verdict():
    game = numduel.new("double-or-add")
    assert Reference(game).distance(game.start()) == 30
