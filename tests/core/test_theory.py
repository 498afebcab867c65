"""The defaults of a theory."""

import numduel
from numduel.core.theory import CHEAP, Theory
from numduel.core.verdict import Verdict
from numduel.solver.reference import Reference


class FixedTheory(Theory):
    """A theory with given verdicts."""

    asked = 0

    def __init__(self, **verdicts):
        super().__init__(numduel.new("divisor-duel"))
        self.given = {int(name[1:]): verdict for name, verdict in verdicts.items()}

    def solve(self, position):
        raise AssertionError("nobody asks")

    def evaluate(self, position):
        self.asked += 1
        return self.given


def test_a_sound_move_is_one_of_the_best():
    assert FixedTheory(_1=Verdict("loss", 2), _2=Verdict("endless")).sound_move(None) == 2
    assert FixedTheory(_1=Verdict("endless"), _2=Verdict("draw", 4)).sound_move(None) == 2
    assert FixedTheory(_1=Verdict("win", 9), _2=Verdict("win", 3)).sound_move(None) == 2
    assert FixedTheory(_1=Verdict("loss", 2), _2=Verdict("loss", 4)).sound_move(None) == 2


def test_values_are_the_verdicts_without_distances():
    assert FixedTheory(_1=Verdict("loss", 2), _2=Verdict("draw", 4)).values(None) == {
        1: "loss",
        2: "draw",
    }


def test_verdicts_are_remembered_until_another_position_is_asked_about():
    theory = FixedTheory(_1=Verdict("win", 3))
    for position in (None, None, 7, 7, None):
        assert theory.verdicts(position) == theory.given
    assert theory.asked == 3


def test_questions_are_cheap_by_default():
    assert FixedTheory().cost(None) == CHEAP


def test_a_move_has_the_verdict_of_the_position_after_it():
    game = numduel.new("operation-duel", target=9, start=7, operations="+1,-1,x2")
    assert Reference(game).evaluate(game.start()) == {
        1: Verdict("loss", 2),
        2: Verdict("endless"),
        3: Verdict("loss", 1),
    }


def test_the_distance_is_that_of_the_verdict():
    game = numduel.new("double-or-add")
    assert Reference(game).distance(game.start()) == 30


def test_first_moves_are_counted_and_winning_ones_listed():
    game = numduel.new("double-or-add", target=8)
    assert Reference(game).first_moves() == (Verdict("win", 5), [1, 2], 2)
    assert type(game).first_moves_each([game]) is None


def test_by_default_no_pairing_decides_a_game():
    assert FixedTheory().pairing(None) is None
