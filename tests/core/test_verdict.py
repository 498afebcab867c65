"""Verdicts: what they are worth, their order, and how they look one move earlier."""

import pytest

from numduel.core.game import Outcome
from numduel.core.verdict import OPPOSITE, SCORES, Verdict, ended_verdict


def test_a_verdict_one_move_earlier_is_the_other_players():
    assert Verdict("win", 3).before(same_mover=False) == Verdict("loss", 4)
    assert Verdict("loss", 0).before(same_mover=False) == Verdict("win", 1)
    assert Verdict("draw", 2).before(same_mover=False) == Verdict("draw", 3)
    assert Verdict("endless").before(same_mover=False) == Verdict("endless")


def test_a_verdict_one_move_earlier_stays_with_a_player_who_moves_twice():
    assert Verdict("win").before(same_mover=True) == Verdict("win")
    assert Verdict("loss", 1).before(same_mover=True) == Verdict("loss", 2)


def test_the_better_verdict_ranks_higher():
    ranked = [
        Verdict("loss", 0),
        Verdict("loss", 8),
        Verdict("loss"),
        Verdict("endless"),
        Verdict("draw", 5),
        Verdict("win"),
        Verdict("win", 9),
        Verdict("win", 1),
    ]
    assert sorted(ranked, key=lambda verdict: verdict.rank) == ranked
    assert len({verdict.rank for verdict in ranked}) == len(ranked)


def test_draws_are_equally_good_at_any_distance():
    assert Verdict("draw", 1).rank == Verdict("draw", 9).rank == Verdict("draw").rank


@pytest.mark.parametrize(
    ("value", "score"), [("win", 1.0), ("draw", 0.5), ("endless", 0.5), ("loss", 0.0)]
)
def test_a_win_is_worth_one_and_what_nobody_wins_a_half(value, score):
    assert Verdict(value).score == score


def test_what_one_player_gets_the_other_does_not():
    for value in SCORES:
        assert SCORES[value] + SCORES[OPPOSITE[value]] == 1
        assert OPPOSITE[OPPOSITE[value]] == value


def test_a_finished_game_is_won_lost_or_drawn_for_who_would_move():
    assert ended_verdict(Outcome(1, "reached"), 1) == Verdict("win", 0)
    assert ended_verdict(Outcome(1, "reached"), 2) == Verdict("loss", 0)
    assert ended_verdict(Outcome(None, "full"), 2) == Verdict("draw", 0)
