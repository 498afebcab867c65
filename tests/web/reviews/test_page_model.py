"""The values that the page of a finished game shows: a position, and who was winning."""

import pytest

import numduel
from numduel import Outcome, Record, Verdict
from numduel.play.analysis import Analysis, JudgedMove, analyze_record
from numduel.play.event import Move
from numduel.play.table import Table
from numduel.web.reviews.page_model import replay_at, review_of, stretches

GAME = numduel.new("double-or-add")


def played(*moves, outcome=None, players=("human", "human")):
    table = Table(GAME, 1, None, swap=False)
    for move in moves:
        table.apply(Move(move))
    return table, Record(GAME.key, {}, players, 1, moves, outcome, "2026-01-02T03:04:05+00:00")


def test_a_record_is_stepped_through():
    for step, at, number in ((None, 3, "6"), (99, 3, "6"), (1, 1, "2"), (-5, 0, "1")):
        shown = replay_at(*played(1, 2, 1), step)
        assert (shown.at, shown.length, shown.board.number.value) == (at, 3, number)
    assert shown.ending == "The game is not finished."
    resigned = played(1, outcome=Outcome(2, "resigned"))
    assert replay_at(*resigned, 0).ending == "Player 2 wins: Player 1 resigned."
    assert replay_at(*resigned, 0, you=1).ending == "Player 2 wins: You resigned."


@pytest.mark.parametrize(
    ("players", "you", "names"),
    [
        (("human", "easy"), 1, ("You", "Dot")),
        (("human", "human"), 0, ("Player 1", "Player 2")),
        (("Ada", "program:x"), 0, ("Ada (Player 1)", "The computer (program:x)")),
    ],
)
def test_the_players_of_a_record_are_named(players, you, names):
    assert replay_at(*played(players=players), None, you).names == names


def test_the_bar_has_a_place_for_each_move_and_a_mistake_leads_to_the_position_before_it():
    table, record = played(1, 1, 1, 2, 2)
    analysis = analyze_record(GAME, record)
    mistakes = [step.turn for step in analysis.turning_points]
    assert mistakes
    shown = stretches(analysis, ("You", "Player 2"), 0)
    assert [one.seat for one in shown] == [*analysis.leads]
    assert [one.label for one in shown] == ["0", "1", "2", "3", "4", "5"]
    assert [one.move for one in shown] == [t - (t in mistakes) for t in range(6)]
    assert [one.mistake for one in shown] == [t in mistakes for t in range(6)]
    assert [one.here for one in shown] == [True, *[False] * 5]
    assert shown[mistakes[0]].words.startswith("a mistake: ")
    judged = review_of(analysis, replay_at(table, record, mistakes[0] - 1))
    assert judged.mistake.turn == judged.mistakes[0] + 1 == mistakes[0]
    assert review_of(analysis, replay_at(table, record, 5)).mistake is None


def test_the_bar_says_who_is_winning():
    shown = stretches(Analysis((), (0, 1, 2)), ("You", "Player 2"), 2)
    assert [one.words for one in shown] == [
        "nobody is winning",
        "You are winning",
        "Player 2 is winning",
    ]


def test_the_bar_of_a_long_game_shows_its_mistakes_and_the_stretches_between_them():
    step = JudgedMove(500, 1, 1, "1", Verdict("loss"), False, 2, "2", "because")
    shown = stretches(Analysis((step,), (1,) * 500 + (2,) * 500), ("A", "B"), 700)
    assert [one.label for one in shown] == ["0", "499", "500", "700", "999"]
    assert [one.weight for one in shown] == [1, 499, 1, 200, 299]
    steps = tuple(step._replace(turn=turn) for turn in range(1, 999))
    assert len(stretches(Analysis(steps, (1, 2) * 500), ("A", "B"), 0)) <= 30
