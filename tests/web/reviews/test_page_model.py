"""What the page of a finished game shows: one of its positions, and who was winning when."""

import pytest

import numduel
from numduel import Outcome, Record, Verdict
from numduel.play.analysis import Analysis, JudgedMove, analyze_record
from numduel.play.event import Move
from numduel.play.table import Table
from numduel.web.reviews.page_model import bar, replay, review

GAME = numduel.new("double-or-add")


def played(*moves, outcome=None, players=("human", "human")):
    table = Table(GAME, 1, None, swap=False)
    for move in moves:
        table.apply(Move(move))
    return table, Record(GAME.key, {}, players, 1, moves, outcome, "2026-01-02T03:04:05+00:00")


def test_a_record_is_stepped_through():
    for step, at, number in ((None, 3, "6"), (99, 3, "6"), (1, 1, "2"), (-5, 0, "1")):
        shown = replay(*played(1, 2, 1), step)
        assert (shown.at, shown.length, shown.board.number.value) == (at, 3, number)
    assert shown.ending == "The game is not finished."
    resigned = played(1, outcome=Outcome(2, "resigned"))
    assert replay(*resigned, 0).ending == "Player 2 wins: Player 1 resigned."
    assert replay(*resigned, 0, you=1).ending == "Player 2 wins: You resigned."


@pytest.mark.parametrize(
    ("players", "you", "names"),
    [
        (("human", "easy"), 1, ("You", "Dot")),
        (("human", "human"), 0, ("Player 1", "Player 2")),
        (("Ada", "program:x"), 0, ("Ada (Player 1)", "The computer (program:x)")),
    ],
)
def test_what_the_players_of_a_record_are_called(players, you, names):
    assert replay(*played(players=players), None, you).names == names


def test_the_bar_has_a_place_for_each_move_and_a_mistake_leads_to_before_it():
    table, record = played(1, 1, 1, 2, 2)
    found = analyze_record(GAME, record)
    mistakes = [step.turn for step in found.turning_points]
    assert mistakes
    shown = bar(found, ("You", "Player 2"), 0)
    assert [one.seat for one in shown] == [*found.leads]
    assert [one.label for one in shown] == ["0", "1", "2", "3", "4", "5"]
    assert [one.move for one in shown] == [t - (t in mistakes) for t in range(6)]
    assert [one.mistake for one in shown] == [t in mistakes for t in range(6)]
    assert [one.here for one in shown] == [True, *[False] * 5]
    assert shown[mistakes[0]].said.startswith("a mistake: ")
    judged = review(found, replay(table, record, mistakes[0] - 1))
    assert judged.mistake.turn == judged.mistakes[0] + 1 == mistakes[0]
    assert review(found, replay(table, record, 5)).mistake is None


def test_the_bar_says_who_is_winning():
    shown = bar(Analysis((), (0, 1, 2)), ("You", "Player 2"), 2)
    assert [one.said for one in shown] == [
        "nobody is winning",
        "You are winning",
        "Player 2 is winning",
    ]


def test_the_bar_of_a_long_game_has_its_mistakes_and_what_lies_between_them():
    step = JudgedMove(500, 1, 1, "1", Verdict("loss"), False, 2, "2", "because")
    shown = bar(Analysis((step,), (1,) * 500 + (2,) * 500), ("A", "B"), 700)
    assert [one.label for one in shown] == ["0", "499", "500", "700", "999"]
    assert [one.weight for one in shown] == [1, 499, 1, 200, 299]
    steps = tuple(step._replace(turn=turn) for turn in range(1, 999))
    assert len(bar(Analysis(steps, (1, 2) * 500), ("A", "B"), 0)) <= 30
