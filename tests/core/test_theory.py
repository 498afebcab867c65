"""What a theory says by default."""

import numduel
from numduel.core.theory import CHEAP, Theory
from numduel.core.verdict import Verdict
from numduel.solver.reference import Reference


class Told(Theory):
    """A theory that is told its verdicts."""

    asked = 0

    def __init__(self, **verdicts):
        super().__init__(numduel.new("divisor-duel"))
        self.told = {int(name[1:]): verdict for name, verdict in verdicts.items()}

    def solve(self, position):
        raise AssertionError("nobody asks")

    def evaluate(self, position):
        self.asked += 1
        return self.told


def test_a_sound_move_is_one_of_the_best():
    assert Told(_1=Verdict("loss", 2), _2=Verdict("endless")).sound_move(None) == 2
    assert Told(_1=Verdict("endless"), _2=Verdict("draw", 4)).sound_move(None) == 2
    assert Told(_1=Verdict("win", 9), _2=Verdict("win", 3)).sound_move(None) == 2
    assert Told(_1=Verdict("loss", 2), _2=Verdict("loss", 4)).sound_move(None) == 2


def test_values_are_the_verdicts_without_distances():
    assert Told(_1=Verdict("loss", 2), _2=Verdict("draw", 4)).values(None) == {1: "loss", 2: "draw"}


def test_verdicts_are_remembered_until_another_position_is_asked_about():
    theory = Told(_1=Verdict("win", 3))
    for position in (None, None, 7, 7, None):
        assert theory.verdicts(position) == theory.told
    assert theory.asked == 3


def test_asking_is_cheap_unless_said_otherwise():
    assert Told().cost(None) == CHEAP


def test_a_move_is_judged_by_what_it_leads_to():
    game = numduel.new("operation-duel", target=9, start=7, operations="+1,-1,x2")
    assert Reference(game).evaluate(game.start()) == {
        1: Verdict("loss", 2),
        2: Verdict("endless"),
        3: Verdict("loss", 1),
    }


def test_the_distance_is_that_of_the_verdict():
    game = numduel.new("double-or-add")
    assert Reference(game).distance(game.start()) == 30


def test_first_moves_are_counted_and_those_that_win_listed():
    game = numduel.new("double-or-add", target=8)
    assert Reference(game).first_moves() == (Verdict("win", 5), [1, 2], 2)
    assert type(game).first_moves_each([game]) is None


def test_a_game_that_is_no_walk_is_not_decided_by_a_pairing():
    assert Told().pairing(None) is None
