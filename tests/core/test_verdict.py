"""Verdicts, and what a theory says by default."""

import numduel
from numduel.core.game import Outcome
from numduel.core.verdict import Verdict, ended_verdict
from numduel.solver.reference import Reference


def test_a_verdict_one_move_earlier_is_the_other_players():
    assert Verdict("win", 3).before(same_mover=False) == Verdict("loss", 4)
    assert Verdict("loss", 0).before(same_mover=False) == Verdict("win", 1)
    assert Verdict("endless").before(same_mover=False) == Verdict("endless")
    assert Verdict("win").before(same_mover=True) == Verdict("win")


def test_the_better_verdict_ranks_higher():
    ranked = [
        Verdict("loss", 0),
        Verdict("loss", 8),
        Verdict("loss"),
        Verdict("endless"),
        Verdict("win"),
        Verdict("win", 9),
        Verdict("win", 1),
    ]
    assert sorted(ranked, key=lambda verdict: verdict.rank) == ranked


def test_a_finished_game_is_won_or_lost_for_who_would_move():
    assert ended_verdict(Outcome(1, "reached"), 1) == Verdict("win", 0)
    assert ended_verdict(Outcome(1, "reached"), 2) == Verdict("loss", 0)
    assert ended_verdict(Outcome(None, "drawn"), 2) == Verdict("endless")


def test_the_plain_reason_is_the_verdict_in_words():
    game = numduel.new("operation-duel", target=9, start=7, operations="+1,-1,x2")
    theory = Reference(game)
    position = game.start()
    assert theory.evaluate(position) == {
        1: Verdict("loss", 2),
        2: Verdict("endless"),
        3: Verdict("loss", 1),
    }
    assert theory.reason(position, 1) == "after 1 they win with best play, 1 more moves away"
    assert theory.reason(position, 2) == "after 2 neither side can force a win"
    assert theory.winning_move(position) is None
    won = numduel.new("operation-duel", target=9, start=8, operations="+1,-1,x2").start()
    assert theory.reason(won, 1) == "with 1 you win at once"
    assert theory.winning_move(won) == 1


def test_a_theory_is_asked_twice_and_answers_the_same():
    game = numduel.new("operation-duel", target=9)
    theory = Reference(game)
    assert (
        theory.solve(game.start())
        == theory.solve(game.start())
        == numduel.solve(game, game.start())
    )
    assert theory.deliberate


def test_a_distance_that_is_not_known_is_left_out():
    class Vague(Reference):
        def evaluate(self, position):
            return {1: Verdict("win")}

    assert Vague(numduel.new("divisor-duel")).reason(None, 1) == "after 1 you win with best play"
