"""The scores of verdicts, their order, and the verdict one move earlier."""

import pytest

from numduel.core.game import Outcome
from numduel.core.verdict import OPPOSITE, SCORES, Verdict, ended_verdict


def test_one_move_earlier_a_verdict_is_the_opposite():
    assert Verdict("win", 3).before(same_mover=False) == Verdict("loss", 4)
    assert Verdict("loss", 0).before(same_mover=False) == Verdict("win", 1)
    assert Verdict("draw", 2).before(same_mover=False) == Verdict("draw", 3)
    assert Verdict("endless").before(same_mover=False) == Verdict("endless")


def test_one_move_earlier_a_verdict_is_the_same_for_a_player_who_moves_twice():
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
def test_a_win_scores_one_and_a_draw_or_endless_game_a_half(value, score):
    assert Verdict(value).score == score


def test_the_scores_of_both_players_add_up_to_one():
    for value in SCORES:
        assert SCORES[value] + SCORES[OPPOSITE[value]] == 1
        assert OPPOSITE[OPPOSITE[value]] == value


def test_the_verdict_after_the_end_is_for_the_seat_that_would_move():
    assert ended_verdict(Outcome(1, "reached"), 1) == Verdict("win", 0)
    assert ended_verdict(Outcome(1, "reached"), 2) == Verdict("loss", 0)
    assert ended_verdict(Outcome(None, "full"), 2) == Verdict("draw", 0)
